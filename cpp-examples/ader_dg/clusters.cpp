// SPDX-License-Identifier: BSD-3-Clause

#include "clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

/// Lowers the clusters of elements that are more than one above a neighbour's, until none is.
void normalise(std::vector<int> &of_element, std::vector<tetrahedron> const &mesh) {
    auto changed = true;
    while (changed) {
        changed = false;
        for (std::size_t e = 0; e < mesh.size(); ++e) {
            for (auto const &there : mesh[e].neighbours) {
                auto const limit = of_element[static_cast<std::size_t>(there.element)] + 1;
                changed = changed || of_element[e] > limit;
                of_element[e] = std::min(of_element[e], limit);
            }
        }
    }
}

} // namespace

clusters::clusters(std::vector<tetrahedron> const &mesh, std::vector<double> const &longest_steps,
                   int max)
    : list_(mesh.size()), places_(mesh.size()) {
    auto const shortest = *std::min_element(longest_steps.begin(), longest_steps.end());
    for (auto const step : longest_steps) {
        of_element_.push_back(std::min(std::ilogb(step / shortest), max - 1));
    }
    normalise(of_element_, mesh);
    std::iota(list_.begin(), list_.end(), std::int64_t{0});
    std::stable_sort(list_.begin(), list_.end(),
                     [this](std::int64_t a, std::int64_t b) { return of(a) < of(b); });
    ends_.resize(static_cast<std::size_t>(of(list_.back())) + 1);
    for (auto const cluster : of_element_) {
        ++ends_[static_cast<std::size_t>(cluster)];
    }
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        auto const borders = [&](int difference) {
            return std::any_of(mesh[e].neighbours.begin(), mesh[e].neighbours.end(),
                               [&](neighbour const &there) {
                                   return of(there.element) == of_element_[e] + difference;
                               });
        };
        if (borders(-1)) {
            places_[e].halves = buffers_;
            buffers_ += 2;
        }
        if (borders(1)) {
            places_[e].pair = buffers_++;
        }
    }
}

auto clusters::sizes() const -> std::vector<std::int64_t> {
    auto result = ends_;
    std::adjacent_difference(ends_.begin(), ends_.end(), result.begin());
    return result;
}

auto clusters::updates() const -> std::int64_t {
    return std::accumulate(of_element_.begin(), of_element_.end(), std::int64_t{0},
                           [this](std::int64_t sum, int c) { return sum + (steps() >> c); });
}

auto clusters::after(int steps) const -> moment {
    std::size_t last = 0;
    while (last + 1 < ends_.size() && steps % (2 << last) == 0) {
        ++last;
    }
    // All that are due with the last cluster of them, but not itself, end a pair of steps. The last
    // cluster of all has no pairs: no neighbour's step is longer.
    return {ends_[last], last == 0 ? 0 : ends_[last - 1]};
}

auto clusters::buffer_accesses() const -> std::int64_t {
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < places_.size(); ++e) {
        auto const updates = steps() >> of_element_[e];
        // Two halves; in a pair of steps the sum is written, read, and written.
        sum += places_[e].halves >= 0 ? 2 * updates : 0;
        sum += places_[e].pair >= 0 ? 3 * updates / 2 : 0;
    }
    return sum;
}
