// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Ends what tinytc/namespace_begin.hpp has begun.

#ifndef TILETC_USE_TINYTC_NAMESPACE
#undef TILETC_IN_TINYTC
#undef TILETC_NAMESPACE
#define TILETC_NAMESPACE tiletc
#endif
