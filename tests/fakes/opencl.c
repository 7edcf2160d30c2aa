/* SPDX-License-Identifier: BSD-3-Clause */

/* An OpenCL driver with one device, for tests: answers as a Ponte Vecchio does and refuses what a driver
 * must refuse. Handles are small numbers: 1 the context, 2 the device, 3 a program, 4 a kernel, 6 a queue,
 * 7 the platform, 8 an event. */
#include "fake.h"

enum {
    NOT_GOOD = -11,
    INVALID_VALUE = -30,
    INVALID_DEVICE = -33,
    INVALID_CONTEXT = -34,
    INVALID_BINARY = -42,
    INVALID_PROGRAM = -44,
    INVALID_KERNEL_NAME = -46,
    INVALID_KERNEL = -48
};

/* What the test chooses beforehand: whether programs have no kernels; whether a kernel has to be asked about a
 * particular device, as one of several devices; what the driver says is the size of a list. */
int fake_no_kernels, fake_wants_device;
/* Whether the driver says nothing of the device that only Intel's do. */
int fake_no_attributes;
size_t fake_list_size;

/* Hands out an answer as all of OpenCL's queries do. */
static int answer(void const *data, size_t length, size_t size, void *value, size_t *size_ret) {
    if (size_ret) *size_ret = length;
    if (value && size < length) return INVALID_VALUE;
    if (value) memcpy(value, data, length);
    return 0;
}

#define ANSWER(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        return answer(&data, sizeof data, size, value, size_ret);                                  \
    } while (0)

int clGetDeviceInfo(void *device, uint32_t what, size_t size, void *value, size_t *size_ret) {
    FAKE_CALL;
    if (device != (void *)2) return INVALID_DEVICE;
    if (fake_list_size && !value) {
        *size_ret = fake_list_size;
        return 0;
    }
    switch (what) {
    case 0x1000: ANSWER(uint64_t data = 4);               /* type: GPU */
    case 0x1001: ANSWER(uint32_t data = 0x8086);          /* vendor */
    case 0x1004: ANSWER(size_t data = 1024);              /* largest work-group */
    case 0x1019: ANSWER(uint32_t data = 1024);            /* alignment in bits */
    case 0x1023: ANSWER(uint64_t data = 131072);          /* local memory */
    case 0x102b:                                          /* name */
        return answer(fake_device_name(), strlen(fake_device_name()) + 1, size, value, size_ret);
    case 0x102f: ANSWER(char data[] = "OpenCL 3.0 fake"); /* version */
    case 0x1030:                                          /* extensions */
        if (fake_no_attributes) ANSWER(char data[] = "cl_khr_fp16 cl_khr_fp64 cl_intel_subgroups");
        ANSWER(char data[] = "cl_khr_fp16 cl_khr_fp64 cl_khr_int64_base_atomics cl_intel_subgroups "
                             "cl_intel_device_attribute_query cl_ext_float_atomics");
    case 0x1031: ANSWER(void *data = (void *)7);         /* platform */
    case 0x1032: ANSWER(uint64_t data = 63);             /* double precision */
    case 0x105c: ANSWER(uint32_t data = 64);             /* subgroups of a work-group */
    case 0x4108: ANSWER(size_t data[] = {16, 32});       /* subgroup sizes */
    case 0x4231: ANSWER(uint64_t data = 1 << 1);         /* atomics of f32 */
    case 0x4232: ANSWER(uint64_t data = 0);              /* atomics of f64 */
    case 0x4233: ANSWER(uint64_t data = 0);              /* atomics of f16 */
    }
    if (fake_no_attributes) return INVALID_VALUE;
    switch (what) {
    case 0x4250: ANSWER(uint32_t data = (uint32_t)fake_ip_version);
    case 0x4251: ANSWER(uint32_t data = (uint32_t)fake_device_id);
    case 0x4254: ANSWER(uint32_t data = 8);              /* EUs of a subslice */
    case 0x4255: ANSWER(uint32_t data = 8);              /* threads of an EU */
    }
    return INVALID_VALUE;
}

/* A new program, or NULL. */
static void *new_program(void *context, size_t size, void const *data, int *code) {
    *code = context != (void *)1 ? INVALID_CONTEXT : !data || size == 0 ? INVALID_VALUE : 0;
    if (*code != 0) return NULL;
    ++fake_live;
    return (void *)3;
}

void *clCreateProgramWithIL(void *context, void const *data, size_t size, int *code) {
    *code = fake_fault_code;
    if (fake_enter(__func__)) return NULL;
    return new_program(context, size, data, code);
}

void *clCreateProgramWithBinary(void *context, uint32_t number, void *const *devices, size_t const *sizes,
                                uint8_t const *const *data, int *accepted, int *code) {
    *code = fake_fault_code;
    if (fake_enter(__func__)) return NULL;
    *code = number != 1 || *devices != (void *)2 ? INVALID_DEVICE : 0;
    if (*code != 0) return NULL;
    /* The device's own code starts with a mark, as those of all drivers do. */
    *accepted = *sizes >= 4 && memcmp(*data, "fake", 4) == 0 ? 0 : INVALID_BINARY;
    *code = *accepted;
    return *code == 0 ? new_program(context, *sizes, *data, code) : NULL;
}

int clBuildProgram(void *program, uint32_t number, void *const *devices, char const *options, void *notify,
                   void *user_data) {
    FAKE_CALL;
    if (program != (void *)3) return INVALID_PROGRAM;
    if (number != 1 || *devices != (void *)2 || notify || user_data) return INVALID_VALUE;
    fake_large_register_file = options && strcmp(options, "-cl-intel-256-GRF-per-thread") == 0;
    ++fake_builds;
    return fake_refuses ? NOT_GOOD : 0;
}

int clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t size, void *value,
                          size_t *size_ret) {
    FAKE_CALL;
    if (program != (void *)3 || device != (void *)2 || what != 0x1183) return INVALID_VALUE;
    size_t const length = fake_write_log(value, size);
    if (size_ret) *size_ret = length;
    return value && size < length ? INVALID_VALUE : 0;
}

int clReleaseProgram(void *program) {
    if (program == (void *)3) --fake_live;
    FAKE_CALL;
    return program == (void *)3 ? 0 : INVALID_PROGRAM;
}

int clGetProgramInfo(void *program, uint32_t what, size_t size, void *value, size_t *size_ret) {
    FAKE_CALL;
    if (program != (void *)3) return INVALID_PROGRAM;
    switch (what) {
    case 0x1162: ANSWER(uint32_t data = 1);        /* number of devices */
    case 0x1163: ANSWER(void *data[] = {(void *)2}); /* devices */
    }
    return INVALID_VALUE;
}

void *clCreateKernel(void *program, char const *name, int *code) {
    *code = fake_fault_code;
    if (fake_enter(__func__)) return NULL;
    *code = program != (void *)3 ? INVALID_PROGRAM
            : fake_no_kernels || !fake_is_kernel(name) ? INVALID_KERNEL_NAME
                                                                   : 0;
    if (*code != 0) return NULL;
    ++fake_live;
    return (void *)4;
}

int clCreateKernelsInProgram(void *program, uint32_t number, void **kernels, uint32_t *count) {
    FAKE_CALL;
    if (program != (void *)3) return INVALID_PROGRAM;
    if (count) *count = 1;
    if (!kernels) return 0;
    if (number < 1) return INVALID_VALUE;
    *kernels = (void *)4;
    ++fake_live;
    return 0;
}

int clReleaseKernel(void *kernel) {
    if (kernel == (void *)4) --fake_live;
    FAKE_CALL;
    return kernel == (void *)4 ? 0 : INVALID_KERNEL;
}

int clGetKernelInfo(void *kernel, uint32_t what, size_t size, void *value, size_t *size_ret) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    if (what == 0x1194) ANSWER(void *data = (void *)3); /* program */
    return INVALID_VALUE;
}

int clGetKernelWorkGroupInfo(void *kernel, void *device, uint32_t what, size_t size, void *value,
                             size_t *size_ret) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    if (device != (void *)2 && (device || fake_wants_device)) return INVALID_DEVICE;
    if (what == 0x11b0) /* largest work-group with its registers */
        ANSWER(size_t data = fake_large_register_file ? (size_t)fake_fit_in_large : 1024);
    if (what == 0x4109) /* spills */
        ANSWER(uint64_t data = (uint64_t)(fake_large_register_file ? fake_spills_in_large : fake_spills));
    if (what == 0x11b1) ANSWER(size_t data[] = {64, 2, 1}); /* fixed work-group size */
    return INVALID_VALUE;
}

int clSetKernelArg(void *kernel, uint32_t index, size_t size, void const *value) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    return index > 20 || size == 0 || !value ? INVALID_VALUE : 0;
}

int clSetKernelArgSVMPointer(void *kernel, uint32_t index, void const *value) {
    (void)value;
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    return index > 20 ? INVALID_VALUE : 0;
}

static int set_usm(void *kernel, uint32_t index, void const *value) {
    (void)value;
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    return index > 20 ? INVALID_VALUE : 0;
}

void *clGetExtensionFunctionAddressForPlatform(void *platform, char const *name) {
    if (fake_enter(__func__) || platform != (void *)7) return NULL;
    return strcmp(name, "clSetKernelArgMemPointerINTEL") == 0 ? (void *)set_usm : NULL;
}

/* Hands out the event of a launch or marker, if it is wanted. */
static int launched(void *queue, uint32_t number, void *const *wait_events, void **event) {
    if (queue != (void *)6 || (number == 0) != !wait_events) return INVALID_VALUE;
    if (event) {
        *event = (void *)8;
        ++fake_live;
    }
    return 0;
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, size_t const *offset,
                           size_t const *global, size_t const *local, uint32_t number,
                           void *const *wait_events, void **event) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_KERNEL;
    if (dimensions != 3 || offset || !global[0] || local[0] != 64 || global[0] % 64) return INVALID_VALUE;
    return launched(queue, number, wait_events, event);
}

int clEnqueueMarkerWithWaitList(void *queue, uint32_t number, void *const *wait_events, void **event) {
    FAKE_CALL;
    return launched(queue, number, wait_events, event);
}

/* One reference more to the object of a number, unless the call fails: nobody can tell a count that is not kept. */
static int retained(void *object, uintptr_t number, int has_fault) {
    if (has_fault && fake_fault_code) return fake_fault_code;
    if (object != (void *)number) return INVALID_VALUE;
    ++fake_live;
    return 0;
}

int clRetainContext(void *context) {
    return retained(context, 1, fake_enter(__func__));
}

int clReleaseContext(void *context) {
    if (context == (void *)1) --fake_live;
    FAKE_CALL;
    return context == (void *)1 ? 0 : INVALID_VALUE;
}

int clRetainDevice(void *device) {
    return retained(device, 2, fake_enter(__func__));
}

int clReleaseDevice(void *device) {
    if (device == (void *)2) --fake_live;
    FAKE_CALL;
    return device == (void *)2 ? 0 : INVALID_VALUE;
}

int clRetainEvent(void *event) {
    return retained(event, 8, fake_enter(__func__));
}

int clReleaseEvent(void *event) {
    if (event == (void *)8) --fake_live;
    FAKE_CALL;
    return event == (void *)8 ? 0 : INVALID_VALUE;
}

int clRetainProgram(void *program) {
    return retained(program, 3, fake_enter(__func__));
}

int clRetainKernel(void *kernel) {
    return retained(kernel, 4, fake_enter(__func__));
}
