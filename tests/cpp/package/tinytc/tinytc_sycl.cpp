// SPDX-License-Identifier: BSD-3-Clause

#include <tinytc/tinytc_sycl.hpp>

#include <cstdio>

int main() {
    for (auto const &device : sycl::device::get_devices()) {
        std::printf("%s: %s\n", device.get_info<sycl::info::device::name>().c_str(),
                    tinytc::to_string(tinytc::get_support_level(device)));
    }
}
