// SPDX-License-Identifier: BSD-3-Clause

#ifndef JIT_TEXT_HPP
#define JIT_TEXT_HPP

#include <cstdint>
#include <string>
#include <vector>

/// The kernel `chain` for Q_e <- Q_e + X_1e ... X_ne, one work-group for each element e, where X_k
/// has sizes[k - 1] rows and sizes[k] columns and numbers are of type `real`.
///
/// Arguments: X_1, elements, ..., X_n, elements, Q, elements.
auto chain_text(std::vector<std::int64_t> const &sizes, std::string const &real) -> std::string;

#endif // JIT_TEXT_HPP
