/* SPDX-License-Identifier: BSD-3-Clause */

/* Functions of later versions of Level Zero than the header's, as far as the driver has them. */

#ifndef VIRTUAL_LATER_H
#define VIRTUAL_LATER_H

#include <level_zero/ze_api.h>

typedef struct {
    uint32_t stype;
    void const *pNext;
    uint32_t flags;
} init_driver_type_desc;

typedef struct {
    uint32_t x, y, z;
} group_size;

typedef struct {
    uint32_t stype;
    void *pNext;
    ze_kernel_timestamp_result_t *kernel;
    ze_kernel_timestamp_result_t *synchronized;
} timestamp_results;

/** Properties, and what a command list or a command is to be, as far as flags say it. */
typedef struct {
    uint32_t stype;
    void *pNext;
    uint32_t list_flags;
    uint32_t command_flags;
} mutable_properties;

typedef struct {
    uint32_t stype;
    void const *pNext;
    uint32_t flags;
} mutable_desc;

typedef struct {
    uint32_t stype;
    void const *pNext;
    uint64_t command;
    uint32_t index;
    size_t size;
    void const *value;
} mutable_argument;

typedef struct {
    uint32_t stype;
    void const *pNext;
    uint64_t command;
    ze_group_count_t const *groups;
} mutable_group_count;

typedef struct {
    uint32_t stype;
    void const *pNext;
    uint64_t command;
    uint32_t x, y, z;
} mutable_numbers;

typedef struct {
    char name[64];
    uint32_t api;
    int version[3];
} component;

ze_result_t zeInitDrivers(uint32_t *, ze_driver_handle_t *, init_driver_type_desc *);
ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t, char const **);
ze_context_handle_t zeDriverGetDefaultContext(ze_driver_handle_t);
ze_result_t zeDeviceGetRootDevice(ze_device_handle_t, ze_device_handle_t *);
ze_result_t zeDeviceSynchronize(ze_device_handle_t);
ze_result_t zeCommandQueueGetOrdinal(ze_command_queue_handle_t, uint32_t *);
ze_result_t zeCommandQueueGetIndex(ze_command_queue_handle_t, uint32_t *);
ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t, uint64_t);
ze_result_t zeCommandListGetDeviceHandle(ze_command_list_handle_t, ze_device_handle_t *);
ze_result_t zeCommandListGetContextHandle(ze_command_list_handle_t, ze_context_handle_t *);
ze_result_t zeCommandListGetOrdinal(ze_command_list_handle_t, uint32_t *);
ze_result_t zeCommandListImmediateGetIndex(ze_command_list_handle_t, uint32_t *);
ze_result_t zeCommandListIsImmediate(ze_command_list_handle_t, ze_bool_t *);
ze_result_t zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t, uint32_t,
                                                        ze_command_list_handle_t *,
                                                        ze_event_handle_t, uint32_t,
                                                        ze_event_handle_t *);
ze_result_t zeCommandListGetNextCommandIdExp(ze_command_list_handle_t, mutable_desc const *,
                                             uint64_t *);
ze_result_t zeCommandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t,
                                                        mutable_desc const *, uint32_t,
                                                        ze_kernel_handle_t *, uint64_t *);
ze_result_t zeCommandListUpdateMutableCommandsExp(ze_command_list_handle_t, mutable_desc const *);
ze_result_t zeCommandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t, uint64_t,
                                                            ze_event_handle_t);
ze_result_t zeCommandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t, uint64_t,
                                                           uint32_t, ze_event_handle_t *);
ze_result_t zeCommandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t, uint32_t,
                                                        uint64_t *, ze_kernel_handle_t *);
ze_result_t zeCommandListAppendLaunchKernelWithParameters(ze_command_list_handle_t,
                                                          ze_kernel_handle_t,
                                                          ze_group_count_t const *, void const *,
                                                          ze_event_handle_t, uint32_t,
                                                          ze_event_handle_t *);
ze_result_t zeCommandListAppendLaunchKernelWithArguments(ze_command_list_handle_t,
                                                         ze_kernel_handle_t, ze_group_count_t,
                                                         group_size, void **, void const *,
                                                         ze_event_handle_t, uint32_t,
                                                         ze_event_handle_t *);
ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t, ze_context_handle_t *);
ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t, ze_event_pool_flags_t *);
ze_result_t zeEventQueryKernelTimestampsExt(ze_event_handle_t, ze_device_handle_t, uint32_t *,
                                            timestamp_results *);
ze_result_t zeEventGetEventPool(ze_event_handle_t, ze_event_pool_handle_t *);
ze_result_t zeEventGetSignalScope(ze_event_handle_t, ze_event_scope_flags_t *);
ze_result_t zeEventGetWaitScope(ze_event_handle_t, ze_event_scope_flags_t *);
ze_result_t zerGetLastErrorDescription(char const **);
uint32_t zerTranslateDeviceHandleToIdentifier(ze_device_handle_t);
ze_device_handle_t zerTranslateIdentifierToDeviceHandle(uint32_t);
ze_context_handle_t zerGetDefaultContext(void);

ze_result_t zeLoaderInit(void);
void *zeLoaderGetTracingHandle(void);
ze_result_t zelLoaderGetVersions(size_t *, component *);
ze_result_t zelLoaderGetVersionsInternal(size_t *, component *);
ze_result_t zelGetLoaderVersion(component *);
ze_result_t zelLoaderDriverCheck(uint32_t, void *, void *, void *, uint8_t *, uint8_t);
ze_result_t zelLoaderTranslateHandle(int, void *, void **);
ze_result_t zelLoaderTranslateHandleInternal(int, void *, void **);

#endif
