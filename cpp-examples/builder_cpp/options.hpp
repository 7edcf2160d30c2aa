// SPDX-License-Identifier: BSD-3-Clause

#ifndef BUILDER_CPP_OPTIONS_HPP
#define BUILDER_CPP_OPTIONS_HPP

#include <cstdint>

/// Options of the command line.
struct options {
    enum class precision { f32, f64 };

    std::int64_t elements = 20000;
    std::int64_t order = 20;
    std::int64_t percent = 20;
    int steps = 20;
    precision number = precision::f32;
    bool print = false;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // BUILDER_CPP_OPTIONS_HPP
