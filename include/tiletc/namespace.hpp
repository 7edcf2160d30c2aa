// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The namespace of the C++ headers. What they declare is in `tiletc`, and again in `tinytc` after headers of
/// the folder `tinytc`: each is read once for either, which TILETC_IN_TINYTC tells. If a program defines
/// TILETC_USE_TINYTC_NAMESPACE, all of it is in `tinytc`, and `tiletc` is an alias.

#ifndef TILETC_NAMESPACE
#ifdef TILETC_USE_TINYTC_NAMESPACE
#define TILETC_IN_TINYTC
#define TILETC_NAMESPACE tinytc
namespace tinytc {}
namespace tiletc = tinytc;
#else
/// The namespace of what these headers declare.
#define TILETC_NAMESPACE tiletc
#endif
#endif
