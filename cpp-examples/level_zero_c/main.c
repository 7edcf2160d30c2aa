/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * tiletc in a C program on Level Zero: text, program, module, kernel, launch.
 */

#include "update.h"

#include <level_zero/ze_api.h>
#include <tiletc/tiletc.h>
#include <tiletc/tiletc_ze.h>

#include <stdio.h>
#include <string.h>

/** Exit code of a program that cannot run here. */
enum { no_device = 77 };

static char const help_text[] =
    "Usage: level_zero_c [options]\n"
    "\n"
    "Updates Q_e <- Q_e + dt K P_e for all elements e with a kernel compiled by tiletc, a number "
    "of\n"
    "times, and checks every number on the host. Written in C, for Level Zero.\n"
    "\n"
    "Options:\n"
    "  -e, --elements E   number of elements (default 10000)\n"
    "  -n, --steps N      number of steps (default 10)\n"
    "  -h, --help         this text\n"
    "\n"
    "The device is the first GPU of the first driver; the environment variable ZE_AFFINITY_MASK\n"
    "chooses another one.\n"
    "\n"
    "Exit code: 0 all results are right, 1 a result is wrong or the run failed, 2 wrong usage,\n"
    "77 there is no Level Zero driver with a GPU.\n";

/** Everything that has to be released. */
struct session {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_command_list_handle_t list;
    tiletc_compiler_context_t compiler;
    tiletc_prog_t program;
    ze_module_handle_t module;
    ze_kernel_handle_t kernel;
    /** K, P and Q. */
    void *tensor[3];
};

/** Says which call has failed. */
static int ze_works(char const *what, ze_result_t code) {
    if (code != ZE_RESULT_SUCCESS) {
        fprintf(stderr, "error: Level Zero: %s failed (0x%x)\n", what, (unsigned)code);
    }
    return code == ZE_RESULT_SUCCESS;
}

static int tiletc_works(tiletc_status_t status) {
    if (status != tiletc_status_success) {
        fprintf(stderr, "error: tiletc: %s (%d)\n", tiletc_status_to_string(status), (int)status);
    }
    return status == tiletc_status_success;
}

/** Message of the compiler about the text. */
static void report(char const *what, tiletc_location_t const *location, void *user_data) {
    (void)location;
    (void)user_data;
    fprintf(stderr, "%s\n", what);
}

/** Finds the first GPU; 0 if there is none. */
static int find_device(struct session *s) {
    uint32_t one = 1;
    if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS ||
        zeDriverGet(&one, &s->driver) != ZE_RESULT_SUCCESS || one == 0) {
        return 0;
    }
    one = 1;
    return zeDeviceGet(s->driver, &one, &s->device) == ZE_RESULT_SUCCESS && one == 1;
}

static void print_device(ze_device_handle_t device) {
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    if (zeDeviceGetProperties(device, &properties) == ZE_RESULT_SUCCESS) {
        printf("device          %s (Level Zero)\n", properties.name);
    }
}

/** A context, and a command list that does at once, and in order, what is appended to it. */
static int open_session(struct session *s) {
    ze_context_desc_t const context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_command_queue_desc_t const queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    return ze_works("zeContextCreate", zeContextCreate(s->driver, &context, &s->context)) &&
           ze_works("zeCommandListCreateImmediate",
                    zeCommandListCreateImmediate(s->context, s->device, &queue, &s->list));
}

/** From the text to the kernel. */
static int compile(struct session *s) {
    return tiletc_works(tiletc_compiler_context_create(&s->compiler)) &&
           tiletc_works(tiletc_compiler_context_set_error_reporter(s->compiler, report, NULL)) &&
           tiletc_works(
               tiletc_parse_string(&s->program, strlen(update_text), update_text, s->compiler)) &&
           tiletc_works(tiletc_ze_kernel_bundle_create_with_program(&s->module, s->context,
                                                                    s->device, s->program, 0)) &&
           /* The kernel comes with the group size that is fixed in its code. */
           tiletc_works(tiletc_ze_kernel_create(&s->kernel, s->module, "update"));
}

/** Memory that host and device share. */
static int allocate(struct session *s, int64_t elements) {
    ze_device_mem_alloc_desc_t const on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t const on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    size_t const size_Q = (size_t)elements * update_size_Q * sizeof(float);
    size_t const sizes[3] = {update_size_K * sizeof(float), size_Q, size_Q};
    for (int i = 0; i < 3; ++i) {
        if (!ze_works("zeMemAllocShared",
                      zeMemAllocShared(s->context, &on_device, &on_host, sizes[i], update_alignment,
                                       s->device, &s->tensor[i]))) {
            return 0;
        }
    }
    return 1;
}

/** Sets the arguments dt, K, P, elements, Q, elements. */
static int set_arguments(struct session const *s, int64_t elements) {
    float const dt = UPDATE_DT;
    struct {
        size_t size;
        void const *value;
    } const arguments[] = {{sizeof(dt), &dt},
                           {sizeof(void *), &s->tensor[0]},
                           {sizeof(void *), &s->tensor[1]},
                           {sizeof(elements), &elements},
                           {sizeof(void *), &s->tensor[2]},
                           {sizeof(elements), &elements}};
    for (uint32_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); ++i) {
        if (!ze_works(
                "zeKernelSetArgumentValue",
                zeKernelSetArgumentValue(s->kernel, i, arguments[i].size, arguments[i].value))) {
            return 0;
        }
    }
    return 1;
}

/** Runs all steps. */
static int run_steps(struct session const *s, struct update_options const *options) {
    ze_group_count_t const groups = {(uint32_t)options->elements, 1, 1};
    for (int step = 0; step < options->steps; ++step) {
        if (!ze_works(
                "zeCommandListAppendLaunchKernel",
                zeCommandListAppendLaunchKernel(s->list, s->kernel, &groups, NULL, 0, NULL))) {
            return 0;
        }
    }
    return 1;
}

/** Compiles, runs and checks; returns the exit code. */
static int run(struct session *s, struct update_options const *options) {
    double const compile_start = update_milliseconds();
    if (!open_session(s) || !compile(s)) {
        return 1;
    }
    double const compile_time = update_milliseconds() - compile_start;
    if (!allocate(s, options->elements) || !set_arguments(s, options->elements)) {
        return 1;
    }
    update_fill(s->tensor[0], s->tensor[1], s->tensor[2], options->elements);
    double const start = update_milliseconds();
    if (!run_steps(s, options)) {
        return 1;
    }
    double const time = update_milliseconds() - start;
    double const worst = update_worst_error(s->tensor[0], s->tensor[1], s->tensor[2],
                                            options->elements, options->steps);
    return update_report(options, compile_time, time, worst);
}

static void close_session(struct session *s) {
    for (int i = 0; i < 3; ++i) {
        if (s->tensor[i] != NULL) {
            zeMemFree(s->context, s->tensor[i]);
        }
    }
    if (s->kernel != NULL) {
        zeKernelDestroy(s->kernel);
    }
    if (s->module != NULL) {
        zeModuleDestroy(s->module);
    }
    tiletc_prog_release(s->program);
    tiletc_compiler_context_release(s->compiler);
    if (s->list != NULL) {
        zeCommandListDestroy(s->list);
    }
    if (s->context != NULL) {
        zeContextDestroy(s->context);
    }
}

int main(int argc, char **argv) {
    struct update_options options;
    if (!update_parse(&options, argc, argv, NULL)) {
        return 2;
    }
    if (options.help) {
        fputs(help_text, stdout);
        return 0;
    }
    struct session s = {0};
    if (!find_device(&s)) {
        fprintf(stderr, "skipped: there is no Level Zero driver with a GPU\n");
        return no_device;
    }
    print_device(s.device);
    int const code = run(&s, &options);
    close_session(&s);
    return code;
}
