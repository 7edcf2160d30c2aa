// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_MATERIAL_HPP
#define ADER_DG_MATERIAL_HPP

#include "basis.hpp"

#include <array>
#include <cmath>
#include <cstddef>

/// Quantities of the velocity-stress formulation, in the order of M. Dumbser and M. Käser (An
/// arbitrary high-order discontinuous Galerkin method for elastic waves on unstructured meshes -
/// II, 2006): the stresses xx, yy, zz, xy, yz, xz and the velocities x, y, z.
constexpr std::size_t quantities = 9;
using state = std::array<double, quantities>;
/// Rows of a matrix that acts on states.
using matrix9 = std::array<state, quantities>;

/// The place of a component of the stress in a state.
constexpr std::array<std::array<std::size_t, 3>, 3> stress_component = {
    {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}};
/// The place of the first velocity in a state.
constexpr std::size_t velocity = 6;

/// An isotropic elastic material: density and Lamé parameters, in any consistent units.
struct material {
    double density = 1.0;
    double lambda = 1.0;
    double mu = 1.0;

    auto p_speed() const -> double { return std::sqrt((lambda + 2.0 * mu) / density); }
    auto s_speed() const -> double { return std::sqrt(mu / density); }
};

/// The Jacobian n_x A + n_y B + n_z C of the system q_t + A q_x + B q_y + C q_z = 0 in the
/// direction n, which need not be a unit vector.
auto jacobian_matrix(material const &m, point3 const &direction) -> matrix9;

/// Flux out of an element through a face, in two parts: `own` acts on the state within,
/// `neighbours` on the state beyond. It is the Godunov flux, the element's Jacobian times the
/// solution of the Riemann problem between two materials, in coordinates aligned with the face (M.
/// Dumbser and M. Käser, 2006; R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, 2002,
/// chapter 22). `frame` holds the unit normal and two tangents.
struct flux_solver {
    matrix9 own, neighbours;
};
auto godunov_flux(material const &inside, material const &outside,
                  std::array<point3, 3> const &frame) -> flux_solver;

/// The energy density of a state: kinetic and elastic.
auto energy_density(material const &m, state const &q) -> double;

#endif // ADER_DG_MATERIAL_HPP
