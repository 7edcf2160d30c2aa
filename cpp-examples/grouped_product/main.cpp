// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Products of matrices of many different sizes in one launch, as the experts of a mixture have
/// them.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr auto blocks = product_sizes{64, 64, 64};

/// Choices of the command line.
struct options {
    std::int64_t products = 24, largest = 400;
    std::string kernel_file = beside_program("grouped_product.ir");
};

/// Sizes of products, from 1 to the largest; of K, from 0.
auto random_sizes(options const &opts) -> std::vector<product_sizes> {
    auto const number = [&](std::int64_t index, std::int64_t least) {
        auto const range = static_cast<double>(opts.largest - least + 1);
        return least + static_cast<std::int64_t>(range * (random_number(2, index, 0.5) + 0.5));
    };
    auto sizes = std::vector<product_sizes>{};
    for (std::int64_t p = 0; p < opts.products; ++p) {
        sizes.push_back({number(3 * p, 1), number(3 * p + 1, 1), number(3 * p + 2, 0)});
    }
    return sizes;
}

/// Matrices, and the tables of them that a parameter of type `group` takes.
template <typename T> class matrix_group {
  public:
    matrix_group(std::int64_t count, sycl::queue const &q)
        : addresses_{count, q}, rows_{count, q}, cols_{count, q}, strides_{count, q} {}

    auto size() const -> std::size_t { return members_.size(); }
    auto operator[](std::size_t i) const -> tile_matrix<T> const & { return members_[i]; }

    /// Adds a matrix, and returns it.
    auto add(tile_matrix<T> matrix) -> tile_matrix<T> const & {
        auto const i = size();
        addresses_.get()[i] = matrix.get();
        rows_.get()[i] = matrix.rows();
        cols_.get()[i] = matrix.cols();
        strides_.get()[i] = matrix.col_stride();
        return members_.emplace_back(std::move(matrix));
    }
    auto arguments() const {
        return std::tuple{addresses_.get(), rows_.get(), cols_.get(), strides_.get(),
                          static_cast<std::int64_t>(size())};
    }

  private:
    std::vector<tile_matrix<T>> members_;
    usm_array<T *> addresses_;
    usm_array<std::int64_t> rows_, cols_, strides_;
};

/// Multiplies matrices of numbers of type T.
template <typename T> void multiply(tile_session &session, options const &opts) {
    auto const &q = session.queue();
    check_device<T>(q.get_device(), 0.0);
    auto As = matrix_group<T>{opts.products, q}, Bs = matrix_group<T>{opts.products, q},
         Cs = matrix_group<T>{opts.products, q};
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows, cols, matrix_order::column_major, 0, 0, q};
    };
    auto work = std::vector<std::int64_t>{};
    for (auto const &size : random_sizes(opts)) {
        auto const tiles = blocks.rows_of(size) * blocks.cols_of(size);
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            work.insert(work.end(), {static_cast<std::int64_t>(Cs.size()), tile});
        }
        As.add(make(size.m, size.k)).fill(0);
        Bs.add(make(size.k, size.n)).fill(1);
        Cs.add(make(size.m, size.n));
    }
    auto const tiles = static_cast<std::int64_t>(work.size() / 2);
    auto const table = usm_array<std::int64_t>{2 * tiles, q};
    std::copy(work.begin(), work.end(), table.get());

    auto const definitions = blocks.definitions() + "$elem = " + type_name<T>();
    auto const made = session.compile_file(opts.kernel_file, definitions, "grouped_product");
    auto const time = session.launch(made, tiles, 1,
                                     std::tuple_cat(As.arguments(), Bs.arguments(), Cs.arguments(),
                                                    std::tuple{table.get(), tiles}));
    auto const worst = worst_of(opts.products, [&](std::int64_t i) {
        auto const p = static_cast<std::size_t>(i);
        return worst_product_error(As[p], Bs[p], Cs[p], 0, no_epilogue);
    });
    session.report(std::to_string(opts.products) + " products of " + type_name<T>() + ", " +
                       std::to_string(tiles) + " work-groups",
                   time, worst);
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto opts = options{};
        auto line = command_line{argc, argv};
        while (line.next()) {
            if (line.is("-h", "--help")) {
                std::puts(
                    "Usage: grouped_product [--products N] [--largest SIZE] [--kernel "
                    "FILE]\n\nRows, "
                    "columns and depths are random, up to SIZE. N is 24 and SIZE 400 by default.");
                return true;
            }
            if (line.is("-p", "--products")) {
                opts.products = line.number(1, 10000);
            } else if (line.is("-l", "--largest")) {
                opts.largest = line.number(1, 4096);
            } else if (line.is("--kernel")) {
                opts.kernel_file = line.value();
            } else {
                line.refuse();
            }
        }
        auto session = tile_session{};
        multiply<float>(session, opts);
        multiply<tiletc::half>(session, opts);
        multiply<tiletc::bfloat16>(session, opts);
        return session.finish();
    });
}
