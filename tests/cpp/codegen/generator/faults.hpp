// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_FAULTS_HPP
#define CODEGEN_FAULTS_HPP

#include "unit.hpp"

#include <string>
#include <utility>
#include <vector>

/// For each way to get a text wrong, a kernel whose text is; every check of these has to fail.
/// Throws if no kernel offers itself.
auto faulty_kernels(std::vector<written_kernel> const &kernels) -> std::vector<written_kernel>;

#endif // CODEGEN_FAULTS_HPP
