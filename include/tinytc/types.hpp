// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's C++ enumerations and handles.

#ifndef TINYTC_TYPES_HPP
#define TINYTC_TYPES_HPP

#include <tiletc/enums.hpp>
#include <tiletc/handles.hpp>
#include <tinytc/types.h>

#endif // TINYTC_TYPES_HPP
