/* SPDX-License-Identifier: BSD-3-Clause */

/* What the parts of the test of the virtual Level Zero driver share. */

#ifndef VIRTUAL_TEST_H
#define VIRTUAL_TEST_H

#include <level_zero/ze_api.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** Remembers that a function has been called. */
void touch(char const *name);

/** A call of a function by its name, which is remembered. */
#define CALL(function, ...) (touch(#function), function(__VA_ARGS__))

/** Likewise without arguments. */
#define CALL_ALONE(function) (touch(#function), function())

/** A condition that has to hold. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/** A call that has to return a code. */
#define EXPECT(code, function, ...)                                                                \
    do {                                                                                           \
        unsigned const got = (unsigned)CALL(function, __VA_ARGS__);                                \
        if (got != (unsigned)(code)) {                                                             \
            fprintf(stderr, "%s:%d: %s returns 0x%x instead of %s\n", __FILE__, __LINE__,          \
                    #function, got, #code);                                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define OK(function, ...) EXPECT(ZE_RESULT_SUCCESS, function, __VA_ARGS__)
#define NULL_HANDLE ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define NULL_POINTER ZE_RESULT_ERROR_INVALID_NULL_POINTER
#define INVALID ZE_RESULT_ERROR_INVALID_ARGUMENT

/** Objects that all parts use. */
struct test {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_module_handle_t module;
    /** An immediate list that is asynchronous. */
    ze_command_list_handle_t list;
};

/** Memory of 4 KiB. */
uint32_t *allocate(struct test const *t);

/** The kernel `sum(global uint *to, uint value, local uint *scratch)`: work-item i stores i +
 * value. */
extern uint32_t const sum_module[];
extern size_t const sum_module_size;

/** A handle of the kernel, with all arguments set, for work-groups of 8. */
ze_kernel_handle_t make_sum(struct test const *t, uint32_t *to, uint32_t value);

/** Launches a kernel of the module in two work-groups. */
extern ze_group_count_t const two_groups;

void test_driver(struct test *t);
void test_device(struct test const *t);
void test_module(struct test *t);
void test_kernel(struct test const *t);
void test_memory(struct test const *t);
void test_events(struct test const *t);
void test_lists(struct test const *t);
void test_copies(struct test const *t);
void test_launches(struct test const *t);
void test_mutable_lists(struct test const *t);
void test_queues(struct test const *t);
void test_threads(struct test const *t);
void test_lost(struct test *t);
void test_unchecked(struct test *t);
void test_tables(void);
void test_loader(void);

#endif
