// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Batches of small matrix products with the recipe small_gemm_batched, checked, timed, and
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
#include <memory>
#include <string>

namespace {

/// The products of a launch, one matrix behind the other.
template <typename T> class batch {
  public:
    batch(gemm_shape shape, std::int64_t howmany, sycl::queue const &q)
        : shape_{shape}, howmany_{howmany}, A_(shape.M * shape.K * howmany, q),
          B_(shape.K * shape.N * howmany, q), C_(shape.M * shape.N * howmany, q) {
        fill_at_random(0, A(), shape.M * shape.K * howmany);
        fill_at_random(1, B(), shape.K * shape.N * howmany);
    }

    auto A() const -> T * { return A_.get(); }
    auto B() const -> T * { return B_.get(); }
    auto C() const -> T * { return C_.get(); }

    /// Leaves no number in C.
    void spoil() const {
        std::fill_n(C(), shape_.M * shape_.N * howmany_, std::numeric_limits<T>::quiet_NaN());
    }

    /// The largest error of all entries in terms of what rounding allows.
    auto worst_error() const -> double {
        auto const [M, N, K] = shape_;
        return parallel_max(howmany_ * N, [&, M = M, N = N, K = K](std::int64_t column) {
            double worst = 0.0;
            auto const *const a = A() + column / N * M * K;
            auto const *const b = B() + column * K;
            for (std::int64_t m = 0; m < M; ++m) {
                auto entry = product_bound<T>{};
                for (std::int64_t k = 0; k < K; ++k) {
                    entry.add(a[m + k * M], b[k]);
                }
                auto const error = entry.error(C()[m + column * M]);
                worst = error <= worst ? worst : error; // NaN stays
                if (!(worst <= 1.0)) {
                    return worst;
                }
            }
            return worst;
        });
    }

    static auto bytes(gemm_shape shape) -> double {
        auto const [M, N, K] = shape;
        return static_cast<double>(M * K + K * N + M * N) * sizeof(T);
    }

  private:
    gemm_shape shape_;
    std::int64_t howmany_;
    usm_array<T> A_, B_, C_;
};

auto flops(gemm_shape shape) -> double {
    return 2.0 * static_cast<double>(shape.M * shape.N * shape.K);
}

template <typename T> auto batch_size(options const &opts, gemm_shape shape) -> std::int64_t {
    if (opts.howmany > 0) {
        return opts.howmany;
    }
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::min(2e8 / flops(shape), 256e6 / batch<T>::bytes(shape))));
}

/// Runs a batch and prints a line of the table; true if all results are right.
template <typename T>
auto multiply(options const &opts, gemm_shape shape, recipe_benchmark &bench) -> bool {
    auto const [M, N, K] = shape;
    auto const howmany = batch_size<T>(opts, shape);
    auto const name = std::to_string(M) + 'x' + std::to_string(N) + 'x' + std::to_string(K);
    bench.status_line.show(name + ' ' + type_name<T>());
    auto const data = batch<T>{shape, howmany, bench.queue};

    auto const none = tiletc::transpose::N;
    auto const recipe = tiletc::create_small_gemm_batched(
        bench.info.get(), bench.type<T>(), none, none, M, N, K, M, M * K, K, K * N, M, M * N);
    auto const handler = tiletc::create_recipe_handler(bench.queue, recipe);
    auto programs = contest{};
    programs.add("tiletc", [&] {
        tiletc::set_small_gemm_batched_args(handler, howmany, T(1), data.A(), data.B(), T(0),
                                            data.C());
        submit(handler, bench.queue).wait();
    });
    auto jit = std::unique_ptr<mkl::jit_gemm<T>>{};
    if (bench.library) {
        programs.add("gemm_batch_strided", [&, M = M, N = N, K = K] {
            bench.library->gemm_batch_strided(M, N, K, data.A(), data.B(), data.C(), howmany);
        });
        jit = std::make_unique<mkl::jit_gemm<T>>(*bench.library, M, N, K);
        programs.add("JIT", [&, M = M, N = N, K = K] {
            parallel_parts(howmany, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    (*jit)(data.A() + i * M * K, data.B() + i * K * N, data.C() + i * M * N);
                }
            });
        });
    }
    auto const results = programs.run(
        opts.runs, [&] { data.spoil(); }, [&] { return data.worst_error(); });
    bench.status_line.clear();
    std::printf("%-12s %s %8lld", name.c_str(), type_name<T>(), static_cast<long long>(howmany));
    return print_results(results, flops(shape) * static_cast<double>(howmany),
                         jit && !jit->is_generated() ? "  (MKL generates no kernel here)" : "");
}

auto benchmark(options const &opts) -> bool {
    auto bench = recipe_benchmark{opts};
    std::printf("GFLOP/s, medians of %d runs; of MKL also how many times faster tiletc is; the "
                "largest error of tiletc in terms of what rounding allows\n",
                opts.runs);
    std::printf("%-12s %3s %8s %10s%s\n", "M x N x K", "", "batch", "tiletc",
                bench.library ? " gemm_batch_strided           JIT GEMM" : "");
    return bench.run(opts.shapes, [&](auto number, gemm_shape shape) {
        return multiply<decltype(number)>(opts, shape, bench);
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
