// SPDX-License-Identifier: BSD-3-Clause

#include "partition.hpp"

#ifdef ADER_DG_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace {

/// Bits of the coordinates of the centre of an element, in turn.
auto morton_code(tetrahedron const &element) -> std::uint64_t {
    constexpr int bits = 20;
    std::uint64_t code = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        double centre = 0.0;
        for (auto const &vertex : element.vertices) {
            centre += 0.25 * vertex[d];
        }
        // The box is the unit cube.
        auto const cell = static_cast<std::uint64_t>(centre * (1 << bits));
        for (std::size_t bit = 0; bit < bits; ++bit) {
            code |= (cell >> bit & 1) << (3 * bit + d);
        }
    }
    return code;
}

auto cut_into_blocks(std::vector<tetrahedron> const &mesh, std::vector<int> const &weights,
                     int parts) -> std::vector<int> {
    auto codes = std::vector<std::uint64_t>{};
    for (auto const &element : mesh) {
        codes.push_back(morton_code(element));
    }
    auto order = std::vector<std::size_t>(mesh.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return codes[a] < codes[b]; });
    auto result = std::vector<int>(mesh.size());
    auto const total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::int64_t before = 0;
    int part = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        // The part that has the middle of the element's weight, but none stays without elements.
        auto const weight = weights[order[i]];
        auto const wanted = static_cast<int>((2 * before + weight) * parts / (2 * total));
        auto const left = static_cast<std::int64_t>(order.size() - i);
        part = std::min(wanted, i == 0 ? 0 : part + 1);
        part = static_cast<int>(std::max<std::int64_t>(part, parts - left));
        result[order[i]] = part;
        before += weight;
    }
    return result;
}

#ifdef ADER_DG_METIS
/// The graph has an edge for each face between two elements.
auto cut_by_metis(std::vector<tetrahedron> const &mesh, std::vector<int> const &weights, int parts)
    -> std::vector<int> {
    if (mesh.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()) / 4) {
        throw std::runtime_error("the numbers of METIS are too small for so many elements");
    }
    auto begins = std::vector<idx_t>{0};
    auto edges = std::vector<idx_t>{};
    for (std::size_t e = 0; e < mesh.size(); ++e) {
        auto others = std::set<std::int64_t>{};
        for (auto const &there : mesh[e].neighbours) {
            others.insert(there.element);
        }
        others.erase(static_cast<std::int64_t>(e));
        edges.insert(edges.end(), others.begin(), others.end());
        begins.push_back(static_cast<idx_t>(edges.size()));
    }
    auto vertices = static_cast<idx_t>(mesh.size());
    idx_t constraints = 1, count = parts, cut_edges = 0;
    auto sizes = std::vector<idx_t>(weights.begin(), weights.end());
    auto found = std::vector<idx_t>(mesh.size());
    auto const status = METIS_PartGraphKway(&vertices, &constraints, begins.data(), edges.data(),
                                            sizes.data(), nullptr, nullptr, &count, nullptr,
                                            nullptr, nullptr, &cut_edges, found.data());
    if (status != METIS_OK) {
        throw std::runtime_error("METIS cannot cut the mesh");
    }
    return {found.begin(), found.end()};
}
#endif

} // namespace

auto best_cut() -> cut {
#ifdef ADER_DG_METIS
    return cut::metis;
#else
    return cut::blocks;
#endif
}

auto cut_mesh(std::vector<tetrahedron> const &mesh, std::vector<int> const &weights, int parts,
              cut method) -> std::vector<int> {
    if (parts == 1) {
        return std::vector<int>(mesh.size());
    }
    if (method == cut::metis) {
#ifdef ADER_DG_METIS
        auto const result = cut_by_metis(mesh, weights, parts);
        // Of a few elements METIS leaves some parts none.
        if (std::set<int>(result.begin(), result.end()).size() == static_cast<std::size_t>(parts)) {
            return result;
        }
#else
        throw std::runtime_error("this program has been built without METIS");
#endif
    }
    return cut_into_blocks(mesh, weights, parts);
}

auto part_of(std::vector<tetrahedron> const &mesh, std::vector<int> const &parts, int part)
    -> submesh {
    auto const part_at = [&](std::int64_t element) {
        return parts[static_cast<std::size_t>(element)];
    };
    auto result = submesh{};
    auto inner = std::vector<std::int64_t>{};
    // For each other part the elements that it needs, and those that are needed of it
    auto sent = std::map<int, std::vector<std::int64_t>>{};
    auto received = std::map<int, std::set<std::int64_t>>{};
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(mesh.size()); ++e) {
        if (part_at(e) != part) {
            continue;
        }
        auto others = std::set<int>{};
        for (auto const &there : mesh[static_cast<std::size_t>(e)].neighbours) {
            if (part_at(there.element) != part) {
                others.insert(part_at(there.element));
                received[part_at(there.element)].insert(there.element);
            }
        }
        for (int const other : others) {
            sent[other].push_back(static_cast<std::int64_t>(result.numbers.size()));
        }
        (others.empty() ? inner : result.numbers).push_back(e);
    }
    result.boundary = static_cast<std::int64_t>(result.numbers.size());
    result.numbers.insert(result.numbers.end(), inner.begin(), inner.end());

    for (auto const number : result.numbers) {
        result.elements.push_back(mesh[static_cast<std::size_t>(number)]);
    }
    for (auto const &[other, elements] : received) {
        result.exchanges.push_back(
            {other, sent[other], static_cast<std::int64_t>(elements.size())});
        result.numbers.insert(result.numbers.end(), elements.begin(), elements.end());
        result.halo += result.exchanges.back().received;
    }
    auto positions = std::map<std::int64_t, std::int64_t>{};
    for (auto const number : result.numbers) {
        positions.emplace(number, static_cast<std::int64_t>(positions.size()));
    }
    for (auto &element : result.elements) {
        for (auto &there : element.neighbours) {
            there.element = positions.at(there.element);
        }
    }
    return result;
}
