// SPDX-License-Identifier: BSD-3-Clause

#ifndef CODEGEN_UNIT_HPP
#define CODEGEN_UNIT_HPP

#include "description.hpp"

#include <string>
#include <vector>

/// A kernel with its text.
struct written_kernel {
    kernel what;
    std::string text;
};

/// Way in which a translation unit keeps its kernels.
enum class keeping {
    /// Each has a program of its own, parsed and compiled when it is called for the first time.
    one_by_one,
    /// They share a program and a bundle.
    together,
    /// Like the first, but compiled to a binary for a description of the device.
    as_binaries,
};

/// The declaration of the function that launches a kernel, up to the closing parenthesis.
auto launcher_signature(kernel const &k) -> std::string;

/// The translation unit with the launchers of some kernels, as a program for tinytc has it.
auto launchers(std::vector<written_kernel> const &kernels, keeping how, std::string const &header)
    -> std::string;

#endif // CODEGEN_UNIT_HPP
