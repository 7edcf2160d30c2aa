// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc on Level Zero in C++.

#ifndef TINYTC_ZE_HPP
#define TINYTC_ZE_HPP

#include <tinytc/namespace.hpp>

#include <tiletc/tiletc_ze.hpp>
#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_ze.h>

#endif // TINYTC_ZE_HPP
