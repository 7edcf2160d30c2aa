// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The builder from C++: a kernel for one sparse matrix S, made without a text, in a SYCL time
/// loop: Q(:,:,e) <- Q(:,:,e) + S P(:,:,e) for all e.

#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "sparse_matrix.hpp"
#include "sparse_product.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

/// Prints what was measured; true if every result is right.
template <typename T>
auto print_results(sparse_matrix const &S, std::int64_t elements,
                   std::vector<double> const &step_times, double worst_error) -> bool {
    // In every step, each entry of S rounds a product and a sum that has the magnitude of Q.
    auto const roundings = static_cast<double>(step_times.size()) *
                           static_cast<double>(2 * S.max_entries_in_row() + 1);
    auto const tolerance = roundings * std::numeric_limits<T>::epsilon();
    auto const pass = worst_error <= tolerance;
    auto const typical = median(step_times);
    auto const flops = static_cast<double>(2 * S.num_entries() * N * elements);
    std::printf("time per step   %10.3f ms       median\n", typical);
    std::printf("performance     %10.1f GFLOP/s  2*9 E operations per entry of S\n",
                flops / typical * 1e-6);
    std::printf("worst error     %10.2e          over all Q_e, relative; allowed %.0e\n",
                worst_error, tolerance);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Builds the kernel, runs it and checks the results; true if all of them are right.
template <typename T> auto run_steps(options const &opts) -> bool {
    auto const S = sparse_matrix{opts.order, opts.percent};
    auto const ctx = tiletc::create_compiler_context();
    auto const prog = build_sparse_product(S, tiletc::to_type<T>(ctx.get()));
    if (opts.print) {
        std::fputs(tiletc::print_to_string(prog.get()).get(), stdout);
        return true;
    }

    auto status_line = progress{};
    auto q = sycl::queue{};
    std::int64_t const howmany = opts.elements;
    check_device<T>(q.get_device(), problem<T>::bytes_needed(opts.order, howmany));
    print_device(q.get_device());
    std::printf("problem         E = %lld, S of order %lld with %lld entries, %d steps, %s\n",
                static_cast<long long>(howmany), static_cast<long long>(S.order()),
                static_cast<long long>(S.num_entries()), opts.steps, type_name<T>());

    status_line.show("compiling the kernel");
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto const compile_start = clock_type::now();
    auto const bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    auto const kernel = tiletc::create_kernel(bundle, "sparse_product");
    std::printf("compile time    %10.2f ms\n", milliseconds_since(compile_start));

    status_line.show("filling the tensors");
    auto const data = problem<T>{S, howmany, opts.steps, q};
    auto *const P = data.P();
    auto *const Q = data.Q();
    auto const groups = sycl::range<3u>{
        1, 1, static_cast<std::size_t>((howmany + elements_per_group - 1) / elements_per_group)};
    auto step_times = std::vector<double>{};
    for (int step = 0; step < opts.steps; ++step) {
        status_line.show("step " + std::to_string(step + 1) + " of " + std::to_string(opts.steps));
        auto const start = clock_type::now();
        tiletc::submit(q, kernel, groups, P, howmany, Q, howmany).wait();
        step_times.push_back(milliseconds_since(start));
    }

    status_line.show("checking the results");
    auto const worst_error = data.worst_error();
    status_line.clear();
    return print_results<T>(S, howmany, step_times, worst_error);
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        return opts.number == options::precision::f32 ? run_steps<float>(opts)
                                                      : run_steps<double>(opts);
    });
}
