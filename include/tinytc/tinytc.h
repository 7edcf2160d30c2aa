/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * Everything of tinytc in C but the runtimes.
 */

#ifndef TINYTC_H
#define TINYTC_H

#include <tinytc/builder.h>
#include <tinytc/core.h>
#include <tinytc/export.h>
#include <tinytc/types.h>
#include <tinytc/version.h>

#endif /* TINYTC_H */
