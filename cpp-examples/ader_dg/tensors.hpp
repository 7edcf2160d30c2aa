// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_TENSORS_HPP
#define ADER_DG_TENSORS_HPP

#include "basis.hpp"
#include "clusters.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "parallel.hpp"
#include "reference_matrices.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
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
    /// Distance of columns of so many numbers: from order 5 on a multiple of 16 bytes, for block
    /// messages.
    auto pitch(std::int64_t rows) const -> std::int64_t {
        return order < 5 ? rows : round_up(rows, 16);
    }
    /// Distance of elements in Q and I: their coefficients, rounded up to the alignment.
    auto stride() const -> std::int64_t {
        return round_up(pitch(basis()) * quantities, std::int64_t{usm_array<float>::alignment});
    }
    /// Numbers of the star matrices of an element.
    static constexpr auto star() -> std::int64_t { return 3 * quantities * quantities; }
    /// Numbers of the flux matrices of an element, of one side of its faces.
    static constexpr auto fluxes() -> std::int64_t { return 4 * quantities * quantities; }
    /// Bytes of memory that all elements take, without buffers.
    auto bytes() const -> double {
        auto const numbers = 2 * stride() + star() + 2 * fluxes() + 1;
        auto const faces = 4 * (sizeof(std::int32_t) + 2 * sizeof(void *));
        auto const clusters = sizeof(std::int64_t) + 2 * sizeof(std::int32_t);
        return static_cast<double>(elements) * (static_cast<double>(numbers * number_bytes) +
                                                static_cast<double>(faces + clusters)) +
               static_cast<double>(halo * stride() * number_bytes);
    }

  private:
    /// So many numbers, and then as many as it takes to fill units of so many bytes.
    auto round_up(std::int64_t numbers, std::int64_t bytes) const -> std::int64_t {
        auto const unit = bytes / number_bytes;
        return (numbers + unit - 1) / unit * unit;
    }
};

/// All that the kernels read and write, in memory that host and device share. See ader_dg.ir for
/// the shapes.
template <typename T> class tensors {
  public:
    /// Prepares all matrices for elements of one material.
    tensors(dimensions size, std::vector<tetrahedron> const &mesh, clusters const &groups,
            material const &m, sycl::queue const &q)
        : tensors(size, reference_matrices{size.order}, groups, q) {
        for (auto const s : {clusters::boundary, clusters::inner}) {
            std::copy(groups.list(s).begin(), groups.list(s).end(), lists[s].get());
        }
        auto const face = [this](std::int64_t element, int f) {
            return static_cast<std::size_t>(4 * element + f);
        };
        parallel_parts(size.elements, [&](std::int64_t begin, std::int64_t end) {
            for (auto e = begin; e < end; ++e) {
                auto const &element = mesh[static_cast<std::size_t>(e)];
                auto const map = affine_map{element};
                fill_star(star.get() + dimensions::star() * e, map, m);
                auto const &places = groups.places_of(e);
                steps.get()[e] = static_cast<T>(1 << groups.of(e));
                slots.get()[2 * e] = places.halves;
                slots.get()[2 * e + 1] = places.pair;
                for (int f = 0; f < 4; ++f) {
                    auto const &there = element.neighbours[static_cast<std::size_t>(f)];
                    fill_flux(face(e, f), geometry_of_face(element, f), map.determinant, m);
                    cases.get()[face(e, f)] = 3 * there.face + there.rotation;
                    for (int half = 0; half < 2; ++half) {
                        neighbours.get()[8 * e + 4 * half + f] =
                            integral(groups, groups.of(e), there.element, half);
                    }
                }
            }
        });
    }

    usm_array<T> derivatives, stiffness, traces, neighbour_traces, lift;
    usm_array<T> star, own_flux, neighbour_flux;
    usm_array<T> Q;
    /// Time integrals of the elements, those of the halo, and behind them the buffers: integrals
    /// that both leave for neighbours with other steps.
    usm_array<T> I;
    /// Elements in the order of their clusters, on each side.
    std::array<usm_array<std::int64_t>, 2> lists;
    /// For each element: its step, as a multiple of the shortest one, and its places in the
    /// buffers.
    usm_array<T> steps;
    usm_array<std::int32_t> slots;
    /// For each face of each element: the number of the trace matrix of what is behind it, and
    /// where the time integral of that lies, for the first step of a pair and for the second.
    usm_array<std::int32_t> cases;
    usm_array<T *> neighbours;

    auto buffers() const -> T * { return I.get() + stride_ * first_buffer_; }
    /// The first buffer, as if it were an element.
    auto first_buffer() const -> std::int64_t { return first_buffer_; }

  private:
    tensors(dimensions size, reference_matrices const &reference, clusters const &groups,
            sycl::queue const &q)
        : derivatives{copy(reference.derivatives, size, size.basis(), q)},
          stiffness{copy(reference.stiffness, size, size.basis(), q)},
          traces{copy(reference.traces, size, 4 * size.face_basis(), q)},
          neighbour_traces{copy(reference.neighbour_traces, size, size.face_basis(), q)},
          lift{copy(reference.lift, size, size.basis(), q)},
          star{dimensions::star() * size.elements, q},
          own_flux{dimensions::fluxes() * size.elements, q},
          neighbour_flux{dimensions::fluxes() * size.elements, q},
          Q{size.stride() * size.elements, q},
          I{size.stride() * (size.elements + size.halo + groups.buffers()), q},
          lists{list(groups, clusters::boundary, q), list(groups, clusters::inner, q)},
          steps{size.elements, q}, slots{2 * size.elements, q}, cases{4 * size.elements, q},
          neighbours{8 * size.elements, q}, stride_{size.stride()},
          first_buffer_{size.elements + size.halo} {}

    static auto list(clusters const &groups, clusters::side s, sycl::queue const &q)
        -> usm_array<std::int64_t> {
        // Memory of no bytes may be refused.
        return {std::max<std::int64_t>(static_cast<std::int64_t>(groups.list(s).size()), 1), q};
    }

    /// Place of an element's time integral over the step of a neighbour in a cluster: the first or
    /// the second one of a pair.
    auto integral(clusters const &groups, int cluster, std::int64_t element, int half) const
        -> T * {
        auto const &places = groups.places_of(element);
        if (groups.of(element) == cluster) {
            return I.get() + stride_ * element;
        }
        return buffers() +
               stride_ * (groups.of(element) > cluster ? places.halves + half : places.pair);
    }

    /// A copy of columns of so many rows with the pitch that kernels expect.
    static auto copy(std::vector<double> const &numbers, dimensions const &size, std::int64_t rows,
                     sycl::queue const &q) -> usm_array<T> {
        auto const columns = static_cast<std::int64_t>(numbers.size()) / rows;
        auto result = usm_array<T>{size.pitch(rows) * columns, q};
        for (std::int64_t column = 0; column < columns; ++column) {
            auto const from = numbers.begin() + rows * column;
            std::transform(from, from + rows, result.get() + size.pitch(rows) * column,
                           [](double number) { return static_cast<T>(number); });
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

    std::int64_t stride_;
    std::int64_t first_buffer_;
};

#endif // ADER_DG_TENSORS_HPP
