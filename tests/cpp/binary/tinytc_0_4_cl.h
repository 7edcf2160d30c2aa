/* SPDX-License-Identifier: BSD-3-Clause */

/* What tinytc 0.4 has for OpenCL, written down from the API specification.
 * Nothing of include/ is behind it, so that it stands for the headers that a program was once
 * compiled with.
 */

#ifndef TINYTC_0_4_CL_H
#define TINYTC_0_4_CL_H

#include "tinytc_0_4.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

tinytc_status_t tinytc_cl_get_support_level(cl_device_id device, tinytc_support_level_t *level);
tinytc_status_t tinytc_cl_core_info_create(tinytc_core_info_t *info, cl_device_id device);
tinytc_status_t
tinytc_cl_kernel_bundle_create_with_program(cl_program *bundle, cl_context context,
                                            cl_device_id device, tinytc_prog_t prg,
                                            tinytc_core_feature_flags_t core_features);
tinytc_status_t tinytc_cl_kernel_bundle_create_with_binary(cl_program *bundle, cl_context context,
                                                           cl_device_id device,
                                                           const_tinytc_binary_t bin);
tinytc_status_t tinytc_cl_get_group_size(cl_kernel kernel, size_t *local_size);
void tinytc_cl_get_global_size(const size_t *num_groups, const size_t *local_size,
                               size_t *global_size);
tinytc_status_t tinytc_cl_recipe_handler_create(tinytc_recipe_handler_t *handler,
                                                cl_context context, cl_device_id device,
                                                tinytc_recipe_t recipe);
tinytc_status_t tinytc_cl_recipe_handler_submit(tinytc_recipe_handler_t handler,
                                                cl_command_queue queue, cl_uint num_wait_events,
                                                const cl_event *wait_events, cl_event *event);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_0_4_CL_H */
