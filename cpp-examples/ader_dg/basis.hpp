// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_BASIS_HPP
#define ADER_DG_BASIS_HPP

#include <array>
#include <cstddef>
#include <vector>

/// Points of the reference tetrahedron with the vertices 0 and the three unit vectors, or any
/// vector of space.
using point3 = std::array<double, 3>;
/// Points of the reference triangle with the vertices 0 and the two unit vectors.
using point2 = std::array<double, 2>;

/// The number of basis functions of an element: polynomials of degree less than `order`.
constexpr auto basis_size(int order) -> int { return order * (order + 1) * (order + 2) / 6; }

/// The number of basis functions of a face: traces of these polynomials.
constexpr auto face_basis_size(int order) -> int { return order * (order + 1) / 2; }

/// Values of the basis functions of an element at a point: Dubiner's polynomials (M. Dubiner,
/// Spectral methods on triangles and other domains, 1991), scaled so that they are orthonormal on
/// the reference tetrahedron, and sorted by degree, so that the first `basis_size(n)` of them span
/// the polynomials of degree less than n.
auto tetrahedron_basis(int order, point3 const &point) -> std::vector<double>;

/// Gradients of the same functions in reference coordinates.
auto tetrahedron_gradients(int order, point3 const &point) -> std::vector<point3>;

/// Values of the basis functions of a face at a point, orthonormal on the reference triangle and
/// sorted by degree.
auto triangle_basis(int order, point2 const &point) -> std::vector<double>;

/// A value of a Jacobi polynomial P_n^(alpha,0) and its derivative.
struct jacobi_value {
    double value, derivative;
};
auto jacobi(int n, int alpha, double x) -> jacobi_value;

#endif // ADER_DG_BASIS_HPP
