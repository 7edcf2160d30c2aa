// SPDX-License-Identifier: BSD-3-Clause

#include "reference_matrices.hpp"

#include "basis.hpp"
#include "mesh.hpp"
#include "quadrature.hpp"

#include <array>
#include <cstddef>

namespace {

/// int d_d phi_l phi_m dV at [d][l][m].
using stiffness_tensor = std::array<std::vector<std::vector<double>>, 3>;

auto integrate_stiffness(int order) -> stiffness_tensor {
    auto const basis = static_cast<std::size_t>(basis_size(order));
    auto result = stiffness_tensor{};
    result.fill(std::vector<std::vector<double>>(basis, std::vector<double>(basis)));
    auto const rule = tetrahedron_quadrature(order);
    for (std::size_t p = 0; p < rule.points.size(); ++p) {
        auto const values = tetrahedron_basis(order, rule.points[p]);
        auto const gradients = tetrahedron_gradients(order, rule.points[p]);
        for (std::size_t d = 0; d < 3; ++d) {
            for (std::size_t l = 0; l < basis; ++l) {
                for (std::size_t m = 0; m < basis; ++m) {
                    result[d][l][m] += rule.weights[p] * gradients[l][d] * values[m];
                }
            }
        }
    }
    return result;
}

/// The point of a face of the reference tetrahedron with these barycentric coordinates.
auto point_of_face(int face, std::array<double, 3> const &barycentric) -> point3 {
    constexpr std::array<point3, 4> vertices = {
        {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    auto point = point3{};
    for (std::size_t v = 0; v < 3; ++v) {
        auto const corner =
            static_cast<std::size_t>(face_vertices[static_cast<std::size_t>(face)][v]);
        for (std::size_t d = 0; d < 3; ++d) {
            point[d] += barycentric[v] * vertices[corner][d];
        }
    }
    return point;
}

/// int psi_i phi_m dA, F x B by columns, where `to_element` maps points of the triangle to the
/// reference tetrahedron.
template <typename Map>
auto integrate_trace(int order, Map const &to_element) -> std::vector<double> {
    auto const face_basis = static_cast<std::size_t>(face_basis_size(order));
    auto result = std::vector<double>(face_basis * static_cast<std::size_t>(basis_size(order)));
    auto const rule = triangle_quadrature(order);
    for (std::size_t p = 0; p < rule.points.size(); ++p) {
        auto const psi = triangle_basis(order, rule.points[p]);
        auto const phi = tetrahedron_basis(order, to_element(rule.points[p]));
        for (std::size_t m = 0; m < phi.size(); ++m) {
            for (std::size_t i = 0; i < face_basis; ++i) {
                result[i + face_basis * m] += rule.weights[p] * psi[i] * phi[m];
            }
        }
    }
    return result;
}

} // namespace

reference_matrices::reference_matrices(int order) {
    auto const basis = static_cast<std::size_t>(basis_size(order));
    auto const face_basis = static_cast<std::size_t>(face_basis_size(order));

    for (auto const &direction : integrate_stiffness(order)) {
        for (std::size_t m = 0; m < basis; ++m) {
            for (std::size_t l = 0; l < basis; ++l) {
                stiffness.push_back(direction[l][m]);
                derivatives.push_back(-direction[m][l]);
            }
        }
    }

    traces.resize(4 * face_basis * basis);
    lift.resize(basis * 4 * face_basis);
    for (int f = 0; f < 4; ++f) {
        auto const trace = integrate_trace(order, [f](point2 const &x) {
            return point_of_face(f, {1.0 - x[0] - x[1], x[0], x[1]});
        });
        auto const first = static_cast<std::size_t>(f) * face_basis;
        for (std::size_t m = 0; m < basis; ++m) {
            for (std::size_t i = 0; i < face_basis; ++i) {
                traces[first + i + 4 * face_basis * m] = trace[i + face_basis * m];
                lift[m + basis * (first + i)] = trace[i + face_basis * m];
            }
        }
        for (std::size_t rotation = 0; rotation < 3; ++rotation) {
            // Seen from the other side, the vertices of the face come in the opposite order.
            auto const rotated = integrate_trace(order, [f, rotation](point2 const &x) {
                auto barycentric = std::array<double, 3>{};
                barycentric[rotation] = 1.0 - x[0] - x[1];
                barycentric[(rotation + 2) % 3] = x[0];
                barycentric[(rotation + 1) % 3] = x[1];
                return point_of_face(f, barycentric);
            });
            neighbour_traces.insert(neighbour_traces.end(), rotated.begin(), rotated.end());
        }
    }
}
