/* SPDX-License-Identifier: BSD-3-Clause */

/* A kernel that accesses what is no memory, what becomes of everything then, and that it goes on if nobody checks. */

#include "later.h"
#include "test.h"

void test_lost(struct test *t) {
    ze_event_pool_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
    ze_event_desc_t const event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_pool_handle_t pool = NULL;
    ze_event_handle_t event = NULL;
    OK(zeEventPoolCreate, t->context, &desc, 0, NULL, &pool);
    OK(zeEventCreate, pool, &event_desc, &event);
    ze_kernel_handle_t const kernel = make_sum(t, NULL, 1);
    OK(zeCommandListAppendLaunchKernel, t->list, kernel, &two_groups, event, 0, NULL);
    /* Nobody waits for ever. */
    EXPECT(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize, event, UINT64_MAX);
    EXPECT(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandListHostSynchronize, t->list, UINT64_MAX);
    EXPECT(ZE_RESULT_ERROR_DEVICE_LOST, zeDeviceGetStatus, t->device);
    EXPECT(ZE_RESULT_ERROR_DEVICE_LOST, zeContextGetStatus, t->context);
    EXPECT(ZE_RESULT_ERROR_DEVICE_LOST, zeCommandListAppendBarrier, t->list, NULL, 0, NULL);
    OK(zeEventDestroy, event);
    OK(zeEventPoolDestroy, pool);
    OK(zeKernelDestroy, kernel);
}

void test_unchecked(struct test *t) {
    ze_kernel_handle_t const kernel = make_sum(t, NULL, 1);
    OK(zeCommandListAppendLaunchKernel, t->list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    OK(zeDeviceGetStatus, t->device);
    OK(zeKernelDestroy, kernel);
}
