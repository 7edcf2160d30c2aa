// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_TIMING_HPP
#define EXAMPLES_TIMING_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

using clock_type = std::chrono::steady_clock;

inline auto milliseconds_since(clock_type::time_point start) -> double {
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

/// The middle one of some times, of which there is one at least.
inline auto median(std::vector<double> times) -> double {
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

#endif // EXAMPLES_TIMING_HPP
