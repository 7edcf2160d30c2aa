// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// A kernel whose text is written when the program runs, for the sizes on its command line.

#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "text.hpp"
#include "timing.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Times that it took to get the kernel; times in milliseconds.
struct compiled {
    // Outlives its kernel: SYCL on Level Zero forgets the module of a bundle that goes first.
    sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
    sycl::kernel kernel;
    std::size_t module_size;
    double compile_time, driver_time;
};

/// From the text to a kernel, first by tiletc and then by the driver.
auto compile(std::string const &text, sycl::queue const &q, progress &status_line) -> compiled {
    auto const start = clock_type::now();
    auto ctx = tiletc::create_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &status_line);
    auto const prog = tiletc::parse_string(text, ctx.get());
    auto const info = tiletc::create_core_info(q.get_device());
    auto const binary = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
    auto const compile_time = milliseconds_since(start);

    auto const driver_start = clock_type::now();
    auto const bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), binary);
    auto kernel = tiletc::create_kernel(bundle, "chain");
    auto const size = tiletc::get_raw(binary.get()).data_size;
    return {bundle, kernel, size, compile_time, milliseconds_since(driver_start)};
}

/// Runs all steps; the time of each in milliseconds.
template <typename T>
auto run_steps(problem<T> const &data, sycl::kernel const &kernel, options const &opts,
               sycl::queue &q, progress &status_line) -> std::vector<double> {
    std::int64_t const elements = opts.elements;
    auto const range = tiletc::get_execution_range(
        kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)});
    auto times = std::vector<double>{};
    for (int step = 0; step < opts.steps; ++step) {
        status_line.show("step " + std::to_string(step + 1) + " of " + std::to_string(opts.steps));
        auto const start = clock_type::now();
        q.submit([&](sycl::handler &h) {
             int argument = 0;
             for (std::size_t k = 1; k < opts.sizes.size(); ++k) {
                 h.set_arg(argument++, data.X(k));
                 h.set_arg(argument++, elements);
             }
             h.set_arg(argument++, data.Q());
             h.set_arg(argument++, elements);
             h.parallel_for(range, kernel);
         }).wait();
        times.push_back(milliseconds_since(start));
    }
    return times;
}

/// Compiles, runs, checks, and prints what came out; true if every result is right.
template <typename T> auto run_chain(options const &opts) -> bool {
    auto status_line = progress{};
    auto q = sycl::queue{};
    check_device<T>(q.get_device(), problem<T>::bytes_needed(opts.sizes, opts.elements));
    print_device(q.get_device());

    auto const text = chain_text(opts.sizes, type_name<T>());
    if (opts.print) {
        std::printf("\n%s\n", text.c_str());
    }
    std::fflush(stdout);
    status_line.show("compiling the kernel");
    auto const made = compile(text, q, status_line);
    status_line.show("filling the tensors");
    auto const data = problem<T>{opts.sizes, opts.elements, opts.steps, q};
    auto const typical = median(run_steps(data, made.kernel, opts, q, status_line));
    status_line.show("checking the results");
    auto const worst = data.worst_error();
    auto const pass = worst <= 1.0;
    status_line.clear();

    std::printf("text to SPIR-V  %10.2f ms       %zu bytes of text, %zu of SPIR-V\n",
                made.compile_time, text.size(), made.module_size);
    std::printf("driver          %10.2f ms\n", made.driver_time);
    std::printf("time per step   %10.3f ms       median\n", typical);
    std::printf("performance     %10.1f GFLOP/s\n",
                problem<T>::flops_per_step(opts.sizes, opts.elements) / typical * 1e-6);
    std::printf("worst error     %10.2e          of what rounding allows\n", worst);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
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
        return opts.number == options::precision::f32 ? run_chain<float>(opts)
                                                      : run_chain<double>(opts);
    });
}
