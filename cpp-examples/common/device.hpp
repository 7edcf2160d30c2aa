// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_DEVICE_HPP
#define EXAMPLES_DEVICE_HPP

#include <tiletc/half.hpp>

#include <sycl/sycl.hpp>

#include <cstdio>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

/// Name that the language has for numbers of type T.
template <typename T> constexpr auto type_name() -> char const * {
    if (std::is_same_v<T, double>) {
        return "f64";
    }
    if (std::is_same_v<T, float>) {
        return "f32";
    }
    return std::is_same_v<T, tiletc::half> ? "f16" : "bf16";
}

/// Refuses what cannot work on this device before anything is tried: numbers of type T, shared
/// memory, and so many bytes of it.
template <typename T> void check_device(sycl::device const &dev, double bytes) {
    auto const name = dev.get_info<sycl::info::device::name>();
    if (!dev.has(sycl::aspect::usm_shared_allocations)) {
        throw std::runtime_error("'" + name + "' cannot share memory with the host (USM)");
    }
    if ((std::is_same_v<T, double> && !dev.has(sycl::aspect::fp64)) ||
        (std::is_same_v<T, tiletc::half> && !dev.has(sycl::aspect::fp16))) {
        throw std::runtime_error("'" + name + "' has no numbers of type " + type_name<T>());
    }
    auto const available = dev.get_info<sycl::info::device::global_mem_size>();
    if (bytes > static_cast<double>(available)) {
        auto text = std::ostringstream{};
        text << std::fixed << std::setprecision(1) << bytes * 1e-9 << " GB are needed, but '"
             << name << "' has " << static_cast<double>(available) * 1e-9 << " GB";
        throw std::runtime_error(text.str());
    }
}

/// Prints the device as the first line of a report.
inline void print_device(sycl::device const &dev) {
    auto backend = std::ostringstream{};
    backend << dev.get_backend();
    std::printf("device          %s (%s)\n", dev.get_info<sycl::info::device::name>().c_str(),
                backend.str().c_str());
}

#endif // EXAMPLES_DEVICE_HPP
