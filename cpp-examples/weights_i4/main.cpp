// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// A layer whose weights are stored in 4 bits: Y = (s W) X with a scale for each group of weights
/// of a row.

#include "quantized_layer.hpp"
#include "tile_matrix.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>
#include <tuple>

namespace {

/// Weights of half a byte each, by rows.
class half_byte_weights {
  public:
    constexpr static char const *kernel = "weights_i4";
    constexpr static double largest = 7.0;
    constexpr static std::int64_t depth_unit = 32;

    half_byte_weights(std::int64_t rows, std::int64_t depth, sycl::queue const &q)
        : depth_{depth}, pairs_{depth / 2, rows, matrix_order::column_major, 0, 0, q} {}

    auto operator()(std::int64_t i, std::int64_t k) const -> int {
        auto const number = pairs_(k / 2, i) >> 4 * (k % 2) & 0xf;
        return number < 8 ? number : number - 16;
    }
    /// The weight at the even place is in the low bits.
    void set(std::int64_t i, std::int64_t k, long weight) const {
        auto const shift = 4 * (k % 2);
        auto &pair = pairs_(k / 2, i);
        pair = static_cast<std::uint8_t>((pair & ~(0xf << shift)) | (weight & 0xf) << shift);
    }
    /// Sizes and strides are those of the weights, not of the bytes.
    auto arguments() const { return std::tuple{pairs_.get(), depth_, pairs_.cols(), depth_}; }

  private:
    std::int64_t depth_;
    tile_matrix<std::uint8_t> pairs_;
};

} // namespace

auto main(int argc, char **argv) -> int { return run_layer<half_byte_weights>(argc, argv); }
