/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef ZE_API_H
#define ZE_API_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ZE_RESULT_SUCCESS = 0 } ze_result_t;
typedef struct _ze_context_handle_t *ze_context_handle_t;
typedef struct _ze_device_handle_t *ze_device_handle_t;
typedef struct _ze_module_handle_t *ze_module_handle_t;
typedef struct _ze_kernel_handle_t *ze_kernel_handle_t;
typedef struct _ze_command_list_handle_t *ze_command_list_handle_t;
typedef struct _ze_event_handle_t *ze_event_handle_t;

ze_result_t zeModuleDestroy(ze_module_handle_t module);
ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel);

#ifdef __cplusplus
}
#endif

#endif /* ZE_API_H */
