// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc on OpenCL in C++.

#ifndef TINYTC_CL_HPP
#define TINYTC_CL_HPP

#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_cl.h>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/tiletc_cl.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_CL_HPP
