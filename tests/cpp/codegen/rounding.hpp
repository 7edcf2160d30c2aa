// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Numbers of the reference: computed in higher precision, each with a bound on how far rounding
/// may have taken the kernel's number off.

#ifndef CODEGEN_ROUNDING_HPP
#define CODEGEN_ROUNDING_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace generated {

/// The type that the reference for numbers of type T is computed in.
template <typename T>
using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// A number, and the largest difference allowed.
template <typename T> struct bounded {
    wide<T> value = 0;
    wide<T> error = 0;
};

/// gamma(n) = n u / (1 - n u): the largest relative error of n roundings with unit roundoff u
/// (Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1).
template <typename Of, typename T> auto gamma(std::int64_t roundings) -> wide<T> {
    auto const nu = static_cast<wide<T>>(roundings) *
                    static_cast<wide<T>>(std::numeric_limits<Of>::epsilon() / 2);
    return nu / (1 - nu);
}

/// alpha times a sum of products, plus beta times what was there.
///
/// Bound of a product: whatever the order of the sum, and wherever alpha is multiplied in, one of a sum of n goes
/// through at most n + 3 roundings: its own, n additions, the multiplication with alpha, and the
/// addition of the other part, which goes through no more. So rounding takes the result off by at
/// most gamma(n + 3) times the same expression of absolute values. What the factors are off already
/// is carried through: (a + da)(b + db) - a b is at most |a| db + da |b| + da db. The reference has
/// as many roundings, with a smaller unit.
template <typename T> class sum_of_products {
  public:
    void add(bounded<T> const &a, bounded<T> const &b) {
        auto const abs_a = std::fabs(a.value);
        auto const abs_b = std::fabs(b.value);
        value_ += a.value * b.value;
        magnitude_ += (abs_a + a.error) * (abs_b + b.error);
        carried_ += abs_a * b.error + a.error * abs_b + a.error * b.error;
        ++terms_;
    }

    auto times(wide<T> alpha) const -> bounded<T> { return times(alpha, 0, {}); }

    auto times(wide<T> alpha, wide<T> beta, bounded<T> const &c) const -> bounded<T> {
        auto const magnitude =
            std::fabs(alpha) * magnitude_ + std::fabs(beta) * (std::fabs(c.value) + c.error);
        auto const carried = std::fabs(alpha) * carried_ + std::fabs(beta) * c.error;
        auto const relative = gamma<T, T>(terms_ + 3) + gamma<wide<T>, T>(terms_ + 3);
        return {alpha * value_ + beta * c.value, carried + relative * magnitude};
    }

  private:
    wide<T> value_ = 0, magnitude_ = 0, carried_ = 0;
    std::int64_t terms_ = 0;
};

} // namespace generated

#endif // CODEGEN_ROUNDING_HPP
