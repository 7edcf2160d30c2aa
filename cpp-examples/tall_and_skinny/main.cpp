// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Products of a tall matrix and a small one with the recipe tall_and_skinny, checked, timed, and
/// compared with Intel MKL if it is there.

#include "contest.hpp"
#include "device.hpp"
#include "mkl.hpp"
#include "options.hpp"
#include "parallel.hpp"
#include "product_bound.hpp"
#include "progress.hpp"
#include "random.hpp"
#include "recipe_world.hpp"
#include "run.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

namespace {

/// A product whose matrices are packed.
template <typename T> class product {
  public:
    product(std::int64_t M, small_factor small, sycl::queue const &q)
        : M_{M}, small_{small}, A_(M * small.K, q), B_(small.K * small.N, q), C_(M * small.N, q) {
        fill(0, A(), M * small.K);
        fill(1, B(), small.K * small.N);
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
    void fill(std::uint8_t tensor, T *to, std::int64_t size) const {
        parallel_parts(size, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                to[i] = static_cast<T>(random_number(tensor, i, 1.0));
            }
        });
    }

    std::int64_t M_;
    small_factor small_;
    usm_array<T> A_, B_, C_;
};

template <typename T>
auto create_recipe(options const &opts, small_factor small, recipe_world const &world) {
    auto *const info = world.info.get();
    auto *const type = world.type<T>();
    auto const M = opts.rows;
    return opts.specialised
               ? tiletc::create_tall_and_skinny_specialized(info, type, M, small.N, small.K, M,
                                                            small.K, M, usm_array<T>::alignment,
                                                            usm_array<T>::alignment,
                                                            usm_array<T>::alignment, opts.block)
               : tiletc::create_tall_and_skinny(info, type, small.N, small.K, opts.block);
}

/// Runs a product and prints a line of the table; true if all results are right.
template <typename T>
auto multiply(options const &opts, small_factor small, sycl::queue q, recipe_world const &world,
              mkl const *library, progress &status_line) -> bool {
    auto const M = opts.rows;
    auto const name = std::to_string(small.N) + " x " + std::to_string(small.K);
    status_line.show(name + ' ' + type_name<T>());
    auto const data = product<T>{M, small, q};
    auto const handler = tiletc::create_recipe_handler(q, create_recipe<T>(opts, small, world));
    auto programs = contest{};
    programs.add("tiletc", [&] {
        tiletc::set_tall_and_skinny_args(handler, M, T(1), data.A(), M, data.B(), small.K, T(0),
                                         data.C(), M);
        submit(handler, q).wait();
    });
    if (library) {
        programs.add("gemm", [&] {
            library->gemm(M, small.N, small.K, data.A(), data.B(), data.C());
        });
    }
    auto const results = programs.run(
        opts.runs, [&] { data.spoil(); }, [&] { return data.worst_error(); });
    status_line.clear();

    auto right = true;
    std::printf("%-10s %s", name.c_str(), type_name<T>());
    for (auto const &result : results) {
        auto const flops = 2.0 * static_cast<double>(M * small.N * small.K);
        std::printf(" %10.2f", flops / result.milliseconds * 1e-6);
        if (&result != &results.front()) {
            std::printf(" %7.2f", result.milliseconds / results.front().milliseconds);
        }
        right = right && result.worst_error <= 1.0;
    }
    std::printf("   %.2f %s\n", results.front().worst_error, right ? "PASS" : "FAIL");
    std::fflush(stdout);
    return right;
}

auto benchmark(options const &opts) -> bool {
    using precision = options::precision;
    auto status_line = progress{};
    auto q = sycl::queue{};
    auto const dev = q.get_device();
    check_device<float>(dev, 0.0);
    auto const library = opts.mkl.empty() ? nullptr : std::make_unique<mkl>(opts.mkl);
    auto const world = recipe_world{dev, status_line};
    print_device(dev);
    std::printf("GFLOP/s, medians of %d runs with M = %lld; of MKL also how many times faster "
                "tiletc is; the largest error of tiletc in terms of what rounding allows\n",
                opts.runs, static_cast<long long>(opts.rows));
    std::printf("%-10s %3s %10s%s\n", "N x K", "", "tiletc", library ? "           MKL gemm" : "");

    auto right = true;
    for (auto const small : opts.factors) {
        if (opts.type != precision::f64) {
            right = multiply<float>(opts, small, q, world, library.get(), status_line) && right;
        }
        if (opts.type != precision::f32) {
            check_device<double>(dev, 0.0);
            right = multiply<double>(opts, small, q, world, library.get(), status_line) && right;
        }
    }
    std::printf("result     %s\n", right ? "PASS" : "FAIL");
    return right;
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
