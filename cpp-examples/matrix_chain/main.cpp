// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The fused matrix chain in a SYCL time loop: Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for
/// Q, P of size 56 x 9 x E, K of size 56 x 56, and E separately stored matrices A_e of size 9 x 9.

#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace {

/// The kernel file that lies next to this program.
auto default_kernel_file(options const &opts) -> std::string {
    return beside_program(opts.number == options::precision::f32 ? "fused_kernel.ir"
                                                                 : "fused_kernel_f64.ir");
}

/// What a run measured; times in milliseconds.
struct measurement {
    double compile_time;
    std::vector<double> step_times;
    double worst_error;
};

/// Prints the measurement; true if every result is right.
template <typename T> auto print_results(measurement const &result, std::int64_t elements) -> bool {
    constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;
    auto const pass = result.worst_error <= tolerance;
    auto const &times = result.step_times;
    auto const typical = median(times);

    std::printf("compile time    %10.2f ms\n", result.compile_time);
    std::printf("time per step   %10.3f ms       median\n", typical);
    std::printf("                %10.3f ms       minimum\n",
                *std::min_element(times.begin(), times.end()));
    std::printf("performance     %10.1f GFLOP/s  E (2*56*56*9 + 2*56*9*9) operations per step\n",
                flops_per_step(elements) / typical * 1e-6);
    std::printf(
        "bandwidth       %10.1f GB/s     E ((3*56*9 + 9*9) %zu + %zu) + 56*56*%zu bytes per "
        "step\n",
        bytes_per_step<T>(elements) / typical * 1e-6, sizeof(T), sizeof(T *), sizeof(T));
    std::printf("worst error     %10.2e          over all Q_e, relative; allowed %.0e\n",
                result.worst_error, tolerance);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Runs the chain and prints what came out; true if every result is right.
template <typename T> auto run_chain(options const &opts) -> bool {
    std::int64_t const howmany = opts.elements;
    auto const num_timesteps = opts.steps;
    auto const kernel_file =
        opts.kernel_file.empty() ? default_kernel_file(opts) : opts.kernel_file;
    auto result = measurement{};
    auto status_line = progress{};

    auto q = sycl::queue{};
    check_device<T>(q.get_device(), problem<T>::bytes_needed(howmany));
    print_device(q.get_device());
    std::printf("problem         E = %lld, %d step%s, %s\n", static_cast<long long>(howmany),
                num_timesteps, num_timesteps == 1 ? "" : "s", type_name<T>());
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
    return print_results<T>(result, howmany);
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        return opts.number == options::precision::f32 ? run_chain<float>(opts)
                                                      : run_chain<double>(opts);
    });
}
