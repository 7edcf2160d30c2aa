// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The fused matrix chain in a SYCL time loop: Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for
/// Q, P of size 56 x 9 x E, K of size 56 x 56, and E separately stored matrices A_e of size 9 x 9.

#include "chain.hpp"
#include "device.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run.hpp"
#include "timing.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr char const *help_text =
    R"(Usage: matrix_chain [options]

Updates Q(:,:,e) <- Q(:,:,e) + K P(:,:,e) A_e for all e with a kernel compiled by
tiletc, a number of times, and checks every Q(:,:,e) on the host in double precision.
)";

/// Prints the measurement; true if every result is right.
template <typename T> auto print_results(measurement const &result, std::int64_t elements) -> bool {
    auto const pass = result.worst_error <= tolerance<T>;
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
                result.worst_error, tolerance<T>);
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

/// Runs the chain and prints what came out; true if every result is right.
template <typename T> auto run_chain(options const &opts) -> bool {
    auto status_line = progress{};
    auto q = sycl::queue{};
    check_device<T>(q.get_device(), problem<T>::bytes_needed(opts.elements));
    print_device(q.get_device());
    std::printf("problem         E = %lld, %d step%s, %s\n", static_cast<long long>(opts.elements),
                opts.steps, opts.steps == 1 ? "" : "s", type_name<T>());
    std::fflush(stdout);
    auto const result = run_time_loop<T>(opts, 0, opts.elements, q, status_line, [] {});
    return print_results<T>(result, opts.elements);
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::printf("%s\n%s", help_text, options_text());
            return true;
        }
        return opts.number == options::precision::f32 ? run_chain<float>(opts)
                                                      : run_chain<double>(opts);
    });
}
