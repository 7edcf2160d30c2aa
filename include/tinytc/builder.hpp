// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's constructors of programs in C++, as far as tiletc has them.

#ifndef TINYTC_BUILDER_HPP
#define TINYTC_BUILDER_HPP

#include <tinytc/builder.h>
#include <tinytc/core.hpp>
#include <tinytc/types.hpp>

#endif // TINYTC_BUILDER_HPP
