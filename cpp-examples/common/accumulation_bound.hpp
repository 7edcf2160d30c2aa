// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_ACCUMULATION_BOUND_HPP
#define EXAMPLES_ACCUMULATION_BOUND_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

/// The type of the reference for numbers of type T.
template <typename T>
using wide_type = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// Bound of how far rounding with unit roundoff u can take a number off to which an update is added in each
/// of `steps` steps. The update is a sum of products; `magnitude` is that of their absolute values,
/// and each goes through at most so many roundings.
///
/// An update is off by at most gamma(roundings) times its magnitude w, gamma(n) = n u / (1 - n u),
/// and no larger than v = (1 + gamma) w. Adding it to q is rounded once: in step i this loses at
/// most u (|q| + v) with |q| <= (|q_0| + i v) (1 + u)^i. All n steps together lose less than
/// n gamma w + n u (|q_0| + n v) (1 + u)^n. (Higham, Accuracy and Stability, chapter 3.)
template <typename Wide>
auto accumulation_bound(Wide initial, Wide magnitude, Wide u, std::int64_t roundings, int steps)
    -> Wide {
    auto const count = static_cast<Wide>(roundings);
    auto const gamma = count * u / (1 - count * u);
    auto const n = static_cast<Wide>(steps);
    auto const largest = (1 + gamma) * magnitude;
    return n * gamma * magnitude + n * u * (std::fabs(initial) + n * largest) * std::exp(n * u);
}

/// The error of a number of type T as a fraction of what is allowed: the bound for `roundings`
/// roundings in T, and that for twice as many in the reference, which has no fused multiply-adds.
template <typename T>
auto accumulation_error(T found, wide_type<T> initial, wide_type<T> update, wide_type<T> magnitude,
                        std::int64_t roundings, int steps) -> double {
    using wide = wide_type<T>;
    static_assert(std::numeric_limits<wide>::digits > std::numeric_limits<T>::digits);
    constexpr wide unit_roundoff = std::numeric_limits<T>::epsilon() / 2;
    constexpr wide wide_roundoff = std::numeric_limits<wide>::epsilon() / 2;
    auto const error = std::fabs(found - (initial + steps * update));
    auto const allowed =
        accumulation_bound(initial, magnitude, unit_roundoff, roundings, steps) +
        accumulation_bound(initial, magnitude, wide_roundoff, 2 * roundings, steps);
    return static_cast<double>(error / allowed);
}

#endif // EXAMPLES_ACCUMULATION_BOUND_HPP
