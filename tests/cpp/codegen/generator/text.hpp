// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_TEXT_HPP
#define CODEGEN_TEXT_HPP

#include "description.hpp"

#include <string>

/// The kernel in the tensor language.
auto language_text(kernel const &k) -> std::string;

#endif // CODEGEN_TEXT_HPP
