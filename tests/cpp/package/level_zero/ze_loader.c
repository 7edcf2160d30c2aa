/* SPDX-License-Identifier: BSD-3-Clause */

/* A loader that finds no driver. */

#include <level_zero/ze_api.h>

ze_result_t zeInit(uint32_t flags) {
    (void)flags;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
    (void)count, (void)drivers;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
    (void)driver, (void)count, (void)devices;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
    (void)device, (void)properties;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeContextCreate(ze_driver_handle_t driver, ze_context_desc_t const *desc,
                            ze_context_handle_t *context) {
    (void)driver, (void)desc, (void)context;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeContextDestroy(ze_context_handle_t context) {
    (void)context;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                         ze_command_queue_desc_t const *desc,
                                         ze_command_list_handle_t *list) {
    (void)context, (void)device, (void)desc, (void)list;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list) {
    (void)list;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeMemAllocShared(ze_context_handle_t context,
                             ze_device_mem_alloc_desc_t const *device_desc,
                             ze_host_mem_alloc_desc_t const *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t device, void **pointer) {
    (void)context, (void)device_desc, (void)host_desc, (void)size, (void)alignment, (void)device,
        (void)pointer;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeMemFree(ze_context_handle_t context, void *pointer) {
    (void)context, (void)pointer;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeModuleDestroy(ze_module_handle_t module) {
    (void)module;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) {
    (void)kernel;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size,
                                     void const *value) {
    (void)kernel, (void)index, (void)size, (void)value;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            ze_group_count_t const *groups,
                                            ze_event_handle_t signal, uint32_t num_wait,
                                            ze_event_handle_t *wait) {
    (void)list, (void)kernel, (void)groups, (void)signal, (void)num_wait, (void)wait;
    return ZE_RESULT_ERROR_UNINITIALIZED;
}
