// SPDX-License-Identifier: BSD-3-Clause

#ifndef GEMM_BATCHED_OPTIONS_HPP
#define GEMM_BATCHED_OPTIONS_HPP

#include "recipe_benchmark.hpp"

#include <cstdint>
#include <vector>

/// Sizes of a product.
struct gemm_shape {
    std::int64_t M, N, K;
};

/// Options of the command line besides.
struct options : benchmark_options {
    std::vector<gemm_shape> shapes;
    /// Products of a launch; 0 for as many as take a while.
    std::int64_t howmany = 0;
};

/// Reads the command line; throws `usage_error`.
auto parse_options(int argc, char const *const *argv) -> options;

/// The text of `--help`.
auto help_text() -> char const *;

#endif // GEMM_BATCHED_OPTIONS_HPP
