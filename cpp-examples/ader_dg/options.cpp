// SPDX-License-Identifier: BSD-3-Clause

#include "options.hpp"

#include "command_line.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// Nearly 400 million elements.
constexpr int largest_mesh = 400;

/// The number that follows an option. Another one is not wrong usage, but something that the
/// program cannot do.
auto size_from(command_line &line, int min, int max) -> int {
    try {
        return static_cast<int>(line.number(min, max));
    } catch (usage_error const &e) {
        throw std::runtime_error(e.what());
    }
}

} // namespace

auto parse_options(int argc, char const *const *argv) -> options {
    using precision = options::precision;
    auto opts = options{};
    auto line = command_line{argc, argv};
    while (line.next()) {
        if (line.is("-h", "--help")) {
            opts.help = true;
        } else if (line.is("-o", "--order")) {
            opts.orders = {size_from(line, 2, 7)};
        } else if (line.is("-m", "--mesh")) {
            opts.mesh = size_from(line, 1, largest_mesh);
        } else if (line.is("--finer")) {
            opts.finer_mesh = size_from(line, 1, largest_mesh);
        } else if (line.is("-n", "--steps")) {
            opts.steps = static_cast<int>(line.number(1, 1000000));
        } else if (line.is("--clusters")) {
            opts.clusters = static_cast<int>(line.number(1, 10));
        } else if (line.is("--thin")) {
            opts.thin = static_cast<int>(line.number(0, 10));
        } else if (line.is("-f", "--precision")) {
            opts.number =
                line.choice<precision>({{"f32", precision::f32}, {"f64", precision::f64}});
        } else if (line.is("-c", "--convergence")) {
            opts.convergence = true;
        } else if (line.is("--vtk")) {
            opts.vtk_file = line.value();
        } else if (line.is("--cut")) {
            opts.method = line.choice<cut>({{"blocks", cut::blocks}, {"metis", cut::metis}});
        } else if (line.is("--halo")) {
            using memory = options::halo_memory;
            opts.halo = line.choice<memory>({{"host", memory::host}, {"device", memory::device}});
        } else if (line.is("--peak")) {
            opts.peak = line.number(1, 1000000000);
        } else if (line.is("--bandwidth")) {
            opts.bandwidth = line.number(1, 1000000000);
        } else if (line.is("--kernel")) {
            opts.kernel_file = line.value();
        } else {
            line.refuse();
        }
    }
    if (opts.convergence && !opts.vtk_file.empty()) {
        throw usage_error("--vtk writes the result of a run, and not of --convergence");
    }
    if (opts.finer_mesh != 0 && !opts.convergence) {
        throw usage_error("--finer is the second mesh of --convergence");
    }
    if (opts.orders.empty()) {
        opts.orders = opts.convergence ? std::vector<int>{2, 3, 4, 5} : std::vector<int>{4};
    }
    if (opts.mesh == 0) {
        opts.mesh = opts.convergence ? 2 : 8;
    }
    if (opts.finer_mesh == 0) {
        opts.finer_mesh = 2 * opts.mesh;
    }
    if (opts.finer_mesh <= opts.mesh) {
        throw std::runtime_error("--finer needs more cubes than --mesh");
    }
    return opts;
}

auto help_text() -> char const * {
    return R"(Usage: ader_dg [options]

Solves the elastic wave equation in a periodic cube of tetrahedra by an ADER-DG scheme, with
kernels compiled by tiletc, and compares with the plane waves that are its solution. The
energy must not grow.

Options:
  -o, --order N       order of the scheme, 2 to 7 (default 4; with --convergence 2, 3, 4, 5)
  -m, --mesh N        cubes along an edge, of six tetrahedra each, 1 to 400 (default 8)
  -n, --steps N       time steps (default 50); with clusters those of the last one
      --clusters N    time steps of up to N lengths, 1, 2, 4, ... times the shortest one, 1 to 10
                      (default 1), and a comparison with a run that has the shortest one only
      --thin N        halves the last layer of cubes along x, the last half again, and so on, N
                      times, 0 to 10 (default 0): thin elements allow short time steps only
  -f, --precision F   f32 or f64 (default f64)
  -c, --convergence   runs on two meshes up to the same time, and checks that the error falls
                      with the order of the scheme; --mesh is the coarser one (default 2)
      --finer N       cubes along an edge of the finer one (default twice as many)
      --vtk FILE      writes the state at the end for ParaView, in the legacy format of VTK
      --cut C         how the mesh is cut for several ranks of MPI, blocks or metis (default
                      metis if the program has been built with it)
      --halo M        memory that ranks exchange what they share through, host or device
                      (default device if MPI says that it takes that)
      --peak N        multiplications and additions of the device, GFLOP/s
      --bandwidth N   and of its memory, GB/s; both are measured by default
      --kernel FILE   program with the kernels (default: that of ader_dg.ir, a part of this program)
  -h, --help          this text

The device is SYCL's default, a GPU before a CPU; the environment variable
ONEAPI_DEVICE_SELECTOR chooses another one. Started by mpirun, the ranks of a machine take its
devices of this kind, or their tiles, in turn.

Exit code: 0 the results are right, 1 one is wrong, the run failed, or the order, the mesh,
the device or the number of ranks is not one that the program can do, 2 wrong usage.
)";
}
