// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_EXACT_SUM_HPP
#define ADER_DG_EXACT_SUM_HPP

#include "world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// The sum of the values of all ranks, on all of them, to the same last bit however they are
/// spread: values are cut to multiples of 2^-93 of a power of two that is larger than all of them,
/// and added as integers, of which there may be 2^32.
inline auto exact_sum(std::vector<double> const &values, world const &ranks) -> double {
    constexpr int digit_bits = 31;
    double magnitude = 0.0;
    for (double const value : values) {
        auto const size = std::fabs(value);
        // Not a number is larger than all others here.
        magnitude = std::isfinite(size) ? std::max(magnitude, size)
                                        : std::numeric_limits<double>::infinity();
    }
    magnitude = ranks.largest(magnitude);
    if (!(magnitude > 0.0) || std::isinf(magnitude)) {
        return magnitude == 0.0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    }
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    auto digits = std::array<std::uint64_t, 3>{};
    for (double const value : values) {
        auto rest = std::ldexp(value, -exponent);
        for (auto &digit : digits) {
            rest = std::ldexp(rest, digit_bits);
            auto const whole = std::trunc(rest);
            digit += static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
            rest -= whole;
        }
    }
    digits = ranks.sums(digits);
    double sum = 0.0;
    for (std::size_t i = digits.size(); i-- > 0;) {
        auto const digit = static_cast<double>(static_cast<std::int64_t>(digits[i]));
        sum += std::ldexp(digit, exponent - digit_bits * static_cast<int>(i + 1));
    }
    return sum;
}

#endif // ADER_DG_EXACT_SUM_HPP
