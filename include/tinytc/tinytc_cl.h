/* SPDX-License-Identifier: BSD-3-Clause */

/** \file
 * tinytc on OpenCL.
 */

#ifndef TINYTC_CL_H
#define TINYTC_CL_H

#include <tinytc/names.h>

#include <tiletc/tiletc_cl.h>
#include <tinytc/export.h>
#include <tinytc/types.h>

#endif /* TINYTC_CL_H */
