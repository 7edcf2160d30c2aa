// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The fused matrix chain in a SYCL time loop: Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for
/// Q, P of size 56 x 9 x E, K of size 56 x 56, and E separately stored matrices A_e of size 9 x 9.

#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

auto milliseconds_since(clock_type::time_point start) -> double {
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

void report_to_stderr(char const *what, const tiletc_location *, void *status_line) {
    static_cast<progress *>(status_line)->clear();
    std::fprintf(stderr, "%s\n", what);
}

/// The kernel file that lies next to this program.
auto default_kernel_file(options const &opts) -> std::string {
    auto const name =
        opts.number == options::precision::f32 ? "fused_kernel.ir" : "fused_kernel_f64.ir";
    auto error = std::error_code{};
    auto const program = std::filesystem::read_symlink("/proc/self/exe", error);
    return (program.parent_path() / name).string();
}

/// What cannot work on this device is said before anything is tried.
template <typename T> void check_device(sycl::device const &dev, std::int64_t elements) {
    auto const name = dev.get_info<sycl::info::device::name>();
    if (!dev.has(sycl::aspect::usm_shared_allocations)) {
        throw std::runtime_error("'" + name + "' cannot share memory with the host (USM)");
    }
    if (std::is_same_v<T, double> && !dev.has(sycl::aspect::fp64)) {
        throw std::runtime_error("'" + name + "' has no double precision; use -f f32");
    }
    auto const available = dev.get_info<sycl::info::device::global_mem_size>();
    if (problem<T>::bytes_needed(elements) > static_cast<double>(available)) {
        auto text = std::ostringstream{};
        text << std::fixed << std::setprecision(1) << elements << " elements need "
             << problem<T>::bytes_needed(elements) * 1e-9 << " GB, but '" << name << "' has "
             << static_cast<double>(available) * 1e-9 << " GB";
        throw std::runtime_error(text.str());
    }
}

auto backend_name(sycl::device const &dev) -> std::string {
    auto name = std::ostringstream{};
    name << dev.get_backend();
    return name.str();
}

/// What a run measured; times in milliseconds.
struct measurement {
    double compile_time;
    std::vector<double> step_times;
    double worst_error;
};

/// Prints the measurement; true if every result is right.
template <typename T> auto print_results(measurement result, std::int64_t elements) -> bool {
    constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
    auto const pass = result.worst_error <= tolerance;
    auto &times = result.step_times;
    std::sort(times.begin(), times.end());
    auto const median = times[times.size() / 2];

    std::printf("compile time    %10.2f ms\n", result.compile_time);
    std::printf("time per step   %10.3f ms       median\n", median);
    std::printf("                %10.3f ms       minimum\n", times.front());
    std::printf("performance     %10.1f GFLOP/s  E (2*56*56*9 + 2*56*9*9) operations per step\n",
                flops_per_step(elements) / median * 1e-6);
    std::printf(
        "bandwidth       %10.1f GB/s     E ((3*56*9 + 9*9) %zu + %zu) + 56*56*%zu bytes per "
        "step\n",
        bytes_per_step<T>(elements) / median * 1e-6, sizeof(T), sizeof(T *), sizeof(T));
    std::printf("worst error     %10.2e          over all Q_e, relative; allowed %.0e\n",
                result.worst_error, tolerance);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Runs the chain and prints what came out; true if every result is right.
template <typename T> auto run(options const &opts) -> bool {
    std::int64_t const howmany = opts.elements;
    auto const num_timesteps = opts.steps;
    auto const kernel_file =
        opts.kernel_file.empty() ? default_kernel_file(opts) : opts.kernel_file;
    auto result = measurement{};
    auto status_line = progress{};

    auto q = sycl::queue{};
    check_device<T>(q.get_device(), howmany);
    std::printf("device          %s (%s)\n",
                q.get_device().get_info<sycl::info::device::name>().c_str(),
                backend_name(q.get_device()).c_str());
    std::printf("problem         E = %lld, %d step%s, %s\n", static_cast<long long>(howmany),
                num_timesteps, num_timesteps == 1 ? "" : "s",
                std::is_same_v<T, float> ? "f32" : "f64");
    std::fflush(stdout);

    status_line.show("compiling the kernel");
    auto const compile_start = clock_type::now();
    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto prog = tiletc::parse_file(kernel_file.c_str(), ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    result.compile_time = milliseconds_since(compile_start);

    status_line.show("filling the tensors");
    auto const data = problem<T>{howmany, num_timesteps, q};
    auto *const K = data.K();
    auto *const P = data.P();
    auto *const A = data.A();
    auto *const Q = data.Q();

    auto exe_range = tiletc::get_execution_range(
        kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(howmany)});
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        status_line.show("step " + std::to_string(timestep + 1) + " of " +
                         std::to_string(num_timesteps));
        auto const start = clock_type::now();
        q.submit([&](sycl::handler &h) {
             h.set_args(K, P, howmany, A, howmany, Q, howmany);
             h.parallel_for(exe_range, kernel);
         }).wait();
        result.step_times.push_back(milliseconds_since(start));
    }

    status_line.show("checking the results");
    result.worst_error = data.worst_error();
    status_line.clear();
    return print_results<T>(std::move(result), howmany);
}

} // namespace

auto main(int argc, char **argv) -> int {
    try {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return 0;
        }
        auto const pass =
            opts.number == options::precision::f32 ? run<float>(opts) : run<double>(opts);
        return pass ? 0 : 1;
    } catch (usage_error const &e) {
        std::cerr << "error: " << e.what() << "\nTry --help.\n";
        return 2;
    } catch (tiletc::status const &st) {
        std::cerr << "error: tiletc: " << tiletc::to_string(st) << " (" << static_cast<int>(st)
                  << ")\n";
    } catch (sycl::exception const &e) {
        std::cerr << "error: SYCL: " << e.what() << '\n';
    } catch (std::exception const &e) {
        std::cerr << "error: " << e.what() << '\n';
    }
    return 1;
}
