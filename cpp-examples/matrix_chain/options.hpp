// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_OPTIONS_HPP
#define MATRIX_CHAIN_OPTIONS_HPP

#include <cstdint>
#include <string>

/// Options of the command line.
struct options {
    enum class precision { f32, f64 };

    std::int64_t elements = 50000;
    int steps = 20;
    precision number = precision::f32;
    /// File with the kernel; empty: the one for `number` that is a part of the program.
    std::string kernel_file;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// Text of `--help`: what it says of the options and the exit code.
auto options_text() -> char const *;

#endif // MATRIX_CHAIN_OPTIONS_HPP
