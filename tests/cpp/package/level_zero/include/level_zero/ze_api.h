/* SPDX-License-Identifier: BSD-3-Clause */

/* As much of Level Zero's header as tiletc_ze.hpp and the examples use, for machines without it.
 * tests/cpp/level_zero/layout.c holds it against Level Zero's own where that is installed. */

#ifndef ZE_API_H
#define ZE_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ZE_RESULT_SUCCESS = 0, ZE_RESULT_ERROR_UNINITIALIZED = 0x78000001 } ze_result_t;

typedef enum {
    ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES = 0x3,
    ZE_STRUCTURE_TYPE_CONTEXT_DESC = 0xd,
    ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC = 0xe,
    ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC = 0x15,
    ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC = 0x16
} ze_structure_type_t;

enum { ZE_INIT_FLAG_GPU_ONLY = 1 };
typedef enum { ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS = 1 } ze_command_queue_mode_t;
typedef enum { ZE_COMMAND_QUEUE_PRIORITY_NORMAL = 0 } ze_command_queue_priority_t;
typedef enum { ZE_DEVICE_TYPE_GPU = 1 } ze_device_type_t;

typedef struct _ze_driver_handle_t *ze_driver_handle_t;
typedef struct _ze_context_handle_t *ze_context_handle_t;
typedef struct _ze_device_handle_t *ze_device_handle_t;
typedef struct _ze_module_handle_t *ze_module_handle_t;
typedef struct _ze_kernel_handle_t *ze_kernel_handle_t;
typedef struct _ze_command_list_handle_t *ze_command_list_handle_t;
typedef struct _ze_event_handle_t *ze_event_handle_t;

typedef struct {
    ze_structure_type_t stype;
    void *pNext;
    ze_device_type_t type;
    uint32_t vendorId;
    uint32_t deviceId;
    uint32_t flags;
    uint32_t subdeviceId;
    uint32_t coreClockRate;
    uint64_t maxMemAllocSize;
    uint32_t maxHardwareContexts;
    uint32_t maxCommandQueuePriority;
    uint32_t numThreadsPerEU;
    uint32_t physicalEUSimdWidth;
    uint32_t numEUsPerSubslice;
    uint32_t numSubslicesPerSlice;
    uint32_t numSlices;
    uint64_t timerResolution;
    uint32_t timestampValidBits;
    uint32_t kernelTimestampValidBits;
    uint8_t uuid[16];
    char name[256];
} ze_device_properties_t;

typedef struct {
    ze_structure_type_t stype;
    void const *pNext;
    uint32_t flags;
} ze_context_desc_t;

typedef struct {
    ze_structure_type_t stype;
    void const *pNext;
    uint32_t ordinal;
    uint32_t index;
    uint32_t flags;
    ze_command_queue_mode_t mode;
    ze_command_queue_priority_t priority;
} ze_command_queue_desc_t;

typedef struct {
    ze_structure_type_t stype;
    void const *pNext;
    uint32_t flags;
    uint32_t ordinal;
} ze_device_mem_alloc_desc_t;

typedef struct {
    ze_structure_type_t stype;
    void const *pNext;
    uint32_t flags;
} ze_host_mem_alloc_desc_t;

typedef struct {
    uint32_t groupCountX;
    uint32_t groupCountY;
    uint32_t groupCountZ;
} ze_group_count_t;

ze_result_t zeInit(uint32_t flags);
ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers);
ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices);
ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties);
ze_result_t zeContextCreate(ze_driver_handle_t driver, ze_context_desc_t const *desc,
                            ze_context_handle_t *context);
ze_result_t zeContextDestroy(ze_context_handle_t context);
ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                         ze_command_queue_desc_t const *desc,
                                         ze_command_list_handle_t *list);
ze_result_t zeCommandListDestroy(ze_command_list_handle_t list);
ze_result_t zeMemAllocShared(ze_context_handle_t context,
                             ze_device_mem_alloc_desc_t const *device_desc,
                             ze_host_mem_alloc_desc_t const *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t device, void **pointer);
ze_result_t zeMemFree(ze_context_handle_t context, void *pointer);
ze_result_t zeModuleDestroy(ze_module_handle_t module);
ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel);
ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size,
                                     void const *value);
ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            ze_group_count_t const *groups,
                                            ze_event_handle_t signal, uint32_t num_wait,
                                            ze_event_handle_t *wait);

#ifdef __cplusplus
}
#endif

#endif /* ZE_API_H */
