// SPDX-License-Identifier: BSD-3-Clause

// Programs and kernels of OpenCL are released exactly once, by the plain interface and through
// SYCL, also when something fails in between or the host traps floating-point exceptions. So are
// modules and kernels of Level Zero, if that is what SYCL uses.
//
// Runs with the counting layer below the OpenCL loader.

#include "check.hpp"
#include "float_environment.h"
#include "native_modules.hpp"
#include "opencl_counts.h"

#include <tiletc/tiletc_sycl.hpp>

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

opencl_counts *counts = nullptr;

/// Fails unless all references that the process holds to programs and kernels are gone.
void expect_nothing_alive(char const *when) {
    if (counts->programs != 0 || counts->kernels != 0) {
        fprintf(stderr, "%s: %d references to programs, %d to kernels\n", when, counts->programs,
                counts->kernels);
    }
    CHECK(counts->programs == 0 && counts->kernels == 0);
    *counts = {};
}

auto small_binary(sycl::device const &dev) -> tiletc::shared_handle<tiletc_binary_t> {
    auto const prog = tiletc::parse_string(small_program());
    return tiletc::compile_to_spirv_and_assemble(prog.get(), tiletc::create_core_info(dev).get());
}

/// Bytes that begin as a module and are none.
auto broken_binary() -> tiletc::shared_handle<tiletc_binary_t> {
    auto const ctx = tiletc::create_compiler_context();
    auto const header = std::vector<std::uint32_t>{0x07230203, 0x00010400, 0, 1, 0};
    return tiletc::create_binary(ctx.get(), tiletc::bundle_format::spirv, 4 * header.size(),
                                 reinterpret_cast<std::uint8_t const *>(header.data()), 0);
}

void by_opencl(sycl::queue const &q, const_tiletc_binary_t bin) {
    auto const context = tiletc::internal::get_cl(q.get_context());
    auto const device = tiletc::internal::get_cl(q.get_device());
    auto const bundle = tiletc::create_kernel_bundle(context.get(), device.get(), bin);
    auto const copy = bundle;
    auto kernel = tiletc::create_kernel(bundle.get(), "copy");
    auto const group_size = tiletc::get_group_size(kernel.get());
    CHECK(group_size[0] > 0 && group_size[2] == 1);
    kernel = tiletc::create_kernel(copy.get(), "copy");
}

/// Bundle and kernel, and a launch if `launches`.
void by_sycl(sycl::queue q, const_tiletc_binary_t bin, bool launches) {
    auto kernel = std::optional<sycl::kernel>{};
    {
        auto const bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), bin);
        auto const copy = bundle;
        kernel = tiletc::create_kernel(copy, "copy");
        auto const another = tiletc::create_kernel(bundle, "copy");
    }
    auto const range = tiletc::get_execution_range(*kernel, sycl::range<3u>{1, 1, 1});
    if (launches) {
        auto *const data = sycl::malloc_shared<float>(32, q);
        for (int i = 0; i < 32; ++i) {
            data[i] = static_cast<float>(i % 16);
        }
        q.submit([&](sycl::handler &h) {
             h.set_args(data, data + 16);
             h.parallel_for(range, *kernel);
         }).wait();
        sycl::free(data, q);
    }
}

auto small_recipe(sycl::device const &dev) -> tiletc::shared_handle<tiletc_recipe_t> {
    auto const ctx = tiletc::create_compiler_context();
    tiletc_type_t number = nullptr;
    tiletc::CHECK_STATUS(tiletc_f32_type_get(&number, ctx.get()));
    auto const info = tiletc::create_core_info(dev);
    return tiletc::create_small_gemm_batched(info.get(), number, tiletc::transpose::N,
                                             tiletc::transpose::N, 8, 8, 8, 8, 64, 8, 64, 8, 64);
}

/// A recipe handler of each interface, and a launch through SYCL's if `launches`.
void by_recipe(sycl::queue q, tiletc_recipe_t rec, bool launches) {
    auto const context = tiletc::internal::get_cl(q.get_context());
    auto const device = tiletc::internal::get_cl(q.get_device());
    auto const plain = tiletc::create_recipe_handler(context.get(), device.get(), rec);
    auto const handler = tiletc::create_recipe_handler(q, rec);
    auto const copy = handler;
    if (launches) {
        auto *const data = sycl::aligned_alloc_shared<float>(128, 3 * 64, q);
        for (int i = 0; i < 3 * 64; ++i) {
            data[i] = i < 128 ? 1.0f : 0.0f;
        }
        tiletc::set_small_gemm_batched_args(handler, 1, 1.0f, tiletc::mem(data),
                                            tiletc::mem(data + 64), 0.0f, tiletc::mem(data + 128));
        tiletc::submit(copy, q).wait();
        CHECK(data[128] == 8.0f && data[3 * 64 - 1] == 8.0f);
        sycl::free(data, q);
    }
}

/// Lets each call fail in turn that `action` makes; it must throw or get over it, and leak nothing.
template <typename Action> void with_each_fault(char const *name, Action &&action) {
    *counts = {};
    action();
    int const calls = counts->calls;
    CHECK(calls > 0 && counts->made_programs > 0 && counts->made_kernels > 0);
    expect_nothing_alive(name);
    int failures = 0;
    for (int call = 1; call <= calls; ++call) {
        counts->fail_at = call;
        try {
            action();
        } catch (tiletc::status const &st) {
            ++failures;
            CHECK(st == tiletc::status::compute_runtime_error);
        } catch (sycl::exception const &) {
            ++failures;
        }
        auto const when = std::string(name) + ", fault " + std::to_string(call);
        expect_nothing_alive(when.c_str());
    }
    CHECK(failures > 0);
}

#ifdef TILETC_CAN_TRAP
void with_each_environment(sycl::queue const &q) {
    for (auto const &env : float_environments) {
        auto ctx = tiletc::create_compiler_context();
        auto prog = tiletc::parse_string(small_program(), ctx.get());
        auto kernel = std::optional<sycl::kernel>{};
        {
            enter(&env);
            CHECK(tiletc::get_support_level(q.get_device()) != tiletc::support_level::none);
            CHECK(is_in(&env));
            auto const info = tiletc::create_core_info(q.get_device());
            CHECK(is_in(&env));
            auto const bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
            CHECK(is_in(&env));
            kernel = tiletc::create_kernel(bundle, "copy");
            CHECK(is_in(&env));
            auto const group_size = tiletc::get_group_size(*kernel);
            CHECK(is_in(&env) && group_size[2] > 0);
            auto const bin = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
            by_opencl(q, bin.get());
            CHECK(is_in(&env));
            leave();
        }
    }
    expect_nothing_alive("host environments");
}
#endif

} // namespace

int main() {
    auto q = std::optional<sycl::queue>{};
    try {
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    auto const is_level_zero = q->get_backend() == sycl::backend::ext_oneapi_level_zero;
    if (!is_level_zero && q->get_backend() != sycl::backend::opencl) {
        return skip("SYCL's default device is neither one of OpenCL nor of Level Zero");
    }
    auto const *const layer = std::getenv("OPENCL_LAYERS");
    auto *const library = layer ? dlopen(layer, RTLD_NOW | RTLD_LOCAL) : nullptr;
    counts = library ? static_cast<opencl_counts *>(dlsym(library, "opencl_counts")) : nullptr;
    if (!is_level_zero && !counts) {
        return skip("the counting layer is not in OPENCL_LAYERS");
    }
    try {
        auto const bin = small_binary(q->get_device());
        auto const broken = broken_binary();
        if (is_level_zero) {
            native_modules{*q}.check(bin.get(), broken.get());
            return check_result();
        }
        *counts = {};
        by_opencl(*q, bin.get());
        if (counts->made_programs == 0) {
            return skip("the OpenCL loader takes no layers");
        }
        CHECK(counts->made_programs == 1 && counts->made_kernels == 2);
        expect_nothing_alive("plain OpenCL");

        by_sycl(*q, bin.get(), true);
        CHECK(counts->made_programs == 1 && counts->made_kernels == 2);
        expect_nothing_alive("SYCL");

        auto const rec = small_recipe(q->get_device());
        by_recipe(*q, rec.get(), true);
        CHECK(counts->made_programs == 2 && counts->made_kernels == 4);
        expect_nothing_alive("recipes");

        CHECK(status_of([&] { by_opencl(*q, broken.get()); }) ==
              tiletc::status::compute_runtime_error);
        CHECK(status_of([&] { by_sycl(*q, broken.get(), false); }) ==
              tiletc::status::compute_runtime_error);
        expect_nothing_alive("broken binary");

        with_each_fault("plain OpenCL", [&] { by_opencl(*q, bin.get()); });
        with_each_fault("SYCL", [&] { by_sycl(*q, bin.get(), false); });
        with_each_fault("recipes", [&] { by_recipe(*q, rec.get(), false); });
#ifdef TILETC_CAN_TRAP
        with_each_environment(*q);
#endif
    } catch (tiletc::status const &st) {
        fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    } catch (std::exception const &e) {
        fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
