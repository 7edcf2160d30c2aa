// SPDX-License-Identifier: BSD-3-Clause

// What SYCL lists when all devices of the virtual GPU's driver are asked for: names, and the
// properties that the GPUs of these names have (lowering reference 2.1 and 2.2).

#include "../check.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

namespace info = sycl::info::device;

struct expectation {
    char const *name;
    std::vector<std::size_t> subgroup_sizes;
    std::size_t local_memory_kib;
    bool has_double;
    tiletc::support_level support;
};

auto expectations() -> std::vector<expectation> {
    auto const from8 = std::vector<std::size_t>{8, 16, 32};
    auto const from16 = std::vector<std::size_t>{16, 32};
    return {
        {"pvc", from16, 128, true, tiletc::support_level::tuned},
        {"bmg", from16, 128, true, tiletc::support_level::tuned},
        {"lnl", from16, 128, true, tiletc::support_level::tuned},
        {"ptl", from16, 128, true, tiletc::support_level::basic},
        {"dg2", from8, 64, false, tiletc::support_level::basic},
        {"tgl", from8, 64, false, tiletc::support_level::basic},
    };
}

void check(sycl::device const &dev, expectation const &expected) {
    auto const name = dev.get_info<info::name>();
    auto const sizes = dev.get_info<info::sub_group_sizes>();
    auto const support = tiletc::get_support_level(dev);
    std::printf("[level_zero:gpu] %s, %s, driver %s, %s, subgroups of", name.c_str(),
                dev.get_info<info::vendor>().c_str(), dev.get_info<info::driver_version>().c_str(),
                tiletc::to_string(support));
    for (auto size : sizes) {
        std::printf(" %zu", size);
    }
    std::printf("\n");
    CHECK(dev.get_backend() == sycl::backend::ext_oneapi_level_zero && dev.is_gpu());
    CHECK(name == std::string("virtual-xe ") + expected.name);
    CHECK(dev.get_info<info::vendor>() == "Intel(R) Corporation");
    CHECK(dev.get_info<info::vendor_id>() == 0x8086);
    CHECK(sizes == expected.subgroup_sizes);
    CHECK(dev.get_info<info::local_mem_size>() == 1024 * expected.local_memory_kib);
    CHECK(dev.has(sycl::aspect::fp64) == expected.has_double);
    CHECK(dev.has(sycl::aspect::fp16) && dev.has(sycl::aspect::usm_shared_allocations));
    CHECK(support == expected.support);
    // SYCL and the compiler are told the same.
    auto const core = tiletc::create_core_info(dev);
    auto const described = tiletc::get_subgroup_sizes(core.get());
    CHECK(std::vector<std::size_t>(described.begin(), described.end()) == sizes);
}

} // namespace

int main() try {
    auto const expected = expectations();
    auto const devices = sycl::device::get_devices();
    CHECK(devices.size() == expected.size());
    for (std::size_t i = 0; i < devices.size() && i < expected.size(); ++i) {
        check(devices[i], expected[i]);
    }
    return check_result();
} catch (sycl::exception const &e) {
    std::fprintf(stderr, "SYCL: %s\n", e.what());
    return 1;
}
