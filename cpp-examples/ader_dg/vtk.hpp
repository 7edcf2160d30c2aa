// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_VTK_HPP
#define ADER_DG_VTK_HPP

#include "material.hpp"
#include "mesh.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// States at the vertices of an element, in the order of the vertices.
using vertex_states = std::array<state, 4>;

/// Throws `std::runtime_error` if the file cannot be written: to be called before a long run.
void check_writable(std::string const &file);

/// Writes velocities and stresses for ParaView, in the legacy format of VTK (The VTK User's Guide,
/// "VTK file formats"): an unstructured grid in which each element has vertices of its own, since
/// the solution jumps between elements. Throws `std::runtime_error` if the file cannot be written.
void write_vtk(std::string const &file, std::vector<tetrahedron> const &mesh,
               std::function<vertex_states(std::size_t)> const &states_of);

#endif // ADER_DG_VTK_HPP
