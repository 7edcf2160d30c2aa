// SPDX-License-Identifier: BSD-3-Clause

#include "material.hpp"

namespace {

auto product(matrix9 const &a, matrix9 const &b) -> matrix9 {
    auto result = matrix9{};
    for (std::size_t i = 0; i < quantities; ++i) {
        for (std::size_t k = 0; k < quantities; ++k) {
            for (std::size_t j = 0; j < quantities; ++j) {
                result[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    return result;
}

/// The Bond transformation of states for x_i = sum_k axes[k][i] x'_k: stresses become
/// R sigma R^T and velocities R v, where the columns of R are the axes.
auto bond_transformation(std::array<point3, 3> const &axes) -> matrix9 {
    auto result = matrix9{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            result[velocity + i][velocity + k] = axes[k][i];
        }
        for (std::size_t j = i; j < 3; ++j) {
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t l = 0; l < 3; ++l) {
                    result[stress_component[i][j]][stress_component[k][l]] +=
                        axes[k][i] * axes[l][j];
                }
            }
        }
    }
    return result;
}

auto transposed(std::array<point3, 3> const &axes) -> std::array<point3, 3> {
    auto result = axes;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            result[i][j] = axes[j][i];
        }
    }
    return result;
}

} // namespace

auto jacobian_matrix(material const &m, point3 const &direction) -> matrix9 {
    auto result = matrix9{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            auto const stress = stress_component[i][j];
            // rho v_i' = sum_j d_j sigma_ij
            result[velocity + i][stress] -= direction[j] / m.density;
            // sigma_ij' = lambda delta_ij div v + mu (d_j v_i + d_i v_j); i < j and j < i are one.
            if (i == j) {
                for (std::size_t k = 0; k < 3; ++k) {
                    result[stress][velocity + k] -= m.lambda * direction[k];
                }
                result[stress][velocity + i] -= 2.0 * m.mu * direction[i];
            } else {
                result[stress][velocity + i] = -m.mu * direction[j];
            }
        }
    }
    return result;
}

auto godunov_flux(material const &inside, material const &outside,
                  std::array<point3, 3> const &frame) -> flux_solver {
    // Stress and velocity between the two waves of each kind. The one that leaves carries
    // sigma - Z v from the inside, the one that arrives sigma + Z v from the outside; Z are the
    // impedances. The other stresses have no part in the flux.
    auto from_inside = matrix9{};
    auto from_outside = matrix9{};
    for (std::size_t i = 0; i < 3; ++i) {
        auto const speed_inside = i == 0 ? inside.p_speed() : inside.s_speed();
        auto const speed_outside = i == 0 ? outside.p_speed() : outside.s_speed();
        auto const z_in = inside.density * speed_inside;
        auto const z_out = outside.density * speed_outside;
        auto const sum = z_in + z_out;
        auto const s = stress_component[0][i];
        auto const v = velocity + i;
        from_inside[s][s] = z_out / sum;
        from_inside[s][v] = -z_out * z_in / sum;
        from_inside[v][s] = -1.0 / sum;
        from_inside[v][v] = z_in / sum;
        from_outside[s][s] = z_in / sum;
        from_outside[s][v] = z_in * z_out / sum;
        from_outside[v][s] = 1.0 / sum;
        from_outside[v][v] = z_out / sum;
    }
    auto const to_space = bond_transformation(frame);
    auto const to_face = bond_transformation(transposed(frame));
    auto const flux = product(to_space, jacobian_matrix(inside, {1.0, 0.0, 0.0}));
    return {product(product(flux, from_inside), to_face),
            product(product(flux, from_outside), to_face)};
}

auto energy_density(material const &m, state const &q) -> double {
    auto const trace = q[0] + q[1] + q[2];
    double kinetic = 0.0;
    double contraction = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        kinetic += q[velocity + i] * q[velocity + i];
        for (std::size_t j = 0; j < 3; ++j) {
            auto const stress = q[stress_component[i][j]];
            contraction += stress * stress;
        }
    }
    // sigma : epsilon with epsilon = (sigma - lambda / (3 lambda + 2 mu) tr(sigma) 1) / (2 mu)
    auto const elastic =
        (contraction - m.lambda / (3.0 * m.lambda + 2.0 * m.mu) * trace * trace) / (2.0 * m.mu);
    return 0.5 * (m.density * kinetic + elastic);
}
