// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Time steps of the example ader_dg by its kernels, and by the small products of Intel MKL and of
/// LIBXSMM: the same products of each element, one loop over the elements for each kernel, with as many
/// threads as there are processors. They take turns, all from the same start to the same time.

#include "clusters.hpp"
#include "command_line.hpp"
#include "contest.hpp"
#include "costs.hpp"
#include "device.hpp"
#include "kernels.hpp"
#include "mesh.hpp"
#include "mkl.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "plane_wave.hpp"
#include "progress.hpp"
#include "rank_device.hpp"
#include "solver.hpp"
#include "tensors.hpp"
#include "timing.hpp"
#include "world.hpp"
#include "xsmm.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct bench_options {
    std::string mkl;
    std::vector<int> orders = {4, 6};
    int runs = 11;
    /// Cubes along an edge; 0: as many as take twice the cache.
    int mesh = 0;
};

using kernel_times = std::array<double, kernel_names.size()>;

/// Time steps like those of the kernels of ader_dg.ir, by products that a library generates code for. All elements have
/// the same time step.
template <typename T, typename Library> class library_solver {
  public:
    library_solver(Library const &library, dimensions const &size, submesh const &part,
                   clusters const &groups, double time_step, solver<T> const &start, sycl::queue const &q)
        : library_{library}, size_{size}, data_{size, part.elements, groups, material{}, q},
          time_step_{static_cast<T>(time_step)} {
        auto const B = size.basis(), F = size.face_basis(), X = 4 * F;
        auto const P = size.pitch(B);
        for (int k = 0; k + 1 < size.order; ++k) {
            std::int64_t const before = basis_size(size.order - k), after = basis_size(size.order - k - 1);
            // The factors of the Taylor series stand in the matrices.
            auto const factor = (k == 0 ? time_step * time_step : time_step) / (k + 2);
            auto scaled = std::vector<T>{};
            for (std::int64_t column = 0; column < 3 * B; ++column) {
                for (std::int64_t row = 0; column % B < before && row < after; ++row) {
                    scaled.push_back(static_cast<T>(factor) * data_.derivatives.get()[row + P * column]);
                }
            }
            auto const distance = k == 0 ? P : before;
            derivatives_.push_back({after, before, std::move(scaled), make(after, before, {after, distance, after}, 0),
                                    make(after, Q, {after, Q, after}, 0), make(after, Q, {after, Q, after}, 1)});
        }
        stiffness_ = make(B, B, {P, P, B}, 0);
        add_star_ = make(B, Q, {B, Q, P}, 1);
        traces_ = make(X, B, {size.pitch(X), P, X}, 0);
        own_flux_ = make(F, Q, {X, Q, X}, 0);
        neighbour_trace_ = make(F, B, {size.pitch(F), P, F}, 0);
        neighbour_flux_ = make(F, Q, {F, Q, X}, 0);
        add_lift_ = make(B, X, {P, X, P}, 1);
        for (std::int64_t e = 0; e < size.elements; ++e) {
            std::copy_n(start.coefficients(e), size.stride(), coefficients(e));
        }
    }

    auto coefficients(std::int64_t element) const -> T * { return data_.Q.get() + size_.stride() * element; }

    /// Advances the solution; returns the milliseconds of each kernel.
    auto step() -> kernel_times {
        return {for_each([this](std::int64_t e) { predict(e); }), for_each([this](std::int64_t e) { add_volume(e); }),
                for_each([this](std::int64_t e) { add_own(e); }),
                for_each([this](std::int64_t e) { add_neighbours(e); })};
    }

  private:
    using product = typename Library::template jit_gemm<T>;
    constexpr static std::int64_t Q = quantities;
    /// Numbers of the largest matrix of an element, of order 7.
    constexpr static std::size_t most = 4 * face_basis_size(7) * quantities;
    struct alignas(64) scratch : std::array<T, most> {};

    struct derivative {
        std::int64_t rows, columns;
        std::vector<T> matrices;
        product const *differentiate, *set_star, *add_star;
    };

    auto make(std::int64_t M, std::int64_t K, std::array<std::int64_t, 3> const &strides, int beta)
        -> product const * {
        return &products_.emplace_back(library_, M, Q, K, strides, static_cast<T>(beta));
    }

    /// Calls `body` for all elements; threads take some at a time, as the CPU runtime's do.
    template <typename Body> auto for_each(Body const &body) const -> double {
        constexpr std::int64_t some = 64;
        auto const start = clock_type::now();
        auto next = std::atomic<std::int64_t>{0};
        parallel_parts(std::thread::hardware_concurrency(), [&](std::int64_t, std::int64_t) {
            for (auto first = next.fetch_add(some); first < size_.elements; first = next.fetch_add(some)) {
                for (auto e = first; e < std::min(first + some, size_.elements); ++e) {
                    body(e);
                }
            }
        });
        return milliseconds_since(start);
    }

    auto integral(std::int64_t e) const -> T * { return data_.I.get() + size_.stride() * e; }
    auto star(std::int64_t e, int d) const -> T const * { return data_.star.get() + Q * Q * (3 * e + d); }

    void predict(std::int64_t e) const {
        scratch states[2], product;
        auto const P = size_.pitch(size_.basis());
        auto *const sum = integral(e);
        T const *before = coefficients(e);
        for (std::int64_t i = 0; i < P * Q; ++i) {
            sum[i] = time_step_ * before[i];
        }
        for (std::size_t k = 0; k < derivatives_.size(); ++k) {
            auto const &[rows, columns, matrices, differentiate, set_star, add_star] = derivatives_[k];
            auto *const after = states[k % 2].data();
            for (int d = 0; d < 3; ++d) {
                (*differentiate)(matrices.data() + rows * columns * d, before, product.data());
                (*(d == 0 ? set_star : add_star))(product.data(), star(e, d), after);
            }
            for (std::int64_t j = 0; j < Q; ++j) {
                for (std::int64_t i = 0; i < rows; ++i) {
                    sum[i + P * j] += after[i + rows * j];
                }
            }
            before = after;
        }
    }

    void add_volume(std::int64_t e) const {
        scratch product;
        auto const numbers = size_.pitch(size_.basis()) * size_.basis();
        for (int d = 0; d < 3; ++d) {
            (*stiffness_)(data_.stiffness.get() + numbers * d, integral(e), product.data());
            (*add_star_)(product.data(), star(e, d), coefficients(e));
        }
    }

    void add_own(std::int64_t e) const {
        scratch traces, fluxes;
        auto const F = size_.face_basis();
        (*traces_)(data_.traces.get(), integral(e), traces.data());
        for (int f = 0; f < 4; ++f) {
            (*own_flux_)(traces.data() + F * f, data_.own_flux.get() + Q * Q * (4 * e + f), fluxes.data() + F * f);
        }
        (*add_lift_)(data_.lift.get(), fluxes.data(), coefficients(e));
    }

    void add_neighbours(std::int64_t e) const {
        scratch trace, fluxes;
        auto const F = size_.face_basis();
        for (int f = 0; f < 4; ++f) {
            auto const *const matrix =
                data_.neighbour_traces.get() + size_.pitch(F) * size_.basis() * data_.cases.get()[4 * e + f];
            (*neighbour_trace_)(matrix, data_.neighbours.get()[8 * e + f], trace.data());
            (*neighbour_flux_)(trace.data(), data_.neighbour_flux.get() + Q * Q * (4 * e + f), fluxes.data() + F * f);
        }
        (*add_lift_)(data_.lift.get(), fluxes.data(), coefficients(e));
    }

    Library const &library_;
    dimensions size_;
    tensors<T> data_;
    T time_step_;
    /// They cannot be moved.
    std::deque<product> products_;
    std::vector<derivative> derivatives_;
    product const *stiffness_, *add_star_, *traces_, *own_flux_, *neighbour_trace_, *neighbour_flux_, *add_lift_;
};

/// Terms of the sums that a coefficient goes through in a step, one after the other. Two ways to do the
/// step differ by some units of rounding for each; as these are random, by the square root of the terms
/// (N. J. Higham and T. Mary, A new approach to probabilistic rounding error analysis, 2019).
auto terms_of_step(dimensions const &size) -> std::int64_t {
    auto terms = 2 * (size.basis() + 4 * size.face_basis()) + 3 * size.basis() + 5 * std::int64_t{quantities};
    for (int order = size.order; order > 1; --order) {
        terms += 3 * (basis_size(order) + std::int64_t{quantities});
    }
    return terms;
}

/// Largest difference of two solutions, relative to the largest coefficient; NaN stays.
template <typename One, typename Other>
auto difference(One const &one, Other const &other, dimensions const &size) -> double {
    auto const basis = size.basis(), pitch = size.pitch(basis);
    auto const largest = [&](auto const &of) {
        return parallel_max(size.elements, [&](std::int64_t e) {
            return worst_of(size.dofs(), [&](std::int64_t i) {
                return std::fabs(double{of(e, i % basis + pitch * (i / basis))});
            });
        });
    };
    return largest([&](auto e, auto i) { return one.coefficients(e)[i] - other.coefficients(e)[i]; }) /
           largest([&](auto e, auto i) { return one.coefficients(e)[i]; });
}

/// A program that takes time steps, and the times of its kernels in each.
struct competitor {
    std::function<kernel_times()> step;
    /// Largest difference from the first of the programs.
    std::function<double()> difference;
    std::vector<kernel_times> times = {};
};

/// Measures an order and prints a line for each kernel; true if all solutions agree.
template <typename T>
auto measure(bench_options const &opts, int order, mkl const *library, world const &ranks) -> bool {
    auto status_line = progress{};
    auto cubes = std::max(opts.mesh, 2);
    while (opts.mesh == 0 && size_of<T>(order, periodic_cube_size(cubes, 0)).bytes() < 2.0 * cache_bytes()) {
        ++cubes;
    }
    auto const size = size_of<T>(order, periodic_cube_size(cubes, 0));
    auto const q = make_queue(default_device());
    check_device<T>(q.get_device(), 3.0 * size.bytes());
    auto const mesh = periodic_cube(cubes, 0);
    auto const part = part_of(mesh, std::vector<int>(mesh.size()), 0);
    auto const groups = clusters{mesh, std::vector<double>(mesh.size(), 1.0), 1}.of_part(part);
    auto const kernels = time_step_kernels<T>{order, "", q, status_line};
    auto const medium = material{};
    auto const time_step = 0.5 / (2 * order - 1) * smallest_insphere(mesh) / medium.p_speed();
    auto scheme = solver<T>{part, groups, medium, kernels, q, ranks, message_memory::host};
    auto const wave = plane_wave{medium};
    scheme.set([&](point3 const &x) { return wave(x, 0.0); });

    auto competitors = std::deque<competitor>{};
    auto programs = contest{};
    auto const add = [&](char const *name, auto const &step, auto const &difference) {
        auto &mine = competitors.emplace_back(competitor{step, difference});
        programs.add(name, [&mine] { mine.times.push_back(mine.step()); });
    };
    auto const add_library = [&](char const *name, auto const &products) {
        using solver_type = library_solver<T, std::decay_t<decltype(products)>>;
        auto const other = std::make_shared<solver_type>(products, size, part, groups, time_step, scheme, q);
        add(name, [other] { return other->step(); }, [&, other] { return difference(scheme, *other, size); });
    };
    add("tiletc", [&] { return scheme.step(time_step); }, [] { return 0.0; });
    if (library) {
        add_library("MKL JIT", *library);
    }
#ifdef BENCH_LIBXSMM
    add_library("LIBXSMM", xsmm{});
#endif
    auto const results = programs.run(opts.runs, [] {}, [] { return 0.0; });

    std::printf("\norder %d, %s, %lld elements, %.0f MB\n%-14s", order, type_name<T>(),
                static_cast<long long>(size.elements), size.bytes() * 1e-6, "");
    for (auto const &result : results) {
        std::printf(" %10s ms  GFLOP/s  times", result.name.c_str());
    }
    auto const print = [&](char const *name, double flops, auto const &time_of) {
        std::printf("\n%-14s", name);
        for (std::size_t i = 0; i < results.size(); ++i) {
            std::printf(" %13.2f %8.1f %6.2f", time_of(i), flops * 1e-6 / time_of(i), time_of(i) / time_of(0));
        }
    };
    auto flops = 0.0;
    auto const costs = kernel_costs(size, groups);
    for (std::size_t k = 0; k < costs.size(); ++k) {
        print(kernel_names[k], costs[k].operations, [&](std::size_t i) {
            auto times = std::vector<double>{};
            for (auto const &step : competitors[i].times) {
                times.push_back(step[k]);
            }
            return median(times);
        });
        flops += costs[k].operations;
    }
    print("step", flops, [&](std::size_t i) { return results[i].milliseconds; });
    auto const allowed = std::numeric_limits<T>::epsilon() * (opts.runs + 1) *
                         std::sqrt(static_cast<double>(terms_of_step(size)));
    auto right = true;
    std::printf("\ndifference    ");
    for (auto const &each : competitors) {
        auto const found = each.difference();
        std::printf(" %29.1e", found);
        right = right && found <= allowed;
    }
    std::printf("   allowed %.1e %s\n", allowed, right ? "PASS" : "FAIL");
    std::fflush(stdout);
    return right;
}

} // namespace

auto main(int argc, char **argv) -> int {
    auto const ranks = world{argc, argv};
    return run([&] {
        auto opts = bench_options{};
        auto line = command_line{argc, argv};
        while (line.next()) {
            if (line.is("-n", "--runs")) {
                opts.runs = static_cast<int>(line.number(1, 1000));
            } else if (line.is("-o", "--order")) {
                opts.orders = {static_cast<int>(line.number(2, 7))};
            } else if (line.is("-m", "--mesh")) {
                opts.mesh = static_cast<int>(line.number(2, 64));
            } else if (line.is("--mkl")) {
                opts.mkl = line.value();
            } else {
                line.refuse();
            }
        }
        auto const library = opts.mkl.empty() ? nullptr : std::make_unique<mkl>(opts.mkl);
        if (!library) {
            std::printf("SKIPPED: MKL, which --mkl names\n");
        }
#ifndef BENCH_LIBXSMM
        std::printf("SKIPPED: LIBXSMM 1, which CMake has not found\n");
#endif
        print_device(default_device());
        auto right = true;
        for (int const order : opts.orders) {
            right = measure<float>(opts, order, library.get(), ranks) && right;
            right = measure<double>(opts, order, library.get(), ranks) && right;
        }
        return right;
    });
}
