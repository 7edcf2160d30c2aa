// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_QUANTIZED_LAYER_HPP
#define EXAMPLES_QUANTIZED_LAYER_HPP

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

/// Choices of the command line.
struct layer_options {
    product_sizes size{512, 300, 1024}; ///< Outputs, tokens, inputs.
    std::int64_t group = 128;           ///< Weights of a row that share a scale.
    std::string kernel_file;
};

/// Blocks, and attributes of the function. Engines with 16 lanes have the registers for large
/// blocks; subgroups of 16x128 convert fewer weights for each multiply-add than square ones.
struct layer_schedule {
    product_sizes blocks;
    char const *attributes;
};

inline auto schedule_for(sycl::device const &dev) -> layer_schedule {
    auto const lanes = dev.get_info<sycl::info::device::sub_group_sizes>();
    if (dev.is_gpu() && *std::min_element(lanes.begin(), lanes.end()) == 16) {
        return {{128, 256, 32}, "{work_group_size=[128,2], grf_size=256}"};
    }
    return {{64, 64, 16}, "{}"};
}

/// The largest error of the entries of Y as a fraction of what rounding allows; infinity if
/// something was written outside of Y.
///
/// Weights and their products with numbers of 16 bits are exact. A term of a sum goes through no
/// more additions than there are terms. For each group it is divided by a scale (2.5 ulp in OpenCL,
/// 5 u) and multiplied by one, 6 roundings, and once more at the end. `product_entry_bound` counts
/// the additions and rounds the result.
template <typename Weights, typename T>
auto worst_error(std::int64_t group, Weights const &W, tile_matrix<float> const &scales,
                 tile_matrix<T> const &X, tile_matrix<T> const &Y) -> double {
    if (!Y.is_guard_intact()) {
        return std::numeric_limits<double>::infinity();
    }
    return parallel_max(Y.cols(), [&](std::int64_t j) {
        auto entries = std::vector<exact_entry>(static_cast<std::size_t>(Y.rows()));
        for (std::int64_t k = 0; k < X.rows(); ++k) {
            double const x = static_cast<float>(X(k, j));
            for (std::int64_t i = 0; i < Y.rows(); ++i) {
                auto const term = static_cast<double>(scales(i, k / group)) * W(i, k) * x;
                auto &entry = entries[static_cast<std::size_t>(i)];
                entry.value += term;
                entry.magnitude += std::fabs(term);
            }
        }
        return worst_of(Y.rows(), [&](std::int64_t i) {
            auto const &exact = entries[static_cast<std::size_t>(i)];
            return std::fabs(static_cast<float>(Y(i, j)) - exact.value) /
                   product_entry_bound<T>(X.rows() + 6 * scales.cols() + 1, exact);
        });
    });
}

/// Computes the layer with activations of type T.
template <typename Weights, typename T>
void infer(tile_session &session, layer_options const &opts) {
    auto const &q = session.queue();
    check_device<T>(q.get_device(), 0.0);
    auto const [rows, cols, depth] = opts.size;
    auto const groups = (depth + opts.group - 1) / opts.group;
    auto const order = matrix_order::column_major;
    auto const W = Weights{rows, depth, q};
    auto const scales = tile_matrix<float>{rows, groups, order, 0, 0, q};
    auto const X = tile_matrix<T>{depth, cols, order, 0, 0, q};
    auto const Y = tile_matrix<T>{rows, cols, order, 0, 0, q};
    for (std::int64_t at = 0; at < rows * depth; ++at) {
        W.set(at % rows, at / rows, std::lrint(random_number(0, at, Weights::largest)));
    }
    // The largest weight of a group is 1/2 to 2.
    for (std::int64_t at = 0; at < rows * groups; ++at) {
        scales(at % rows, at / rows) =
            static_cast<float>(std::exp2(random_number(1, at, 1.0)) / Weights::largest);
    }
    X.fill(2);
    auto const schedule = schedule_for(q.get_device());
    auto const definitions = schedule.blocks.definitions() + "$elem = " + type_name<T>() +
                             " $group = " + std::to_string(opts.group) +
                             " $schedule = " + schedule.attributes;
    auto const made = session.compile_file(opts.kernel_file, definitions, Weights::kernel);
    auto const tiles = schedule.blocks.rows_of(opts.size) * schedule.blocks.cols_of(opts.size);
    auto const time = session.launch(made, tiles, 1,
                                     std::tuple_cat(W.arguments(), scales.column_arguments(),
                                                    X.column_arguments(), Y.column_arguments()));
    session.report(opts.size.to_string() + ' ' + type_name<T>() + ", groups of " +
                       std::to_string(opts.group),
                   time, worst_error(opts.group, W, scales, X, Y));
}

/// Reads the command line of a program that is called as its kernel.
template <typename Weights> auto read_options(int argc, char **argv) -> layer_options {
    auto const name = std::string{Weights::kernel};
    auto const units =
        "M needs a multiple of 16, K of " + std::to_string(Weights::depth_unit) + ", G of 32";
    auto opts = layer_options{};
    opts.kernel_file = beside_program((name + ".ir").c_str());
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::printf("Usage: %s [--size M N K] [--group G] [--kernel FILE]\n\n%s; M is at least "
                        "64, K 32.\n",
                        name.c_str(), units.c_str());
            std::exit(0);
        } else if (line.is("-s", "--size")) {
            opts.size.m = line.number(64, 8192);
            opts.size.n = line.number(1, 8192);
            opts.size.k = line.number(32, 8192);
        } else if (line.is("-g", "--group")) {
            opts.group = line.number(32, 8192);
        } else if (line.is("--kernel")) {
            opts.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    if (opts.size.m % 16 != 0 || opts.size.k % Weights::depth_unit != 0 || opts.group % 32 != 0) {
        throw usage_error(units);
    }
    return opts;
}

/// The program: a layer with activations of both types. Weights have the constants `kernel`, its
/// name and that of its file, `largest`, the largest weight, and `depth_unit`, of which K is a
/// multiple.
template <typename Weights> auto run_layer(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = read_options<Weights>(argc, argv);
        auto session = tile_session{};
        infer<Weights, tiletc::half>(session, opts);
        infer<Weights, tiletc::bfloat16>(session, opts);
        return session.finish();
    });
}

#endif // EXAMPLES_QUANTIZED_LAYER_HPP
