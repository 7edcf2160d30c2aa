// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's C++ enumerations, handles and tags.

#ifndef TINYTC_TYPES_HPP
#define TINYTC_TYPES_HPP

#include <tinytc/namespace.hpp>

#include <tiletc/enums.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/tags.hpp>
#include <tinytc/types.h>

#endif // TINYTC_TYPES_HPP
