// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_PARALLEL_HPP
#define EXAMPLES_PARALLEL_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

/// Splits [0, count) into one contiguous part per processor and calls `body(begin, end)` on each,
/// concurrently.
template <typename Body> void parallel_parts(std::int64_t count, Body const &body) {
    auto const parts = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1,
                                                std::max<std::int64_t>(count, 1));
    auto threads = std::vector<std::thread>{};
    for (std::int64_t part = 0; part < parts; ++part) {
        threads.emplace_back([&body, begin = count * part / parts,
                              end = count * (part + 1) / parts] { body(begin, end); });
    }
    for (auto &thread : threads) {
        thread.join();
    }
}

/// The largest value of `of(i)` for i in [0, count), computed concurrently; at least 0, and NaN if
/// any value is.
template <typename Of> auto parallel_max(std::int64_t count, Of const &of) -> double {
    double worst = 0.0;
    auto worst_mutex = std::mutex{};
    auto const larger = [](double a, double b) { return std::isnan(a) || a >= b ? a : b; };
    parallel_parts(count, [&](std::int64_t begin, std::int64_t end) {
        double my_worst = 0.0;
        for (std::int64_t i = begin; i < end; ++i) {
            my_worst = larger(my_worst, of(i));
        }
        auto const lock = std::lock_guard{worst_mutex};
        worst = larger(worst, my_worst);
    });
    return worst;
}

/// The largest of the fractions of a column's entries, each an error over what is allowed; NaN if one of them is.
template <typename FractionOf>
auto worst_of(std::int64_t rows, FractionOf const &fraction_of) -> double {
    double worst = 0.0;
    for (std::int64_t i = 0; i < rows && !std::isnan(worst); ++i) {
        auto const fraction = fraction_of(i);
        worst = std::isnan(fraction) || fraction > worst ? fraction : worst;
    }
    return worst;
}

#endif // EXAMPLES_PARALLEL_HPP
