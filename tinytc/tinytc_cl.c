/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

#include <tinytc/types.h>

#include <stddef.h>

/* The types of OpenCL, whose header need not be installed */
typedef uint32_t cl_uint;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

/* Declarations of tiletc_cl.h */
TILETC_EXPORT tiletc_status_t tiletc_cl_get_support_level(cl_device_id device,
    tiletc_support_level_t *level);
TILETC_EXPORT tiletc_status_t tiletc_cl_core_info_create(tiletc_core_info_t *info,
    cl_device_id device);
TILETC_EXPORT tiletc_status_t tiletc_cl_kernel_bundle_create_with_program(cl_program *bundle,
    cl_context context, cl_device_id device, tiletc_prog_t prg,
    tiletc_core_feature_flags_t core_features);
TILETC_EXPORT tiletc_status_t tiletc_cl_kernel_bundle_create_with_binary(cl_program *bundle,
    cl_context context, cl_device_id device, const_tiletc_binary_t bin);
TILETC_EXPORT tiletc_status_t tiletc_cl_get_group_size(cl_kernel kernel, size_t *local_size);
TILETC_EXPORT void tiletc_cl_get_global_size(const size_t *num_groups, const size_t *local_size,
    size_t *global_size);
TILETC_EXPORT tiletc_status_t tiletc_cl_recipe_handler_create(tiletc_recipe_handler_t *handler,
    cl_context context, cl_device_id device, tiletc_recipe_t recipe);
TILETC_EXPORT tiletc_status_t tiletc_cl_recipe_handler_submit(tiletc_recipe_handler_t handler,
    cl_command_queue queue, cl_uint num_wait_events, const cl_event *wait_events, cl_event *event);

TINYTC_EXPORT tinytc_status_t tinytc_cl_get_support_level(cl_device_id device,
    tinytc_support_level_t *level) {
    return tiletc_cl_get_support_level(device, level);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_core_info_create(tinytc_core_info_t *info,
    cl_device_id device) {
    return tiletc_cl_core_info_create(info, device);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_kernel_bundle_create_with_program(cl_program *bundle,
    cl_context context, cl_device_id device, tinytc_prog_t prg,
    tinytc_core_feature_flags_t core_features) {
    return tiletc_cl_kernel_bundle_create_with_program(bundle, context, device, prg, core_features);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_kernel_bundle_create_with_binary(cl_program *bundle,
    cl_context context, cl_device_id device, const_tinytc_binary_t bin) {
    return tiletc_cl_kernel_bundle_create_with_binary(bundle, context, device, bin);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_get_group_size(cl_kernel kernel, size_t *local_size) {
    return tiletc_cl_get_group_size(kernel, local_size);
}

TINYTC_EXPORT void tinytc_cl_get_global_size(const size_t *num_groups, const size_t *local_size,
    size_t *global_size) {
    tiletc_cl_get_global_size(num_groups, local_size, global_size);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_recipe_handler_create(tinytc_recipe_handler_t *handler,
    cl_context context, cl_device_id device, tinytc_recipe_t recipe) {
    return tiletc_cl_recipe_handler_create(handler, context, device, recipe);
}

TINYTC_EXPORT tinytc_status_t tinytc_cl_recipe_handler_submit(tinytc_recipe_handler_t handler,
    cl_command_queue queue, cl_uint num_wait_events, const cl_event *wait_events, cl_event *event) {
    return tiletc_cl_recipe_handler_submit(handler, queue, num_wait_events, wait_events, event);
}
