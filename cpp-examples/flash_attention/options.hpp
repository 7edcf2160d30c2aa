// SPDX-License-Identifier: BSD-3-Clause

#ifndef FLASH_ATTENTION_OPTIONS_HPP
#define FLASH_ATTENTION_OPTIONS_HPP

#include <cstdint>
#include <string>

/// Options of the command line.
struct options {
    enum class number_type { f32, f16, bf16 };

    std::int64_t length = 1024;
    std::int64_t head_dim = 64;
    std::int64_t batch = 2;
    std::int64_t heads = 8;
    /// Heads that share keys and values.
    std::int64_t group = 1;
    bool causal = false;
    number_type type = number_type::f32;
    int launches = 5;
    /// Rows of the output that are checked, at most.
    std::int64_t rows = 16384;
    /// File with the kernel; empty: the one that lies next to the program.
    std::string kernel_file;
    bool help = false;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // FLASH_ATTENTION_OPTIONS_HPP
