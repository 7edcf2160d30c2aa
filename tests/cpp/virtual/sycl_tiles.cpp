// SPDX-License-Identifier: BSD-3-Clause

// Two cards of two tiles as SYCL lists them, by the hierarchy that the environment asks for, and a
// kernel on each tile.

#include "../check.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <string>
#include <vector>

namespace {

namespace info = sycl::info;
namespace composite = sycl::ext::oneapi::experimental;

constexpr auto affinity = info::partition_property::partition_by_affinity_domain;
constexpr std::size_t cards = 2, tiles = 2;

auto uuid_of(sycl::device const &dev) {
    return dev.get_info<sycl::ext::intel::info::device::uuid>();
}

// Doubles numbers in memory that belongs to `memory`'s device, by a kernel that was built for
// `built`.
void run_kernel(sycl::queue memory, sycl::queue built, sycl::queue q) {
    auto const prog = tiletc::parse_string("func @twice(%x: memref<f32x64>) {\n"
                                           "    axpby 1.0, %x, 1.0, %x\n"
                                           "}\n");
    auto bundle = tiletc::create_kernel_bundle(built.get_context(), built.get_device(), prog);
    auto const kernel = tiletc::create_kernel(bundle, "twice");
    auto *x = sycl::aligned_alloc_shared<float>(128, 64, memory);
    for (int i = 0; i < 64; ++i) {
        x[i] = static_cast<float>(i);
    }
    tiletc::submit(q, kernel, sycl::range<3u>{1, 1, 1}, x).wait();
    for (int i = 0; i < 64; ++i) {
        CHECK(x[i] == static_cast<float>(2 * i));
    }
    sycl::free(x, memory);
}

void run_kernel(sycl::device const &dev) {
    auto const q = sycl::queue{dev};
    run_kernel(q, q, q);
}

// A card is a device, and its tiles are what it can be divided into.
void check_composite(std::vector<sycl::device> const &devices) {
    CHECK(devices.size() == cards);
    for (auto const &card : devices) {
        CHECK(card.get_info<info::device::partition_max_sub_devices>() == tiles);
        auto const parts =
            card.create_sub_devices<affinity>(info::partition_affinity_domain::next_partitionable);
        CHECK(parts.size() == tiles);
        auto units = std::uint32_t{0};
        for (auto const &tile : parts) {
            CHECK(tile.get_info<info::device::parent_device>() == card);
            CHECK(tile.get_info<info::device::name>() == card.get_info<info::device::name>());
            units += tile.get_info<info::device::max_compute_units>();
            run_kernel(tile);
        }
        CHECK(units == card.get_info<info::device::max_compute_units>());
        CHECK(parts[0] != parts[1]);
        run_kernel(card);
        // What a card's memory holds is there for its tiles.
        auto const ctx = sycl::context{std::vector<sycl::device>{card, parts[0], parts[1]}};
        auto const whole = sycl::queue{ctx, card};
        auto const part = sycl::queue{ctx, parts[1]};
        run_kernel(whole, part, part);
    }
}

// A tile is a device without parts.
void check_tile(sycl::device const &tile) {
    CHECK(tile.get_info<info::device::partition_max_sub_devices>() == 0);
    try {
        tile.create_sub_devices<affinity>(info::partition_affinity_domain::next_partitionable);
        CHECK(false);
    } catch (sycl::exception const &e) {
        CHECK(e.code() == sycl::errc::feature_not_supported);
    }
    run_kernel(tile);
}

// Whoever asks a tile learns which card it is of.
void check_combined(std::vector<sycl::device> const &devices) {
    for (auto const &tile : devices) {
        CHECK(tile.has(sycl::aspect::ext_oneapi_is_component));
        auto const card = tile.get_info<composite::info::device::composite_device>();
        CHECK(card.get_info<composite::info::device::component_devices>().size() == tiles);
    }
    CHECK(devices[0].get_info<composite::info::device::composite_device>() ==
          devices[1].get_info<composite::info::device::composite_device>());
    CHECK(devices[0].get_info<composite::info::device::composite_device>() !=
          devices[2].get_info<composite::info::device::composite_device>());
}

} // namespace

// The argument is how many devices a mask leaves; without one there is no mask.
int main(int argc, char **argv) try {
    auto const hierarchy = std::string(std::getenv("ZE_FLAT_DEVICE_HIERARCHY"));
    auto const devices = sycl::device::get_devices();
    std::printf("%zu devices in the hierarchy %s\n", devices.size(), hierarchy.c_str());
    if (argc > 1) {
        CHECK(devices.size() == std::strtoul(argv[1], nullptr, 10));
        for (auto const &dev : devices) {
            run_kernel(dev);
        }
    } else if (hierarchy == "COMPOSITE") {
        check_composite(devices);
    } else {
        CHECK(devices.size() == cards * tiles);
        auto uuids = std::set<decltype(uuid_of(devices[0]))>{};
        for (auto const &tile : devices) {
            uuids.insert(uuid_of(tile));
            check_tile(tile);
        }
        CHECK(uuids.size() == devices.size());
        if (hierarchy == "COMBINED") {
            check_combined(devices);
        }
    }
    return check_result();
} catch (std::exception const &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
