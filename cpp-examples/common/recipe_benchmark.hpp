// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_RECIPE_BENCHMARK_HPP
#define EXAMPLES_RECIPE_BENCHMARK_HPP

#include "command_line.hpp"
#include "contest.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "mkl.hpp"
#include "parallel.hpp"
#include "progress.hpp"
#include "random.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

/// Options of the command lines of all these benchmarks.
struct benchmark_options {
    enum class precision { both, f32, f64 };

    precision type = precision::both;
    int runs = 11;
    /// File of Intel MKL to compare with; empty for none.
    std::string mkl;
    bool help = false;

    /// Reads the option at hand; refuses one that is none of these.
    void read(command_line &line) {
        if (line.is("-h", "--help")) {
            help = true;
        } else if (line.is("-f", "--precision")) {
            type = line.choice<precision>(
                {{"f32", precision::f32}, {"f64", precision::f64}, {"both", precision::both}});
        } else if (line.is("-n", "--runs")) {
            runs = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("--mkl")) {
            mkl = line.value();
        } else {
            line.refuse();
        }
    }
};

/// Environment that recipes are made and run in: a queue of SYCL's default device, its description, a
/// context that reports, and MKL if it is wanted.
class recipe_benchmark {
  public:
    sycl::queue queue;
    std::unique_ptr<mkl> library;
    tiletc::shared_handle<tiletc_core_info_t> info;
    progress status_line;

    explicit recipe_benchmark(benchmark_options const &opts)
        : type_{opts.type}, ctx_{tiletc::create_compiler_context()} {
        auto const dev = queue.get_device();
        check_device<float>(dev, 0.0);
        library = opts.mkl.empty() ? nullptr : std::make_unique<mkl>(opts.mkl);
        info = tiletc::create_core_info(dev);
        set_error_reporter(ctx_, report_to_stderr, &status_line);
        print_device(dev);
    }

    /// The language's type for a T, float or double.
    template <typename T> auto type() const -> tiletc_type_t {
        tiletc_type_t type = nullptr;
        tiletc::CHECK_STATUS(std::is_same_v<T, float> ? tiletc_f32_type_get(&type, ctx_.get())
                                                      : tiletc_f64_type_get(&type, ctx_.get()));
        return type;
    }

    /// Calls `multiply(T(), problem)` for each problem and precision that is asked for, which says
    /// whether its results are right. Prints whether all are.
    template <typename Problem, typename Multiply>
    auto run(std::vector<Problem> const &problems, Multiply &&multiply) const -> bool {
        using precision = benchmark_options::precision;
        auto right = true;
        for (auto const &problem : problems) {
            if (type_ != precision::f64) {
                right = multiply(float{}, problem) && right;
            }
            if (type_ != precision::f32) {
                check_device<double>(queue.get_device(), 0.0);
                right = multiply(double{}, problem) && right;
            }
        }
        std::printf("result          %s\n", right ? "PASS" : "FAIL");
        return right;
    }

  private:
    benchmark_options::precision type_;
    tiletc::shared_handle<tiletc_compiler_context_t> ctx_;
};

/// Fills a matrix with numbers from -1 to 1 that only depend on `tensor`.
template <typename T> void fill_at_random(std::uint8_t tensor, T *to, std::int64_t size) {
    parallel_parts(size, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            to[i] = static_cast<T>(random_number(tensor, i, 1.0));
        }
    });
}

/// Ends a line of the table with GFLOP/s of each program, how many times longer than the first it
/// took, and the error of the first; true if all results are right.
inline auto print_results(std::vector<contest::result> const &results, double flops,
                          char const *note = "") -> bool {
    auto right = true;
    for (auto const &result : results) {
        std::printf(" %10.2f", flops / result.milliseconds * 1e-6);
        if (&result != &results.front()) {
            std::printf(" %7.2f", result.milliseconds / results.front().milliseconds);
        }
        right = right && result.worst_error <= 1.0;
    }
    std::printf("   %.2f %s%s\n", results.front().worst_error, right ? "PASS" : "FAIL", note);
    std::fflush(stdout);
    return right;
}

#endif // EXAMPLES_RECIPE_BENCHMARK_HPP
