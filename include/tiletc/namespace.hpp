// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The namespace of the C++ headers, which is chosen by the first of them that is included:
/// `tiletc`, or `tinytc` with `tiletc` as an alias if that is a header of the folder `tinytc` or if
/// TILETC_USE_TINYTC_NAMESPACE is defined. Either is a real namespace.

#ifndef TILETC_NAMESPACE_HPP
#define TILETC_NAMESPACE_HPP

#ifdef TILETC_USE_TINYTC_NAMESPACE
#define TILETC_NAMESPACE tinytc
namespace tinytc {}
namespace tiletc = tinytc;
#else
/// The namespace of what these headers declare.
#define TILETC_NAMESPACE tiletc
#endif

#endif // TILETC_NAMESPACE_HPP
