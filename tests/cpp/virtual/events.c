/* SPDX-License-Identifier: BSD-3-Clause */

/* Events and fences. */

#include "later.h"
#include "test.h"

static ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index) {
    ze_event_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                  .index = index,
                                  .signal = ZE_EVENT_SCOPE_FLAG_DEVICE,
                                  .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event = NULL;
    OK(zeEventCreate, pool, &desc, &event);
    return event;
}

static void test_times(struct test const *t, ze_event_handle_t event) {
    ze_kernel_timestamp_result_t times = {{0, 0}, {0, 0}}, more = times;
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp, event, &times);
    uint64_t *clock = (uint64_t *)(void *)allocate(t);
    OK(zeCommandListAppendWriteGlobalTimestamp, t->list, clock, event, 0, NULL);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    OK(zeEventQueryKernelTimestamp, event, &times);
    CHECK(times.global.kernelStart <= *clock && *clock <= times.global.kernelEnd && *clock != 0);
    uint32_t count = 1;
    OK(zeEventQueryTimestampsExp, event, t->device, &count, &more);
    CHECK(more.context.kernelEnd == times.context.kernelEnd);
    more.global.kernelEnd = 0;
    timestamp_results results = {.kernel = &more};
    OK(zeEventQueryKernelTimestampsExt, event, t->device, &count, &results);
    CHECK(more.global.kernelEnd == times.global.kernelEnd);
    size_t const offset = 64;
    OK(zeCommandListAppendQueryKernelTimestamps, t->list, 1, &event, clock, &offset, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    CHECK(clock[8] == times.global.kernelStart && clock[9] == times.global.kernelEnd);
    OK(zeMemFree, t->context, clock);
}

static void test_order(struct test const *t, ze_event_handle_t first, ze_event_handle_t second) {
    uint32_t *memory = allocate(t);
    uint32_t const pattern = 7;
    /* One list waits for what another does later, which waits for the host. */
    ze_command_queue_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t other = NULL;
    OK(zeCommandListCreateImmediate, t->context, t->device, &desc, &other);
    OK(zeCommandListAppendMemoryCopy, t->list, memory + 4, memory, 4, NULL, 1, &second);
    OK(zeCommandListAppendMemoryFill, other, memory, &pattern, 4, 4, second, 1, &first);
    EXPECT(ZE_RESULT_NOT_READY, zeCommandListHostSynchronize, t->list, 1000000);
    EXPECT(ZE_RESULT_NOT_READY, zeEventHostSynchronize, second, 1000000);
    CHECK(memory[4] == 0);
    OK(zeEventHostSignal, first);
    OK(zeEventHostSynchronize, second, UINT64_MAX);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    CHECK(memory[4] == 7);
    /* Lists may be given up while they wait: the event never comes. */
    OK(zeEventHostReset, first);
    OK(zeCommandListAppendWaitOnEvents, other, 1, &first);
    OK(zeCommandListDestroy, other);
    OK(zeMemFree, t->context, memory);
}

static void test_fence(struct test const *t) {
    ze_command_queue_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_queue_handle_t queue = NULL;
    OK(zeCommandQueueCreate, t->context, t->device, &desc, &queue);
    ze_fence_desc_t fence_desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC, .flags = ZE_FENCE_FLAG_SIGNALED};
    ze_fence_handle_t fence = NULL;
    EXPECT(NULL_HANDLE, zeFenceCreate, NULL, &fence_desc, &fence);
    OK(zeFenceCreate, queue, &fence_desc, &fence);
    OK(zeFenceQueryStatus, fence);
    OK(zeFenceReset, fence);
    EXPECT(ZE_RESULT_NOT_READY, zeFenceQueryStatus, fence);
    EXPECT(ZE_RESULT_NOT_READY, zeFenceHostSynchronize, fence, 1000);
    ze_command_list_desc_t const list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list = NULL;
    OK(zeCommandListCreate, t->context, t->device, &list_desc, &list);
    EXPECT(INVALID, zeCommandQueueExecuteCommandLists, queue, 1, &list, fence);
    OK(zeCommandListClose, list);
    OK(zeCommandQueueExecuteCommandLists, queue, 1, &list, fence);
    OK(zeFenceHostSynchronize, fence, UINT64_MAX);
    OK(zeFenceDestroy, fence);
    OK(zeCommandListDestroy, list);
    OK(zeCommandQueueDestroy, queue);
}

void test_events(struct test const *t) {
    ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                 .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP};
    ze_event_pool_handle_t pool = NULL;
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeEventPoolCreate, t->context, &desc, 0, NULL, &pool);
    desc.count = 2;
    OK(zeEventPoolCreate, t->context, &desc, 1, (ze_device_handle_t *)&t->device, &pool);
    ze_context_handle_t context = NULL;
    ze_event_pool_flags_t flags = 0;
    OK(zeEventPoolGetContextHandle, pool, &context);
    OK(zeEventPoolGetFlags, pool, &flags);
    CHECK(context == t->context && flags == desc.flags);
    ze_event_desc_t const beyond = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 2};
    ze_event_handle_t first = NULL;
    EXPECT(INVALID, zeEventCreate, pool, &beyond, &first);
    first = make_event(pool, 0);
    ze_event_handle_t const second = make_event(pool, 1);
    ze_event_pool_handle_t same = NULL;
    ze_event_scope_flags_t scope = 0;
    OK(zeEventGetEventPool, first, &same);
    CHECK(same == pool);
    OK(zeEventGetSignalScope, first, &scope);
    CHECK(scope == ZE_EVENT_SCOPE_FLAG_DEVICE);
    OK(zeEventGetWaitScope, first, &scope);
    CHECK(scope == ZE_EVENT_SCOPE_FLAG_HOST);

    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus, first);
    test_times(t, first);
    OK(zeEventQueryStatus, first);
    OK(zeCommandListAppendEventReset, t->list, first);
    OK(zeCommandListAppendSignalEvent, t->list, second);
    OK(zeEventHostSynchronize, second, UINT64_MAX);
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus, first);
    OK(zeEventHostReset, second);
    test_order(t, first, second);
    test_fence(t);
    OK(zeEventDestroy, first);
    OK(zeEventDestroy, second);
    OK(zeEventPoolDestroy, pool);
}
