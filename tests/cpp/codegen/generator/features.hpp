// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_FEATURES_HPP
#define CODEGEN_FEATURES_HPP

#include "description.hpp"

#include <string>
#include <vector>

/// Features that a set of kernels ought to show and does not.
auto missing_features(std::vector<kernel> const &kernels) -> std::vector<std::string>;

#endif // CODEGEN_FEATURES_HPP
