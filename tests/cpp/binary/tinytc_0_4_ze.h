/* SPDX-License-Identifier: BSD-3-Clause */

/* What tinytc 0.4 has for Level Zero, written down from the API specification.
 * Nothing of include/ is behind it, so that it stands for the headers that a program was once
 * compiled with.
 */

#ifndef TINYTC_0_4_ZE_H
#define TINYTC_0_4_ZE_H

#include "tinytc_0_4.h"

#include <level_zero/ze_api.h>

#ifdef __cplusplus
extern "C" {
#endif

tinytc_status_t tinytc_ze_get_support_level(ze_device_handle_t device,
                                            tinytc_support_level_t *level);
tinytc_status_t tinytc_ze_core_info_create(tinytc_core_info_t *info, ze_device_handle_t device);
tinytc_status_t
tinytc_ze_kernel_bundle_create_with_program(ze_module_handle_t *bundle, ze_context_handle_t context,
                                            ze_device_handle_t device, tinytc_prog_t prg,
                                            tinytc_core_feature_flags_t core_features);
tinytc_status_t tinytc_ze_kernel_bundle_create_with_binary(ze_module_handle_t *bundle,
                                                           ze_context_handle_t context,
                                                           ze_device_handle_t device,
                                                           const_tinytc_binary_t bin);
tinytc_status_t tinytc_ze_kernel_create(ze_kernel_handle_t *krnl, ze_module_handle_t mod,
                                        char const *name);
tinytc_status_t tinytc_ze_get_group_size(ze_kernel_handle_t kernel, uint32_t *x, uint32_t *y,
                                         uint32_t *z);
tinytc_status_t tinytc_ze_recipe_handler_create(tinytc_recipe_handler_t *handler,
                                                ze_context_handle_t context,
                                                ze_device_handle_t device, tinytc_recipe_t recipe);
tinytc_status_t tinytc_ze_recipe_handler_submit(tinytc_recipe_handler_t handler,
                                                ze_command_list_handle_t list,
                                                ze_event_handle_t signal_event,
                                                uint32_t num_wait_events,
                                                ze_event_handle_t *wait_events);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_0_4_ZE_H */
