// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Layer norm of the columns of a matrix, with a factor and a bias for each row.

#include "columns.hpp"
#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

constexpr float epsilon = 1e-5f;

/// The largest error of a column as a fraction of what rounding allows.
///
/// With n rows, a mean is off by (n + 2) u times the mean of |x|: n - 1 additions in any order, a division and a product. So
/// a distance d is off by e = that + u |d|. Its square is off by 2 |d| e + e^2 and a rounding, the variance by the mean of
/// these, n + 2 roundings, and one for epsilon; its inverse root by half of the relative error, and by 2 ulp, 4 u. Two products and
/// a sum follow, with 3 roundings. Products of errors are in the factor behind all of it.
auto worst_error(std::int64_t rows, float const *x, float const *y, float const *gamma,
                 float const *beta) -> double {
    constexpr double u = 0x1p-24;
    auto const n = static_cast<double>(rows);
    double sum = 0.0, magnitude = 0.0;
    for (std::int64_t i = 0; i < rows; ++i) {
        sum += x[i];
        magnitude += std::fabs(x[i]);
    }
    auto const mean = sum / n, mean_error = (n + 2.0) * u * magnitude / n;
    double squares = 0.0, squares_error = 0.0;
    for (std::int64_t i = 0; i < rows; ++i) {
        auto const d = std::fabs(x[i] - mean), e = mean_error + u * d;
        squares += d * d;
        squares_error += 2.0 * d * e + e * e + u * d * d;
    }
    auto const variance = squares / n + static_cast<double>(epsilon);
    auto const variance_error = squares_error / n + (n + 3.0) * u * variance;
    auto const factor = 1.0 / std::sqrt(variance);
    auto const relative = 0.5 * variance_error / variance + 4.0 * u;
    return worst_of(rows, [&](std::int64_t i) {
        auto const d = x[i] - mean, e = mean_error + u * std::fabs(d);
        auto const scale = std::fabs(gamma[i]) * factor;
        auto const expected = d * factor * gamma[i] + beta[i];
        auto const product = scale * (e + std::fabs(d) * (relative + 2.0 * u));
        auto const allowed = 1.01 * (product + u * (std::fabs(expected) + product)) + 0x1p-149;
        return std::fabs(y[i] - expected) / allowed;
    });
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const request = read_column_request(argc, argv, "layer_norm");
        auto session = column_session{request};
        auto const gamma = usm_array<float>{request.rows, session.queue()};
        auto const beta = usm_array<float>{request.rows, session.queue()};
        for (std::int64_t i = 0; i < request.rows; ++i) {
            gamma.get()[i] = static_cast<float>(random_number(1, i, 2.0));
            beta.get()[i] = static_cast<float>(random_number(2, i, 1.0));
        }
        session.run("layer_norm", gamma.get(), request.rows, request.rows, beta.get(), request.rows,
                    request.rows, epsilon);
        return session.check([&](auto x, auto y) {
            return worst_error(request.rows, x, y, gamma.get(), beta.get());
        });
    });
}
