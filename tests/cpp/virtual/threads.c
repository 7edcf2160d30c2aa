/* SPDX-License-Identifier: BSD-3-Clause */

/* Many threads, each with a list of its own, and a chain of events through all of them. */

#include "later.h"
#include "test.h"

#include <pthread.h>
#include <string.h>

enum { thread_count = 8, rounds = 25 };

struct worker {
    struct test const *test;
    uint32_t number;
    uint32_t *memory;
    ze_kernel_handle_t kernel;
    /** Event that the worker before signals, and the one of this worker. */
    ze_event_handle_t before, mine;
};

#define WORKS(call) CHECK((call) == ZE_RESULT_SUCCESS)

static void *work(void *data) {
    struct worker const *w = data;
    ze_command_queue_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t list = NULL;
    WORKS(zeCommandListCreateImmediate(w->test->context, w->test->device, &desc, &list));
    for (uint32_t round = 0; round < rounds; ++round) {
        uint32_t const value = w->number * 1000 + round;
        WORKS(zeKernelSetArgumentValue(w->kernel, 1, sizeof(value), &value));
        WORKS(zeCommandListAppendLaunchKernel(list, w->kernel, &two_groups, NULL, 0, NULL));
        WORKS(zeCommandListHostSynchronize(list, UINT64_MAX));
        CHECK(w->memory[0] == value && w->memory[15] == value + 15);
        void *passing = NULL;
        ze_device_mem_alloc_desc_t const on_device = {.stype =
                                                          ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
        WORKS(zeMemAllocDevice(w->test->context, &on_device, 256, 0, w->test->device, &passing));
        WORKS(zeMemFree(w->test->context, passing));
    }
    /* Each waits for the one before. */
    ze_event_handle_t before = w->before;
    WORKS(zeCommandListAppendMemoryCopy(list, w->memory + 32, w->memory + 64, 4, w->mine, 1,
                                        &before));
    WORKS(zeCommandListHostSynchronize(list, UINT64_MAX));
    WORKS(zeCommandListDestroy(list));
    return NULL;
}

void test_threads(struct test const *t) {
    ze_event_pool_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .count = thread_count + 1};
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t events[thread_count + 1];
    OK(zeEventPoolCreate, t->context, &desc, 0, NULL, &pool);
    for (uint32_t i = 0; i <= thread_count; ++i) {
        ze_event_desc_t const event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
        OK(zeEventCreate, pool, &event, &events[i]);
    }
    struct worker workers[thread_count];
    pthread_t threads[thread_count];
    for (uint32_t i = 0; i < thread_count; ++i) {
        uint32_t *const memory = allocate(t);
        memory[64] = i + 1;
        struct worker const worker = {
            t, i, memory, make_sum(t, memory, 0), events[i], events[i + 1]};
        workers[i] = worker;
    }
    for (int i = 0; i < thread_count; ++i) {
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    EXPECT(ZE_RESULT_NOT_READY, zeEventHostSynchronize, events[thread_count], 1000000);
    OK(zeEventHostSignal, events[0]);
    OK(zeEventHostSynchronize, events[thread_count], UINT64_MAX);
    for (uint32_t i = 0; i < thread_count; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(workers[i].memory[32] == i + 1);
        OK(zeKernelDestroy, workers[i].kernel);
        OK(zeMemFree, t->context, workers[i].memory);
        OK(zeEventDestroy, events[i]);
    }
    OK(zeEventDestroy, events[thread_count]);
    OK(zeEventPoolDestroy, pool);
}
