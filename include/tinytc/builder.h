/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's constructors of programs, and recipes.
 */

#ifndef TINYTC_BUILDER_H
#define TINYTC_BUILDER_H

#include <tinytc/names.h>

#include <tiletc/tiletc.h>
#include <tinytc/export.h>
#include <tinytc/types.h>

#endif /* TINYTC_BUILDER_H */
