// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_SOLVER_HPP
#define ADER_DG_SOLVER_HPP

#include "clusters.hpp"
#include "exact_sum.hpp"
#include "halo.hpp"
#include "kernels.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "projection.hpp"
#include "tensors.hpp"
#include "world.hpp"

#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// A queue that runs kernels in the order of their launches, and measures them.
inline auto make_queue(sycl::device const &device) -> sycl::queue {
    return sycl::queue{device, sycl::property_list{sycl::property::queue::in_order{},
                                                   sycl::property::queue::enable_profiling{}}};
}

/// The solution on a rank's part of a mesh of one material, and what takes it from one time to the
/// next.
template <typename T> class solver {
  public:
    /// Prepares all matrices; `q` is of `make_queue`, the clusters are those of the part. Part,
    /// clusters, kernels and ranks must live longer.
    solver(submesh const &part, clusters const &groups, material const &m,
           time_step_kernels<T> const &kernels, sycl::queue const &q, world const &ranks,
           message_memory memory)
        : part_{part}, clusters_{groups}, material_{m}, kernels_{kernels}, ranks_{ranks},
          size_{size_of<T>(kernels.order(), static_cast<std::int64_t>(part.elements.size()),
                           part.halo)},
          queue_{q}, data_{size_, part.elements, groups, m, q},
          projection_{kernels.order(), size_.pitch(size_.basis())} {
        for (int last = 0; part.halo > 0 && last < groups.count(); ++last) {
            halos_.push_back(std::make_unique<halo<T>>(part, groups, last, size_, data_,
                                                       kernels, memory, q));
        }
    }

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

    /// Advances the solution by a macro step; returns the milliseconds that each kernel took. While
    /// what other ranks need is on its way, all is computed that needs nothing of theirs.
    auto step(double time_step) -> std::array<double, kernel_names.size()> {
        using side = clusters::side;
        auto const steps = clusters_.steps();
        auto const dt = static_cast<T>(time_step / steps);
        launches_.clear();
        for (int s = 0; s < steps; ++s) {
            auto *const exchange =
                halos_.empty() ? nullptr
                               : halos_[static_cast<std::size_t>(clusters_.last_due(s))].get();
            predict(dt, s, side::boundary);
            if (exchange != nullptr) {
                exchange->pack();
            }
            predict(dt, s, side::inner);
            add_own(s + 1, side::boundary);
            add_own(s + 1, side::inner);
            add_neighbours(s + 1, side::inner);
            if (exchange != nullptr) {
                exchange->exchange();
            }
            add_neighbours(s + 1, side::boundary);
        }
        queue_.wait();
        auto times = std::array<double, kernel_names.size()>{};
        for (auto const &[kernel, event] : launches_) {
            namespace profiling = sycl::info::event_profiling;
            auto const nanoseconds = event.template get_profiling_info<profiling::command_end>() -
                                     event.template get_profiling_info<profiling::command_start>();
            times[kernel] += 1e-6 * static_cast<double>(nanoseconds);
        }
        return times;
    }

    /// The states at the vertices of an element.
    auto at_vertices(std::size_t element) const -> std::array<state, 4> {
        constexpr std::array<point3, 4> vertices = {
            {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
        auto states = std::array<state, 4>{};
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            states[v] = projection_.evaluate(tetrahedron_basis(size_.order, vertices[v]),
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
            auto const basis = size_.basis(), pitch = size_.pitch(basis);
            double density = 0.0;
            for (std::int64_t l = 0; l < basis; ++l) {
                auto q = state{};
                for (std::size_t j = 0; j < quantities; ++j) {
                    auto const at = l + pitch * static_cast<std::int64_t>(j);
                    q[j] = static_cast<double>(coefficients(e)[at]);
                }
                density += energy_density(material_, q);
            }
            return std::array<double, 1>{map(e).determinant * density};
        })[0];
    }

    /// A number for all coefficients of the solution that is the same for the same bits, whatever
    /// the order of the elements.
    auto checksum() const -> std::uint64_t {
        std::uint64_t sum = 0;
        for (std::int64_t e = 0; e < size_.elements; ++e) {
            // FNV-1a
            constexpr std::uint64_t prime = 0x100000001b3;
            auto hash = std::uint64_t{0xcbf29ce484222325};
            auto const add = [&hash](void const *bytes, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) {
                    hash = (hash ^ static_cast<unsigned char const *>(bytes)[i]) * prime;
                }
            };
            add(&part_.numbers[static_cast<std::size_t>(e)], sizeof(std::int64_t));
            for (std::int64_t j = 0; j < quantities; ++j) {
                add(coefficients(e) + size_.pitch(size_.basis()) * j,
                    static_cast<std::size_t>(size_.basis()) * sizeof(T));
            }
            sum += hash;
        }
        return ranks_.sums(std::array<std::uint64_t, 1>{sum})[0];
    }

  private:
    /// Launches a kernel for the elements of a list, if there are any.
    template <kernel Kernel, typename... Arguments>
    void launch(std::int64_t const *list, std::int64_t count, Arguments const &...arguments) {
        if (count > 0) {
            launches_.emplace_back(
                Kernel, kernels_.template launch<Kernel>(queue_, list, count, arguments...));
        }
    }

    /// Launches the predictor of the elements of a side that begin a step of theirs after so many
    /// of the shortest steps, of size dt.
    void predict(T dt, int steps, clusters::side side) {
        auto const E = size_.elements;
        auto const now = clusters_.after(steps, side);
        launch<predictor>(data_.lists[side].get(), now.due, now.even, dt, data_.steps.get(), E,
                          data_.slots.get(), E, data_.derivatives.get(), data_.star.get(), E,
                          data_.Q.get(), E, data_.I.get(), E, data_.buffers(),
                          clusters_.buffers());
    }

    /// Adds what the elements contribute to themselves that end a step.
    void add_own(int steps, clusters::side side) {
        auto const E = size_.elements;
        auto const due = clusters_.after(steps, side).due;
        auto const *const list = data_.lists[side].get();
        launch<volume>(list, due, data_.stiffness.get(), data_.star.get(), E, data_.I.get(), E,
                       data_.Q.get(), E);
        launch<local_flux>(list, due, data_.traces.get(), data_.lift.get(), data_.own_flux.get(), E,
                           data_.I.get(), E, data_.Q.get(), E);
    }

    /// Adds what their neighbours contribute.
    void add_neighbours(int steps, clusters::side side) {
        auto const E = size_.elements;
        auto const now = clusters_.after(steps, side);
        launch<neighbour_flux>(data_.lists[side].get(), now.due, now.even,
                               data_.neighbour_traces.get(), data_.lift.get(),
                               data_.neighbour_flux.get(), E, data_.cases.get(), E,
                               data_.neighbours.get(), 8 * E, data_.Q.get(), E);
    }

    auto map(std::int64_t element) const -> affine_map {
        return affine_map{part_.elements[static_cast<std::size_t>(element)]};
    }

    /// The sums of what `of` returns for all elements of all ranks.
    template <std::size_t N, typename Of> auto sum(Of const &of) const -> std::array<double, N> {
        auto values = std::array<std::vector<double>, N>{};
        for (auto &numbers : values) {
            numbers.resize(static_cast<std::size_t>(size_.elements));
        }
        parallel_parts(size_.elements, [&](std::int64_t begin, std::int64_t end) {
            for (auto e = begin; e < end; ++e) {
                auto const value = of(e);
                for (std::size_t i = 0; i < N; ++i) {
                    values[i][static_cast<std::size_t>(e)] = value[i];
                }
            }
        });
        auto total = std::array<double, N>{};
        for (std::size_t i = 0; i < N; ++i) {
            total[i] = exact_sum(values[i], ranks_);
        }
        return total;
    }

    submesh const &part_;
    clusters const &clusters_;
    material material_;
    time_step_kernels<T> const &kernels_;
    world const &ranks_;
    dimensions size_;
    sycl::queue queue_;
    tensors<T> data_;
    projection projection_;
    /// For each cluster: the exchange when it is the last one that is due.
    std::vector<std::unique_ptr<halo<T>>> halos_;
    /// Kernels launched in this step.
    std::vector<std::pair<std::size_t, sycl::event>> launches_;
};

#endif // ADER_DG_SOLVER_HPP
