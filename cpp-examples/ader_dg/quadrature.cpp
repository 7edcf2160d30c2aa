// SPDX-License-Identifier: BSD-3-Clause

#include "quadrature.hpp"

#include <cmath>
#include <cstddef>

namespace {

/// The rule of n points on [0, 1] that is exact for (1 - s)^alpha times polynomials up to degree
/// 2 n - 1: zeros of a Jacobi polynomial, found one after the other by Newton's method with those
/// known already divided out.
auto gauss_jacobi(int n, int alpha) -> quadrature<double> {
    auto const pi = std::acos(-1.0);
    auto zeros = std::vector<double>{};
    auto rule = quadrature<double>{};
    for (int i = 0; i < n; ++i) {
        double x = -std::cos((2.0 * i + 1.0) / (2.0 * n) * pi);
        if (i > 0) {
            x = 0.5 * (x + zeros.back());
        }
        for (double step = 1.0; std::fabs(step) > 1e-15;) {
            double poles = 0.0;
            for (double const zero : zeros) {
                poles += 1.0 / (x - zero);
            }
            auto const p = jacobi(n, alpha, x);
            step = p.value / (p.derivative - poles * p.value);
            x -= step;
        }
        zeros.push_back(x);
        auto const slope = jacobi(n, alpha, x).derivative;
        rule.points.push_back(0.5 * (1.0 + x));
        rule.weights.push_back(1.0 / ((1.0 - x * x) * slope * slope));
    }
    return rule;
}

} // namespace

auto triangle_quadrature(int n) -> quadrature<point2> {
    auto const inner = gauss_jacobi(n, 0);
    auto const outer = gauss_jacobi(n, 1);
    auto rule = quadrature<point2>{};
    for (std::size_t j = 0; j < outer.points.size(); ++j) {
        for (std::size_t i = 0; i < inner.points.size(); ++i) {
            auto const eta = outer.points[j];
            rule.points.push_back({inner.points[i] * (1.0 - eta), eta});
            rule.weights.push_back(inner.weights[i] * outer.weights[j]);
        }
    }
    return rule;
}

auto tetrahedron_quadrature(int n) -> quadrature<point3> {
    auto const triangle = triangle_quadrature(n);
    auto const outer = gauss_jacobi(n, 2);
    auto rule = quadrature<point3>{};
    for (std::size_t k = 0; k < outer.points.size(); ++k) {
        for (std::size_t i = 0; i < triangle.points.size(); ++i) {
            auto const zeta = outer.points[k];
            rule.points.push_back(
                {triangle.points[i][0] * (1.0 - zeta), triangle.points[i][1] * (1.0 - zeta), zeta});
            rule.weights.push_back(triangle.weights[i] * outer.weights[k]);
        }
    }
    return rule;
}
