// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Two layers of a network, Y = W2 max(W1 X, 0), in one kernel that keeps the hidden units in
/// registers.

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
#include <type_traits>
#include <vector>

namespace {

/// Length of a token.
constexpr std::int64_t dim = 128;

/// Choices of the command line.
struct options {
    std::int64_t tokens = 1000, units = 512;
    std::string kernel_file = beside_program("mlp.ir");
};

/// The largest error of the entries of Y as a fraction of what rounding allows; infinity if
/// something was written outside of Y.
///
/// A unit is a product of dim terms, rounded to T, off by at most what `product_entry_bound` says;
/// max(h, 0) is exact and makes no error larger. Times |W2| and added up this is the error that the
/// units carry into an entry of Y. The entry is a product of such units, whose magnitudes may be
/// larger than the exact ones by their errors, and is rounded to T.
template <typename T>
auto worst_error(tile_matrix<T> const &X, tile_matrix<T> const &W1, tile_matrix<T> const &W2,
                 tile_matrix<T> const &Y) -> double {
    if (!Y.is_guard_intact()) {
        return std::numeric_limits<double>::infinity();
    }
    auto const number = [](T x) { return static_cast<double>(static_cast<float>(x)); };
    return parallel_max(Y.cols(), [&](std::int64_t token) {
        auto values = std::vector<double>(dim), magnitudes = values, carried = values;
        for (std::int64_t unit = 0; unit < W1.rows(); ++unit) {
            auto h = exact_entry{0.0, 0.0};
            for (std::int64_t i = 0; i < dim; ++i) {
                auto const term = number(W1(unit, i)) * number(X(i, token));
                h.value += term;
                h.magnitude += std::fabs(term);
            }
            h.value = std::max(h.value, 0.0);
            auto const off = product_entry_bound<T>(dim, h);
            for (std::size_t i = 0; i < values.size(); ++i) {
                auto const w2 = number(W2(static_cast<std::int64_t>(i), unit));
                values[i] += w2 * h.value;
                magnitudes[i] += std::fabs(w2) * (h.value + off);
                carried[i] += std::fabs(w2) * off;
            }
        }
        return worst_of(dim, [&](std::int64_t row) {
            auto const i = static_cast<std::size_t>(row);
            auto const largest = std::fabs(values[i]) + carried[i];
            auto const allowed =
                carried[i] + product_entry_bound<T>(W1.rows(), {largest, magnitudes[i]});
            return std::fabs(number(Y(row, token)) - values[i]) / allowed;
        });
    });
}

/// Tokens of a work-group, and hidden units that it takes at a time. The registers of GPUs hold
/// half as many numbers of four bytes as of two; a CPU has few registers, and its compiler takes
/// long to fill more.
struct block_sizes {
    std::int64_t tokens, units;
};

template <typename T> auto blocks_for(sycl::device const &dev) -> block_sizes {
    if (!dev.is_gpu()) {
        return {16, 16};
    }
    return std::is_same_v<T, float> ? block_sizes{32, 32} : block_sizes{64, 32};
}

/// Runs the layers with numbers of type T.
template <typename T> void infer(tile_session &session, options const &opts) {
    auto const &q = session.queue();
    check_device<T>(q.get_device(), 0.0);
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows, cols, matrix_order::column_major, 0, 0, q};
    };
    auto const X = make(dim, opts.tokens), W1 = make(opts.units, dim), W2 = make(dim, opts.units);
    auto const Y = make(dim, opts.tokens);
    X.fill(0);
    W1.fill(1);
    W2.fill(2);
    auto const blocks = blocks_for<T>(q.get_device());
    auto const definitions =
        std::string{"$elem = "} + type_name<T>() + " $dim = " + std::to_string(dim) +
        " $tokens = " + std::to_string(blocks.tokens) + " $units = " + std::to_string(blocks.units);
    auto const made = session.compile_file(opts.kernel_file, definitions, "mlp");
    auto const time =
        session.launch(made, (opts.tokens + blocks.tokens - 1) / blocks.tokens, 1,
                       std::tuple{X.get(), opts.tokens, W1.get(), opts.units, opts.units, W2.get(),
                                  opts.units, Y.get(), opts.tokens});
    session.report(std::to_string(opts.tokens) + " tokens, " + std::to_string(opts.units) +
                       " units, " + type_name<T>(),
                   time, worst_error(X, W1, W2, Y));
}

auto read_options(int argc, char **argv) -> options {
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            std::puts("Usage: mlp [--tokens N] [--units U] [--kernel FILE]\n\nU is a multiple of 8 "
                      "from 32 "
                      "on. If nothing is said, they are 1000 and 512.");
            std::exit(0);
        } else if (line.is("-t", "--tokens")) {
            opts.tokens = line.number(1, 1 << 20);
        } else if (line.is("-u", "--units")) {
            opts.units = line.number(32, 1 << 16);
            if (opts.units % 8 != 0) {
                throw usage_error("--units needs a multiple of 8");
            }
        } else if (line.is("--kernel")) {
            opts.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    return opts;
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const opts = read_options(argc, argv);
        auto session = tile_session{};
        infer<float>(session, opts);
        infer<tiletc::half>(session, opts);
        infer<tiletc::bfloat16>(session, opts);
        return session.finish();
    });
}
