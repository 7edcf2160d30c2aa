// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Everything of tiletc in C++ but the runtimes. Header-only C++17 on top of the C library. It may be read
/// many times; what it includes has guards.

#include <tiletc/array_view.hpp>
#include <tiletc/builder.hpp>
#include <tiletc/core.hpp>
#include <tiletc/enums.hpp>
#include <tiletc/error.hpp>
#include <tiletc/half.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/mem.hpp>
#include <tiletc/namespace.hpp>
#include <tiletc/recipe.hpp>
#include <tiletc/region_builder.hpp>
#include <tiletc/tiletc.h>

// Programs rely on these coming along.
#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// tiletc from C++. The runtimes add to it: `tiletc_cl.hpp`, `tiletc_ze.hpp`, `tiletc_sycl.hpp`.
namespace TILETC_NAMESPACE {}
