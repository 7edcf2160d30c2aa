/* SPDX-License-Identifier: BSD-3-Clause */

/* Mutable command lists: launches that are changed after they have been recorded. */

#include "later.h"
#include "test.h"

#include <string.h>

/** Structure types and flags of later headers. */
enum {
    properties_type = 0x20015,
    list_type = 0x20016,
    command_type = 0x20017,
    commands_type = 0x20018,
    argument_type = 0x20019,
    group_count_type = 0x2001a,
    group_size_type = 0x2001b,
    offset_type = 0x2001c,
    arguments_flag = 1 << 0,
    kernel_flag = 1 << 6,
    all_flags = (1 << 7) - 1
};

/** Memory to which a list's one launch stores, and the list. */
struct recorded {
    struct test const *t;
    ze_command_list_handle_t list;
    uint64_t command;
    uint32_t *memory;
};

static ze_command_list_handle_t make_list(struct test const *t) {
    mutable_desc const is_mutable = {.stype = list_type};
    ze_command_list_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .pNext = &is_mutable};
    ze_command_list_handle_t list = NULL;
    OK(zeCommandListCreate, t->context, t->device, &desc, &list);
    return list;
}

/** Executes the list, which stores value + i for each i from begin to end, and nothing else. */
static void expect_sum(struct recorded const *r, uint32_t value, uint32_t begin, uint32_t end) {
    memset(r->memory, 0, 4096);
    OK(zeCommandListImmediateAppendCommandListsExp, r->t->list, 1,
       (ze_command_list_handle_t *)&r->list, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize, r->t->list, UINT64_MAX);
    for (uint32_t i = 0; i < 64; ++i) {
        CHECK(r->memory[i] == (i >= begin && i < end ? value + i : 0));
    }
}

static void update(struct recorded const *r, ze_result_t expected, void const *changes) {
    mutable_desc const desc = {.stype = commands_type, .pNext = changes};
    EXPECT(expected, zeCommandListUpdateMutableCommandsExp, r->list, &desc);
}

static void test_arguments(struct recorded const *r) {
    uint32_t const value = 200;
    mutable_argument change = {
        .stype = argument_type, .command = r->command, .index = 1, .size = 8, .value = &value};
    update(r, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, &change);
    change.index = 3;
    update(r, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, &change);
    change.index = 1;
    change.size = 4;
    change.command = 77;
    update(r, INVALID, &change);
    change.command = r->command;
    update(r, ZE_RESULT_SUCCESS, &change);
    /* What has changed has to be closed again. */
    EXPECT(INVALID, zeCommandListImmediateAppendCommandListsExp, r->t->list, 1,
           (ze_command_list_handle_t *)&r->list, NULL, 0, NULL);
    OK(zeCommandListClose, r->list);
    expect_sum(r, 200, 0, 16);
}

static void test_ranges(struct recorded const *r) {
    ze_group_count_t const groups = {3, 1, 1};
    mutable_group_count const count = {
        .stype = group_count_type, .command = r->command, .groups = &groups};
    mutable_numbers const offset = {
        .stype = offset_type, .pNext = &count, .command = r->command, .x = 20};
    mutable_numbers size = {.stype = group_size_type,
                            .pNext = &offset,
                            .command = r->command,
                            .x = 1025,
                            .y = 1,
                            .z = 1};
    update(r, ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, &size);
    size.x = 4;
    update(r, ZE_RESULT_SUCCESS, &size);
    OK(zeCommandListClose, r->list);
    expect_sum(r, 200, 20, 32);
    mutable_numbers const unknown = {.stype = commands_type, .command = r->command};
    update(r, ZE_RESULT_ERROR_INVALID_ENUMERATION, &unknown);
    mutable_desc const flags = {.stype = commands_type, .flags = 1};
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandListUpdateMutableCommandsExp, r->list,
           &flags);
    OK(zeCommandListClose, r->list);
}

static void test_events_of_commands(struct recorded const *r) {
    ze_event_pool_desc_t const pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 2};
    ze_event_pool_handle_t pool = NULL;
    OK(zeEventPoolCreate, r->t->context, &pool_desc, 0, NULL, &pool);
    ze_event_handle_t events[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; ++i) {
        ze_event_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
        OK(zeEventCreate, pool, &desc, &events[i]);
    }
    EXPECT(INVALID, zeCommandListUpdateMutableCommandSignalEventExp, r->list, 77, events[1]);
    OK(zeCommandListUpdateMutableCommandSignalEventExp, r->list, r->command, events[1]);
    OK(zeCommandListUpdateMutableCommandWaitEventsExp, r->list, r->command, 1, events);
    OK(zeCommandListClose, r->list);
    OK(zeCommandListImmediateAppendCommandListsExp, r->t->list, 1,
       (ze_command_list_handle_t *)&r->list, NULL, 0, NULL);
    EXPECT(ZE_RESULT_NOT_READY, zeCommandListHostSynchronize, r->t->list, 1000000);
    /* What is in work stays what it was. */
    OK(zeCommandListUpdateMutableCommandWaitEventsExp, r->list, r->command, 0, NULL);
    OK(zeCommandListUpdateMutableCommandSignalEventExp, r->list, r->command, NULL);
    OK(zeCommandListClose, r->list);
    EXPECT(ZE_RESULT_NOT_READY, zeCommandListHostSynchronize, r->t->list, 1000000);
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus, events[1]);
    OK(zeEventHostSignal, events[0]);
    OK(zeEventHostSynchronize, events[1], UINT64_MAX);
    OK(zeCommandListHostSynchronize, r->t->list, UINT64_MAX);
    OK(zeEventHostReset, events[1]);
    expect_sum(r, 200, 20, 32);
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus, events[1]);
    OK(zeEventDestroy, events[0]);
    OK(zeEventDestroy, events[1]);
    OK(zeEventPoolDestroy, pool);
}

static void test_kernels(struct recorded const *r, ze_kernel_handle_t kernel) {
    EXPECT(INVALID, zeCommandListUpdateMutableCommandKernelsExp, r->list, 1,
           (uint64_t *)&r->command, &kernel);
    struct recorded other = {.t = r->t, .list = make_list(r->t), .memory = r->memory};
    mutable_desc const desc = {.stype = command_type, .flags = kernel_flag | arguments_flag};
    EXPECT(NULL_HANDLE, zeCommandListGetNextCommandIdWithKernelsExp, other.list, &desc, 1,
           (ze_kernel_handle_t[1]){NULL}, &other.command);
    OK(zeCommandListGetNextCommandIdWithKernelsExp, other.list, &desc, 1, &kernel, &other.command);
    OK(zeCommandListAppendLaunchKernel, other.list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListClose, other.list);
    OK(zeCommandListUpdateMutableCommandKernelsExp, other.list, 1, &other.command, &kernel);
    /* Its arguments are not set yet. */
    EXPECT(INVALID, zeCommandListClose, other.list);
    uint32_t const value = 300;
    mutable_argument const scratch = {
        .stype = argument_type, .command = other.command, .index = 2, .size = 32};
    mutable_argument const number = {.stype = argument_type,
                                     .pNext = &scratch,
                                     .command = other.command,
                                     .index = 1,
                                     .size = 4,
                                     .value = &value};
    mutable_argument const to = {.stype = argument_type,
                                 .pNext = &number,
                                 .command = other.command,
                                 .index = 0,
                                 .size = 8,
                                 .value = &other.memory};
    update(&other, ZE_RESULT_SUCCESS, &to);
    OK(zeCommandListClose, other.list);
    expect_sum(&other, 300, 0, 16);
    /* Only what was said to change may change. */
    ze_group_count_t const groups = {1, 1, 1};
    mutable_group_count const count = {
        .stype = group_count_type, .command = other.command, .groups = &groups};
    update(&other, INVALID, &count);
    OK(zeCommandListDestroy, other.list);
}

void test_mutable_lists(struct test const *t) {
    mutable_properties properties = {.stype = properties_type};
    ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                     .pNext = &properties};
    OK(zeDeviceGetProperties, t->device, &device);
    CHECK(properties.command_flags == all_flags);

    struct recorded r = {.t = t, .list = make_list(t), .memory = allocate(t)};
    ze_kernel_handle_t const kernel = make_sum(t, r.memory, 100);
    mutable_desc desc = {.stype = command_type, .flags = all_flags + 1};
    EXPECT(INVALID, zeCommandListGetNextCommandIdExp, t->list, &desc, &r.command);
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandListGetNextCommandIdExp, r.list, &desc,
           &r.command);
    desc.flags = 0;
    EXPECT(NULL_POINTER, zeCommandListGetNextCommandIdExp, r.list, &desc, NULL);
    OK(zeCommandListGetNextCommandIdExp, r.list, &desc, &r.command);
    OK(zeCommandListAppendLaunchKernel, r.list, kernel, &two_groups, NULL, 0, NULL);
    OK(zeCommandListClose, r.list);
    uint64_t next = 0;
    EXPECT(INVALID, zeCommandListGetNextCommandIdExp, r.list, &desc, &next);
    expect_sum(&r, 100, 0, 16);
    test_arguments(&r);
    test_ranges(&r);
    test_events_of_commands(&r);
    test_kernels(&r, kernel);
    OK(zeCommandListDestroy, r.list);
    OK(zeKernelDestroy, kernel);
    OK(zeMemFree, t->context, r.memory);
}
