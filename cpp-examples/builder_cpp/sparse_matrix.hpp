// SPDX-License-Identifier: BSD-3-Clause

#ifndef BUILDER_CPP_SPARSE_MATRIX_HPP
#define BUILDER_CPP_SPARSE_MATRIX_HPP

#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Tensors of the example, to tell their random numbers apart.
enum class tensor : std::uint8_t { pattern, S, P, Q };

/// A square matrix of which only the entries that are not zero are known, column by column.
class sparse_matrix {
  public:
    struct entry {
        std::int64_t row;
        double value;
    };

    /// A matrix of this order with about `percent` of all entries, always the same one.
    sparse_matrix(std::int64_t order, std::int64_t percent)
        : columns_(static_cast<std::size_t>(order)) {
        auto in_row = std::vector<std::int64_t>(columns_.size());
        // The entries of a row have the magnitude that keeps that of a vector.
        auto const scale = std::sqrt(300.0 / static_cast<double>(order * percent));
        for (std::int64_t j = 0; j < order; ++j) {
            for (std::int64_t i = 0; i < order; ++i) {
                auto const number = i + j * order;
                if (random(tensor::pattern, number) < 0.02 * static_cast<double>(percent) - 1.0) {
                    columns_[static_cast<std::size_t>(j)].push_back(
                        {i, scale * random(tensor::S, number)});
                    ++num_entries_;
                    auto &number_in_row = in_row[static_cast<std::size_t>(i)];
                    max_entries_in_row_ = std::max(max_entries_in_row_, ++number_in_row);
                }
            }
        }
    }

    auto order() const -> std::int64_t { return static_cast<std::int64_t>(columns_.size()); }
    auto num_entries() const -> std::int64_t { return num_entries_; }
    auto max_entries_in_row() const -> std::int64_t { return max_entries_in_row_; }
    auto column(std::int64_t j) const -> std::vector<entry> const & {
        return columns_[static_cast<std::size_t>(j)];
    }

  private:
    static auto random(tensor which, std::int64_t index) -> double {
        return random_number(static_cast<std::uint8_t>(which), index, 1.0);
    }

    std::vector<std::vector<entry>> columns_;
    std::int64_t num_entries_ = 0;
    std::int64_t max_entries_in_row_ = 0;
};

#endif // BUILDER_CPP_SPARSE_MATRIX_HPP
