// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The measurements of `cargo xtask bench`: what the machine can do, batches of matrix products beside
/// Intel MKL's and LIBXSMM's, the fused matrix chain beside two calls of theirs an element, and compile times.
/// Every line of the output is an object of JSON: what comes next, or a measurement.

#include "contest.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "mkl.hpp"
#include "parallel.hpp"
#include "problem.hpp"
#include "product_bound.hpp"
#include "recipe_benchmark.hpp"
#include "run.hpp"
#include "usm_array.hpp"
#include "xsmm.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

struct suite_options {
    int runs = 11;
    /// Only little of everything.
    bool quick = false;
    std::string mkl;
    /// Folder with the programs of the chain.
    std::string kernels = ".";
    std::int64_t elements = 50000;
};

/// Name of a program in the table, and of what it is compared with.
constexpr char const *ours = "tiletc";

auto escaped(std::string const &text) -> std::string {
    auto result = std::string{};
    for (char const character : text) {
        if (character == '"' || character == '\\') {
            result += '\\';
        }
        result += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
    return result;
}

void next(std::string const &what) {
    std::printf("{\"next\": \"%s\"}\n", escaped(what).c_str());
    std::fflush(stdout);
}

/// Times of a program over some runs in milliseconds.
struct times {
    double median, least, most;
};

auto times_of(std::vector<double> const &all) -> times {
    auto const [least, most] = std::minmax_element(all.begin(), all.end());
    return {median(all), *least, *most};
}

/// Measures something that has no results to check.
template <typename Body> auto measure(int runs, Body const &body) -> times {
    body();
    auto all = std::vector<double>{};
    for (int i = 0; i < runs; ++i) {
        auto const start = clock_type::now();
        body();
        all.push_back(milliseconds_since(start));
    }
    return times_of(all);
}

/// A measurement: work and bytes of a run, where they are known.
void print(char const *suite, std::string const &name, char const *type, char const *data,
           std::string const &program, times const &t, double flops, double bytes, double error) {
    std::printf("{\"suite\": \"%s\", \"name\": \"%s\", \"type\": \"%s\", \"data\": \"%s\", "
                "\"program\": \"%s\", \"median_ms\": %.6g, \"least_ms\": %.6g, \"most_ms\": %.6g, "
                "\"flops\": %.9g, \"bytes\": %.9g, \"error\": %.3g}\n",
                suite, escaped(name).c_str(), type, data, escaped(program).c_str(), t.median,
                t.least, t.most, flops, bytes, error);
    std::fflush(stdout);
}

/// Place of data: beyond the cache, or within it.
auto place_of(double bytes) -> char const * { return bytes > cache_bytes() ? "beyond" : "within"; }

// Twelve sums are more than the latency of a multiply-add takes on any processor of today.
constexpr int sums = 12;
constexpr std::int64_t rounds = 1 << 16;

// The vectors are as wide as those of AVX-512; elsewhere the compiler takes several for one.
#define FMA_LOOP(name, number)                                                                     \
    __attribute__((target_clones("avx512f", "avx2,fma", "default"))) void name(                    \
        number factor, number term, number *result) {                                              \
        typedef number vector __attribute__((vector_size(64)));                                    \
        vector acc[sums] = {};                                                                     \
        for (int i = 0; i < sums; ++i) {                                                           \
            acc[i] += static_cast<number>(i);                                                      \
        }                                                                                          \
        for (std::int64_t round = 0; round < rounds; ++round) {                                    \
            for (int i = 0; i < sums; ++i) {                                                       \
                acc[i] = acc[i] * factor + term;                                                   \
            }                                                                                      \
        }                                                                                          \
        number sum = 0;                                                                            \
        for (int i = 0; i < sums; ++i) {                                                           \
            for (std::size_t lane = 0; lane < 64 / sizeof(number); ++lane) {                       \
                sum += acc[i][lane];                                                               \
            }                                                                                      \
        }                                                                                          \
        *result = sum;                                                                             \
    }
FMA_LOOP(fma_f32, float)
FMA_LOOP(fma_f64, double)

template <typename T, typename Loop>
void measure_fma(suite_options const &opts, char const *type, Loop const &loop) {
    next(std::string("multiply-adds, ") + type);
    auto const processors = static_cast<std::int64_t>(std::thread::hardware_concurrency());
    std::int64_t const each = opts.quick ? 8 : 64;
    auto results = std::vector<T>(static_cast<std::size_t>(processors));
    auto const t = measure(opts.runs, [&] {
        parallel_parts(processors, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = 0; i < (end - begin) * each; ++i) {
                loop(T(0.5), T(1), &results[static_cast<std::size_t>(begin)]);
            }
        });
    });
    // Every lane ends at 2; a loop that is not there would not.
    auto const expected = T(2 * sums * 64 / sizeof(T));
    double const error = results[0] == expected ? 0.0 : std::numeric_limits<double>::infinity();
    double const flops = 2.0 * sums * (64 / sizeof(T)) * static_cast<double>(rounds * each * processors);
    print("roofline", "multiply-adds", type, "registers", "host", t, flops, 0.0, error);
}

void measure_triad(suite_options const &opts) {
    next("stream triad");
    double const bytes = opts.quick ? 48e6 : std::clamp(4.0 * cache_bytes(), 256e6, 1.5e9);
    auto const count = static_cast<std::int64_t>(bytes / 24.0);
    auto const size = static_cast<std::size_t>(count);
    auto const a = std::unique_ptr<double[]>(new double[size]);
    auto const b = std::unique_ptr<double[]>(new double[size]);
    auto const c = std::unique_ptr<double[]>(new double[size]);
    // Whoever uses the memory later touches it first.
    parallel_parts(count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            a[i] = 0.0, b[i] = 1.0, c[i] = 2.0;
        }
    });
    auto const t = measure(opts.runs, [&] {
        parallel_parts(count, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                a[i] = b[i] + 3.0 * c[i];
            }
        });
    });
    double const error = a[size / 2] == 7.0 ? 0.0 : std::numeric_limits<double>::infinity();
    print("roofline", "stream triad", "f64", place_of(bytes), "host", t, 2.0 * static_cast<double>(count),
          24.0 * static_cast<double>(count), error);
}

template <typename T> constexpr auto name_of() -> char const * {
    return sizeof(T) == 4 ? "f32" : "f64";
}

/// Prints the results of a contest; true if all are right.
auto report(std::vector<contest::result> const &results, char const *suite, std::string const &name,
            char const *type, char const *data, double flops, double bytes) -> bool {
    auto right = true;
    for (auto const &result : results) {
        print(suite, name, type, data, result.name,
              {result.milliseconds, result.least, result.most}, flops, bytes, result.worst_error);
        right = right && result.worst_error <= 1.0;
    }
    return right;
}

struct shape {
    std::int64_t M, N, K;
};

/// A batch of products with tiletc's recipe, MKL's batch and MKL's JIT kernels.
template <typename T>
auto multiply(suite_options const &opts, recipe_benchmark &bench, shape s, double bytes) -> bool {
    auto const [M, N, K] = s;
    char const *const data = place_of(bytes);
    auto const name = std::to_string(M) + 'x' + std::to_string(N) + 'x' + std::to_string(K);
    next("products of " + name + ", " + name_of<T>() + ", " + data + " the cache");
    double const each = static_cast<double>((M * K + K * N + M * N) * sizeof(T));
    auto const howmany = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes / each));
    auto const A = usm_array<T>{M * K * howmany, bench.queue};
    auto const B = usm_array<T>{K * N * howmany, bench.queue};
    auto const C = usm_array<T>{M * N * howmany, bench.queue};
    fill_at_random(0, A.get(), M * K * howmany);
    fill_at_random(1, B.get(), K * N * howmany);

    auto const none = tiletc::transpose::N;
    auto const recipe = tiletc::create_small_gemm_batched(bench.info.get(), bench.type<T>(), none,
                                                          none, M, N, K, M, M * K, K, K * N, M, M * N);
    auto const handler = tiletc::create_recipe_handler(bench.queue, recipe);
    auto programs = contest{};
    programs.add(ours, [&] {
        tiletc::set_small_gemm_batched_args(handler, howmany, T(1), A.get(), B.get(), T(0), C.get());
        submit(handler, bench.queue).wait();
    });
    auto const one_by_one = [&, M = M, N = N, K = K](auto const &product) {
        parallel_parts(howmany, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                product(A.get() + i * M * K, B.get() + i * K * N, C.get() + i * M * N);
            }
        });
    };
    auto jit = std::unique_ptr<mkl::jit_gemm<T>>{};
    if (bench.library) {
        programs.add("MKL batch", [&, M = M, N = N, K = K] {
            bench.library->gemm_batch_strided(M, N, K, A.get(), B.get(), C.get(), howmany);
        });
        jit = std::make_unique<mkl::jit_gemm<T>>(*bench.library, M, N, K);
        programs.add("MKL JIT", [&] { one_by_one(*jit); });
    }
#ifdef BENCH_LIBXSMM
    auto const xsmm_jit = xsmm::jit_gemm<T>{{}, M, N, K, {M, K, M}, T(0)};
    programs.add("LIBXSMM", [&] { one_by_one(xsmm_jit); });
#endif
    double const flops = 2.0 * static_cast<double>(M * N * K);
    // Products with more digits take time: some of the batch, the last among them.
    auto const checked = std::clamp<std::int64_t>(static_cast<std::int64_t>(1e8 / flops), 1, howmany);
    auto const worst_error = [&, M = M, N = N, K = K] {
        return parallel_max(checked * N, [&](std::int64_t column) {
            auto const which = howmany - 1 - column / N * (howmany / checked);
            double worst = 0.0;
            for (std::int64_t m = 0; m < M; ++m) {
                auto entry = product_bound<T>{};
                for (std::int64_t k = 0; k < K; ++k) {
                    entry.add(A.get()[which * M * K + m + k * M],
                              B.get()[which * K * N + k + column % N * K]);
                }
                auto const error = entry.error(C.get()[which * M * N + m + column % N * M]);
                worst = error <= worst ? worst : error; // NaN stays
            }
            return worst;
        });
    };
    auto const spoil = [&, M = M, N = N] {
        std::fill_n(C.get(), M * N * howmany, std::numeric_limits<T>::quiet_NaN());
    };
    auto const results = programs.run(opts.runs, spoil, worst_error);
    return report(results, "gemm", name, name_of<T>(), data, flops * static_cast<double>(howmany),
                  each * static_cast<double>(howmany));
}

/// The number of a bfloat16, and of the one that a number is rounded to, towards zero.
auto from_bf16(std::uint16_t bits) -> float {
    auto const word = std::uint32_t{bits} << 16;
    float number;
    std::memcpy(&number, &word, sizeof number);
    return number;
}
auto to_bf16(float number) -> std::uint16_t {
    std::uint32_t word;
    std::memcpy(&word, &number, sizeof word);
    return static_cast<std::uint16_t>(word >> 16);
}

/// A batch of products C = A B, a work-group for each.
auto batch_text_bf16(std::int64_t size) -> std::string {
    return "$n = " + std::to_string(size) + R"(
func @gemm(%A: memref<bf16 x $n x $n x ?>, %B: memref<bf16 x $n x $n x ?>, %C: memref<f32 x $n x $n x ?>) {
  %g = group_id.x : index
  %a = subview %A[0:$n, 0:$n, %g] : memref<bf16 x $n x $n>
  %b = subview %B[0:$n, 0:$n, %g] : memref<bf16 x $n x $n>
  %c = subview %C[0:$n, 0:$n, %g] : memref<f32 x $n x $n>
  %one = constant 1.0 : bf16
  %zero = constant 0.0 : bf16
  gemm.n.n %one, %a, %b, %zero, %c
})";
}

/// A batch of products of bf16 on AMX, beside MKL's products.
auto multiply_bf16(suite_options const &opts, recipe_benchmark &bench, std::int64_t size, double bytes) -> bool {
    auto const entries = size * size;
    auto const name = std::to_string(size) + 'x' + std::to_string(size) + 'x' + std::to_string(size);
    next("products of " + name + ", bf16");
    double const each = static_cast<double>(entries) * (2 + 2 + 4);
    auto const howmany = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes / each));
    auto &q = bench.queue;
    auto const A = usm_array<std::uint16_t>{entries * howmany, q};
    auto const B = usm_array<std::uint16_t>{entries * howmany, q};
    auto const C = usm_array<float>{entries * howmany, q};
    parallel_parts(entries * howmany, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            A.get()[i] = to_bf16(static_cast<float>(random_number(0, i, 1.0)));
            B.get()[i] = to_bf16(static_cast<float>(random_number(1, i, 1.0)));
        }
    });
    auto const kernel = compile_text(batch_text_bf16(size), "gemm", q, bench.status_line);
    auto programs = contest{};
    programs.add(ours, [&] {
        auto const range = tiletc::get_execution_range(
            kernel.kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(howmany)});
        q.submit([&](sycl::handler &h) {
             h.set_args(A.get(), howmany, B.get(), howmany, C.get(), howmany);
             h.parallel_for(range, kernel.kernel);
         }).wait();
    });
    if (bench.library) {
        programs.add("MKL", [&] {
            parallel_parts(howmany, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    bench.library->gemm_bf16(size, size, size, A.get() + i * entries,
                                             B.get() + i * entries, C.get() + i * entries);
                }
            });
        });
    }
    // Some columns of the last product.
    auto const worst_error = [&] {
        constexpr std::int64_t step = 5;
        auto const first = (howmany - 1) * entries;
        return parallel_max(size / step, [&](std::int64_t column) {
            double worst = 0.0;
            for (std::int64_t m = 0; m < size; ++m) {
                auto entry = product_bound<float>{};
                for (std::int64_t k = 0; k < size; ++k) {
                    entry.add(from_bf16(A.get()[first + m + k * size]),
                              from_bf16(B.get()[first + k + column * step * size]));
                }
                auto const error = entry.error(C.get()[first + m + column * step * size]);
                worst = error <= worst ? worst : error; // NaN stays
            }
            return worst;
        });
    };
    auto const spoil = [&] {
        std::fill_n(C.get(), entries * howmany, std::numeric_limits<float>::quiet_NaN());
    };
    double const flops = 2.0 * static_cast<double>(entries) * static_cast<double>(size);
    return report(programs.run(opts.runs, spoil, worst_error), "bf16", name, "bf16", place_of(bytes),
                  flops * static_cast<double>(howmany), each * static_cast<double>(howmany));
}

/// Products of bf16, if the device has an engine for them.
auto products_of_bf16(suite_options const &opts, recipe_benchmark &bench) -> bool {
    // Not one of tinytc's features, whose enumeration the headers keep.
    constexpr auto cooperative_matrix = static_cast<tiletc::spirv_feature>(8194);
    if (!tiletc::have_spirv_feature(bench.info.get(), cooperative_matrix)) {
        std::printf("{\"skipped\": \"products of bf16: the device has no AMX\"}\n");
        return true;
    }
    auto right = true;
    for (std::int64_t const size : {128, 256}) {
        right = multiply_bf16(opts, bench, size, opts.quick ? 1e6 : cache_bytes() / 2) && right;
    }
    return right;
}

/// The fused chain, and two products of a library for each element.
template <typename T> auto chain(suite_options const &opts, recipe_benchmark &bench) -> bool {
    next(std::string("fused chain, ") + name_of<T>());
    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, report_to_stderr, &bench.status_line);
    auto const file = opts.kernels + (sizeof(T) == 4 ? "/fused_kernel.ir" : "/fused_kernel_f64.ir");
    auto prog = tiletc::parse_file(file.c_str(), ctx.get());
    auto &q = bench.queue;
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    std::int64_t const howmany = opts.quick ? std::min<std::int64_t>(opts.elements, 500) : opts.elements;
    // Each of them adds to Q once and is looked at; what it adds later is not.
    auto data = std::unique_ptr<problem<T>>{};
    auto const renew = [&] { data = std::make_unique<problem<T>>(howmany, 1, q); };
    renew();
    auto programs = contest{};
    programs.add(ours, [&] {
        auto const range =
            tiletc::get_execution_range(kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(howmany)});
        q.submit([&](sycl::handler &h) {
             h.set_args(data->K(), data->P(), howmany, data->A(), howmany, data->Q(), howmany);
             h.parallel_for(range, kernel);
         }).wait();
    });
    auto const element_by_element = [&](auto const &first, auto const &second) {
        parallel_parts(howmany, [&](std::int64_t begin, std::int64_t end) {
            auto product = std::array<T, M * N>{};
            for (std::int64_t e = begin; e < end; ++e) {
                first(data->K(), data->P() + e * M * N, product.data());
                second(product.data(), data->A()[e], data->Q() + e * M * N);
            }
        });
    };
    if (bench.library) {
        programs.add("two MKL GEMMs", [&] {
            element_by_element(
                [&](T const *A, T const *B, T *C) { bench.library->gemm(M, N, M, A, B, C); },
                [&](T const *A, T const *B, T *C) { bench.library->gemm(M, N, N, A, B, C, T(1)); });
        });
    }
#ifdef BENCH_LIBXSMM
    auto const first = xsmm::jit_gemm<T>{{}, M, N, M, {M, M, M}, T(0)};
    auto const second = xsmm::jit_gemm<T>{{}, M, N, N, {M, N, M}, T(1)};
    programs.add("two LIBXSMM GEMMs", [&] { element_by_element(first, second); });
#endif
    constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
    auto const results =
        programs.run(opts.runs, renew, [&] { return data->worst_error() / tolerance; });
    return report(results, "chain", "E = " + std::to_string(howmany), name_of<T>(),
                  place_of(bytes_per_step<T>(howmany)), flops_per_step(howmany), bytes_per_step<T>(howmany));
}

/// C = A B on tiles of the given sizes.
auto tile_text(std::int64_t bm, std::int64_t bn, std::int64_t bk) -> std::string {
    return "$bm = " + std::to_string(bm) + " $bn = " + std::to_string(bn) + " $bk = " +
           std::to_string(bk) + R"(
func @gemm(%A: memref<f32 x ? x ?>, %B: memref<f32 x ? x ?>, %C: memref<f32 x ? x ?>) {
  %M = size %C[0] : index
  %N = size %C[1] : index
  %K = size %A[1] : index
  %zero = constant 0 : index
  %bm = constant $bm : index
  %bn = constant $bn : index
  %bk = constant $bk : index
  %nm = cdiv %M, %bm : index
  %nn = cdiv %N, %bn : index
  %tm, %tn = tile_order.linear_n %nm, %nn -> (index, index)
  %m = mul %tm, %bm : index
  %n = mul %tn, %bn : index
  %none = constant 0.0 : tile<f32 x $bm x $bn, matrix_acc>
  %acc = for %k = %zero, %K, %bk init(%d = %none) -> (tile<f32 x $bm x $bn, matrix_acc>) {
    %a = tile_load %A[%m, %k] : tile<f32 x $bm x $bk, matrix_a>
    %b = tile_load %B[%k, %n] : tile<f32 x $bk x $bn, matrix_b>
    %e = tile_dot %a, %b, %d : tile<f32 x $bm x $bn, matrix_acc>
    yield (%e)
  }
  tile_store %acc, %C[%m, %n]
})";
}

/// C = A B by a `gemm` for each block of C, whose sizes divide those of C.
auto block_text(std::int64_t bm, std::int64_t bn) -> std::string {
    return "$bm = " + std::to_string(bm) + " $bn = " + std::to_string(bn) + R"(
func @gemm(%A: memref<f32 x ? x ?>, %B: memref<f32 x ? x ?>, %C: memref<f32 x ? x ?>) {
  %bm = constant $bm : index
  %bn = constant $bn : index
  %x = group_id.x : index
  %y = group_id.y : index
  %m = mul %y, %bm : index
  %n = mul %x, %bn : index
  %K = size %A[1] : index
  %a = subview %A[%m:$bm, 0:%K] : memref<f32 x $bm x ?, strided<1, ?>>
  %b = subview %B[0:%K, %n:$bn] : memref<f32 x ? x $bn, strided<1, ?>>
  %c = subview %C[%m:$bm, %n:$bn] : memref<f32 x $bm x $bn, strided<1, ?>>
  %one = constant 1.0 : f32
  %zero = constant 0.0 : f32
  gemm.n.n %one, %a, %b, %zero, %c
})";
}

/// One large product on tiles, beside the `gemm` instruction in blocks of some sizes and MKL.
auto tile_product(suite_options const &opts, recipe_benchmark &bench) -> bool {
    std::int64_t const size = opts.quick ? 256 : 1024;
    auto const name = std::to_string(size) + 'x' + std::to_string(size) + 'x' + std::to_string(size);
    next("tile product of " + name);
    auto &q = bench.queue;
    auto const A = usm_array<float>{size * size, q};
    auto const B = usm_array<float>{size * size, q};
    auto const C = usm_array<float>{size * size, q};
    fill_at_random(0, A.get(), size * size);
    fill_at_random(1, B.get(), size * size);
    auto programs = contest{};
    auto const add = [&](std::string const &title, std::string const &text, std::int64_t bm, std::int64_t bn) {
        auto const made =
            std::make_shared<compiled_kernel>(compile_text(text, "gemm", q, bench.status_line));
        programs.add(title + std::to_string(bm) + 'x' + std::to_string(bn), [&, made, bm, bn] {
            auto const range = tiletc::get_execution_range(
                made->kernel, sycl::range<3u>{1, static_cast<std::size_t>(size / bm),
                                              static_cast<std::size_t>(size / bn)});
            q.submit([&](sycl::handler &h) {
                 int argument = 0;
                 for (auto *const matrix : {A.get(), B.get(), C.get()}) {
                     h.set_arg(argument++, matrix);
                     for (int extent = 0; extent < 3; ++extent) {
                         h.set_arg(argument++, size);
                     }
                 }
                 h.parallel_for(range, made->kernel);
             }).wait();
        });
    };
    constexpr shape tiles[] = {{128, 128, 64}, {128, 64, 64}, {64, 64, 64}, {64, 128, 128}};
    for (auto const &[bm, bn, bk] : tiles) {
        add("tiles of ", tile_text(bm, bn, bk), bm, bn);
    }
    for (auto const &[bm, bn, bk] : {shape{64, 64, 0}, {128, 64, 0}, {128, 128, 0}, {256, 64, 0}}) {
        add("gemm of ", block_text(bm, bn), bm, bn);
    }
    if (bench.library) {
        programs.add("MKL SGEMM",
                     [&] { bench.library->gemm(size, size, size, A.get(), B.get(), C.get()); });
    }
    auto const worst_error = [&] {
        constexpr std::int64_t step = 7;
        return parallel_max(size / step, [&](std::int64_t column) {
            auto const n = step * column;
            double worst = 0.0;
            for (std::int64_t m = column % 3; m < size; m += 3) {
                auto entry = product_bound<float>{};
                for (std::int64_t k = 0; k < size; ++k) {
                    entry.add(A.get()[m + k * size], B.get()[k + n * size]);
                }
                auto const error = entry.error(C.get()[m + n * size]);
                worst = error <= worst ? worst : error; // NaN stays
            }
            return worst;
        });
    };
    auto const spoil = [&] { std::fill_n(C.get(), size * size, std::numeric_limits<float>::quiet_NaN()); };
    double const entries = static_cast<double>(size) * static_cast<double>(size);
    double const bytes = 3.0 * 4.0 * entries;
    auto const results = programs.run(opts.runs, spoil, worst_error);
    auto right = true;
    // A row for each tile, with all that is no tile beside it.
    for (std::size_t i = 0; i < std::size(tiles); ++i) {
        auto row = std::vector<contest::result>{results[i]};
        row[0].name = ours;
        row.insert(row.end(), results.begin() + std::size(tiles), results.end());
        right = report(row, "tiles", name + ", " + results[i].name, "f32", place_of(bytes),
                       2.0 * entries * static_cast<double>(size), bytes) &&
                right;
    }
    return right;
}

/// Text to SPIR-V of the chain and of the product on tiles for pvc.
void compile_times(suite_options const &opts) {
    auto const info = tiletc::create_core_info_intel_from_name("pvc");
    auto const compile = [&](std::string const &name, auto const &parse) {
        next("compiling " + name);
        auto const t = measure(opts.runs, [&] {
            auto const ctx = tiletc::make_compiler_context();
            auto const prog = parse(ctx.get());
            tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
        });
        print("compile", name, "", "", ours, t, 0.0, 0.0, 0.0);
    };
    for (char const *const name : {"fused_kernel.ir", "fused_kernel_f64.ir"}) {
        auto const file = opts.kernels + '/' + name;
        compile(name, [&](tiletc_compiler_context_t ctx) { return tiletc::parse_file(file.c_str(), ctx); });
    }
    auto const text = tile_text(128, 128, 64);
    compile("tile product, f32", [&](tiletc_compiler_context_t ctx) {
        return tiletc::parse_string(text.c_str(), ctx);
    });
}

auto benchmark(suite_options const &opts) -> bool {
    auto common = benchmark_options{};
    common.mkl = opts.mkl;
    // It prints the device, as text; a comment to whoever reads the lines.
    auto bench = recipe_benchmark{common};
    bool const is_cpu = bench.queue.get_device().is_cpu();
    bool const has_f64 = bench.queue.get_device().has(sycl::aspect::fp64);
    std::printf("{\"device\": \"%s\", \"is_cpu\": %s, \"processors\": %u, \"cache_bytes\": %.0f, "
                "\"runs\": %d}\n",
                escaped(bench.queue.get_device().get_info<sycl::info::device::name>()).c_str(),
                is_cpu ? "true" : "false", std::thread::hardware_concurrency(), cache_bytes(), opts.runs);
#ifndef BENCH_LIBXSMM
    std::printf("{\"skipped\": \"LIBXSMM 1, which CMake has not found\"}\n");
#endif
    measure_triad(opts);
    measure_fma<float>(opts, "f32", fma_f32);
    measure_fma<double>(opts, "f64", fma_f64);

    auto shapes = std::vector<shape>{{8, 8, 8},    {16, 16, 16},    {32, 32, 32},
                                     {64, 64, 64}, {128, 128, 128}, {56, 9, 56}};
    double const cache = cache_bytes();
    // Twice the cache at least, if that leaves memory for all else.
    auto sizes = std::vector<double>{std::clamp(4.0 * cache, 256e6, std::max(1e9, 2.0 * cache)), cache / 2};
    if (opts.quick) {
        shapes = {{16, 16, 16}};
        sizes = {1e6};
    }
    auto right = true;
    for (auto const &s : shapes) {
        for (double const bytes : sizes) {
            right = multiply<float>(opts, bench, s, bytes) && right;
            right = (!has_f64 || multiply<double>(opts, bench, s, bytes)) && right;
        }
    }
    right = chain<float>(opts, bench) && right;
    right = (!has_f64 || chain<double>(opts, bench)) && right;
    right = tile_product(opts, bench) && right;
    right = products_of_bf16(opts, bench) && right;
    compile_times(opts);
    std::printf("{\"right\": %s}\n", right ? "true" : "false");
    return right;
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto opts = suite_options{};
        auto line = command_line{argc, argv};
        while (line.next()) {
            if (line.is("-n", "--runs")) {
                opts.runs = static_cast<int>(line.number(1, 1000));
            } else if (line.is("-e", "--elements")) {
                opts.elements = line.number(1, 1 << 24);
            } else if (line.is("--quick")) {
                opts.quick = true;
            } else if (line.is("--mkl")) {
                opts.mkl = line.value();
            } else if (line.is("--kernels")) {
                opts.kernels = line.value();
            } else {
                line.refuse();
            }
        }
        return benchmark(opts);
    });
}
