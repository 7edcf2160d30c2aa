/* SPDX-License-Identifier: BSD-3-Clause */

/* Exercises every function that the virtual Level Zero driver exports, and writes the names of
 * those it has called to the file that it is given; or, given `--lose`, loses the device. */

/* For sched_setaffinity */
#define _GNU_SOURCE

#include "test.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

enum { most_names = 600 };
static char const *names[most_names];
static int name_count;

/* Leaves one core to the process, on which work-groups run one after the other, so that it is certain which of them are
 * done when the device is lost. */
static void use_one_core(void) {
    cpu_set_t cores;
    CHECK(sched_getaffinity(0, sizeof cores, &cores) == 0);
    for (int core = 0, is_found = false; core < CPU_SETSIZE; ++core) {
        if (is_found) {
            CPU_CLR(core, &cores);
        }
        is_found |= CPU_ISSET(core, &cores);
    }
    CHECK(sched_setaffinity(0, sizeof cores, &cores) == 0);
}

void touch(char const *name) {
    for (int i = 0; i < name_count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return;
        }
    }
    if (name_count == most_names) {
        fprintf(stderr, "too many functions\n");
        exit(1);
    }
    names[name_count++] = name;
}

uint32_t *allocate(struct test const *t) {
    ze_device_mem_alloc_desc_t const on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t const on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    OK(zeMemAllocShared, t->context, &on_device, &on_host, 4096, 64, t->device, &memory);
    memset(memory, 0, 4096);
    return memory;
}

int main(int argc, char **argv) {
    bool const loses = argc > 1 && strcmp(argv[1], "--lose") == 0;
    if (loses) {
        use_one_core();
    }
    struct test t = {0};
    test_driver(&t);
    test_device(&t);
    test_module(&t);
    ze_command_queue_desc_t const desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    OK(zeCommandListCreateImmediate, t.context, t.device, &desc, &t.list);
    if (loses) {
        test_lost(&t);
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--unchecked") == 0) {
        test_unchecked(&t);
        return 0;
    }
    test_kernel(&t);
    test_memory(&t);
    test_events(&t);
    test_lists(&t);
    test_copies(&t);
    test_launches(&t);
    test_mutable_lists(&t);
    test_queues(&t);
    test_threads(&t);
    test_tables();
    test_loader();
    OK(zeCommandListDestroy, t.list);
    OK(zeModuleDestroy, t.module);
    OK(zeContextDestroy, t.context);
    EXPECT(INVALID, zeContextDestroy, t.context);
    if (argc > 1) {
        FILE *file = fopen(argv[1], "w");
        CHECK(file != NULL);
        for (int i = 0; i < name_count; ++i) {
            fprintf(file, "%s\n", names[i]);
        }
        CHECK(fclose(file) == 0);
    }
    printf("%d functions called\n", name_count);
    return 0;
}
