/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's compiler: context, parser, program, device description, passes, binary.
 */

#ifndef TINYTC_CORE_H
#define TINYTC_CORE_H

#include <tinytc/names.h>

#include <tiletc/tiletc.h>
#include <tinytc/export.h>
#include <tinytc/types.h>
#include <tinytc/version.h>

#endif /* TINYTC_CORE_H */
