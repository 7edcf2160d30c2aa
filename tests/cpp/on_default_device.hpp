// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_ON_DEFAULT_DEVICE_HPP
#define TILETC_TESTS_ON_DEFAULT_DEVICE_HPP

#include "check.hpp"

#include <sycl/sycl.hpp>

#include <cstdio>
#include <exception>
#include <optional>

/// Runs a test on SYCL's default device, and returns the exit code of the program; without a device the test is skipped.
template <typename Test> auto on_default_device(Test &&test) -> int {
    auto dev = std::optional<sycl::device>{};
    try {
        dev.emplace(sycl::default_selector_v);
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    try {
        test(*dev);
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}

#endif // TILETC_TESTS_ON_DEFAULT_DEVICE_HPP
