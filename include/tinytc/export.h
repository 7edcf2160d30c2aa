/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's export macros.
 */

#ifndef TINYTC_EXPORT_H
#define TINYTC_EXPORT_H

/* tiletc's headers ask for it, which is why this one comes before them. */
#if defined(TINYTC_STATIC_DEFINE) && !defined(TILETC_STATIC_DEFINE)
#define TILETC_STATIC_DEFINE
#endif

#include <tiletc/tiletc.h>

#define TINYTC_EXPORT TILETC_EXPORT
#define TINYTC_NO_EXPORT TILETC_NO_EXPORT
#define TINYTC_DEPRECATED TILETC_DEPRECATED
#define TINYTC_DEPRECATED_EXPORT TILETC_DEPRECATED_EXPORT
#define TINYTC_DEPRECATED_NO_EXPORT TILETC_DEPRECATED_NO_EXPORT

#endif /* TINYTC_EXPORT_H */
