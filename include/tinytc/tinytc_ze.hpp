// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc on Level Zero in C++.

#ifndef TINYTC_ZE_HPP
#define TINYTC_ZE_HPP

#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_ze.h>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/tiletc_ze.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_ZE_HPP
