// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// From here on, until tinytc/namespace_end.hpp, the C++ headers of tiletc are read for the namespace `tinytc`.

#include <tinytc/export.h>

#include <tiletc/namespace.hpp>

#ifndef TILETC_USE_TINYTC_NAMESPACE
#define TILETC_IN_TINYTC
#undef TILETC_NAMESPACE
#define TILETC_NAMESPACE tinytc
#endif
