// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_TILE_MATRIX_HPP
#define EXAMPLES_TILE_MATRIX_HPP

#include "parallel.hpp"
#include "random.hpp"
#include "usm_array.hpp"

#include <tiletc/half.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

/// Order in which the entries of a matrix lie in memory.
enum class matrix_order { column_major, row_major };

/// A matrix in memory that host and device share. All bits of what lies in front of it, behind it,
/// and between its lines are set, which is a NaN in every floating-point type: a kernel that reads
/// it shows.
template <typename T> class tile_matrix {
  public:
    /// `padding` numbers lie between lines, that is columns or rows, and the first entry `offset`
    /// numbers behind an aligned address.
    tile_matrix(std::int64_t rows, std::int64_t cols, matrix_order order, std::int64_t padding,
                std::int64_t offset, sycl::queue const &q)
        : shape_{rows, cols}, mode_{order == matrix_order::column_major ? 0u : 1u},
          pitch_{shape_[mode_] + padding}, begin_{guard + offset},
          size_{begin_ + pitch_ * shape_[1 - mode_] + guard}, data_(size_, q) {
        poison();
    }

    auto get() const -> T * { return data_.get() + begin_; }
    auto rows() const -> std::int64_t { return shape_[0]; }
    auto cols() const -> std::int64_t { return shape_[1]; }
    /// Numbers from an entry to the next one of its column, or of its row.
    auto row_stride() const -> std::int64_t { return mode_ == 0 ? 1 : pitch_; }
    auto col_stride() const -> std::int64_t { return mode_ == 0 ? pitch_ : 1; }
    auto operator()(std::int64_t i, std::int64_t j) const -> T & {
        return get()[i * row_stride() + j * col_stride()];
    }

    /// Sets all bits of all numbers.
    void poison() const {
        std::memset(static_cast<void *>(data_.get()), 0xff,
                    static_cast<std::size_t>(size_) * sizeof(T));
    }

    /// Fills the matrix with numbers from -1 to 1 that only depend on `tensor` and their place.
    void fill(std::uint8_t tensor) const {
        parallel_parts(cols(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t j = begin; j < end; ++j) {
                for (std::int64_t i = 0; i < rows(); ++i) {
                    auto const number = random_number(tensor, i + j * rows(), 1.0);
                    (*this)(i, j) = static_cast<T>(static_cast<float>(number));
                }
            }
        });
    }

    /// Arguments of a type that leaves all sizes and strides open; or of its transpose, which is the
    /// same memory.
    auto arguments(bool transposed = false) const {
        auto const at = transposed ? 1u : 0u;
        auto const strides = std::array{row_stride(), col_stride()};
        return std::tuple{get(), shape_[at], shape_[1 - at], strides[at], strides[1 - at]};
    }

    /// Arguments of a type whose first mode is contiguous, for a matrix by columns.
    auto column_arguments() const { return std::tuple{get(), rows(), cols(), col_stride()}; }

    /// Returns whether nobody has written outside of the matrix.
    auto is_guard_intact() const -> bool {
        auto const set = std::array<unsigned char, sizeof(T)>{};
        auto const is_intact = [&](std::int64_t begin, std::int64_t end) {
            return std::all_of(data_.get() + begin, data_.get() + end, [&](T const &number) {
                auto bytes = set;
                std::memcpy(bytes.data(), &number, sizeof(T));
                return std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == 0xff; });
            });
        };
        auto intact = is_intact(0, begin_) && is_intact(size_ - guard, size_);
        for (std::int64_t line = 0; line < shape_[1 - mode_]; ++line) {
            auto const begin = begin_ + line * pitch_;
            intact = intact && is_intact(begin + shape_[mode_], begin + pitch_);
        }
        return intact;
    }

    /// Returns whether all entries have the same bits as those of a matrix of this shape.
    auto has_bits_of(tile_matrix const &other) const -> bool {
        auto same = true;
        for (std::int64_t j = 0; j < cols(); ++j) {
            for (std::int64_t i = 0; i < rows(); ++i) {
                same = same && std::memcmp(&(*this)(i, j), &other(i, j), sizeof(T)) == 0;
            }
        }
        return same;
    }

  private:
    /// Numbers in front and behind; the matrix stays aligned as the compiler assumes it.
    constexpr static std::int64_t guard = usm_array<T>::alignment;

    std::array<std::int64_t, 2> shape_;
    std::size_t mode_;
    std::int64_t pitch_, begin_, size_;
    usm_array<T> data_;
};

/// An entry of a result in double precision, and the sum of the magnitudes of its terms.
struct exact_entry {
    double value, magnitude;
};

/// Bound of how far an entry of type T can be off that was summed in single precision.
///
/// Each of n terms goes through one multiplication and at most n - 1 additions, in whatever order,
/// and a term that is added as it is, as that of a bias, through no more. So the sum is off by at
/// most gamma(n) times the magnitude, gamma(n) = n u / (1 - n u) (Higham, Accuracy and Stability of
/// Numerical Algorithms, 3.1); one more term is counted for the addition to the zero at the start.
/// Products of numbers of 16 bits are exact, which takes nothing from the bound. The sum of the
/// reference is bounded likewise. A narrower T rounds the sum once more, and loses at most half of
/// its smallest number where that is subnormal. What is 1-Lipschitz and exact, as max(x, 0), makes
/// no error larger.
template <typename T> auto product_entry_bound(std::int64_t terms, exact_entry exact) -> double {
    auto const gamma = [n = static_cast<double>(terms + 1)](double u) {
        return n * u / (1.0 - n * u);
    };
    auto const bound = (gamma(0x1p-24) + gamma(0x1p-53)) * exact.magnitude;
    if (std::is_same_v<T, float>) {
        return bound;
    }
    constexpr bool half = std::is_same_v<T, tiletc::half>;
    constexpr double u = half ? 0x1p-11 : 0x1p-8;
    constexpr double tiny = half ? 0x1p-25 : 0x1p-134;
    return bound + u * (std::fabs(exact.value) + bound) + tiny;
}

/// The largest error of the entries of C = f(A B) as a fraction of what rounding allows, where f(i,
/// j, entry) is what becomes of an entry of the product and adds at most `added` terms to it.
/// Infinity if something was written outside of C.
template <typename In, typename Out, typename Epilogue>
auto worst_product_error(tile_matrix<In> const &A, tile_matrix<In> const &B,
                         tile_matrix<Out> const &C, std::int64_t added, Epilogue const &f)
    -> double {
    auto const M = C.rows(), K = A.cols();
    if (!C.is_guard_intact()) {
        return std::numeric_limits<double>::infinity();
    }
    // Columns of doubles, one behind the other
    auto a = std::vector<double>{};
    for (std::int64_t k = 0; k < K; ++k) {
        for (std::int64_t i = 0; i < M; ++i) {
            a.push_back(static_cast<float>(A(i, k)));
        }
    }
    return parallel_max(C.cols(), [&](std::int64_t j) {
        auto sums = std::vector<double>(static_cast<std::size_t>(M));
        auto magnitudes = sums;
        for (std::int64_t k = 0; k < K; ++k) {
            double const b = static_cast<float>(B(k, j));
            double const *const column = a.data() + k * M;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] += column[i] * b;
                magnitudes[i] += std::fabs(column[i] * b);
            }
        }
        double worst = 0.0;
        for (std::int64_t i = 0; i < M; ++i) {
            auto const at = static_cast<std::size_t>(i);
            auto const exact = f(i, j, exact_entry{sums[at], magnitudes[at]});
            auto const found = static_cast<double>(static_cast<float>(C(i, j)));
            auto const allowed = product_entry_bound<Out>(K + added, exact);
            auto const error = std::fabs(found - exact.value);
            auto const ratio = error == 0.0 ? 0.0 : error / allowed;
            worst = ratio <= worst ? worst : ratio; // NaN stays
        }
        return worst;
    });
}

/// The product itself.
inline auto no_epilogue(std::int64_t, std::int64_t, exact_entry entry) -> exact_entry {
    return entry;
}

#endif // EXAMPLES_TILE_MATRIX_HPP
