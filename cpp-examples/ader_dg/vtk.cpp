// SPDX-License-Identifier: BSD-3-Clause

#include "vtk.hpp"

#include <cstddef>
#include <fstream>
#include <ios>
#include <stdexcept>

namespace {

void require(bool success, std::string const &file) {
    if (!success) {
        throw std::runtime_error("cannot write '" + file + "'");
    }
}

} // namespace

void check_writable(std::string const &file) {
    // What is there already stays until the run has ended.
    require(std::ofstream{file, std::ios::app}.is_open(), file);
}

void write_vtk(std::string const &file, std::vector<tetrahedron> const &mesh,
               std::function<vertex_states(std::size_t)> const &states_of) {
    auto out = std::ofstream{file};
    auto const points = 4 * mesh.size();
    out << "# vtk DataFile Version 3.0\nElastic waves by ADER-DG\nASCII\n"
        << "DATASET UNSTRUCTURED_GRID\nPOINTS " << points << " double\n";
    for (auto const &element : mesh) {
        for (auto const &vertex : element.vertices) {
            out << vertex[0] << ' ' << vertex[1] << ' ' << vertex[2] << '\n';
        }
    }
    out << "CELLS " << mesh.size() << ' ' << 5 * mesh.size() << '\n';
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        out << 4 << ' ' << 4 * e << ' ' << 4 * e + 1 << ' ' << 4 * e + 2 << ' ' << 4 * e + 3
            << '\n';
    }
    out << "CELL_TYPES " << mesh.size() << '\n';
    constexpr int vtk_tetra = 10;
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        out << vtk_tetra << '\n';
    }

    auto states = std::vector<state>{};
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        auto const of_element = states_of(e);
        states.insert(states.end(), of_element.begin(), of_element.end());
    }
    out << "POINT_DATA " << points << "\nVECTORS velocity double\n";
    for (auto const &q : states) {
        out << q[velocity] << ' ' << q[velocity + 1] << ' ' << q[velocity + 2] << '\n';
    }
    out << "TENSORS stress double\n";
    for (auto const &q : states) {
        for (auto const &row : stress_component) {
            out << q[row[0]] << ' ' << q[row[1]] << ' ' << q[row[2]] << '\n';
        }
    }
    out.close();
    require(out.good(), file);
}
