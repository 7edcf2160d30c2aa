// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Flash attention on tensors of size D x L x (B H): head dimension, sequence, heads of a batch.

#include "choice.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "timing.hpp"

#include <tiletc/half.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Prints the results; true if they are right.
auto print_results(attention_shape shape, double compile_time, std::vector<double> const &times,
                   std::int64_t rows, double worst) -> bool {
    auto const pass = worst <= 1.0;
    auto const typical = median(times);
    std::printf("compile time    %10.2f ms\n", compile_time);
    std::printf("time per launch %10.3f ms       median\n", typical);
    std::printf("                %10.3f ms       minimum\n",
                *std::min_element(times.begin(), times.end()));
    std::printf("performance     %10.1f GFLOP/s  4 D operations for each key that a query sees\n",
                shape.flops() / typical * 1e-6);
    std::printf("worst error     %10.2e          of what rounding allows, in %lld of %lld rows\n",
                worst, static_cast<long long>(rows), static_cast<long long>(shape.rows()));
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Computes the attention and prints what came out; true if every checked result is right.
template <typename T> auto attend(options const &opts) -> bool {
    auto const shape =
        attention_shape{opts.length, opts.head_dim, opts.batch * opts.heads, opts.group, opts.causal};
    auto status_line = progress{};

    auto q = sycl::queue{};
    check_device<T>(q.get_device(), problem<T>::bytes_needed(shape));
    print_device(q.get_device());
    auto const choice = kernel_for<T>(q.get_device(), opts.head_dim);
    std::printf("problem         L = %lld, D = %lld, B = %lld, H = %lld in groups of %lld, %s%s\n",
                static_cast<long long>(opts.length), static_cast<long long>(opts.head_dim),
                static_cast<long long>(opts.batch), static_cast<long long>(opts.heads),
                static_cast<long long>(opts.group),
                type_name<T>(), opts.causal ? ", causal" : "");
    std::fflush(stdout);

    status_line.show("compiling the kernel");
    auto const file =
        opts.kernel_file.empty() ? beside_program(choice.file) : opts.kernel_file;
    auto const compile_start = clock_type::now();
    auto const compiled =
        compile_template(file, definitions<T>(shape, choice), "flash_attention", q, status_line);
    auto const &kernel = compiled.kernel;
    auto const compile_time = milliseconds_since(compile_start);

    status_line.show("filling the tensors");
    auto const data = problem<T>{shape, q};
    auto const scale = data.scale();
    auto *const Q = data.Q();
    auto *const K = data.K();
    auto *const V = data.V();
    auto *const O = data.O();
    // The size of a memref's last modes and the distance of heads, in numbers.
    std::int64_t const L = shape.length;
    std::int64_t const heads = shape.heads;
    std::int64_t const shared = heads / shape.group;
    std::int64_t const stride = shape.head_dim * L;

    auto const groups = groups_of(shape, choice);
    auto times = std::vector<double>{};
    for (int launch = 0; launch < opts.launches; ++launch) {
        status_line.show("launch " + std::to_string(launch + 1) + " of " +
                         std::to_string(opts.launches));
        auto const start = clock_type::now();
        tiletc::submit(q, kernel, groups, scale, Q, L, heads, stride, K, L, shared, stride, V, L, shared,
                       stride, O, L, heads, stride)
            .wait();
        times.push_back(milliseconds_since(start));
    }

    status_line.show("checking the results");
    auto const rows = std::min(opts.rows, shape.rows());
    auto const worst = data.worst_error(rows);
    status_line.clear();
    return print_results(shape, compile_time, times, rows, worst);
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        switch (opts.type) {
        case options::number_type::f16:
            return attend<tiletc::half>(opts);
        case options::number_type::bf16:
            return attend<tiletc::bfloat16>(opts);
        default:
            return attend<float>(opts);
        }
    });
}
