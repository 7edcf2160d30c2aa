// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// A layer whose weights are stored in 8 bits: Y = (s W) X with a scale for each group of weights
/// of a row.

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

namespace {

/// Choices of the command line.
struct options {
    product_sizes size{512, 300, 1024}; ///< Outputs, tokens, inputs.
    std::int64_t group = 128;           ///< Weights of a row that share a scale.
    std::string kernel_file = beside_program("weights_i8.ir");
};

/// Blocks, and attributes of the function. Engines with 16 lanes have the registers for large
/// blocks; subgroups of 16x128 convert fewer weights for each multiply-add than square ones.
struct schedule {
    product_sizes blocks;
    char const *attributes;
};

auto schedule_for(sycl::device const &dev) -> schedule {
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
template <typename T>
auto worst_error(std::int64_t group, tile_matrix<std::int8_t> const &W,
                 tile_matrix<float> const &scales, tile_matrix<T> const &X, tile_matrix<T> const &Y)
    -> double {
    if (!Y.is_guard_intact()) {
        return std::numeric_limits<double>::infinity();
    }
    return parallel_max(Y.cols(), [&](std::int64_t j) {
        auto entries = std::vector<exact_entry>(static_cast<std::size_t>(Y.rows()));
        for (std::int64_t k = 0; k < W.cols(); ++k) {
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
                   product_entry_bound<T>(W.cols() + 6 * scales.cols() + 1, exact);
        });
    });
}

/// Computes the layer with activations of type T.
template <typename T> void infer(tile_session &session, options const &opts) {
    auto const &q = session.queue();
    check_device<T>(q.get_device(), 0.0);
    auto const [rows, cols, depth] = opts.size;
    auto const groups = (depth + opts.group - 1) / opts.group;
    auto const order = matrix_order::column_major;
    auto const W = tile_matrix<std::int8_t>{rows, depth, order, 0, 0, q};
    auto const scales = tile_matrix<float>{rows, groups, order, 0, 0, q};
    auto const X = tile_matrix<T>{depth, cols, order, 0, 0, q};
    auto const Y = tile_matrix<T>{rows, cols, order, 0, 0, q};
    for (std::int64_t at = 0; at < rows * depth; ++at) {
        W(at % rows, at / rows) = static_cast<std::int8_t>(std::lrint(random_number(0, at, 127.0)));
    }
    // The largest weight of a group is 1/2 to 2.
    for (std::int64_t at = 0; at < rows * groups; ++at) {
        scales(at % rows, at / rows) =
            static_cast<float>(std::exp2(random_number(1, at, 1.0)) / 127.0);
    }
    X.fill(2);
    auto const schedule = schedule_for(q.get_device());
    auto const definitions = schedule.blocks.definitions() + "$elem = " + type_name<T>() +
                             " $group = " + std::to_string(opts.group) +
                             " $schedule = " + schedule.attributes;
    auto const made = session.compile_file(opts.kernel_file, definitions, "weights_i8");
    auto const tiles = schedule.blocks.rows_of(opts.size) * schedule.blocks.cols_of(opts.size);
    auto const time = session.launch(made, tiles, 1,
                                     std::tuple_cat(W.column_arguments(), scales.column_arguments(),
                                                    X.column_arguments(), Y.column_arguments()));
    session.report(opts.size.to_string() + ' ' + type_name<T>() + ", groups of " +
                       std::to_string(opts.group),
                   time, worst_error(opts.group, W, scales, X, Y));
}

auto read_options(int argc, char **argv) -> options {
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::puts(
                "Usage: weights_i8 [--size M N K] [--group G] [--kernel FILE]\n\nM is a multiple "
                "of 16 from 64 on, K of 8 from 32 on, G of 32.");
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
    if (opts.size.m % 16 != 0 || opts.size.k % 8 != 0 || opts.group % 32 != 0) {
        throw usage_error("M needs a multiple of 16, K of 8, G of 32");
    }
    return opts;
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = read_options(argc, argv);
        auto session = tile_session{};
        infer<tiletc::half>(session, opts);
        infer<tiletc::bfloat16>(session, opts);
        return session.finish();
    });
}
