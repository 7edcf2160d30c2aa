// SPDX-License-Identifier: BSD-3-Clause

#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace {

using lattice_point = std::array<int, 3>;

auto difference(point3 const &a, point3 const &b) -> point3 {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

auto cross(point3 const &a, point3 const &b) -> point3 {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

auto dot(point3 const &a, point3 const &b) -> double {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

auto scaled(point3 const &a, double factor) -> point3 {
    return {a[0] * factor, a[1] * factor, a[2] * factor};
}

/// The six tetrahedra of the cube with this corner: paths along the edges from the corner to the
/// opposite one, an axis after the other.
auto kuhn_tetrahedra(lattice_point const &corner) -> std::vector<std::array<lattice_point, 4>> {
    auto tetrahedra = std::vector<std::array<lattice_point, 4>>{};
    auto axes = std::array<std::size_t, 3>{0, 1, 2};
    do {
        auto path = std::array<lattice_point, 4>{corner, corner, corner, corner};
        for (std::size_t step = 0; step < 3; ++step) {
            for (std::size_t v = step + 1; v < 4; ++v) {
                ++path[v][axes[step]];
            }
        }
        bool const even = (axes[0] + 1) % 3 == axes[1];
        if (!even) {
            std::swap(path[1], path[2]);
        }
        // Three vertices change places, another way for each tetrahedron. So all twelve cases of
        // faces that meet occur, as they do in a mesh that somebody has generated.
        auto const number = static_cast<std::ptrdiff_t>(tetrahedra.size());
        auto const first = path.begin() + number % 2;
        std::rotate(first, first + (number + 1) % 3, first + 3);
        tetrahedra.push_back(path);
    } while (std::next_permutation(axes.begin(), axes.end()));
    return tetrahedra;
}

/// A face of the lattice, and where in it each vertex is.
struct lattice_face {
    std::int64_t element;
    int face;
    std::array<lattice_point, 3> vertices;

    /// Three times the centre, which no other face has.
    auto centre() const -> lattice_point {
        auto sum = lattice_point{};
        for (std::size_t d = 0; d < 3; ++d) {
            sum[d] = vertices[0][d] + vertices[1][d] + vertices[2][d];
        }
        return sum;
    }
};

/// The vertex of `there` that is the first one of `here`, where the box is repeated periodically.
auto rotation_between(lattice_face const &here, lattice_face const &there) -> int {
    auto const from = here.centre();
    auto const to = there.centre();
    int rotation = 0;
    for (int v = 0; v < 3; ++v) {
        bool same = true;
        for (std::size_t d = 0; d < 3; ++d) {
            auto const moved = here.vertices[0][d] + (to[d] - from[d]) / 3;
            same = same && moved == there.vertices[static_cast<std::size_t>(v)][d];
        }
        rotation = same ? v : rotation;
    }
    return rotation;
}

/// The place of a layer between cubes along x, where the last ones are thinner and thinner.
auto layer(int number, int n, int thin) -> double {
    auto const beyond = std::max(number - (n - 1), 0);
    auto const part = beyond > thin ? 1.0 : 1.0 - std::ldexp(1.0, -beyond);
    return (number - beyond + part) / n;
}

} // namespace

auto periodic_cube(int n, int thin) -> std::vector<tetrahedron> {
    auto mesh = std::vector<tetrahedron>{};
    auto faces = std::map<lattice_point, lattice_face>{};
    auto connect = [&mesh](lattice_face const &here, lattice_face const &there) {
        mesh[static_cast<std::size_t>(here.element)]
            .neighbours[static_cast<std::size_t>(here.face)] = {there.element, there.face,
                                                                rotation_between(here, there)};
    };
    auto add = [&](std::array<lattice_point, 4> const &corners) {
        auto element = tetrahedron{};
        for (std::size_t v = 0; v < 4; ++v) {
            for (std::size_t d = 0; d < 3; ++d) {
                element.vertices[v][d] = static_cast<double>(corners[v][d]) / n;
            }
            element.vertices[v][0] = layer(corners[v][0], n, thin);
        }
        auto const number = static_cast<std::int64_t>(mesh.size());
        mesh.push_back(element);
        for (int f = 0; f < 4; ++f) {
            auto face = lattice_face{number, f, {}};
            for (std::size_t v = 0; v < 3; ++v) {
                face.vertices[v] = corners[static_cast<std::size_t>(
                    face_vertices[static_cast<std::size_t>(f)][v])];
            }
            auto key = face.centre();
            key = {key[0] % (3 * (n + thin)), key[1] % (3 * n), key[2] % (3 * n)};
            auto const [other, is_first] = faces.try_emplace(key, face);
            if (!is_first) {
                connect(face, other->second);
                connect(other->second, face);
                faces.erase(other);
            }
        }
    };
    for (int z = 0; z < n; ++z) {
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n + thin; ++x) {
                for (auto const &corners : kuhn_tetrahedra({x, y, z})) {
                    add(corners);
                }
            }
        }
    }
    return mesh;
}

affine_map::affine_map(tetrahedron const &element) : origin_{element.vertices[0]} {
    for (std::size_t d = 0; d < 3; ++d) {
        edges_[d] = difference(element.vertices[d + 1], origin_);
    }
    determinant = dot(edges_[0], cross(edges_[1], edges_[2]));
    for (std::size_t d = 0; d < 3; ++d) {
        gradients[d] = scaled(cross(edges_[(d + 1) % 3], edges_[(d + 2) % 3]), 1.0 / determinant);
    }
}

auto affine_map::operator()(point3 const &point) const -> point3 {
    auto image = origin_;
    for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t i = 0; i < 3; ++i) {
            image[i] += point[d] * edges_[d][i];
        }
    }
    return image;
}

auto geometry_of_face(tetrahedron const &element, int face) -> face_geometry {
    auto const &corners = face_vertices[static_cast<std::size_t>(face)];
    auto const vertex = [&](std::size_t v) {
        return element.vertices[static_cast<std::size_t>(corners[v])];
    };
    auto const edge = difference(vertex(1), vertex(0));
    auto const across = cross(edge, difference(vertex(2), vertex(0)));
    auto const length = std::sqrt(dot(across, across));
    auto const normal = scaled(across, 1.0 / length);
    auto const along = scaled(edge, 1.0 / std::sqrt(dot(edge, edge)));
    return {{normal, along, cross(normal, along)}, 0.5 * length};
}

auto insphere(tetrahedron const &element) -> double {
    double surface = 0.0;
    for (int f = 0; f < 4; ++f) {
        surface += geometry_of_face(element, f).area;
    }
    // The radius is three times the volume over the surface.
    return affine_map{element}.determinant / surface;
}

auto smallest_insphere(std::vector<tetrahedron> const &mesh) -> double {
    auto smallest = std::numeric_limits<double>::infinity();
    for (auto const &element : mesh) {
        smallest = std::min(smallest, insphere(element));
    }
    return smallest;
}
