// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's compiler in C++.

#ifndef TINYTC_CORE_HPP
#define TINYTC_CORE_HPP

#include <tinytc/tinytc.h>
#include <tinytc/types.hpp>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/tiletc.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_CORE_HPP
