// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Softmax and attention of the examples beside those of oneDNN, which has the same queue and threads. They take turns
/// with the same input.

#include "choice.hpp"
#include "columns.hpp"
#include "command_line.hpp"
#include "contest.hpp"
#include "kernel.hpp"
#include "onednn.hpp"
#include "parallel.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "random.hpp"
#include "run.hpp"
#include "softmax_error.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace {

struct bench_options {
    int runs = 51;
    /// Folder of the examples.
    std::string examples = ".";
};

auto parse(int argc, char **argv) -> bench_options {
    auto opts = bench_options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::printf("Usage: %s [--runs N] [--examples FOLDER]\n\n"
                        "Medians of N runs, 51 if nothing is said, of the kernels in the folder.\n",
                        argv[0]);
            std::exit(0);
        } else if (line.is("--runs")) {
            opts.runs = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("--examples")) {
            opts.examples = line.value();
        } else {
            line.refuse();
        }
    }
    return opts;
}

/// Prints a line for each program: its time, and that of oneDNN in it; true if all results are right.
auto report(std::string const &name, std::vector<contest::result> const &results, double work, char const *unit)
    -> bool {
    auto const own = results.front().milliseconds;
    auto right = true;
    for (auto const &result : results) {
        auto const is_right = result.worst_error <= 1.0;
        std::printf("%-28s %-8s %9.3f ms %8.1f %-8s %5.2f of tiletc's time, error %.2f of what rounding "
                    "allows%s\n",
                    name.c_str(), result.name.c_str(), result.milliseconds, work / result.milliseconds * 1e-6, unit,
                    result.milliseconds / own, result.worst_error, is_right ? "" : ": FAIL");
        right = right && is_right;
    }
    std::fflush(stdout);
    return right;
}

class operators {
  public:
    operators(bench_options const &opts, sycl::queue const &q) : opts_{opts}, q_{q}, library_{q} {}

    /// Softmax of columns.
    auto softmax(std::int64_t rows, std::int64_t cols) -> bool {
        auto const X = usm_array<float>{rows * cols, q_}, Y = usm_array<float>{rows * cols, q_};
        parallel_parts(rows * cols, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) {
                X.get()[i] = static_cast<float>(random_number(0, i, 10.0));
            }
        });
        auto const tile = column_tile{rows, q_};
        auto const compiled = compile("softmax/softmax.ir", tile.definitions(), "softmax");
        auto programs = contest{};
        programs.add("tiletc", [&] {
            tiletc::submit(q_, compiled.kernel, tile.groups(cols), X.get(), rows, cols, rows, Y.get(), rows, cols,
                           rows)
                .wait();
        });
        library_.add_softmax(programs, rows, cols, X.get(), Y.get());
        auto const spoil = [&] {
            std::fill_n(Y.get(), rows * cols, std::numeric_limits<float>::quiet_NaN());
        };
        auto const worst = [&] {
            return parallel_max(cols, [&](std::int64_t column) {
                return softmax_error(rows, X.get() + column * rows, Y.get() + column * rows);
            });
        };
        auto const name = "softmax of " + std::to_string(rows) + " x " + std::to_string(cols);
        auto const bytes = 2.0 * sizeof(float) * static_cast<double>(rows * cols);
        return report(name, programs.run(opts_.runs, spoil, worst), bytes, "GB/s");
    }

    /// Attention where every query sees every key.
    auto attention(std::int64_t length, std::int64_t head_dim, std::int64_t heads) -> bool {
        auto const shape = attention_shape{length, head_dim, heads, 1, false};
        auto const data = problem<float>{shape, q_};
        auto const blocks = kernel_for<float>(q_.get_device(), head_dim);
        auto const compiled = compile(std::string{"flash_attention/"} + blocks.file,
                                      definitions<float>(shape, blocks), "flash_attention");
        auto const groups = groups_of(shape, blocks);
        auto const [L, H, stride] = std::array{length, heads, head_dim * length};
        auto programs = contest{};
        programs.add("tiletc", [&, L = L, H = H, stride = stride] {
            tiletc::submit(q_, compiled.kernel, groups, data.scale(), data.Q(), L, H, stride, data.K(), L, H, stride,
                           data.V(), L, H, stride, data.O(), L, H, stride)
                .wait();
        });
        library_.add_attention(programs, {1, heads, length, head_dim}, data.scale(), data.Q(), data.K(), data.V(),
                               data.O());
        auto const spoil = [&] {
            std::fill_n(data.O(), shape.size(), std::numeric_limits<float>::quiet_NaN());
        };
        constexpr std::int64_t checked = 512;
        auto const worst = [&] { return data.worst_error(std::min(checked, shape.rows())); };
        auto const name = "attention, L = " + std::to_string(length) + ", D = " + std::to_string(head_dim);
        return report(name, programs.run(opts_.runs, spoil, worst), shape.flops(), "GFLOP/s");
    }

  private:
    auto compile(std::string const &file, std::string const &definitions, char const *name) -> compiled_kernel {
        return compile_template(opts_.examples + "/" + file, definitions, name, q_, status_line_);
    }

    bench_options opts_;
    sycl::queue q_;
    onednn library_;
    progress status_line_;
};

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = parse(argc, argv);
        auto bench = operators{opts, sycl::queue{sycl::cpu_selector_v, sycl::property::queue::in_order{}}};
        auto right = true;
        for (auto const [rows, cols] : {std::array{256, 2048}, {1024, 512}, {781, 4096}, {1000, 4096}, {1024, 16384}}) {
            right = bench.softmax(rows, cols) && right;
        }
        for (auto const [length, head_dim] : {std::array{512, 64}, {1024, 64}, {2000, 64}, {1024, 128}}) {
            right = bench.attention(length, head_dim, 16) && right;
        }
        return right;
    });
}
