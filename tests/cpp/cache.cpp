// SPDX-License-Identifier: BSD-3-Clause

// The kernel cache from SYCL: bundles that are built and bundles from the cache compute the same,
// whether the program or its binary is cached, and stay valid like any others.
//
// Argument: the folder with fused_kernel.ir. Works in the current folder.

#include "check.hpp"
#include "problem.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

namespace {

constexpr int num_timesteps = 2;
constexpr std::int64_t howmany = 5;
constexpr char const *folder = "kernel-cache";

/// Runs the kernel of a bundle and compares with the host.
void run(sycl::queue q, sycl::kernel_bundle<sycl::bundle_state::executable> const &bundle) {
    auto const data = problem<float>{howmany, num_timesteps, q};
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    auto range = tiletc::get_execution_range(kernel, sycl::range<3u>{1, 1, howmany});
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        q.submit([&](sycl::handler &h) {
             h.set_args(data.K(), data.P(), howmany, data.A(), howmany, data.Q(), howmany);
             h.parallel_for(range, kernel);
         }).wait();
    }
    CHECK(data.worst_error() <= 1e-5);
}

void expect(tiletc::shared_handle<tiletc_compiler_context_t> const &ctx, std::uint64_t hits,
            std::uint64_t misses, std::uint64_t stored) {
    auto const counters = get_cache_counters(ctx);
    CHECK(counters.hits == hits && counters.misses == misses && counters.stored == stored);
    CHECK(counters.evicted == 0 && counters.rejected == 0);
}

void programs(sycl::queue const &q, std::string const &file) {
    for (std::uint64_t round = 0; round < 3; ++round) {
        auto bundle = [&] {
            auto ctx = tiletc::make_compiler_context();
            expect(ctx, 0, 0, 0);
            set_cache(ctx, folder);
            auto prog = tiletc::parse_file(file.c_str(), ctx.get());
            auto result = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
            auto const is_first = round == 0 ? 1u : 0u;
            expect(ctx, 1 - is_first, is_first, is_first);
            return result;
        }();
        run(q, bundle);
    }
}

void binaries(sycl::queue const &q, std::string const &file) {
    auto ctx = tiletc::make_compiler_context();
    tiletc::set_cache(ctx.get(), folder, 1 << 24);
    auto prog = tiletc::parse_file(file.c_str(), ctx.get());
    auto info = tiletc::create_core_info(q.get_device());
    auto bin = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
    for (std::uint64_t round = 0; round < 2; ++round) {
        run(q, tiletc::create_kernel_bundle(q.get_context(), q.get_device(), bin));
        expect(ctx, round, 1, 1);
    }
    CHECK(tiletc::get_cache_counters(ctx.get()).hits == 1);
    set_cache(ctx, nullptr);
    run(q, tiletc::create_kernel_bundle(q.get_context(), q.get_device(), bin));
    expect(ctx, 0, 0, 0);
}

void wrong_handles_are_refused() {
    using tiletc::status;
    CHECK(status_of([] { tiletc::set_cache(tiletc_compiler_context_t{}, folder); }) ==
          status::invalid_arguments);
    CHECK(status_of([] { tiletc::get_cache_counters(tiletc_compiler_context_t{}); }) ==
          status::invalid_arguments);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: cache FOLDER\n", stderr);
        return 2;
    }
    auto q = std::optional<sycl::queue>{};
    try {
        wrong_handles_are_refused();
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    auto const file = std::string(argv[1]) + "/fused_kernel.ir";
    try {
        std::filesystem::remove_all(folder);
        programs(*q, file);
        binaries(*q, file);
        std::filesystem::remove_all(folder);
    } catch (tiletc::status const &st) {
        std::fprintf(stderr, "status %d: %s\n", static_cast<int>(st), tiletc::to_string(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
