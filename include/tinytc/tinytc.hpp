// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Everything of tinytc in C++ but the runtimes.

#ifndef TINYTC_HPP
#define TINYTC_HPP

#include <tinytc/builder.hpp>
#include <tinytc/core.hpp>
#include <tinytc/export.h>
#include <tinytc/types.hpp>
#include <tinytc/version.h>

#endif // TINYTC_HPP
