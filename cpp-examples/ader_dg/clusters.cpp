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
    : borders_(mesh.size()) {
    auto const shortest = *std::min_element(longest_steps.begin(), longest_steps.end());
    for (auto const step : longest_steps) {
        of_element_.push_back(std::min(std::ilogb(step / shortest), max - 1));
    }
    normalise(of_element_, mesh);
    count_ = *std::max_element(of_element_.begin(), of_element_.end()) + 1;
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        for (auto const &there : mesh[e].neighbours) {
            borders_[e][0] = borders_[e][0] || of(there.element) < of_element_[e];
            borders_[e][1] = borders_[e][1] || of(there.element) > of_element_[e];
        }
    }
    lists_[inner].resize(mesh.size());
    std::iota(lists_[inner].begin(), lists_[inner].end(), std::int64_t{0});
    sort_lists();
}

auto clusters::of_part(submesh const &part) const -> clusters {
    auto result = clusters{};
    result.count_ = count_;
    for (auto const number : part.numbers) {
        auto const e = static_cast<std::size_t>(number);
        result.of_element_.push_back(of_element_[e]);
        auto &there = result.places_.emplace_back();
        if (borders_[e][0]) {
            there.halves = result.buffers_;
            result.buffers_ += 2;
        }
        if (borders_[e][1]) {
            there.pair = result.buffers_++;
        }
    }
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(part.elements.size()); ++e) {
        result.lists_[e < part.boundary ? boundary : inner].push_back(e);
    }
    result.sort_lists();
    return result;
}

void clusters::sort_lists() {
    for (auto const s : {boundary, inner}) {
        std::stable_sort(lists_[s].begin(), lists_[s].end(),
                         [this](std::int64_t a, std::int64_t b) { return of(a) < of(b); });
        ends_[s].resize(static_cast<std::size_t>(count_));
        for (auto const element : lists_[s]) {
            ++ends_[s][static_cast<std::size_t>(of(element))];
        }
        std::partial_sum(ends_[s].begin(), ends_[s].end(), ends_[s].begin());
    }
}

auto clusters::sizes() const -> std::vector<std::int64_t> {
    auto result = std::vector<std::int64_t>(static_cast<std::size_t>(count_));
    for (std::size_t e = 0; e < own(); ++e) {
        ++result[static_cast<std::size_t>(of_element_[e])];
    }
    return result;
}

auto clusters::updates() const -> std::int64_t {
    auto const of_elements = updates_of_elements();
    return std::accumulate(of_elements.begin(), of_elements.end(), std::int64_t{0});
}

auto clusters::updates_of_elements() const -> std::vector<int> {
    auto result = std::vector<int>(own());
    for (std::size_t e = 0; e < result.size(); ++e) {
        result[e] = steps() >> of_element_[e];
    }
    return result;
}

auto clusters::last_due(int steps) const -> int {
    int last = 0;
    while (last + 1 < count_ && steps % (2 << last) == 0) {
        ++last;
    }
    return last;
}

auto clusters::after(int steps, side s) const -> moment {
    // All that are due with the last cluster of them, but not itself, end a pair of steps. The last
    // cluster of all has no pairs: no neighbour's step is longer.
    auto const last = static_cast<std::size_t>(last_due(steps));
    return {ends_[s][last], last == 0 ? 0 : ends_[s][last - 1]};
}

auto clusters::buffer_accesses() const -> std::int64_t {
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < own(); ++e) {
        auto const updates = steps() >> of_element_[e];
        // Two halves; in a pair of steps the sum is written, read, and written.
        sum += places_[e].halves >= 0 ? 2 * updates : 0;
        sum += places_[e].pair >= 0 ? 3 * updates / 2 : 0;
    }
    return sum;
}
