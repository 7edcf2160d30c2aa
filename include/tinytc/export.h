/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's export macros.
 */

#ifndef TINYTC_EXPORT_H
#define TINYTC_EXPORT_H

#include <tiletc/tiletc.h>
#include <tinytc/names.h>

#endif /* TINYTC_EXPORT_H */
