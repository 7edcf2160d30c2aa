// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_OPTIONS_HPP
#define ADER_DG_OPTIONS_HPP

#include "partition.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Options of the command line.
struct options {
    enum class precision { f32, f64 };

    /// Orders of the scheme; a run has one.
    std::vector<int> orders;
    /// Cubes along an edge of the box, and of the finer mesh of --convergence.
    int mesh = 0;
    int finer_mesh = 0;
    int steps = 50;
    /// Clusters of local time stepping at most.
    int clusters = 1;
    /// The last layer of cubes is halved so often.
    int thin = 0;
    precision number = precision::f64;
    bool convergence = false;
    /// File for ParaView; empty: none.
    std::string vtk_file;
    /// File with the kernels; empty: those that are a part of the program.
    std::string kernel_file;
    /// Way in which the mesh is cut for several ranks.
    cut method = best_cut();
    /// Memory that the halo is exchanged through; `automatic`: the device's if MPI takes that.
    enum class halo_memory { automatic, host, device };
    halo_memory halo = halo_memory::automatic;
    /// Rates of the machine, GFLOP/s and GB/s; 0: they are measured.
    std::int64_t peak = 0, bandwidth = 0;
    bool help = false;
};

/// Reads the command line; throws `usage_error` for arguments that make no sense, and
/// `std::runtime_error` for an order or a mesh that the program cannot do.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // ADER_DG_OPTIONS_HPP
