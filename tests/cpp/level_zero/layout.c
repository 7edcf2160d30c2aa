/* SPDX-License-Identifier: BSD-3-Clause */

/* What the programs for Level Zero take from its header, as numbers: compiled with the header that
 * the tests bring, and with Level Zero's own if it is installed, so the two agree. */

#include <level_zero/ze_api.h>

#include <stddef.h>

_Static_assert(ZE_RESULT_SUCCESS == 0, "result");
_Static_assert(ZE_RESULT_ERROR_UNINITIALIZED == 0x78000001, "result");
_Static_assert(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES == 0x3, "stype");
_Static_assert(ZE_STRUCTURE_TYPE_CONTEXT_DESC == 0xd, "stype");
_Static_assert(ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC == 0xe, "stype");
_Static_assert(ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC == 0x15, "stype");
_Static_assert(ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC == 0x16, "stype");
_Static_assert(ZE_INIT_FLAG_GPU_ONLY == 1, "flag");
_Static_assert(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS == 1, "mode");

_Static_assert(sizeof(ze_result_t) == 4 && sizeof(ze_structure_type_t) == 4, "enumeration");
_Static_assert(sizeof(ze_device_properties_t) == 368, "device properties");
_Static_assert(offsetof(ze_device_properties_t, maxMemAllocSize) == 40, "device properties");
_Static_assert(offsetof(ze_device_properties_t, timerResolution) == 80, "device properties");
_Static_assert(offsetof(ze_device_properties_t, name) == 112, "device properties");
_Static_assert(sizeof(ze_context_desc_t) == 24, "context");
_Static_assert(sizeof(ze_command_queue_desc_t) == 40, "command queue");
_Static_assert(offsetof(ze_command_queue_desc_t, mode) == 28, "command queue");
_Static_assert(sizeof(ze_device_mem_alloc_desc_t) == 24, "device memory");
_Static_assert(sizeof(ze_host_mem_alloc_desc_t) == 24, "host memory");
_Static_assert(sizeof(ze_group_count_t) == 12, "group count");

/* The types of the functions. */
ze_result_t (*const level_zero_init)(uint32_t) = zeInit;
ze_result_t (*const level_zero_drivers)(uint32_t *, ze_driver_handle_t *) = zeDriverGet;
ze_result_t (*const level_zero_devices)(ze_driver_handle_t, uint32_t *,
                                        ze_device_handle_t *) = zeDeviceGet;
ze_result_t (*const level_zero_device_properties)(ze_device_handle_t,
                                                  ze_device_properties_t *) = zeDeviceGetProperties;
ze_result_t (*const level_zero_create_context)(ze_driver_handle_t, ze_context_desc_t const *,
                                               ze_context_handle_t *) = zeContextCreate;
ze_result_t (*const level_zero_destroy_context)(ze_context_handle_t) = zeContextDestroy;
ze_result_t (*const level_zero_create_list)(
    ze_context_handle_t, ze_device_handle_t, ze_command_queue_desc_t const *,
    ze_command_list_handle_t *) = zeCommandListCreateImmediate;
ze_result_t (*const level_zero_destroy_list)(ze_command_list_handle_t) = zeCommandListDestroy;
ze_result_t (*const level_zero_alloc)(ze_context_handle_t, ze_device_mem_alloc_desc_t const *,
                                      ze_host_mem_alloc_desc_t const *, size_t, size_t,
                                      ze_device_handle_t, void **) = zeMemAllocShared;
ze_result_t (*const level_zero_free)(ze_context_handle_t, void *) = zeMemFree;
ze_result_t (*const level_zero_destroy_module)(ze_module_handle_t) = zeModuleDestroy;
ze_result_t (*const level_zero_destroy_kernel)(ze_kernel_handle_t) = zeKernelDestroy;
ze_result_t (*const level_zero_set_argument)(ze_kernel_handle_t, uint32_t, size_t,
                                             void const *) = zeKernelSetArgumentValue;
ze_result_t (*const level_zero_launch)(ze_command_list_handle_t, ze_kernel_handle_t,
                                       ze_group_count_t const *, ze_event_handle_t, uint32_t,
                                       ze_event_handle_t *) = zeCommandListAppendLaunchKernel;
