/* SPDX-License-Identifier: BSD-3-Clause */

/* Queues. */

#include "later.h"
#include "test.h"

#include <string.h>

/** Queues and immediate lists of an index share an engine: what stands in a queue is done before
 * what is appended to a list later, although the event that the list waits for has come already. */
static void test_shared_engine(struct test const *t) {
    ze_event_pool_desc_t const pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
    ze_event_pool_handle_t pool = NULL;
    OK(zeEventPoolCreate, t->context, &pool_desc, 0, NULL, &pool);
    ze_event_desc_t const event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_handle_t event = NULL;
    OK(zeEventCreate, pool, &event_desc, &event);
    OK(zeEventHostSignal, event);
    ze_command_queue_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_queue_handle_t queue = NULL;
    OK(zeCommandQueueCreate, t->context, t->device, &desc, &queue);
    uint32_t *memory = allocate(t);
    ze_kernel_handle_t const kernel = make_sum(t, memory, 7);
    ze_command_list_desc_t const list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    OK(zeCommandListCreate, t->context, t->device, &list_desc, &list);
    OK(zeCommandListAppendLaunchKernel, list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListAppendEventReset, list, event);
    OK(zeCommandListAppendSignalEvent, list, event);
    OK(zeCommandListClose, list);
    for (int i = 0; i < 100; ++i) {
        memset(memory, 0, 4096);
        OK(zeCommandQueueExecuteCommandLists, queue, 1, &list, NULL);
        OK(zeCommandListAppendMemoryCopy, t->list, memory + 16, memory, 4, NULL, 1, &event);
        OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
        CHECK(memory[16] == 7);
    }
    OK(zeCommandQueueDestroy, queue);
    OK(zeCommandListDestroy, list);
    OK(zeEventDestroy, event);
    OK(zeEventPoolDestroy, pool);
    OK(zeKernelDestroy, kernel);
    OK(zeMemFree, t->context, memory);
}

void test_queues(struct test const *t) {
    ze_command_queue_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .index = 1, .mode = 9};
    ze_command_queue_handle_t queue = NULL;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandQueueCreate, t->context, t->device, &desc,
           &queue);
    desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    desc.ordinal = 1;
    EXPECT(INVALID, zeCommandQueueCreate, t->context, t->device, &desc, &queue);
    desc.ordinal = 0;
    OK(zeCommandQueueCreate, t->context, t->device, &desc, &queue);
    uint32_t number = 9;
    OK(zeCommandQueueGetOrdinal, queue, &number);
    CHECK(number == 0);
    OK(zeCommandQueueGetIndex, queue, &number);
    CHECK(number == 1);

    uint32_t *memory = allocate(t);
    ze_kernel_handle_t const kernel = make_sum(t, memory, 3);
    ze_command_list_desc_t const list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    OK(zeCommandListCreate, t->context, t->device, &list_desc, &list);
    OK(zeCommandListAppendLaunchKernel, list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListClose, list);
    EXPECT(NULL_POINTER, zeCommandQueueExecuteCommandLists, queue, 1, NULL, NULL);
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandQueueExecuteCommandLists, queue, 0, &list, NULL);
    EXPECT(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, zeCommandQueueExecuteCommandLists, queue, 1,
           (ze_command_list_handle_t *)&t->list, NULL);
    OK(zeCommandQueueExecuteCommandLists, queue, 1, &list, NULL);
    CHECK(memory[0] == 3 && memory[15] == 18);
    OK(zeCommandQueueSynchronize, queue, UINT64_MAX);
    OK(zeDeviceSynchronize, t->device);
    test_shared_engine(t);
    OK(zeCommandQueueDestroy, queue);
    EXPECT(INVALID, zeCommandQueueSynchronize, queue, 0);
    OK(zeCommandListDestroy, list);
    OK(zeKernelDestroy, kernel);
    OK(zeMemFree, t->context, memory);
}
