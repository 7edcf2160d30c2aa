// SPDX-License-Identifier: BSD-3-Clause

#ifndef TALL_AND_SKINNY_OPTIONS_HPP
#define TALL_AND_SKINNY_OPTIONS_HPP

#include <cstdint>
#include <string>
#include <vector>

/// Size of the small factor.
struct small_factor {
    std::int64_t N, K;
};

/// What the command line can choose.
struct options {
    enum class precision { both, f32, f64 };

    std::vector<small_factor> factors;
    precision type = precision::both;
    std::int64_t rows = 100'003;
    /// Rows of a work-group; 0 for what the compiler suggests.
    std::int32_t block = 0;
    /// Whether the recipe is made for the sizes at hand.
    bool specialised = false;
    int runs = 11;
    /// File of Intel MKL to compare with; empty for none.
    std::string mkl;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // TALL_AND_SKINNY_OPTIONS_HPP
