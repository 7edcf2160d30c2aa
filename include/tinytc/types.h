/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's types, enumerations, and what frees them.
 */

#ifndef TINYTC_TYPES_H
#define TINYTC_TYPES_H

#include <tinytc/names.h>

#include <tiletc/tiletc.h>
#include <tinytc/export.h>

#endif /* TINYTC_TYPES_H */
