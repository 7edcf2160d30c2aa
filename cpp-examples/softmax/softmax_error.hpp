// SPDX-License-Identifier: BSD-3-Clause

#ifndef SOFTMAX_ERROR_HPP
#define SOFTMAX_ERROR_HPP

#include "parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// The largest error of a column as a fraction of what rounding allows.
///
/// The distance d of an entry to the maximum is rounded once, which changes its exponential by a factor of up to
/// exp(|d| u), and OpenCL's exp is off by at most 3 ulp, which are 6 u. A sum of n such terms is off by n - 1
/// roundings more, in any order, OpenCL's division by 2.5 ulp, 5 u, and the product by u. All factors multiplied are within
/// exp(2 (d + 6) u + (n + 5) u) of 1, but for exponentials that underflow, each by 2^-126 at most.
inline auto softmax_error(std::int64_t rows, float const *x, float const *y) -> double {
    constexpr double u = 0x1p-24;
    auto const most = static_cast<double>(*std::max_element(x, x + rows));
    auto const least = static_cast<double>(*std::min_element(x, x + rows));
    double sum = 0.0;
    for (std::int64_t i = 0; i < rows; ++i) {
        sum += std::exp(x[i] - most);
    }
    auto const relative =
        std::expm1((2.0 * (most - least + 6.0) + static_cast<double>(rows) + 5.0) * u / (1.0 - u));
    return worst_of(rows, [&](std::int64_t i) {
        auto const expected = std::exp(x[i] - most) / sum;
        auto const allowed = expected * relative + 0x1p-125;
        return std::fabs(y[i] - expected) / allowed;
    });
}

#endif // SOFTMAX_ERROR_HPP
