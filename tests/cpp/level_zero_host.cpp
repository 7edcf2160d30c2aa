// SPDX-License-Identifier: BSD-3-Clause

// Level Zero from C++ on a fake driver: what is made is destroyed exactly once, whatever goes wrong
// in between. With TILETC_TEST_SYCL also how SYCL is made the owner of what is made, and which backend
// is used.

#include "check.hpp"

#include <tiletc/tiletc_ze.hpp>
#ifdef TILETC_TEST_SYCL
#include <tiletc/tiletc_sycl.hpp>
#endif

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace {

constexpr int device_lost = 0x70000001;

/// The variables of the fake driver, see tests/fakes.
struct fake_driver {
    int *calls, *fault_at, *fault_code, *live, *refuses, *no_kernels;

    /// The call of that number fails from now on; 0 for none, -1 for all.
    void fail(int call) const {
        *calls = 0;
        *fault_at = call;
        *fault_code = device_lost;
    }
};

auto load_fake(fake_driver &fake) -> bool {
    auto *const library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    auto const variable = [&](char const *name) {
        return library ? static_cast<int *>(dlsym(library, name)) : nullptr;
    };
    fake = {variable("fake_calls"), variable("fake_fault_at"), variable("fake_fault_code"),
            variable("fake_live"),  variable("fake_refuses"),  variable("fake_no_kernels")};
    return fake.calls != nullptr;
}

template <typename Handle> auto handle(std::uintptr_t number) -> Handle {
    return reinterpret_cast<Handle>(number);
}

void remember(char const *what, const tiletc_location *, void *messages) {
    *static_cast<std::string *>(messages) += what;
}

/// Everything a program does with a device.
void use(ze_context_handle_t context, ze_device_handle_t device, tiletc_compiler_context_t ctx) {
    CHECK(tiletc::get_support_level(device) == tiletc::support_level::tuned);
    auto const info = tiletc::create_core_info(device);
    auto const prog = tiletc::parse_string(small_program(), ctx);
    auto bundle = tiletc::create_kernel_bundle(context, device, prog);
    auto const bin = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
    // The module of before is destroyed, as is the one moved from.
    bundle = tiletc::create_kernel_bundle(context, device, bin);
    auto const moved = std::move(bundle);
    CHECK(!bundle && moved);
    auto const kernel = tiletc::create_kernel(moved.get(), "fused_kernel");
    auto const size = tiletc::get_group_size(kernel.get());
    CHECK(size[0] == 64 && size[1] == 2 && size[2] == 1);
}

#ifdef TILETC_TEST_SYCL
/// SYCL's part is played by functions, since no SYCL runs on the fake: they keep or destroy what
/// they are given, or throw before anything is theirs.
void sycl_becomes_the_owner(fake_driver const &fake, ze_module_handle_t mod) {
    using sycl::ext::oneapi::level_zero::ownership;
    struct refusal {};
    int kept = 0;
    int transferred = 0;
    auto const take = [&](ze_module_handle_t native, ownership owner) {
        ++(owner == ownership::keep ? kept : transferred);
        return native;
    };
    auto *const theirs = tiletc::internal::hand_over(tiletc::unique_handle{mod}, take);
    CHECK(theirs == mod && kept == 1 && transferred == 1 && *fake.live == 1);

    // Still alive, it is handed over again, and refused.
    bool refused = false;
    try {
        tiletc::internal::hand_over(tiletc::unique_handle{mod},
                                    [](ze_module_handle_t, ownership) -> int { throw refusal{}; });
    } catch (refusal const &) {
        refused = true;
    }
    CHECK(refused && *fake.live == 0);
}

void the_backend_decides() {
    auto const name = [](sycl::backend backend) {
        return tiletc::internal::on_backend(
            backend, [] { return std::string("OpenCL"); }, [] { return std::string("Level Zero"); });
    };
    CHECK(name(sycl::backend::opencl) == "OpenCL");
    CHECK(name(sycl::backend::ext_oneapi_level_zero) == "Level Zero");
    for (auto other : {sycl::backend::ext_oneapi_cuda, sycl::backend::ext_oneapi_hip}) {
        CHECK(status_of([&] { name(other); }) == tiletc::status::unsupported_backend);
    }
}
#endif

} // namespace

int main() {
    auto fake = fake_driver{};
    if (!load_fake(fake)) {
        return skip("libze_loader.so.1 is not the fake");
    }
    auto const context = handle<ze_context_handle_t>(1);
    auto const device = handle<ze_device_handle_t>(2);
    auto messages = std::string{};
    auto const ctx = tiletc::create_compiler_context();
    set_error_reporter(ctx, remember, &messages);
    using tiletc::status;

    fake.fail(0);
    CHECK(status_of([&] { use(context, device, ctx.get()); }) == status::success);
    CHECK(*fake.live == 0);
    int const calls = *fake.calls;
    CHECK(calls > 10 && messages.empty());

    int failures = 0;
    for (int call = 1; call <= calls; ++call) {
        fake.fail(call);
        auto const st = status_of([&] { use(context, device, ctx.get()); });
        CHECK(st == status::success || st == status::compute_runtime_error);
        CHECK(*fake.live == 0);
        failures += st != status::success;
    }
    CHECK(failures > 5);
    CHECK(messages.find("ZE_RESULT_ERROR_DEVICE_LOST") != std::string::npos);
    fake.fail(-1);
    CHECK(status_of([&] { use(context, device, ctx.get()); }) == status::compute_runtime_error);
    CHECK(*fake.live == 0);
    fake.fail(0);

    messages.clear();
    *fake.refuses = 1;
    CHECK(status_of([&] { use(context, device, ctx.get()); }) == status::compute_runtime_error);
    CHECK(messages.find("error: not good") != std::string::npos);
    *fake.refuses = 0;
    *fake.no_kernels = 1;
    CHECK(status_of([&] { use(context, device, ctx.get()); }) == status::compute_runtime_error);
    *fake.no_kernels = 0;
    CHECK(*fake.live == 0);

    CHECK(tiletc_ze_kernel_bundle_destroy(nullptr) == tiletc_status_invalid_arguments);
    CHECK(tiletc_ze_kernel_destroy(nullptr) == tiletc_status_invalid_arguments);
#ifdef TILETC_TEST_SYCL
    the_backend_decides();
    auto prog = tiletc::parse_string(small_program(), ctx.get());
    sycl_becomes_the_owner(fake,
                           tiletc::create_kernel_bundle(context, device, prog.get()).release());
#endif
    return check_result();
}
