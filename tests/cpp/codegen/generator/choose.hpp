// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_CHOOSE_HPP
#define CODEGEN_CHOOSE_HPP

#include "description.hpp"

#include <vector>

/// So many kernels, the same ones on every machine.
auto choose_kernels(int count) -> std::vector<kernel>;

#endif // CODEGEN_CHOOSE_HPP
