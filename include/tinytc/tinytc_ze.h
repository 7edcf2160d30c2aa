/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc on Level Zero.
 */

#ifndef TINYTC_ZE_H
#define TINYTC_ZE_H

#include <tinytc/names.h>

#include <tiletc/tiletc_ze.h>
#include <tinytc/export.h>
#include <tinytc/types.h>

#endif /* TINYTC_ZE_H */
