// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Products of a tall matrix and a small one with the recipe tall_and_skinny, checked, timed, and
/// compared with Intel MKL if it is there.

#include "options.hpp"
#include "product_bound.hpp"
#include "run.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

namespace {

/// A product whose matrices are packed.
template <typename T> class product {
  public:
    product(std::int64_t M, small_factor small, sycl::queue const &q)
        : M_{M}, small_{small}, A_(M * small.K, q), B_(small.K * small.N, q), C_(M * small.N, q) {
        fill_at_random(0, A(), M * small.K);
        fill_at_random(1, B(), small.K * small.N);
    }

    auto A() const -> T * { return A_.get(); }
    auto B() const -> T * { return B_.get(); }
    auto C() const -> T * { return C_.get(); }

    /// Leaves no number in C.
    void spoil() const { std::fill_n(C(), M_ * small_.N, std::numeric_limits<T>::quiet_NaN()); }

    /// The largest error of all entries in terms of what rounding allows.
    auto worst_error() const -> double {
        return parallel_max(M_ * small_.N, [&](std::int64_t i) {
            auto entry = product_bound<T>{};
            for (std::int64_t k = 0; k < small_.K; ++k) {
                entry.add(A()[i % M_ + k * M_], B()[k + i / M_ * small_.K]);
            }
            return entry.error(C()[i]);
        });
    }

  private:
    std::int64_t M_;
    small_factor small_;
    usm_array<T> A_, B_, C_;
};

template <typename T>
auto create_recipe(options const &opts, small_factor small, recipe_benchmark const &bench) {
    auto *const info = bench.info.get();
    auto *const type = bench.type<T>();
    auto const M = opts.rows;
    return opts.specialised
               ? tiletc::create_tall_and_skinny_specialized(
                     info, type, M, small.N, small.K, M, small.K, M, usm_array<T>::alignment,
                     usm_array<T>::alignment, usm_array<T>::alignment, opts.block)
               : tiletc::create_tall_and_skinny(info, type, small.N, small.K, opts.block);
}

/// Runs a product and prints a line of the table; true if all results are right.
template <typename T>
auto multiply(options const &opts, small_factor small, recipe_benchmark &bench) -> bool {
    auto const M = opts.rows;
    auto const name = std::to_string(small.N) + " x " + std::to_string(small.K);
    bench.status_line.show(name + ' ' + type_name<T>());
    auto const data = product<T>{M, small, bench.queue};
    auto const handler =
        tiletc::create_recipe_handler(bench.queue, create_recipe<T>(opts, small, bench));
    auto programs = contest{};
    programs.add("tiletc", [&] {
        tiletc::set_tall_and_skinny_args(handler, M, T(1), data.A(), M, data.B(), small.K, T(0),
                                         data.C(), M);
        submit(handler, bench.queue).wait();
    });
    if (bench.library) {
        programs.add("gemm", [&] {
            bench.library->gemm(M, small.N, small.K, data.A(), data.B(), data.C());
        });
    }
    auto const results = programs.run(
        opts.runs, [&] { data.spoil(); }, [&] { return data.worst_error(); });
    bench.status_line.clear();
    std::printf("%-10s %s", name.c_str(), type_name<T>());
    return print_results(results, 2.0 * static_cast<double>(M * small.N * small.K));
}

auto benchmark(options const &opts) -> bool {
    auto bench = recipe_benchmark{opts};
    std::printf("GFLOP/s, medians of %d runs with M = %lld; of MKL also how many times faster "
                "tiletc is; the largest error of tiletc in terms of what rounding allows\n",
                opts.runs, static_cast<long long>(opts.rows));
    std::printf("%-10s %3s %10s%s\n", "N x K", "", "tiletc",
                bench.library ? "           MKL gemm" : "");
    return bench.run(opts.factors, [&](auto number, small_factor small) {
        return multiply<decltype(number)>(opts, small, bench);
    });
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse_options(argc, argv);
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        return benchmark(opts);
    });
}
