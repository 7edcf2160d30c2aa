/* SPDX-License-Identifier: BSD-3-Clause */

/* The headers in include/tinytc declare the functions of the specification with its types: a
 * function that is declared twice has to be declared the same. */

#include <tinytc/tinytc.h>
#include <tinytc/tinytc_ze.h>
#ifdef WITH_OPENCL
#define CL_TARGET_OPENCL_VERSION 300
#include <tinytc/tinytc_cl.h>
#endif

#define TINYTC_0_4_FUNCTIONS_ONLY
#include "tinytc_0_4.h"
#include "tinytc_0_4_ze.h"
#ifdef WITH_OPENCL
#include "tinytc_0_4_cl.h"
#endif
