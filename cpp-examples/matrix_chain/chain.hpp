// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_CHAIN_HPP
#define MATRIX_CHAIN_CHAIN_HPP

#include "f32.hpp"
#include "f64.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <cstdint>
#include <functional>
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

/// Launch of a step for the tensors K, P, A, Q and a number of elements.
template <typename T>
using step_launch = std::function<sycl::event(sycl::queue, T *, T *, T **, T *, std::int64_t)>;

/// The launch of the kernel that is a part of this program, built for a queue.
template <typename T> auto embedded_launch(sycl::queue const &q) -> step_launch<T> {
    auto launch = [](sycl::queue const &to, T *K, T *P, T **A, T *Q, std::int64_t howmany) {
        if constexpr (std::is_same_v<T, float>) {
            return f32::fused_kernel(to, K, P, howmany, A, howmany, Q, howmany);
        } else {
            return f64::fused_kernel(to, K, P, howmany, A, howmany, Q, howmany);
        }
    };
    // The first launch builds the kernel, also one without an element.
    launch(q, nullptr, nullptr, nullptr, nullptr, 0);
    return launch;
}

/// The launch of the kernel of a file.
template <typename T>
auto launch_of_file(std::string const &file, sycl::queue const &q, progress &status_line)
    -> step_launch<T> {
    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto prog = tiletc::parse_file(file.c_str(), ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    return [bundle, kernel](sycl::queue const &to, T *K, T *P, T **A, T *Q, std::int64_t howmany) {
        return tiletc::submit(to, kernel, K, P, howmany, A, howmany, Q, howmany);
    };
}

/// Compiles the kernel, runs the time loop for so many elements, the first of which has this
/// number, and checks the results. `ready` is called when the time loop can begin.
template <typename T, typename Ready>
auto run_time_loop(options const &opts, std::int64_t first_element, std::int64_t howmany,
                   sycl::queue &q, progress &status_line, Ready const &ready) -> measurement {
    auto result = measurement{};
    status_line.show("compiling the kernel");
    auto const compile_start = clock_type::now();
    auto const launch = opts.kernel_file.empty()
                            ? embedded_launch<T>(q)
                            : launch_of_file<T>(opts.kernel_file, q, status_line);
    result.compile_time = milliseconds_since(compile_start);

    status_line.show("filling the tensors");
    auto const data = problem<T>{howmany, opts.steps, q, first_element};
    auto *const K = data.K();
    auto *const P = data.P();
    auto *const A = data.A();
    auto *const Q = data.Q();

    ready();
    for (int timestep = 0; timestep < opts.steps; ++timestep) {
        status_line.show("step " + std::to_string(timestep + 1) + " of " +
                         std::to_string(opts.steps));
        auto const start = clock_type::now();
        launch(q, K, P, A, Q, howmany).wait();
        result.step_times.push_back(milliseconds_since(start));
    }

    status_line.show("checking the results");
    result.worst_error = data.worst_error();
    status_line.clear();
    return result;
}

#endif // MATRIX_CHAIN_CHAIN_HPP
