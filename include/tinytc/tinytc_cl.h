/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

/** \file
 * tinytc on OpenCL.
 *
 * Functions and types are described under their names in tiletc (include/tiletc).
 */

#ifndef TINYTC_CL_H
#define TINYTC_CL_H

#include <tinytc/export.h>
#include <tinytc/types.h>

#include <tiletc/tiletc_cl.h>

#define TINYTC_CL_CHECK_STATUS TILETC_CL_CHECK_STATUS

#ifdef __cplusplus
extern "C" {
#endif

TINYTC_EXPORT tinytc_status_t tinytc_cl_get_support_level(cl_device_id device,
    tinytc_support_level_t *level);
TINYTC_EXPORT tinytc_status_t tinytc_cl_core_info_create(tinytc_core_info_t *info,
    cl_device_id device);
TINYTC_EXPORT tinytc_status_t tinytc_cl_kernel_bundle_create_with_program(cl_program *bundle,
    cl_context context, cl_device_id device, tinytc_prog_t prg,
    tinytc_core_feature_flags_t core_features);
TINYTC_EXPORT tinytc_status_t tinytc_cl_kernel_bundle_create_with_binary(cl_program *bundle,
    cl_context context, cl_device_id device, const_tinytc_binary_t bin);
TINYTC_EXPORT tinytc_status_t tinytc_cl_get_group_size(cl_kernel kernel, size_t *local_size);
TINYTC_EXPORT void tinytc_cl_get_global_size(const size_t *num_groups, const size_t *local_size,
    size_t *global_size);
TINYTC_EXPORT tinytc_status_t tinytc_cl_recipe_handler_create(tinytc_recipe_handler_t *handler,
    cl_context context, cl_device_id device, tinytc_recipe_t recipe);
TINYTC_EXPORT tinytc_status_t tinytc_cl_recipe_handler_submit(tinytc_recipe_handler_t handler,
    cl_command_queue queue, cl_uint num_wait_events, const cl_event *wait_events, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_CL_H */
