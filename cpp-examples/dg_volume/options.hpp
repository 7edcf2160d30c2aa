// SPDX-License-Identifier: BSD-3-Clause

#ifndef DG_VOLUME_OPTIONS_HPP
#define DG_VOLUME_OPTIONS_HPP

#include <cstdint>
#include <string>
#include <vector>

/// Options of the command line.
struct options {
    enum class precision { f32, f64 };

    std::vector<int> orders = {2, 3, 4, 5, 6, 7};
    std::int64_t elements = 10000;
    int steps = 10;
    precision number = precision::f32;
    /// File with the kernel; empty: the one that lies next to the program.
    std::string kernel_file;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // DG_VOLUME_OPTIONS_HPP
