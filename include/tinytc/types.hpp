// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's C++ enumerations, handles and tags.

#ifndef TINYTC_TYPES_HPP
#define TINYTC_TYPES_HPP

#include <tinytc/types.h>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/enums.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/tags.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_TYPES_HPP
