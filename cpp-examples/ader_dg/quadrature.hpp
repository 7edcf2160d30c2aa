// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_QUADRATURE_HPP
#define ADER_DG_QUADRATURE_HPP

#include "basis.hpp"

#include <vector>

/// Points and weights of a quadrature rule; the weights add up to the volume of the domain.
template <typename Point> struct quadrature {
    std::vector<Point> points;
    std::vector<double> weights;
};

/// The rule of n^2 points on the reference triangle that is exact for polynomials up to degree
/// 2 n - 1: Gauss-Jacobi rules in collapsed coordinates (G. E. Karniadakis and S. J. Sherwin,
/// Spectral/hp Element Methods, 2005, chapter 4).
auto triangle_quadrature(int n) -> quadrature<point2>;

/// The same on the reference tetrahedron, with n^3 points.
auto tetrahedron_quadrature(int n) -> quadrature<point3>;

#endif // ADER_DG_QUADRATURE_HPP
