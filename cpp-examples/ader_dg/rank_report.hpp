// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_RANK_REPORT_HPP
#define ADER_DG_RANK_REPORT_HPP

#include "halo.hpp"
#include "partition.hpp"
#include "rank_device.hpp"
#include "timing.hpp"
#include "world.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

/// Milliseconds of a step that kernels took, and all the rest: medians of all steps.
struct step_parts {
    double kernels, outside;
};

/// The parts of steps; `kernel_times` has the times of each kernel, step by step.
template <typename Times>
auto parts_of_step(Times const &kernel_times, std::vector<double> const &step_times) -> step_parts {
    auto kernels = std::vector<double>(step_times.size());
    auto outside = step_times;
    for (auto const &times : kernel_times) {
        for (std::size_t step = 0; step < times.size(); ++step) {
            kernels[step] += times[step];
            outside[step] -= times[step];
        }
    }
    return {median(kernels), median(outside)};
}

/// Measurements that a rank sends to the root.
struct rank_report {
    std::int64_t elements, boundary, halo, neighbours;
    step_parts step;
    /// The device among those that the rank sees.
    std::size_t number, count;
    char device[48];
};

/// Prints a line for each rank.
inline void print_ranks(world const &ranks, submesh const &part, message_memory memory,
                        step_parts const &step, rank_device const &used) {
    auto mine = rank_report{};
    mine.elements = static_cast<std::int64_t>(part.elements.size());
    mine.boundary = part.boundary;
    mine.halo = part.halo;
    mine.neighbours = static_cast<std::int64_t>(part.exchanges.size());
    mine.step = step;
    mine.number = used.number;
    mine.count = used.count;
    auto const name = used.device.get_info<sycl::info::device::name>();
    name.copy(mine.device, sizeof(mine.device) - 1);

    std::printf(
        "rank  elements  boundary      halo  neighbours   kernels ms   outside ms  device\n");
    int rank = 0;
    double kernels_total = 0.0, outside_total = 0.0;
    for (auto const &r : ranks.gather(mine)) {
        std::printf("%4d %9lld %9lld %9lld %11lld %12.3f %12.3f  %zu of %zu, %s\n", rank++,
                    static_cast<long long>(r.elements), static_cast<long long>(r.boundary),
                    static_cast<long long>(r.halo), static_cast<long long>(r.neighbours),
                    r.step.kernels, r.step.outside, r.number, r.count, r.device);
        kernels_total += r.step.kernels;
        outside_total += r.step.outside;
    }
    std::printf("\nhalo            through memory of the %s\n",
                memory == message_memory::device ? "device" : "host");
    std::printf(
        "overhead        %10.1f %%         time outside kernels, of all time of all ranks\n",
        100.0 * outside_total / (kernels_total + outside_total));
}

#endif // ADER_DG_RANK_REPORT_HPP
