// SPDX-License-Identifier: BSD-3-Clause

#ifndef FLASH_ATTENTION_ERROR_BOUND_HPP
#define FLASH_ATTENTION_ERROR_BOUND_HPP

#include <tiletc/half.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

/// Quantities that the error of a row of the output depends on.
struct row_sizes {
    /// The largest sum over d of |scale q_d k_d| of any key.
    double score_magnitude = 0.0;
    /// Largest minus smallest score.
    double score_range = 0.0;
};

/// The relative error of n roundings that are all multiplied together, Higham's gamma.
inline auto gamma(double n, double u) -> double { return n * u / (1.0 - n * u); }

/// Bound of how far rounding can take an output off sum_j w_j v_j / sum_j w_j, w_j = exp(s_j), if everything
/// is computed with unit roundoff u; `magnitude` is sum_j w_j |v_j| / sum_j w_j.
///
/// With D the head dimension, n the number of keys, and r the number of blocks, if they had 16 keys, the fewest:
///
/// - Scores are computed in units of ln 2. A sum of D products takes D fused multiply-adds; its factor log2(e) times the
///   scale, the product with it, and the engine's order of additions take no more than 3 roundings besides. So a score is off
///   by e <= gamma(D + 3) score_magnitude / ln 2.
/// - A weight is exp2(score - reference), where the reference is the largest score so far, or at most 8 more than it. The difference is
///   rounded, and OpenCL's exp2 is off by at most 3 ulp, which are 6 u. For each later block the weight may be multiplied by such an
///   exp2 of the last reference minus the new one, which is at most 7 roundings a block, 7 r in all. The differences that are rounded
///   add up to the distance of the score from the last reference, hence by u (range / ln 2 + 8 + 2 e) in the exponent, where
///   range is that of the exact scores.
/// - A sum goes through fewer additions than its block has keys that are there, in any order, and through one for each later
///   block; an output, through a multiply-add per key: no more than n + 16 in either case.
///
/// So each term of either sum is off by a factor between 1/g and g with
///
///     g = 2^(e + u (range / ln 2 + 8 + 2 e)) / (1 - u)^(7 r + n + 16),
///
/// their quotient by g^2, and the division itself (2.5 ulp in OpenCL, 5 u), or the product with the inverse of the sum, makes it less
/// than g^2 / (1 - u)^7. No weight that
/// counts is so small that it underflows: that would take
/// scores 80 apart.
inline auto computing_bound(std::int64_t keys, std::int64_t head_dim, row_sizes const &sizes,
                            double magnitude, double u) -> double {
    auto const n = static_cast<double>(keys);
    auto const blocks = std::ceil(n / 16.0);
    auto const ln2 = std::log(2.0);
    auto const e = gamma(static_cast<double>(head_dim) + 3.0, u) * sizes.score_magnitude / ln2;
    auto const exponent = e + u * (sizes.score_range / ln2 + 8.0 + 2.0 * e);
    // log(1 / (1 - u)) <= u / (1 - u)
    auto const log_g = ln2 * exponent + (7.0 * blocks + n + 16.0) * u / (1.0 - u);
    return std::expm1(2.0 * log_g + 7.0 * u / (1.0 - u)) * magnitude;
}

/// Bound of how far an output of type T, computed in single precision but for weights of type T, can be off the reference, which
/// is computed in double precision with no more roundings. `values` is sum_j |v_j|.
///
/// A rounded weight is off by a factor of 1 + u, or by half of the smallest number where it is subnormal; the sum that an output
/// is divided by is that of the weights as they were, and at least 2^-8, the smallest that the largest weight can be.
template <typename T>
auto error_bound(std::int64_t keys, std::int64_t head_dim, row_sizes const &sizes, double expected,
                 double magnitude, double values) -> double {
    auto const bound = computing_bound(keys, head_dim, sizes, magnitude, 0x1p-24) +
                       computing_bound(keys, head_dim, sizes, magnitude, 0x1p-53);
    if (std::is_same_v<T, float>) {
        return bound;
    }
    constexpr bool half = std::is_same_v<T, tiletc::half>;
    constexpr double u = half ? 0x1p-11 : 0x1p-8;
    constexpr double tiny = half ? 0x1p-25 : 0x1p-134;
    auto const of_weights = u * (magnitude + bound) + 0x1p8 * tiny * values;
    // The result is rounded once more.
    auto const before = bound + of_weights;
    return before + u * (std::fabs(expected) + before) + tiny;
}

#endif // FLASH_ATTENTION_ERROR_BOUND_HPP
