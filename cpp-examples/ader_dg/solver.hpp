// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_SOLVER_HPP
#define ADER_DG_SOLVER_HPP

#include "clusters.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "parallel.hpp"
#include "progress.hpp"
#include "projection.hpp"
#include "tensors.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

/// The kernels of a time step, in their order.
constexpr std::array<char const *, 4> kernel_names = {"predictor", "volume", "local_flux",
                                                      "neighbour_flux"};

/// Sizes of tensors of numbers of type T.
template <typename T> auto size_of(int order, std::int64_t elements) -> dimensions {
    return {order, elements, std::int64_t{sizeof(T)}};
}

/// A queue that runs kernels in the order of their launches, and measures them.
inline auto make_queue() -> sycl::queue {
    return sycl::queue{sycl::property_list{sycl::property::queue::in_order{},
                                           sycl::property::queue::enable_profiling{}}};
}

/// The kernels of a time step for numbers of type T, and the bundle that they come from.
template <typename T> class time_step_kernels {
  public:
    /// Compiles the kernels of a file for the queue's device. Throws if that cannot be done.
    time_step_kernels(int order, std::string const &file, sycl::queue const &q,
                      progress &status_line)
        : order_{order},
          compiled_{compile_template(file, definitions(order), kernel_names[0], q, status_line)} {
        for (auto const *name : kernel_names) {
            kernels_.push_back(tiletc::create_kernel(compiled_.bundle, name));
        }
    }

    auto order() const -> int { return order_; }
    auto operator[](std::size_t k) const -> sycl::kernel const & { return kernels_[k]; }

  private:
    static auto definitions(int order) -> std::string {
        auto const size = size_of<T>(order, 0);
        return std::string("$real = ") + type_name<T>() + " $order = " + std::to_string(order) +
               " $basis = " + std::to_string(size.basis()) +
               " $face = " + std::to_string(size.face_basis()) +
               " $stride = " + std::to_string(size.stride());
    }

    int order_;
    compiled_kernel compiled_;
    std::vector<sycl::kernel> kernels_;
};

/// The solution on a mesh of one material, and what takes it from one time to the next.
template <typename T> class solver {
  public:
    /// Prepares all matrices; `q` is of `make_queue`. Mesh, clusters and kernels must live longer.
    solver(std::vector<tetrahedron> const &mesh, clusters const &groups, material const &m,
           time_step_kernels<T> const &kernels, sycl::queue const &q)
        : mesh_{mesh}, clusters_{groups}, material_{m}, kernels_{kernels},
          size_{size_of<T>(kernels.order(), static_cast<std::int64_t>(mesh.size()))}, queue_{q},
          data_{size_, mesh, groups, m, q}, projection_{kernels.order()} {}

    auto size() const -> dimensions const & { return size_; }
    /// The coefficients of an element: basis functions x quantities.
    auto coefficients(std::int64_t element) const -> T * {
        return data_.Q.get() + size_.stride() * element;
    }

    /// Sets the solution to the best approximation of a function from points to states.
    template <typename Function> void set(Function const &exact) {
        parallel_parts(size_.elements, [&](std::int64_t begin, std::int64_t end) {
            for (auto e = begin; e < end; ++e) {
                projection_.project(map(e), exact, coefficients(e));
            }
        });
    }

    /// Advances the solution by a macro step; returns the milliseconds that each kernel took.
    auto step(double time_step) -> std::array<double, kernel_names.size()> {
        auto const steps = clusters_.steps();
        auto events = std::vector<std::array<sycl::event, kernel_names.size()>>{};
        for (int s = 0; s < steps; ++s) {
            events.push_back(launch(static_cast<T>(time_step / steps), clusters_.after(s),
                                    clusters_.after(s + 1)));
        }
        queue_.wait();
        auto times = std::array<double, kernel_names.size()>{};
        for (auto const &of_step : events) {
            for (std::size_t k = 0; k < of_step.size(); ++k) {
                namespace profiling = sycl::info::event_profiling;
                auto const nanoseconds =
                    of_step[k].template get_profiling_info<profiling::command_end>() -
                    of_step[k].template get_profiling_info<profiling::command_start>();
                times[k] += 1e-6 * static_cast<double>(nanoseconds);
            }
        }
        return times;
    }

    /// The states at the vertices of an element.
    auto at_vertices(std::size_t element) const -> std::array<state, 4> {
        constexpr std::array<point3, 4> vertices = {
            {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
        auto states = std::array<state, 4>{};
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            states[v] = projection::evaluate(tetrahedron_basis(size_.order, vertices[v]),
                                             coefficients(static_cast<std::int64_t>(element)));
        }
        return states;
    }

    /// The L2 norm of the error in all quantities, relative to that of the exact solution.
    template <typename Function> auto relative_error(Function const &exact) const -> double {
        auto const norms = sum<2>([&](std::int64_t e) {
            auto const of_element = projection_.compare(map(e), exact, coefficients(e));
            return std::array<double, 2>{of_element.error, of_element.exact};
        });
        return std::sqrt(norms[0] / norms[1]);
    }

    /// The energy in the box, kinetic and elastic.
    auto energy() const -> double {
        return sum<1>([&](std::int64_t e) {
            // The basis is orthonormal, so that each of its functions counts for itself.
            auto const basis = size_.basis();
            double density = 0.0;
            for (std::int64_t l = 0; l < basis; ++l) {
                auto q = state{};
                for (std::size_t j = 0; j < quantities; ++j) {
                    auto const at = l + basis * static_cast<std::int64_t>(j);
                    q[j] = static_cast<double>(coefficients(e)[at]);
                }
                density += energy_density(material_, q);
            }
            return std::array<double, 1>{map(e).determinant * density};
        })[0];
    }

  private:
    /// Launches the kernels of the shortest step, of size dt, between two moments: the predictor of
    /// the elements that begin a step, and the others of those that end one.
    auto launch(T dt, clusters::moment const &begin, clusters::moment const &end)
        -> std::array<sycl::event, kernel_names.size()> {
        auto const E = size_.elements;
        auto const groups = [](std::int64_t count) {
            return sycl::range<3u>{1, 1, static_cast<std::size_t>(count)};
        };
        auto *const Q = data_.Q.get();
        auto *const I = data_.I.get();
        auto *const list = data_.list.get();
        auto *const star = data_.star.get();
        auto *const lift = data_.lift.get();
        return {tiletc::submit(queue_, kernels_[0], groups(begin.due), list, begin.due, begin.even,
                               dt, data_.steps.get(), E, data_.slots.get(), E,
                               data_.derivatives.get(), star, E, Q, E, I, E, data_.buffers.get(),
                               clusters_.buffers()),
                tiletc::submit(queue_, kernels_[1], groups(end.due), list, end.due,
                               data_.stiffness.get(), star, E, I, E, Q, E),
                tiletc::submit(queue_, kernels_[2], groups(end.due), list, end.due,
                               data_.traces.get(), lift, data_.own_flux.get(), E, I, E, Q, E),
                tiletc::submit(queue_, kernels_[3], groups(end.due), list, end.due, end.even,
                               data_.neighbour_traces.get(), lift, data_.neighbour_flux.get(), E,
                               data_.cases.get(), E, data_.neighbours.get(), 8 * E, Q, E)};
    }

    auto map(std::int64_t element) const -> affine_map {
        return affine_map{mesh_[static_cast<std::size_t>(element)]};
    }

    /// The sums of what `of` returns for all elements.
    template <std::size_t N, typename Of> auto sum(Of const &of) const -> std::array<double, N> {
        auto total = std::array<double, N>{};
        auto total_mutex = std::mutex{};
        parallel_parts(size_.elements, [&](std::int64_t begin, std::int64_t end) {
            auto part = std::array<double, N>{};
            for (auto e = begin; e < end; ++e) {
                auto const value = of(e);
                for (std::size_t i = 0; i < N; ++i) {
                    part[i] += value[i];
                }
            }
            auto const lock = std::lock_guard{total_mutex};
            for (std::size_t i = 0; i < N; ++i) {
                total[i] += part[i];
            }
        });
        return total;
    }

    std::vector<tetrahedron> const &mesh_;
    clusters const &clusters_;
    material material_;
    time_step_kernels<T> const &kernels_;
    dimensions size_;
    sycl::queue queue_;
    tensors<T> data_;
    projection projection_;
};

#endif // ADER_DG_SOLVER_HPP
