/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * tiletc in a C program on OpenCL: text, program, bundle, kernel, launch. The tensors are in
 * OpenCL's buffers or in unified shared memory.
 */

#include "tensors.h"
#include "update.h"

#include <CL/cl.h>
#include <tiletc/tiletc.h>
#include <tiletc/tiletc_cl.h>

#include <stdio.h>
#include <string.h>

/** Exit code of a program that cannot run here. */
enum { no_device = 77 };

static char const help_text[] =
    "Usage: opencl_c [options]\n"
    "\n"
    "Updates Q_e <- Q_e + dt K P_e for all elements e with a kernel compiled by tiletc, a number "
    "of\n"
    "times, and checks every number on the host. Written in C, for OpenCL.\n"
    "\n"
    "Options:\n"
    "  -e, --elements E   number of elements (default 10000)\n"
    "  -n, --steps N      number of steps (default 10)\n"
    "  -m, --memory M     buffer or usm: OpenCL's buffers, or unified shared memory\n"
    "                     (default buffer)\n"
    "  -h, --help         this text\n"
    "\n"
    "The device is the first GPU there is, else the first device of any kind.\n"
    "\n"
    "Exit code: 0 all results are right, 1 a result is wrong or the run failed, 2 wrong usage,\n"
    "77 there is no OpenCL device.\n";

/** Everything that has to be released. */
struct session {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    tiletc_compiler_context_t compiler;
    tiletc_prog_t program;
    cl_program bundle;
    cl_kernel kernel;
};

static int tiletc_works(tiletc_status_t status) {
    if (status != tiletc_status_success) {
        fprintf(stderr, "error: tiletc: %s (%d)\n", tiletc_status_to_string(status), (int)status);
    }
    return status == tiletc_status_success;
}

/** The first device of a type on any platform. */
static cl_device_id first_device(cl_device_type type) {
    enum { most = 16 };
    cl_platform_id platforms[most];
    cl_uint count = 0;
    if (clGetPlatformIDs(most, platforms, &count) != CL_SUCCESS) {
        return NULL;
    }
    for (cl_uint i = 0; i < count && i < most; ++i) {
        cl_device_id device = NULL;
        if (clGetDeviceIDs(platforms[i], type, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    return NULL;
}

static void print_device(cl_device_id device) {
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL);
    printf("device          %s (OpenCL)\n", name);
}

/** Message of the compiler about the text. */
static void report(char const *what, tiletc_location_t const *location, void *user_data) {
    (void)location;
    (void)user_data;
    fprintf(stderr, "%s\n", what);
}

static int open_session(struct session *s) {
    cl_int code = CL_SUCCESS;
    s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &code);
    if (!cl_works("clCreateContext", code)) {
        return 0;
    }
    s->queue = clCreateCommandQueueWithProperties(s->context, s->device, NULL, &code);
    return cl_works("clCreateCommandQueueWithProperties", code);
}

/** From the text to the kernel. */
static int compile(struct session *s) {
    if (!tiletc_works(tiletc_compiler_context_create(&s->compiler)) ||
        !tiletc_works(tiletc_compiler_context_set_error_reporter(s->compiler, report, NULL)) ||
        !tiletc_works(
            tiletc_parse_string(&s->program, strlen(update_text), update_text, s->compiler)) ||
        !tiletc_works(tiletc_cl_kernel_bundle_create_with_program(&s->bundle, s->context, s->device,
                                                                  s->program, 0))) {
        return 0;
    }
    cl_int code = CL_SUCCESS;
    s->kernel = clCreateKernel(s->bundle, "update", &code);
    return cl_works("clCreateKernel", code);
}

static void close_session(struct session *s) {
    if (s->kernel != NULL) {
        clReleaseKernel(s->kernel);
    }
    if (s->bundle != NULL) {
        clReleaseProgram(s->bundle);
    }
    tiletc_prog_release(s->program);
    tiletc_compiler_context_release(s->compiler);
    if (s->queue != NULL) {
        clReleaseCommandQueue(s->queue);
    }
    if (s->context != NULL) {
        clReleaseContext(s->context);
    }
}

/** Sets the arguments dt, K, P, elements, Q, elements. */
static int set_arguments(struct tensors const *t, cl_kernel kernel, int64_t elements) {
    float const dt = UPDATE_DT;
    return cl_works("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(dt), &dt)) &&
           tensors_set_argument(t, kernel, 1, 0) && tensors_set_argument(t, kernel, 2, 1) &&
           cl_works("clSetKernelArg", clSetKernelArg(kernel, 3, sizeof(elements), &elements)) &&
           tensors_set_argument(t, kernel, 4, 2) &&
           cl_works("clSetKernelArg", clSetKernelArg(kernel, 5, sizeof(elements), &elements));
}

/** Runs all steps. */
static int run_steps(struct session const *s, struct update_options const *options) {
    size_t const num_groups[3] = {(size_t)options->elements, 1, 1};
    size_t local_size[3], global_size[3];
    if (!tiletc_works(tiletc_cl_get_group_size(s->kernel, local_size))) {
        return 0;
    }
    tiletc_cl_get_global_size(num_groups, local_size, global_size);
    for (int step = 0; step < options->steps; ++step) {
        if (!cl_works("clEnqueueNDRangeKernel",
                      clEnqueueNDRangeKernel(s->queue, s->kernel, 3, NULL, global_size, local_size,
                                             0, NULL, NULL))) {
            return 0;
        }
    }
    return cl_works("clFinish", clFinish(s->queue));
}

/** Compiles, runs and checks; returns the exit code. */
static int run(struct session *s, struct tensors *t, struct update_options const *options) {
    double const compile_start = update_milliseconds();
    if (!open_session(s) || !compile(s)) {
        return 1;
    }
    double const compile_time = update_milliseconds() - compile_start;
    int const shared = options->memory != NULL && strcmp(options->memory, "usm") == 0;
    if (!tensors_allocate(t, shared, s->context, s->device)) {
        return 1;
    }
    update_fill(t->host[0], t->host[1], t->host[2], options->elements);
    if (!tensors_upload(t, s->context) || !set_arguments(t, s->kernel, options->elements)) {
        return 1;
    }
    double const start = update_milliseconds();
    if (!run_steps(s, options)) {
        return 1;
    }
    double const time = update_milliseconds() - start;
    if (!tensors_download(t, s->queue, 2)) {
        return 1;
    }
    double const worst =
        update_worst_error(t->host[0], t->host[1], t->host[2], options->elements, options->steps);
    return update_report(options, compile_time, time, worst);
}

int main(int argc, char **argv) {
    char const *const memories[] = {"buffer", "usm", NULL};
    struct update_options options;
    if (!update_parse(&options, argc, argv, memories)) {
        return 2;
    }
    if (options.help) {
        fputs(help_text, stdout);
        return 0;
    }
    struct session s = {.device = first_device(CL_DEVICE_TYPE_GPU)};
    if (s.device == NULL) {
        s.device = first_device(CL_DEVICE_TYPE_ALL);
    }
    if (s.device == NULL) {
        fprintf(stderr, "skipped: there is no OpenCL device\n");
        return no_device;
    }
    print_device(s.device);
    size_t const size_Q = (size_t)options.elements * update_size_Q * sizeof(float);
    struct tensors t = {.bytes = {update_size_K * sizeof(float), size_Q, size_Q}};
    int const code = run(&s, &t, &options);
    tensors_release(&t, s.context);
    close_session(&s);
    return code;
}
