// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_CHECK_HPP
#define CODEGEN_CHECK_HPP

#include "description.hpp"

#include <string>
#include <vector>

/// The translation unit that makes the tensors of some kernels, launches these, does the same with
/// plain loops on the host, and compares. `function` is what lists the checks.
auto checks(std::vector<kernel> const &kernels, std::string const &function,
            std::string const &header) -> std::string;

#endif // CODEGEN_CHECK_HPP
