// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc on OpenCL in C++.

#ifndef TINYTC_CL_HPP
#define TINYTC_CL_HPP

#include <tinytc/namespace.hpp>

#include <tiletc/tiletc_cl.hpp>
#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_cl.h>

#endif // TINYTC_CL_HPP
