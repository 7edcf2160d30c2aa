// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_MESH_HPP
#define ADER_DG_MESH_HPP

#include "basis.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// Element behind a face of an element, and how the two meet.
struct neighbour {
    /// The element there, a position in the list of elements.
    std::int64_t element;
    /// The face of that element which is the same triangle.
    int face;
    /// The vertex of that face, 0 to 2, which is the first vertex of the face on this side. The
    /// faces are traversed in opposite directions, so that this says where the others are.
    int rotation;
};

/// An element: a tetrahedron whose vertices are ordered so that the determinant of its Jacobian is
/// positive.
struct tetrahedron {
    std::array<point3, 4> vertices;
    std::array<neighbour, 4> neighbours;
};

/// Vertices of each face, counterclockwise as seen from outside, as in M. Dumbser and M. Käser
/// (2006).
constexpr std::array<std::array<int, 3>, 4> face_vertices = {
    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

/// The unit cube with periodic boundaries in n^3 cubes, each split into the six tetrahedra along
/// one of its diagonals (H. W. Kuhn, Some combinatorial lemmas in topology, 1960): 6 n^3 elements,
/// those of a cube repeated. The last layer of cubes along x is replaced by `thin` + 1 layers, each
/// half as thick as the one before, but the last two, which are the same.
auto periodic_cube(int n, int thin) -> std::vector<tetrahedron>;
/// The number of its elements.
constexpr auto periodic_cube_size(int n, int thin) -> std::int64_t {
    return 6 * std::int64_t{n} * n * (n + thin);
}

/// The affine map from the reference tetrahedron to an element.
struct affine_map {
    explicit affine_map(tetrahedron const &element);

    /// The image of a point.
    auto operator()(point3 const &point) const -> point3;

    /// Determinant of the Jacobian, six times the volume.
    double determinant;
    /// Gradients of the three reference coordinates in space.
    std::array<point3, 3> gradients;

  private:
    point3 origin_;
    std::array<point3, 3> edges_;
};

/// A face seen as a plane in space.
struct face_geometry {
    /// Unit vectors: the outward normal, and two that complete it to a right-handed frame.
    std::array<point3, 3> frame;
    double area;
};
auto geometry_of_face(tetrahedron const &element, int face) -> face_geometry;

/// The diameter of the inscribed sphere of an element.
auto insphere(tetrahedron const &element) -> double;

/// The smallest diameter of the inscribed spheres of the elements.
auto smallest_insphere(std::vector<tetrahedron> const &mesh) -> double;

#endif // ADER_DG_MESH_HPP
