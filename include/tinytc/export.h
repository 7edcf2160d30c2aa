/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc's export macros.
 */

#ifndef TINYTC_EXPORT_H
#define TINYTC_EXPORT_H

#include <tinytc/names.h>

#include <tiletc/tiletc.h>

#endif /* TINYTC_EXPORT_H */
