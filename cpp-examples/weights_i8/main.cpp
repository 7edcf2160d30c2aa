// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// A layer whose weights are stored in 8 bits: Y = (s W) X with a scale for each group of weights
/// of a row.

#include "quantized_layer.hpp"
#include "tile_matrix.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>

namespace {

/// Weights of a byte each, by columns.
class byte_weights {
  public:
    constexpr static char const *kernel = "weights_i8";
    constexpr static double largest = 127.0;
    constexpr static std::int64_t depth_unit = 8;

    byte_weights(std::int64_t rows, std::int64_t depth, sycl::queue const &q)
        : numbers_{rows, depth, matrix_order::column_major, 0, 0, q} {}

    auto operator()(std::int64_t i, std::int64_t k) const -> std::int8_t { return numbers_(i, k); }
    void set(std::int64_t i, std::int64_t k, long weight) const {
        numbers_(i, k) = static_cast<std::int8_t>(weight);
    }
    auto arguments() const { return numbers_.column_arguments(); }

  private:
    tile_matrix<std::int8_t> numbers_;
};

} // namespace

auto main(int argc, char **argv) -> int { return run_layer<byte_weights>(argc, argv); }
