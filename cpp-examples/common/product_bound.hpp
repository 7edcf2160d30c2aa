// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_PRODUCT_BOUND_HPP
#define EXAMPLES_PRODUCT_BOUND_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

/// The error of an entry of a matrix product in terms of what rounding allows.
///
/// A sum of K products in any order has an error of at most gamma(K) times the sum of the magnitudes,
/// with gamma(n) = n u / (1 - n u) and u the unit roundoff of T (Higham, Accuracy and Stability of
/// Numerical Algorithms, 3.1); alpha = 1 rounds once more. The reference is computed with more digits,
/// whose own error is far below that.
template <typename T> class product_bound {
  public:
    /// Type that the reference is computed in.
    using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

    /// Adds a product to the entry.
    void add(T a, T b) {
        auto const product = wide{a} * wide{b};
        sum_ += product;
        magnitude_ += std::fabs(product);
        ++terms_;
    }

    /// The error of what was computed for it, over the bound.
    auto error(T computed) const -> double {
        constexpr wide u = std::numeric_limits<T>::epsilon() / 2;
        auto const n = static_cast<wide>(terms_ + 1) * u;
        return static_cast<double>(std::fabs(wide{computed} - sum_) /
                                   (n / (1 - n) * magnitude_));
    }

  private:
    wide sum_ = 0;
    wide magnitude_ = 0;
    std::int64_t terms_ = 0;
};

#endif // EXAMPLES_PRODUCT_BOUND_HPP
