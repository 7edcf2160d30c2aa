// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_RANK_DEVICE_HPP
#define EXAMPLES_RANK_DEVICE_HPP

#include "world.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

/// The tiles of a GPU; the device itself if it has none.
inline auto tiles_of(sycl::device const &device) -> std::vector<sycl::device> {
    namespace info = sycl::info;
    constexpr auto domain = info::partition_affinity_domain::next_partitionable;
    auto const kinds = device.get_info<info::device::partition_properties>();
    if (!device.is_gpu() ||
        std::find(kinds.begin(), kinds.end(),
                  info::partition_property::partition_by_affinity_domain) == kinds.end()) {
        return {device};
    }
    return device.create_sub_devices<info::partition_property::partition_by_affinity_domain>(
        domain);
}

/// SYCL's default device; an error if there is none.
inline auto default_device() -> sycl::device {
    try {
        return sycl::device{sycl::default_selector_v};
    } catch (sycl::exception const &) {
        throw std::runtime_error(
            "No device of requested type is left by ONEAPI_DEVICE_SELECTOR and ZE_AFFINITY_MASK");
    }
}

/// A device, and its number among those that the rank sees.
struct rank_device {
    sycl::device device;
    std::size_t number, count;
};

/// Device of a rank: one of those that are like SYCL's default, or of their tiles. Ranks on a
/// machine take them in turn. Where each is shown a device of its own, by `ZE_AFFINITY_MASK`, it
/// takes that.
inline auto device_of_rank(world const &ranks) -> rank_device {
    auto const chosen = default_device();
    auto const type = chosen.get_info<sycl::info::device::device_type>();
    auto devices = std::vector<sycl::device>{};
    for (auto const &device : chosen.get_platform().get_devices(type)) {
        auto const tiles = tiles_of(device);
        devices.insert(devices.end(), tiles.begin(), tiles.end());
    }
    auto const number = static_cast<std::size_t>(ranks.rank_on_node()) % devices.size();
    return {devices[number], number, devices.size()};
}

#endif // EXAMPLES_RANK_DEVICE_HPP
