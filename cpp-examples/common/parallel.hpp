// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_PARALLEL_HPP
#define MATRIX_CHAIN_PARALLEL_HPP

#include <algorithm>
#include <cstdint>
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

#endif // MATRIX_CHAIN_PARALLEL_HPP
