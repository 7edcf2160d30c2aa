// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_CHAIN_HPP
#define MATRIX_CHAIN_CHAIN_HPP

#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// Measurements of a run; times in milliseconds.
struct measurement {
    double compile_time;
    std::vector<double> step_times;
    double worst_error;
};

/// The largest relative error in a matrix that counts as right.
template <typename T> constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;

/// The file with the kernel: the one chosen, or the one that lies next to this program.
inline auto kernel_file(options const &opts) -> std::string {
    if (!opts.kernel_file.empty()) {
        return opts.kernel_file;
    }
    return beside_program(opts.number == options::precision::f32 ? "fused_kernel.ir"
                                                                 : "fused_kernel_f64.ir");
}

/// Compiles the kernel, runs the time loop for so many elements, the first of which has this
/// number, and checks the results. `ready` is called when the time loop can begin.
template <typename T, typename Ready>
auto run_time_loop(options const &opts, std::int64_t first_element, std::int64_t howmany,
                   sycl::queue &q, progress &status_line, Ready const &ready) -> measurement {
    auto result = measurement{};
    status_line.show("compiling the kernel");
    auto const compile_start = clock_type::now();
    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto prog = tiletc::parse_file(kernel_file(opts).c_str(), ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    result.compile_time = milliseconds_since(compile_start);

    status_line.show("filling the tensors");
    auto const data = problem<T>{howmany, opts.steps, q, first_element};
    auto *const K = data.K();
    auto *const P = data.P();
    auto *const A = data.A();
    auto *const Q = data.Q();

    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(howmany)};
    ready();
    for (int timestep = 0; timestep < opts.steps; ++timestep) {
        status_line.show("step " + std::to_string(timestep + 1) + " of " +
                         std::to_string(opts.steps));
        auto const start = clock_type::now();
        tiletc::submit(q, kernel, groups, K, P, howmany, A, howmany, Q, howmany).wait();
        result.step_times.push_back(milliseconds_since(start));
    }

    status_line.show("checking the results");
    result.worst_error = data.worst_error();
    status_line.clear();
    return result;
}

#endif // MATRIX_CHAIN_CHAIN_HPP
