// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXAMPLES_RANDOM_HPP
#define EXAMPLES_RANDOM_HPP

#include <cstdint>

/// A number in [-scale, scale), the same one for the same tensor and index on every machine: a
/// hash. So initial values need not be kept, and threads can fill their parts independently.
inline auto random_number(std::uint8_t tensor, std::int64_t index, double scale) -> double {
    // The finaliser of splitmix64, which turns consecutive numbers into independent ones.
    auto x = (std::uint64_t{tensor} << 56) + static_cast<std::uint64_t>(index);
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x = x ^ (x >> 31);
    return scale * (static_cast<double>(x >> 11) * 0x1p-52 - 1.0);
}

#endif // EXAMPLES_RANDOM_HPP
