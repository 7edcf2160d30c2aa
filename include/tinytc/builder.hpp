// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tinytc's constructors of programs, and recipes, in C++.

#ifndef TINYTC_BUILDER_HPP
#define TINYTC_BUILDER_HPP

#include <tinytc/builder.h>
#include <tinytc/core.hpp>
#include <tinytc/types.hpp>

#include <tinytc/namespace_begin.hpp>

#include <tiletc/builder.hpp>
#include <tiletc/recipe.hpp>
#include <tiletc/region_builder.hpp>

#include <tinytc/namespace_end.hpp>

#endif // TINYTC_BUILDER_HPP
