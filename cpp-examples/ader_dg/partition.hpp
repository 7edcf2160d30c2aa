// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_PARTITION_HPP
#define ADER_DG_PARTITION_HPP

#include "mesh.hpp"

#include <cstdint>
#include <vector>

/// Ways to cut a mesh.
enum class cut {
    /// Consecutive elements on a space-filling curve (G. M. Morton, 1966), by their centres.
    blocks,
    /// METIS (G. Karypis and V. Kumar, A fast and high quality multilevel scheme for partitioning
    /// irregular graphs, 1998), which cuts few faces.
    metis
};

/// The best way that the program has been built with.
auto best_cut() -> cut;

/// The part that each element belongs to, so that the weights of the parts are about the same. Each
/// part gets an element at least; there are as many elements as parts, or more. The same mesh is
/// cut the same way on all ranks.
auto cut_mesh(std::vector<tetrahedron> const &mesh, std::vector<int> const &weights, int parts,
              cut method) -> std::vector<int>;

/// A part of a mesh, and what surrounds it.
struct submesh {
    /// The part's elements: those that other parts need, then the others. A neighbour that is of
    /// another part is the element `elements.size()` or one after that: the halo.
    std::vector<tetrahedron> elements;
    /// Their positions in the whole mesh, and behind them those of the halo.
    std::vector<std::int64_t> numbers;
    /// Number of those that other parts need.
    std::int64_t boundary = 0;
    /// Elements of the halo.
    std::int64_t halo = 0;

    /// Exchange with another part.
    struct exchange {
        int part;
        /// Elements that it needs.
        std::vector<std::int64_t> sent;
        /// Elements of the halo that are its: so many, behind those of parts before it.
        std::int64_t received;
    };
    /// Parts with common faces, in their order.
    std::vector<exchange> exchanges;
};

/// A part of a mesh that has been cut. What two parts exchange is in the same order in both.
auto part_of(std::vector<tetrahedron> const &mesh, std::vector<int> const &parts, int part)
    -> submesh;

#endif // ADER_DG_PARTITION_HPP
