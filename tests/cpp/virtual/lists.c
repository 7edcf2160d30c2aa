/* SPDX-License-Identifier: BSD-3-Clause */

/* Command lists, and what is appended to them. */

#include "later.h"
#include "test.h"

#include <string.h>

void test_lists(struct test const *t) {
    ze_device_handle_t device = NULL;
    ze_context_handle_t context = NULL;
    uint32_t number = 9;
    ze_bool_t is = 0;
    OK(zeCommandListGetDeviceHandle, t->list, &device);
    OK(zeCommandListGetContextHandle, t->list, &context);
    CHECK(device == t->device && context == t->context);
    OK(zeCommandListGetOrdinal, t->list, &number);
    CHECK(number == 0);
    OK(zeCommandListImmediateGetIndex, t->list, &number);
    OK(zeCommandListIsImmediate, t->list, &is);
    CHECK(number == 0 && is);
    ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = 1};
    ze_command_list_handle_t list = NULL;
    EXPECT(INVALID, zeCommandListCreate, t->context, t->device, &desc, &list);
    desc.commandQueueGroupOrdinal = 0;
    OK(zeCommandListCreate, t->context, t->device, &desc, &list);
    OK(zeCommandListIsImmediate, list, &is);
    CHECK(!is);
    EXPECT(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, zeCommandListImmediateGetIndex, list, &number);
    EXPECT(INVALID, zeCommandListHostSynchronize, list, 0);
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendBarrier, list, NULL, 1, NULL);
    EXPECT(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, zeCommandListAppendBarrier, list, (ze_event_handle_t)list, 0, NULL);

    /* A regular list can be done as often as wanted, also in an immediate one. */
    uint32_t *memory = allocate(t);
    ze_kernel_handle_t const kernel = make_sum(t, memory, 5);
    OK(zeCommandListAppendLaunchKernel, list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListClose, list);
    EXPECT(INVALID, zeCommandListAppendBarrier, list, NULL, 0, NULL);
    for (int i = 0; i < 2; ++i) {
        memset(memory, 0, 4096);
        OK(zeCommandListImmediateAppendCommandListsExp, t->list, 1, &list, NULL, 0, NULL);
        OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
        CHECK(memory[0] == 5 && memory[15] == 20 && memory[16] == 0);
    }
    OK(zeCommandListReset, list);
    OK(zeCommandListAppendBarrier, list, NULL, 0, NULL);
    OK(zeCommandListDestroy, list);
    OK(zeKernelDestroy, kernel);
    OK(zeMemFree, t->context, memory);
}

void test_copies(struct test const *t) {
    uint32_t *memory = allocate(t);
    uint32_t numbers[16];
    for (uint32_t i = 0; i < 16; ++i) {
        numbers[i] = i;
    }
    void const *ranges[1] = {memory};
    size_t const size = 64;
    OK(zeCommandListAppendMemoryCopy, t->list, memory, numbers, sizeof(numbers), NULL, 0, NULL);
    OK(zeCommandListAppendMemoryRangesBarrier, t->list, 1, &size, ranges, NULL, 0, NULL);
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendMemoryRangesBarrier, t->list, 0, &size, ranges, NULL, 0, NULL);
    EXPECT(NULL_POINTER, zeCommandListAppendMemoryCopy, t->list, memory, NULL, 4, NULL, 0, NULL);
    OK(zeCommandListAppendMemoryCopyFromContext, t->list, memory + 16, t->context, memory, 64, NULL, 0, NULL);
    uint16_t const pattern[3] = {1, 2, 3};
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendMemoryFill, t->list, memory, pattern, 6, 12, NULL, 0, NULL);
    OK(zeCommandListAppendMemoryFill, t->list, memory + 32, pattern, 4, 4064 - 128, NULL, 0, NULL);
    /* Two rows of two numbers, out of rows of four into rows of eight */
    ze_copy_region_t const to = {4, 1, 0, 8, 2, 1};
    ze_copy_region_t const from = {8, 0, 0, 8, 2, 0};
    OK(zeCommandListAppendMemoryCopyRegion, t->list, memory + 64, &to, 32, 0, numbers, &from, 16, 0, NULL, 0, NULL);
    ze_copy_region_t const other = {8, 0, 0, 12, 2, 0};
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendMemoryCopyRegion, t->list, memory, &to, 32, 0, numbers, &other, 16, 0, NULL, 0, NULL);
    OK(zeCommandListAppendMemoryPrefetch, t->list, memory, 4096);
    OK(zeCommandListAppendMemAdvise, t->list, t->device, memory, 4096, ZE_MEMORY_ADVICE_SET_READ_MOSTLY);
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandListAppendMemAdvise, t->list, t->device, memory, 4096, 99);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    CHECK(memcmp(memory, numbers, 64) == 0 && memcmp(memory + 16, numbers, 64) == 0);
    CHECK(memory[32] == 0x20001 && memory[1015] == 0x20001 && memory[1016] == 0);
    CHECK(memory[64 + 8] == 0x20001 && memory[64 + 9] == 2 && memory[64 + 10] == 3);
    CHECK(memory[64 + 17] == 6 && memory[64 + 18] == 7 && memory[64 + 19] == 0x20001);
    OK(zeMemFree, t->context, memory);
}

static void check_sum(struct test const *t, uint32_t *memory, uint32_t value) {
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    for (uint32_t i = 0; i < 16; ++i) {
        CHECK(memory[i] == value + i);
    }
    CHECK(memory[16] == 0);
    memset(memory, 0, 4096);
}

void test_launches(struct test const *t) {
    uint32_t *memory = allocate(t);
    uint32_t value = 100;
    ze_kernel_handle_t kernel = make_sum(t, memory, value);
    EXPECT(NULL_HANDLE, zeCommandListAppendLaunchKernel, t->list, NULL, &two_groups, NULL, 0, NULL);
    EXPECT(NULL_POINTER, zeCommandListAppendLaunchKernel, t->list, kernel, NULL, NULL, 0, NULL);
    OK(zeCommandListAppendLaunchKernel, t->list, kernel, &two_groups, NULL, 0, NULL);
    check_sum(t, memory, value);
    OK(zeCommandListAppendLaunchCooperativeKernel, t->list, kernel, &two_groups, NULL, 0, NULL);
    check_sum(t, memory, value);
    OK(zeCommandListAppendLaunchKernelWithParameters, t->list, kernel, &two_groups, NULL, NULL, 0, NULL);
    check_sum(t, memory, value);
    ze_group_count_t *const groups = (ze_group_count_t *)(void *)allocate(t);
    *groups = two_groups;
    OK(zeCommandListAppendLaunchKernelIndirect, t->list, kernel, groups, NULL, 0, NULL);
    check_sum(t, memory, value);
    uint32_t *const count = allocate(t);
    *count = 1;
    OK(zeCommandListAppendLaunchMultipleKernelsIndirect, t->list, 1, &kernel, count, groups, NULL, 0, NULL);
    check_sum(t, memory, value);
    value = 200;
    uint64_t const scratch_size = 32;
    void *arguments[3] = {&memory, &value, (void *)&scratch_size};
    group_size const size = {8, 1, 1};
    OK(zeCommandListAppendLaunchKernelWithArguments, t->list, kernel, two_groups, size, arguments, NULL, NULL, 0, NULL);
    check_sum(t, memory, value);
    /* The global offset moves what is written. */
    OK(zeKernelSetGlobalOffsetExp, kernel, 16, 0, 0);
    OK(zeCommandListAppendLaunchKernel, t->list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize, t->list, UINT64_MAX);
    CHECK(memory[15] == 0 && memory[16] == 216);
    OK(zeKernelDestroy, kernel);
    OK(zeMemFree, t->context, memory);
    OK(zeMemFree, t->context, groups);
    OK(zeMemFree, t->context, count);
}
