// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Batches of small matrix products with the recipe small_gemm_batched, checked, timed, and compared
/// with Intel MKL if it is there.

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

/// The products of a launch, one matrix behind the other.
template <typename T> class batch {
  public:
    batch(gemm_shape shape, std::int64_t howmany, sycl::queue const &q)
        : shape_{shape}, howmany_{howmany}, A_(shape.M * shape.K * howmany, q),
          B_(shape.K * shape.N * howmany, q), C_(shape.M * shape.N * howmany, q) {
        fill(0, A(), shape.M * shape.K);
        fill(1, B(), shape.K * shape.N);
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
    void fill(std::uint8_t tensor, T *to, std::int64_t size) const {
        parallel_parts(size * howmany_, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                to[i] = static_cast<T>(random_number(tensor, i, 1.0));
            }
        });
    }

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
auto multiply(options const &opts, gemm_shape shape, sycl::queue q, recipe_world const &world,
              mkl const *library, progress &status_line) -> bool {
    auto const [M, N, K] = shape;
    auto const howmany = batch_size<T>(opts, shape);
    auto const name = std::to_string(M) + 'x' + std::to_string(N) + 'x' + std::to_string(K);
    status_line.show(name + ' ' + type_name<T>());
    auto const data = batch<T>{shape, howmany, q};

    auto const none = tiletc::transpose::N;
    auto const recipe =
        tiletc::create_small_gemm_batched(world.info.get(), world.type<T>(), none, none, M, N, K, M,
                                          M * K, K, K * N, M, M * N);
    auto const handler = tiletc::create_recipe_handler(q, recipe);
    auto programs = contest{};
    programs.add("tiletc", [&] {
        tiletc::set_small_gemm_batched_args(handler, howmany, T(1), data.A(), data.B(), T(0),
                                            data.C());
        submit(handler, q).wait();
    });
    auto jit = std::unique_ptr<mkl::jit_gemm<T>>{};
    if (library) {
        programs.add("gemm_batch_strided", [&, M = M, N = N, K = K] {
            library->gemm_batch_strided(M, N, K, data.A(), data.B(), data.C(), howmany);
        });
        jit = std::make_unique<mkl::jit_gemm<T>>(*library, M, N, K);
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
    status_line.clear();

    auto right = true;
    std::printf("%-12s %s %8lld", name.c_str(), type_name<T>(), static_cast<long long>(howmany));
    for (auto const &result : results) {
        auto const rate = flops(shape) * static_cast<double>(howmany) / result.milliseconds * 1e-6;
        std::printf(" %10.2f", rate);
        if (&result != &results.front()) {
            std::printf(" %7.2f", result.milliseconds / results.front().milliseconds);
        }
        right = right && result.worst_error <= 1.0;
    }
    std::printf("   %.2f %s%s\n", results.front().worst_error, right ? "PASS" : "FAIL",
                jit && !jit->is_generated() ? "  (MKL generates no kernel here)" : "");
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
    std::printf("GFLOP/s, medians of %d runs; of MKL also how many times faster tiletc is; the "
                "largest error of tiletc in terms of what rounding allows\n",
                opts.runs);
    std::printf("%-12s %3s %8s %10s%s\n", "M x N x K", "", "batch", "tiletc",
                library ? " gemm_batch_strided           JIT GEMM" : "");

    auto right = true;
    for (auto const shape : opts.shapes) {
        if (opts.type != precision::f64) {
            right = multiply<float>(opts, shape, q, world, library.get(), status_line) && right;
        }
        if (opts.type != precision::f32) {
            check_device<double>(dev, 0.0);
            right = multiply<double>(opts, shape, q, world, library.get(), status_line) && right;
        }
    }
    std::printf("result       %s\n", right ? "PASS" : "FAIL");
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
