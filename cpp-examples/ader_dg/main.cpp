// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Elastic waves in three dimensions by an ADER-DG scheme on tetrahedra: a run with its times, or
/// two runs that show the order of the scheme. With MPI each rank has a part of the mesh.

#include "clusters.hpp"
#include "costs.hpp"
#include "device.hpp"
#include "kernels.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "options.hpp"
#include "partition.hpp"
#include "plane_wave.hpp"
#include "progress.hpp"
#include "rank_device.hpp"
#include "rank_report.hpp"
#include "roofline.hpp"
#include "solver.hpp"
#include "timing.hpp"
#include "vtk.hpp"
#include "world.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Courant number, in terms of the inscribed spheres. The scheme is unstable from somewhere below
/// 0.8, and with thin elements from between 0.4 and 0.5.
constexpr double courant_number = 0.5;
constexpr double thin_courant_number = 0.35;
/// End of the runs of --convergence, in periods of the S waves.
constexpr double convergence_end = 0.1;
/// The order of the scheme may be measured so much lower.
constexpr double order_tolerance = 0.4;
/// The error of local time steps may be so many times that of a global one.
constexpr double clusters_tolerance = 1.2;

/// The largest time step of a stable scheme (M. Dumbser and M. Käser, 2006).
auto largest_time_step(std::vector<tetrahedron> const &mesh, material const &m, int order,
                       options const &opts) -> double {
    auto const courant = opts.thin > 0 ? thin_courant_number : courant_number;
    return courant / (2 * order - 1) * smallest_insphere(mesh) / m.p_speed();
}

/// Returns so many clusters at most, by the sizes of the elements: all are of one material.
auto make_clusters(std::vector<tetrahedron> const &mesh, int max) -> clusters {
    auto sizes = std::vector<double>(mesh.size());
    std::transform(mesh.begin(), mesh.end(), sizes.begin(), insphere);
    return {mesh, sizes, max};
}

/// A mesh with its clusters, and the part of it that is this rank's.
struct rank_mesh {
    std::vector<tetrahedron> whole;
    clusters all;
    submesh part;
};

/// Returns the mesh, if the device and the ranks can do it.
template <typename T>
auto make_mesh(options const &opts, int cubes, int order, sycl::queue const &q, world const &ranks)
    -> rank_mesh {
    auto const elements = periodic_cube_size(cubes, opts.thin);
    if (elements < ranks.size()) {
        throw std::runtime_error("the mesh has " + std::to_string(elements) +
                                 " elements, too few for " + std::to_string(ranks.size()) +
                                 " ranks");
    }
    auto const most = (elements + ranks.size() - 1) / ranks.size();
    check_device<T>(q.get_device(), size_of<T>(order, most).bytes());
    auto whole = periodic_cube(cubes, opts.thin);
    auto all = make_clusters(whole, opts.clusters);
    auto const parts = cut_mesh(whole, all.updates_of_elements(), ranks.size(), opts.method);
    auto part = part_of(whole, parts, ranks.rank());
    return {std::move(whole), std::move(all), std::move(part)};
}

/// Memory that the halo is exchanged through.
auto memory_of(options const &opts, world const &ranks) -> message_memory {
    using memory = options::halo_memory;
    return opts.halo == memory::device || (opts.halo == memory::automatic && ranks.is_gpu_aware())
               ? message_memory::device
               : message_memory::host;
}

/// Results of a number of macro steps.
struct result {
    double error = 0.0;
    double start_energy = 0.0, end_energy = 0.0;
    /// The largest energy in between, relative to that at the start, minus 1. The energy of the
    /// exact solution is constant, and a numerical flux of upwind type only takes from it. What may
    /// grow is the error of the predictor, which knows nothing of the jumps between elements: by no
    /// more than the solution is off.
    double growth = -1.0;
    /// Milliseconds of each step: of each kernel, and of all on the host's clock.
    std::array<std::vector<double>, kernel_names.size()> kernel_times;
    std::vector<double> step_times;
};

/// Advances the plane waves from time 0 by so many steps.
template <typename T>
auto advance(solver<T> &scheme, plane_wave const &wave, double time_step, int steps,
             std::string const &name, progress &status_line) -> result {
    result found;
    status_line.show(name + "projecting the plane waves");
    scheme.set([&](point3 const &x) { return wave(x, 0.0); });
    found.start_energy = scheme.energy();
    for (int step = 0; step < steps; ++step) {
        status_line.show(name + "step " + std::to_string(step + 1) + " of " +
                         std::to_string(steps));
        auto const start = clock_type::now();
        auto const times = scheme.step(time_step);
        found.step_times.push_back(milliseconds_since(start));
        for (std::size_t k = 0; k < times.size(); ++k) {
            found.kernel_times[k].push_back(times[k]);
        }
        found.end_energy = scheme.energy();
        found.growth = std::max(found.growth, found.end_energy / found.start_energy - 1.0);
    }
    status_line.show(name + "comparing with the plane waves");
    auto const exact = [&](point3 const &x) { return wave(x, time_step * steps); };
    found.error = scheme.relative_error(exact);
    return found;
}

/// Runs an order on both meshes and prints a line for each; true if the error falls as it should.
template <typename T>
auto check_order(options const &opts, int order, sycl::queue &q, world const &ranks) -> bool {
    auto status_line = progress{};
    auto const medium = material{};
    auto const wave = plane_wave{medium};
    auto const end = convergence_end * wave.period();
    status_line.show("order " + std::to_string(order) + ": compiling the kernels");
    auto const kernels = ranks.together(
        [&] { return time_step_kernels<T>{order, opts.kernel_file, q, status_line}; });
    auto pass = true;
    auto coarse_error = 0.0;
    for (int const cubes : {opts.mesh, opts.finer_mesh}) {
        auto const name = "order " + std::to_string(order) + ", " + std::to_string(cubes) +
                          " cubes along an edge: ";
        status_line.show(name + "preparing the mesh");
        auto const mesh =
            ranks.together([&] { return make_mesh<T>(opts, cubes, order, q, ranks); });
        auto const groups = mesh.all.of_part(mesh.part);
        auto scheme = ranks.together([&] {
            return solver<T>{mesh.part, groups, medium, kernels, q, ranks, memory_of(opts, ranks)};
        });
        auto const longest = groups.steps() * largest_time_step(mesh.whole, medium, order, opts);
        auto const steps = static_cast<int>(std::ceil(end / longest));
        auto const found = advance(scheme, wave, end / steps, steps, name, status_line);
        status_line.clear();
        std::printf("%5d %6d %9zu %9d %6d %12.3e %15.1e", order, cubes, mesh.whole.size(),
                    groups.count(), steps, found.error, found.growth);
        // Not a number is no success.
        pass = pass && found.growth <= found.error;
        if (cubes == opts.mesh) {
            std::printf("\n");
            coarse_error = found.error;
        } else {
            auto const measured = std::log(coarse_error / found.error) /
                                  std::log(static_cast<double>(cubes) / opts.mesh);
            pass = pass && measured >= order - order_tolerance;
            std::printf(" %9.2f   %s\n", measured, pass ? "PASS" : "FAIL");
        }
        std::fflush(stdout);
    }
    return pass;
}

template <typename T>
auto check_orders(options const &opts, sycl::queue &q, world const &ranks) -> bool {
    std::printf("problem         plane waves for %.2f periods, %s\n\n", convergence_end,
                type_name<T>());
    std::printf("order  cubes  elements  clusters  steps     L2 error   energy growth  measured   "
                "result\n");
    std::fflush(stdout);
    auto pass = true;
    for (int const order : opts.orders) {
        pass = check_order<T>(opts, order, q, ranks) && pass;
    }
    return pass;
}

/// Prints a line of the table of kernels.
void print_kernel(char const *name, double milliseconds, cost const &c, machine const &device) {
    auto const seconds = 1e-3 * milliseconds;
    auto const share = 100.0 * device.bound(c) / seconds;
    auto const by_memory = c.bytes / device.bytes > c.operations / device.operations;
    std::printf("%-15s %11.3f %10.1f %10.1f %8.0f %%   %s\n", name, milliseconds,
                1e-9 * c.operations / seconds, 1e-9 * c.bytes / seconds, share,
                by_memory ? "memory" : "arithmetic");
}

/// Prints times and rates of the kernels: medians of all steps.
void print_times(result const &found, dimensions const &size, clusters const &groups,
                 machine const &device) {
    std::printf("\nkernel              ms/step    GFLOP/s       GB/s   roofline   its bound\n");
    auto const costs = kernel_costs(size, groups);
    auto total = 0.0;
    auto operations = 0.0;
    for (std::size_t k = 0; k < costs.size(); ++k) {
        auto const time = median(found.kernel_times[k]);
        print_kernel(kernel_names[k], time, costs[k], device);
        total += time;
        operations += costs[k].operations;
    }
    std::printf("%-15s %11.3f %10.1f\n", "all", total, 1e-6 * operations / total);
    auto const step = median(found.step_times);
    std::printf("%-15s %11.3f %10.1f\n", "step", step, 1e-6 * operations / step);
    auto const outside = parts_of_step(found.kernel_times, found.step_times).outside;
    std::printf("%-15s %11.3f %10.1f %% of the step\n\n", "outside kernels", outside,
                100.0 * outside / step);
}

/// Prints the elements of each cluster, and what a macro step takes.
void print_clusters(clusters const &groups) {
    auto elements = std::int64_t{0};
    auto step = 1;
    std::printf("clusters        ");
    for (auto const size : groups.sizes()) {
        std::printf("%s%lld with step %d", step == 1 ? "" : ", ", static_cast<long long>(size),
                    step);
        elements += size;
        step *= 2;
    }
    auto const updates = groups.updates();
    auto const global = groups.steps() * elements;
    auto const saved = 1.0 - static_cast<double>(updates) / static_cast<double>(global);
    auto const kernels = static_cast<int>(kernel_names.size());
    std::printf("\nupdates         %lld of elements a step; with the shortest step for all %lld: "
                "saved %.1f %%\n",
                static_cast<long long>(updates), static_cast<long long>(global), 100.0 * saved);
    std::printf("launches        %d a step; with one for each cluster %d\n",
                kernels * groups.steps(), kernels * (2 * groups.steps() - 1));
}

/// Prints the error and the time of clusters beside those of a run up to the same time with the
/// shortest step for all elements; true if the error is not much larger.
auto compare(result const &found, result const &by_global, int steps) -> bool {
    auto const ratio = found.error / by_global.error;
    auto const time = steps * median(by_global.step_times);
    std::printf("global step     %10.2e          L2 error: clusters have %.3f times as much; "
                "allowed %.1f\n",
                by_global.error, ratio, clusters_tolerance);
    std::printf("                %10.3f ms       for the same time: %.2f times as long\n", time,
                time / median(found.step_times));
    return ratio <= clusters_tolerance;
}

/// The bits of a number.
auto bits_of(double number) -> std::uint64_t {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

/// Writes the states of all ranks.
template <typename T>
void write_states(std::string const &file, rank_mesh const &mesh, solver<T> const &scheme,
                  world const &ranks) {
    auto mine = std::vector<vertex_states>{};
    for (std::size_t e = 0; e < mesh.part.elements.size(); ++e) {
        mine.push_back(scheme.at_vertices(e));
    }
    auto numbers = mesh.part.numbers;
    numbers.resize(mine.size());
    numbers = ranks.concatenate(numbers);
    auto const states = ranks.concatenate(mine);
    ranks.together([&] {
        auto places = std::vector<std::size_t>(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            places[static_cast<std::size_t>(numbers[i])] = i;
        }
        if (ranks.is_root()) {
            write_vtk(file, mesh.whole, [&](std::size_t e) { return states[places[e]]; });
        }
    });
}

template <typename T>
auto simulate(options const &opts, sycl::queue &q, rank_device const &mine, world const &ranks)
    -> bool {
    auto status_line = progress{};
    auto const medium = material{};
    auto const wave = plane_wave{medium};
    auto const order = opts.orders.front();
    status_line.show("preparing the mesh");
    auto const mesh = ranks.together([&] {
        if (!opts.vtk_file.empty() && ranks.is_root()) {
            check_writable(opts.vtk_file);
        }
        return make_mesh<T>(opts, opts.mesh, order, q, ranks);
    });
    auto const groups = mesh.all.of_part(mesh.part);
    status_line.show("compiling the kernels");
    auto const compile_start = clock_type::now();
    auto const kernels = ranks.together(
        [&] { return time_step_kernels<T>{order, opts.kernel_file, q, status_line}; });
    auto const compile_time = milliseconds_since(compile_start);
    auto const memory = memory_of(opts, ranks);
    auto const make_solver = [&](clusters const &of_part) {
        return ranks.together(
            [&] { return solver<T>{mesh.part, of_part, medium, kernels, q, ranks, memory}; });
    };
    auto scheme = make_solver(groups);
    auto const time_step = groups.steps() * largest_time_step(mesh.whole, medium, order, opts);
    auto const end = time_step * opts.steps;
    status_line.clear();
    std::printf("problem         order %d, %d^3 cubes of 6 tetrahedra, %s\n", order, opts.mesh,
                type_name<T>());
    if (opts.thin > 0) {
        std::printf("                the last layer of cubes halved %d time%s\n", opts.thin,
                    opts.thin == 1 ? "" : "s");
    }
    std::printf("                %zu elements of %lld coefficients\n", mesh.whole.size(),
                static_cast<long long>(scheme.size().dofs()));
    std::printf("                %d step%s of %.3e periods\n", opts.steps,
                opts.steps == 1 ? "" : "s", time_step / wave.period());
    if (opts.clusters > 1) {
        print_clusters(mesh.all);
    }
    std::fflush(stdout);

    auto const found = advance(scheme, wave, time_step, opts.steps, "", status_line);
    if (!opts.vtk_file.empty()) {
        status_line.show("writing " + opts.vtk_file);
        write_states(opts.vtk_file, mesh, scheme, ranks);
    }
    auto const checksum = scheme.checksum();
    scheme.set([&](point3 const &x) { return wave(x, end); });
    auto const best = scheme.relative_error([&](point3 const &x) { return wave(x, end); });
    result by_global;
    if (opts.clusters > 1) {
        auto const one = make_clusters(mesh.whole, 1).of_part(mesh.part);
        auto global = make_solver(one);
        by_global = advance(global, wave, time_step / groups.steps(), groups.steps() * opts.steps,
                            "global step: ", status_line);
    }
    // The other ranks may be on the same device.
    auto const device = ranks.together([&] {
        return ranks.is_root() ? find_machine<T>(opts, q, status_line) : machine{1.0, 1.0};
    });
    status_line.clear();

    std::printf("compile time    %10.2f ms\n", compile_time);
    std::printf("device rates    %.1f GFLOP/s, %.1f GB/s\n", 1e-9 * device.operations,
                1e-9 * device.bytes);
    print_times(found, scheme.size(), groups, device);
    if (ranks.size() > 1) {
        print_ranks(ranks, mesh.part, memory, parts_of_step(found.kernel_times, found.step_times),
                    mine);
    }
    auto const rounding = opts.steps * static_cast<double>(std::numeric_limits<T>::epsilon());
    auto const allowed = 10.0 * std::ceil(end / wave.period()) * best + rounding;
    auto pass = found.error <= allowed && found.growth <= allowed;
    std::printf("L2 error        %10.2e          relative; allowed %.1e, best approximation %.1e\n",
                found.error, allowed, best);
    std::printf("energy          %10.2e          change, at most %.1e; allowed %.1e\n",
                found.end_energy / found.start_energy - 1.0, found.growth, allowed);
    if (opts.clusters > 1) {
        pass = compare(found, by_global, groups.steps()) && pass;
    }
    std::printf("checksums       %016llx of the coefficients, %016llx of error and energy\n",
                static_cast<unsigned long long>(checksum),
                static_cast<unsigned long long>(bits_of(found.error) ^ bits_of(found.end_energy)));
    std::printf("result          %s\n", pass ? "PASS" : "FAIL");
    return pass;
}

template <typename T> auto run_program(options const &opts, world const &ranks) -> bool {
    auto const mine = ranks.together([&] { return device_of_rank(ranks); });
    auto q = ranks.together([&] { return make_queue(mine.device); });
    print_device(mine.device);
    return opts.convergence ? check_orders<T>(opts, q, ranks) : simulate<T>(opts, q, mine, ranks);
}

} // namespace

auto main(int argc, char **argv) -> int {
    auto const ranks = world{argc, argv};
    return run_on_ranks(ranks, [&] {
        auto const opts = ranks.together([&] {
            // The root reports for all.
            if (!ranks.is_root() && std::freopen("/dev/null", "w", stdout) == nullptr) {
                throw std::runtime_error("cannot open /dev/null");
            }
            return parse_options(argc, argv);
        });
        if (opts.help) {
            std::fputs(help_text(), stdout);
            return true;
        }
        return opts.number == options::precision::f32 ? run_program<float>(opts, ranks)
                                                      : run_program<double>(opts, ranks);
    });
}
