// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc in SYCL programs.

#ifndef TINYTC_SYCL_HPP
#define TINYTC_SYCL_HPP

#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_cl.hpp>
#include <tinytc/tinytc_ze.hpp>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/tiletc_sycl.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_SYCL_HPP
