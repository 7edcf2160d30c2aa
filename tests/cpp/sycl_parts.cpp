// SPDX-License-Identifier: BSD-3-Clause

// A program that gives each part of its device a share of the work: the tiles of a GPU, halves of a processor, or the
// whole device where it has no parts, which SYCL says in its own words.

#include "check.hpp"
#include "on_default_device.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using property = sycl::info::partition_property;
using domain = sycl::info::partition_affinity_domain;

constexpr char const *text = "func @copy(%A: memref<f32x64x?>, %B: memref<f32x64x?>) {\n"
                             "    %i = group_id.x : index\n"
                             "    %a = subview %A[0:64,%i] : memref<f32x64>\n"
                             "    %b = subview %B[0:64,%i] : memref<f32x64>\n"
                             "    %two = constant 2.0 : f32\n"
                             "    %zero = constant 0.0 : f32\n"
                             "    axpby.n %two, %a, %zero, %b\n"
                             "}\n";
constexpr std::size_t rows = 64;
constexpr std::int64_t columns = 10;

/// True if a device says that it can be divided so.
auto offers(sycl::device const &dev, property way) -> bool {
    auto const ways = dev.get_info<sycl::info::device::partition_properties>();
    return std::find(ways.begin(), ways.end(), way) != ways.end();
}

/// Parts of a device that SYCL makes, or none if it says that the device has no such parts.
template <typename Divide>
auto parts_by(sycl::device const &dev, property way, Divide &&divide) -> std::vector<sycl::device> {
    try {
        auto const parts = divide();
        CHECK(offers(dev, way) && parts.size() > 1);
        return parts;
    } catch (sycl::exception const &e) {
        CHECK(e.code() == sycl::errc::feature_not_supported && !offers(dev, way));
        return {};
    }
}

auto parts_of(sycl::device const &dev) -> std::vector<sycl::device> {
    for (auto const where : {domain::next_partitionable, domain::numa}) {
        auto const tiles = parts_by(dev, property::partition_by_affinity_domain, [&] {
            return dev.create_sub_devices<property::partition_by_affinity_domain>(where);
        });
        if (!tiles.empty()) {
            return tiles;
        }
    }
    auto const half = dev.get_info<sycl::info::device::max_compute_units>() / 2;
    auto halves = std::vector<sycl::device>{};
    if (half > 0) {
        halves = parts_by(dev, property::partition_equally, [&] {
            return dev.create_sub_devices<property::partition_equally>(half);
        });
    }
    return halves.empty() ? std::vector<sycl::device>{dev} : halves;
}

/// Runs the kernel on a part that has nothing in common with others.
void run_on(sycl::device const &part) {
    auto q = sycl::queue{part};
    auto const prog = tiletc::parse_string(text);
    auto const bundle = tiletc::create_kernel_bundle(q.get_context(), part, prog);
    auto const kernel = tiletc::create_kernel(bundle, "copy");
    auto const size = rows * columns;
    auto *const A = sycl::aligned_alloc_shared<float>(128, size, q);
    auto *const B = sycl::aligned_alloc_shared<float>(128, size, q);
    std::fill_n(A, size, 1.5f);
    std::fill_n(B, size, 0.0f);
    tiletc::submit(q, kernel, sycl::range<3u>{1, 1, columns}, A, columns, B, columns).wait();
    CHECK(std::count(B, B + size, 3.0f) == static_cast<std::ptrdiff_t>(size));
    sycl::free(A, q);
    sycl::free(B, q);
}

} // namespace

int main() {
    return on_default_device([](sycl::device const &dev) {
        auto const parts = parts_of(dev);
        printf("%s: %zu part(s)\n", dev.get_info<sycl::info::device::name>().c_str(), parts.size());
        // The virtual GPU has one tile, and says so.
        if (dev.get_backend() == sycl::backend::ext_oneapi_level_zero && parts.size() == 1) {
            CHECK(dev.get_info<sycl::info::device::partition_properties>().empty());
            CHECK(dev.get_info<sycl::info::device::partition_max_sub_devices>() == 0);
        }
        for (auto const &part : parts) {
            run_on(part);
        }
    });
}
