// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Makes `tinytc` the namespace of the C++ headers. Every C++ header of this folder includes this
/// one first.

#ifndef TINYTC_NAMESPACE_HPP
#define TINYTC_NAMESPACE_HPP

#include <tinytc/export.h>

#ifndef TILETC_NAMESPACE_HPP
#ifndef TILETC_USE_TINYTC_NAMESPACE
#define TILETC_USE_TINYTC_NAMESPACE
#endif
#include <tiletc/namespace.hpp>
#elif !defined(TILETC_USE_TINYTC_NAMESPACE)
// The headers of tiletc came first, so that the namespace is theirs; this one sees what is in it.
namespace tiletc {}
namespace tinytc {
using namespace tiletc;
}
#endif

#endif // TINYTC_NAMESPACE_HPP
