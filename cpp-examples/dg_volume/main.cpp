// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The volume kernel of a discontinuous Galerkin scheme in a time loop, for every order.

#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Runs all steps of one order and prints a line of the table; true if every result is right.
template <typename T> auto run_order(int order, options const &opts, sycl::queue &q) -> bool {
    auto status_line = progress{};
    auto const name = "order " + std::to_string(order) + ": ";
    auto const basis = basis_size(order);
    std::int64_t const elements = opts.elements;
    check_device<T>(q.get_device(), problem<T>::bytes_needed(basis, elements));

    status_line.show(name + "compiling the kernel");
    auto const file = opts.kernel_file.empty() ? beside_program("volume.ir") : opts.kernel_file;
    auto const definitions =
        std::string("$real = ") + type_name<T>() + " $basis = " + std::to_string(basis);
    auto const compile_start = clock_type::now();
    auto const compiled = compile_template(file, definitions, "volume", q, status_line);
    auto const &kernel = compiled.kernel;
    auto const compile_time = milliseconds_since(compile_start);

    status_line.show(name + "filling the tensors");
    auto const data = problem<T>{basis, elements, opts.steps, q};
    auto *const K = data.K();
    auto *const I = data.I();
    auto *const A = data.A();
    auto *const Q = data.Q();

    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    auto times = std::vector<double>{};
    for (int step = 0; step < opts.steps; ++step) {
        status_line.show(name + "step " + std::to_string(step + 1) + " of " +
                         std::to_string(opts.steps));
        auto const start = clock_type::now();
        tiletc::submit(q, kernel, groups, K, I, elements, A, elements, Q, elements).wait();
        times.push_back(milliseconds_since(start));
    }

    status_line.show(name + "checking the results");
    auto const worst = data.worst_error();
    auto const pass = worst <= 1.0;
    auto const typical = median(times);
    status_line.clear();
    std::printf("%5d %6lld %12.2f %12.3f %10.1f %14.2e   %s\n", order,
                static_cast<long long>(basis), compile_time, typical,
                flops_per_step(basis, elements) / typical * 1e-6, worst, pass ? "PASS" : "FAIL");
    std::fflush(stdout);
    return pass;
}

/// Runs the orders asked for; true if every result is right.
template <typename T> auto run_orders(options const &opts) -> bool {
    auto q = sycl::queue{};
    print_device(q.get_device());
    std::printf("problem         E = %lld, %d step%s, %s\n\n",
                static_cast<long long>(opts.elements), opts.steps, opts.steps == 1 ? "" : "s",
                type_name<T>());
    std::printf("order  basis   compile ms      ms/step    GFLOP/s  error/allowed   result\n");
    std::fflush(stdout);
    bool pass = true;
    for (int order : opts.orders) {
        pass = run_order<T>(order, opts, q) && pass;
    }
    return pass;
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        return opts.number == options::precision::f32 ? run_orders<float>(opts)
                                                      : run_orders<double>(opts);
    });
}
