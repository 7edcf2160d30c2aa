// SPDX-License-Identifier: BSD-3-Clause

#ifndef JIT_OPTIONS_HPP
#define JIT_OPTIONS_HPP

#include <cstdint>
#include <vector>

/// Options of the command line.
struct options {
    enum class precision { f32, f64 };

    /// d_0, ..., d_n: the matrix X_k has d_(k-1) rows and d_k columns.
    std::vector<std::int64_t> sizes = {20, 35, 9, 9};
    std::int64_t elements = 10000;
    int steps = 10;
    precision number = precision::f32;
    bool print = false;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // JIT_OPTIONS_HPP
