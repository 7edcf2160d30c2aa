// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_TENSORS_HPP
#define ADER_DG_TENSORS_HPP

#include "basis.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "parallel.hpp"
#include "reference_matrices.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Sizes of the tensors of a mesh, in numbers of `number_bytes` bytes.
struct dimensions {
    int order;
    std::int64_t elements;
    std::int64_t number_bytes;
    /// Elements of other ranks, whose time integrals stand behind those of the rank's own.
    std::int64_t halo = 0;

    auto basis() const -> std::int64_t { return basis_size(order); }
    auto face_basis() const -> std::int64_t { return face_basis_size(order); }
    /// Coefficients of an element.
    auto dofs() const -> std::int64_t { return basis() * std::int64_t{quantities}; }
    /// Distance of elements in Q and I: their coefficients, rounded up to the alignment.
    auto stride() const -> std::int64_t {
        auto const unit = std::int64_t{usm_array<float>::alignment} / number_bytes;
        return (dofs() + unit - 1) / unit * unit;
    }
    /// Numbers of the star matrices of an element.
    static constexpr auto star() -> std::int64_t { return 3 * quantities * quantities; }
    /// Numbers of the flux matrices of an element, of one side of its faces.
    static constexpr auto fluxes() -> std::int64_t { return 4 * quantities * quantities; }
    /// Bytes of memory that all elements take.
    auto bytes() const -> double {
        auto const numbers = 2 * stride() + star() + 2 * fluxes();
        auto const faces = 4 * (sizeof(std::int32_t) + sizeof(void *));
        return static_cast<double>(elements) *
                   (static_cast<double>(numbers * number_bytes) + static_cast<double>(faces)) +
               static_cast<double>(halo * stride() * number_bytes);
    }
};

/// All that the kernels read and write, in memory that host and device share. See ader_dg.ir for
/// the shapes.
template <typename T> class tensors {
  public:
    /// Prepares all matrices for elements of one material.
    tensors(dimensions size, std::vector<tetrahedron> const &mesh, material const &m,
            sycl::queue const &q)
        : tensors(size, reference_matrices{size.order}, q) {
        auto const face = [this](std::int64_t element, int f) {
            return static_cast<std::size_t>(4 * element + f);
        };
        parallel_parts(size.elements, [&](std::int64_t begin, std::int64_t end) {
            for (auto e = begin; e < end; ++e) {
                auto const &element = mesh[static_cast<std::size_t>(e)];
                auto const map = affine_map{element};
                fill_star(star.get() + dimensions::star() * e, map, m);
                for (int f = 0; f < 4; ++f) {
                    auto const &there = element.neighbours[static_cast<std::size_t>(f)];
                    fill_flux(face(e, f), geometry_of_face(element, f), map.determinant, m);
                    cases.get()[face(e, f)] = 3 * there.face + there.rotation;
                    neighbours.get()[face(e, f)] = I.get() + size.stride() * there.element;
                }
            }
        });
    }

    usm_array<T> derivatives, stiffness, traces, neighbour_traces, lift;
    usm_array<T> star, own_flux, neighbour_flux;
    usm_array<T> Q, I;
    /// For each face of each element: the number of the trace matrix of what is behind it, and
    /// where the time integral of that lies.
    usm_array<std::int32_t> cases;
    usm_array<T *> neighbours;

  private:
    tensors(dimensions size, reference_matrices const &reference, sycl::queue const &q)
        : derivatives{copy(reference.derivatives, q)}, stiffness{copy(reference.stiffness, q)},
          traces{copy(reference.traces, q)}, neighbour_traces{copy(reference.neighbour_traces, q)},
          lift{copy(reference.lift, q)}, star{dimensions::star() * size.elements, q},
          own_flux{dimensions::fluxes() * size.elements, q},
          neighbour_flux{dimensions::fluxes() * size.elements, q},
          Q{size.stride() * size.elements, q}, I{size.stride() * (size.elements + size.halo), q},
          cases{4 * size.elements, q}, neighbours{4 * size.elements, q} {}

    static auto copy(std::vector<double> const &numbers, sycl::queue const &q) -> usm_array<T> {
        auto result = usm_array<T>{static_cast<std::int64_t>(numbers.size()), q};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            result.get()[i] = static_cast<T>(numbers[i]);
        }
        return result;
    }

    /// The Jacobians in reference coordinates, transposed as they multiply from the right.
    static void fill_star(T *to, affine_map const &map, material const &m) {
        for (std::size_t d = 0; d < 3; ++d) {
            auto const matrix = jacobian_matrix(m, map.gradients[d]);
            for (std::size_t j = 0; j < quantities; ++j) {
                for (std::size_t k = 0; k < quantities; ++k) {
                    to[k + quantities * (j + quantities * d)] = static_cast<T>(matrix[j][k]);
                }
            }
        }
    }

    /// The flux matrices of a face, transposed, with the sign of the flux and the ratio of the
    /// Jacobian determinants of face and element.
    void fill_flux(std::size_t face, face_geometry const &geometry, double determinant,
                   material const &m) {
        auto const scale = -2.0 * geometry.area / determinant;
        auto const flux = godunov_flux(m, m, geometry.frame);
        auto const first = face * quantities * quantities;
        for (std::size_t j = 0; j < quantities; ++j) {
            for (std::size_t k = 0; k < quantities; ++k) {
                auto const at = first + k + quantities * j;
                own_flux.get()[at] = static_cast<T>(scale * flux.own[j][k]);
                neighbour_flux.get()[at] = static_cast<T>(scale * flux.neighbours[j][k]);
            }
        }
    }
};

#endif // ADER_DG_TENSORS_HPP
