// SPDX-License-Identifier: BSD-3-Clause

// What the kernel cache saves: times of create_kernel_bundle for the fused matrix chain without a
// cache, with an empty one and with a full one. Medians, after a run that is not counted.
//
// Argument: the folder with fused_kernel.ir. Works in the current folder.

#include "timing.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr int runs = 21;
constexpr char const *folder = "bench-kernel-cache";

/// The median time in milliseconds, from the parsed program to the bundle.
auto measure(sycl::queue const &q, std::string const &file, bool has_cache, bool is_cold)
    -> double {
    auto times = std::vector<double>{};
    for (int run = 0; run <= runs; ++run) {
        if (is_cold) {
            std::filesystem::remove_all(folder);
        }
        auto ctx = tiletc::make_compiler_context();
        set_cache(ctx, has_cache ? folder : nullptr);
        auto prog = tiletc::parse_file(file.c_str(), ctx.get());
        auto const start = clock_type::now();
        auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
        auto const time = milliseconds_since(start);
        if (run > 0) {
            times.push_back(time);
            auto const hits = get_cache_counters(ctx).hits;
            if ((has_cache && !is_cold) != (hits == 1)) {
                std::fputs("the cache did not do what is measured\n", stderr);
                throw tiletc::status::internal_compiler_error;
            }
        }
    }
    return median(times);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: bench_cache FOLDER\n", stderr);
        return 2;
    }
    auto const file = std::string(argv[1]) + "/fused_kernel.ir";
    try {
        auto const q = sycl::queue{};
        auto const device = q.get_device().get_info<sycl::info::device::name>();
        auto const without = measure(q, file, false, false);
        auto const cold = measure(q, file, true, true);
        auto const warm = measure(q, file, true, false);
        std::filesystem::remove_all(folder);
        std::printf("create_kernel_bundle, matrix chain, f32, for %s:\n", device.c_str());
        std::printf("  no cache %.2f ms, cold cache %.2f ms, warm cache %.2f ms: %.0f times as fast\n",
                    without, cold, warm, without / warm);
    } catch (sycl::exception const &e) {
        std::printf("SKIPPED: times of the cache (%s)\n", e.what());
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
