// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_COSTS_HPP
#define ADER_DG_COSTS_HPP

#include "basis.hpp"
#include "clusters.hpp"
#include "material.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

/// Cost of a kernel in a macro step: floating-point operations, and bytes that must come from
/// memory or go there, each place once in each direction.
struct cost {
    double operations = 0.0;
    double bytes = 0.0;
};

/// Rates of a device: operations and bytes in a second.
struct machine {
    double operations = 0.0;
    double bytes = 0.0;

    /// Seconds that a kernel must take.
    auto bound(cost const &c) const -> double {
        return std::max(c.operations / operations, c.bytes / bytes);
    }
};

/// Costs of the four kernels, in their order; a multiply-add is two operations.
inline auto kernel_costs(dimensions const &size, clusters const &groups) -> std::array<cost, 4> {
    constexpr std::int64_t Q = quantities;
    auto const B = size.basis();
    auto const faces = 4 * size.face_basis();
    auto const product = [](std::int64_t m, std::int64_t n, std::int64_t k) {
        return 2.0 * static_cast<double>(m * n * k);
    };
    double predictor = 0.0;
    for (int k = 0; k + 1 < size.order; ++k) {
        auto const before = std::int64_t{basis_size(size.order - k)};
        auto const after = std::int64_t{basis_size(size.order - k - 1)};
        predictor +=
            3.0 * (product(after, Q, before) + product(after, Q, Q)) + product(after, Q, 1);
    }
    auto const volume = 3.0 * (product(B, Q, B) + product(B, Q, Q));
    auto const flux = product(faces, Q, B) + product(faces, Q, Q) + product(B, Q, faces);

    auto const E = static_cast<double>(groups.updates());
    auto const dofs = static_cast<double>(size.dofs() * size.number_bytes);
    auto const star = static_cast<double>(dimensions::star() * size.number_bytes);
    auto const fluxes = static_cast<double>(dimensions::fluxes() * size.number_bytes);
    auto const buffers = static_cast<double>(groups.buffer_accesses());
    auto const faces_bytes = 4.0 * (sizeof(std::int32_t) + sizeof(void *));
    return {{{E * (predictor + static_cast<double>(size.dofs())),
              E * (2.0 * dofs + star) + buffers * dofs},
             {E * volume, E * (3.0 * dofs + star)},
             {E * flux, E * (3.0 * dofs + fluxes)},
             {E * flux, E * (3.0 * dofs + fluxes + faces_bytes)}}};
}

#endif // ADER_DG_COSTS_HPP
