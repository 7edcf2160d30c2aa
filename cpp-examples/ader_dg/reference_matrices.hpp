// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_REFERENCE_MATRICES_HPP
#define ADER_DG_REFERENCE_MATRICES_HPP

#include <vector>

/// The matrices of a scheme that are the same for all elements, by columns. With the basis
/// functions phi of the reference tetrahedron, B in number, and psi of the reference triangle, F in
/// number:
///
/// - the mass matrix is the identity, as both are orthonormal;
/// - `derivatives`, B x B x 3: -int phi_l d_d phi_m dV for the three directions d, a derivative in
///   time from one in space;
/// - `stiffness`, B x B x 3: int d_d phi_l phi_m dV;
/// - `traces`, 4 F x B: int psi_i phi_m dA for the four faces, one below the other; they map an
///   element to the functions of its faces;
/// - `neighbour_traces`, F x B x 12: the same for each face and rotation of a neighbour, in the
///   coordinates that the face has on this side; number 3 face + rotation;
/// - `lift`, B x 4 F: the transpose of `traces`.
///
/// The flux matrices of M. Dumbser and M. Käser (2006) are products lift * traces; this form of
/// them is that of C. Uphoff (Flexible model extension and optimisation for earthquake simulations
/// at extreme scales, 2020). All are computed by quadrature that is exact up to rounding.
struct reference_matrices {
    explicit reference_matrices(int order);

    std::vector<double> derivatives, stiffness, traces, neighbour_traces, lift;
};

#endif // ADER_DG_REFERENCE_MATRICES_HPP
