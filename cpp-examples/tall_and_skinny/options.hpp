// SPDX-License-Identifier: BSD-3-Clause

#ifndef TALL_AND_SKINNY_OPTIONS_HPP
#define TALL_AND_SKINNY_OPTIONS_HPP

#include "recipe_benchmark.hpp"

#include <cstdint>
#include <vector>

/// Size of the small factor.
struct small_factor {
    std::int64_t N, K;
};

/// Options of the command line besides.
struct options : benchmark_options {
    std::vector<small_factor> factors;
    std::int64_t rows = 100'003;
    /// Rows of a work-group; 0 for what the compiler suggests.
    std::int32_t block = 0;
    /// True if the recipe is made for the sizes at hand.
    bool specialised = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // TALL_AND_SKINNY_OPTIONS_HPP
