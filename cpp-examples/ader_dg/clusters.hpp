// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_CLUSTERS_HPP
#define ADER_DG_CLUSTERS_HPP

#include "mesh.hpp"
#include "partition.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Local time stepping by clusters: elements whose steps are 1, 2, 4, ... times the shortest one,
/// after A. Breuer, A. Heinecke and M. Bader (Petascale local time stepping for the ADER-DG finite
/// element method, 2016). Those of neighbours differ by no more than a factor of two. A macro step
/// is a step of the last cluster, behind which all elements are at the same time again.
class clusters {
  public:
    /// Distributes the elements among `max` clusters at most, by the longest step that each allows,
    /// in any unit. Each gets the longest step it can have.
    clusters(std::vector<tetrahedron> const &mesh, std::vector<double> const &longest_steps,
             int max);

    /// The clusters of a part of the mesh and its halo: what follows is that of the part. Without
    /// it there are no places for neighbours.
    auto of_part(submesh const &part) const -> clusters;

    auto of(std::int64_t element) const -> int {
        return of_element_[static_cast<std::size_t>(element)];
    }
    /// Elements of each cluster.
    auto sizes() const -> std::vector<std::int64_t>;

    /// Shortest steps in a macro step.
    auto steps() const -> int { return 1 << (count_ - 1); }
    /// Steps of elements in a macro step: of all together, and of each.
    auto updates() const -> std::int64_t;
    auto updates_of_elements() const -> std::vector<int>;
    /// Number of clusters.
    auto count() const -> int { return count_; }
    /// The last cluster of those that end a step and begin one after so many of the shortest steps,
    /// from 0 to `steps()`. All before it do so, too.
    auto last_due(int steps) const -> int;

    /// Elements of a part: those that other parts need, and the others.
    enum side { boundary, inner };
    /// All of them, those of the first cluster first.
    auto list(side s) const -> std::vector<std::int64_t> const & { return lists_[s]; }
    /// Elements at a moment, of those in a list.
    struct moment {
        /// The first of the list, which end a step and begin one.
        std::int64_t due;
        /// The first of these, which have done an even number of steps.
        std::int64_t even;
    };
    /// The moment after so many of the shortest steps.
    auto after(int steps, side s) const -> moment;

    /// Places that an element has for what neighbours with other steps need, or -1.
    struct places {
        /// The first of two, for the halves of its step: the neighbour's step is shorter.
        std::int32_t halves = -1;
        /// One for a pair of steps: the neighbour's step is longer.
        std::int32_t pair = -1;
    };
    auto places_of(std::int64_t element) const -> places const & {
        return places_[static_cast<std::size_t>(element)];
    }
    /// Number of these places.
    auto buffers() const -> std::int64_t { return buffers_; }
    /// Writes and reads of these places by their elements in a macro step.
    auto buffer_accesses() const -> std::int64_t;

  private:
    clusters() = default;

    /// Number of elements without the halo.
    auto own() const -> std::size_t { return lists_[boundary].size() + lists_[inner].size(); }
    void sort_lists();

    int count_ = 0;
    std::vector<int> of_element_;
    /// For each element of the whole mesh, whether a neighbour's step is shorter or longer.
    std::vector<std::array<bool, 2>> borders_;
    std::array<std::vector<std::int64_t>, 2> lists_;
    /// For each cluster: the end of its elements in the lists.
    std::array<std::vector<std::int64_t>, 2> ends_;
    std::vector<places> places_;
    std::int32_t buffers_ = 0;
};

#endif // ADER_DG_CLUSTERS_HPP
