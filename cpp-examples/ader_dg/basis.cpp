// SPDX-License-Identifier: BSD-3-Clause

#include "basis.hpp"

#include <cmath>
#include <cstddef>

namespace {

/// A number and its derivatives in up to three directions: forward differentiation.
struct dual {
    double value = 0.0;
    point3 gradient = {};
};

auto operator*(double factor, dual a) -> dual {
    a.value *= factor;
    for (auto &derivative : a.gradient) {
        derivative *= factor;
    }
    return a;
}

auto operator+(dual a, dual const &b) -> dual {
    a.value += b.value;
    for (std::size_t d = 0; d < 3; ++d) {
        a.gradient[d] += b.gradient[d];
    }
    return a;
}

auto operator-(dual const &a, dual const &b) -> dual { return a + -1.0 * b; }

auto operator*(dual const &a, dual const &b) -> dual {
    auto product = b.value * a;
    product.value = a.value * b.value;
    for (std::size_t d = 0; d < 3; ++d) {
        product.gradient[d] += a.value * b.gradient[d];
    }
    return product;
}

/// t^n P_n^(alpha,0)(x / t), a polynomial in x and t, by the three-term recurrence of Jacobi
/// polynomials. This form has no quotient that would be 0 / 0 at a vertex.
auto scaled_jacobi(int n, int alpha, dual const &x, dual const &t) -> dual {
    auto previous = dual{1.0, {}};
    if (n == 0) {
        return previous;
    }
    auto current = 0.5 * alpha * t + 0.5 * (alpha + 2.0) * x;
    for (int i = 1; i < n; ++i) {
        double const s = 2.0 * i + alpha;
        double const a1 = 2.0 * (i + 1) * (i + alpha + 1) * s;
        double const a2 = (s + 1.0) * alpha * alpha;
        double const a3 = s * (s + 1.0) * (s + 2.0);
        double const a4 = 2.0 * (i + alpha) * i * (s + 2.0);
        auto const next = 1.0 / a1 * ((a2 * t + a3 * x) * current - a4 * (t * t * previous));
        previous = current;
        current = next;
    }
    return current;
}

auto constant(double value) -> dual { return {value, {}}; }

/// The basis functions of the tetrahedron with their gradients.
auto evaluate_tetrahedron(int order, point3 const &point) -> std::vector<dual> {
    auto const xi = dual{point[0], {1.0, 0.0, 0.0}};
    auto const eta = dual{point[1], {0.0, 1.0, 0.0}};
    auto const zeta = dual{point[2], {0.0, 0.0, 1.0}};
    auto const one = constant(1.0);
    auto const below_zeta = one - zeta;
    auto const below_eta = below_zeta - eta;
    auto functions = std::vector<dual>{};
    for (int degree = 0; degree < order; ++degree) {
        for (int k = 0; k <= degree; ++k) {
            for (int j = 0; j + k <= degree; ++j) {
                int const i = degree - j - k;
                auto const norm =
                    std::sqrt((2.0 * i + 1.0) * (2.0 * (i + j) + 2.0) * (2.0 * (i + j + k) + 3.0));
                functions.push_back(
                    norm * (scaled_jacobi(i, 0, 2.0 * xi - below_eta, below_eta) *
                            scaled_jacobi(j, 2 * i + 1, 2.0 * eta - below_zeta, below_zeta) *
                            scaled_jacobi(k, 2 * (i + j) + 2, 2.0 * zeta - one, one)));
            }
        }
    }
    return functions;
}

} // namespace

auto tetrahedron_basis(int order, point3 const &point) -> std::vector<double> {
    auto values = std::vector<double>{};
    for (auto const &function : evaluate_tetrahedron(order, point)) {
        values.push_back(function.value);
    }
    return values;
}

auto tetrahedron_gradients(int order, point3 const &point) -> std::vector<point3> {
    auto gradients = std::vector<point3>{};
    for (auto const &function : evaluate_tetrahedron(order, point)) {
        gradients.push_back(function.gradient);
    }
    return gradients;
}

auto triangle_basis(int order, point2 const &point) -> std::vector<double> {
    auto const one = constant(1.0);
    auto const xi = constant(point[0]);
    auto const eta = constant(point[1]);
    auto const below = one - eta;
    auto values = std::vector<double>{};
    for (int degree = 0; degree < order; ++degree) {
        for (int j = 0; j <= degree; ++j) {
            int const i = degree - j;
            auto const norm = std::sqrt((2.0 * i + 1.0) * (2.0 * (i + j) + 2.0));
            values.push_back(norm * (scaled_jacobi(i, 0, 2.0 * xi - below, below) *
                                     scaled_jacobi(j, 2 * i + 1, 2.0 * eta - one, one))
                                        .value);
        }
    }
    return values;
}

auto jacobi(int n, int alpha, double x) -> jacobi_value {
    auto const result = scaled_jacobi(n, alpha, dual{x, {1.0, 0.0, 0.0}}, constant(1.0));
    return {result.value, result.gradient[0]};
}
