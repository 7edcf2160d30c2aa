// SPDX-License-Identifier: BSD-3-Clause

#include <tiletc/tiletc_sycl.hpp>

#include <cstdio>

int main() {
    for (auto const &device : sycl::device::get_devices()) {
        std::printf("%s: %s\n", device.get_info<sycl::info::device::name>().c_str(),
                    to_string(tiletc::get_support_level(device)));
    }
}
