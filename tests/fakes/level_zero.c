/* SPDX-License-Identifier: BSD-3-Clause */

/* A Level Zero driver with one device, for tests: answers as a Ponte Vecchio does and refuses what a driver
 * must refuse. Handles are small numbers: 1 the context, 2 the device, 3 a module, 4 a kernel, 5 a log,
 * 6 a command list, 7 and 8 events, 9 the driver, 10 an event pool. Memory is the host's. */
#include "fake.h"

#include <stdlib.h>

typedef struct base { uint32_t stype; void *next; } base;

enum {
    INVALID_ARGUMENT = 0x78000004,
    UNSUPPORTED_ALIGNMENT = 0x7800000a,
    INVALID_NATIVE_BINARY = 0x7800000f,
    BUILD_FAILURE = 0x70000004,
    INVALID_KERNEL_NAME = 0x78000011,
    INVALID_GROUP_SIZE = 0x78000013,
    INVALID_ARGUMENT_INDEX = 0x78000015,
    INVALID_ARGUMENT_SIZE = 0x78000016
};

/* What the test asks about afterwards. */
uint32_t fake_group_size[3];
atomic_int fake_format;
/* The arguments of the kernel; launches and barriers, and work-groups and events of the last one. */
uint64_t fake_arguments[21];
int fake_launches, fake_barriers, fake_groups, fake_signal, fake_waits;
/* The memory that a kernel may find pointers to in memory. */
int fake_indirect_access;
/* What the test chooses beforehand: the device, its driver, and whether modules have no kernels. */
uint32_t fake_driver_version = 0x01030000;
int fake_no_kernels;
/* How many arguments the kernel says that it takes, and what a launch computes, if the test says so: called with the
 * arguments and the work-groups along x. */
uint32_t fake_num_args;
void (*fake_on_launch)(uint64_t const *arguments, uint32_t groups);

typedef struct {
    uint32_t stype; void *next; uint32_t type, vendor, device, flags, subdevice, clock; uint64_t max_alloc;
    uint32_t contexts, priority, threads_per_eu, simd_width, eus_per_subslice, subslices, slices;
    uint64_t timer; uint32_t timestamp_bits, kernel_timestamp_bits; uint8_t uuid[16]; char name[256];
} device_properties;
typedef struct { uint32_t stype; void const *next; uint32_t version; } ip_version;

uint32_t zeInit(uint32_t flags) {
    FAKE_CALL;
    return flags ? INVALID_ARGUMENT : 0;
}

uint32_t zeDeviceGet(void *driver, uint32_t *count, void **devices) {
    FAKE_CALL;
    if (driver != (void *)9) return INVALID_ARGUMENT;
    if (devices && *count) *devices = (void *)2;
    *count = 1;
    return 0;
}

uint32_t zeDeviceGetProperties(void *device, device_properties *p) {
    FAKE_CALL;
    if (device != (void *)2 || (p->stype != 0x3 && p->stype != 0x20006)) return INVALID_ARGUMENT;
    /* Nanoseconds a tick, or ticks a second. */
    p->timer = p->stype == 0x3 ? 80 : 12500000;
    p->timestamp_bits = p->kernel_timestamp_bits = 32;
    p->vendor = 0x8086;
    p->device = (uint32_t)fake_device_id;
    p->threads_per_eu = 8;
    p->eus_per_subslice = 8;
    strcpy(p->name, fake_device_name());
    for (base *b = p->next; b; b = b->next)
        if (b->stype == 0x1000f) ((ip_version *)b)->version = (uint32_t)fake_ip_version;
    return 0;
}

typedef struct {
    uint32_t stype; void *next; uint32_t max_total, max_size[3], max_count[3], slm, num_sizes, sizes[8];
} compute_properties;

uint32_t zeDeviceGetComputeProperties(void *device, compute_properties *p) {
    FAKE_CALL;
    if (device != (void *)2 || p->stype != 0x4) return INVALID_ARGUMENT;
    p->max_total = 1024;
    p->num_sizes = 2;
    p->sizes[0] = 32;
    p->sizes[1] = 16;
    return 0;
}

typedef struct {
    uint32_t stype; void *next; uint32_t spirv_version, flags, fp16, fp32, fp64, args, printf_size;
    uint8_t native_uuid[16];
} module_properties;
typedef struct { uint32_t stype; void *next; uint32_t fp16, fp32, fp64; } float_atomics;

uint32_t zeDeviceGetModuleProperties(void *device, module_properties *p) {
    FAKE_CALL;
    if (device != (void *)2 || p->stype != 0x5) return INVALID_ARGUMENT;
    p->flags = 0x1 | 0x4; /* fp16 and 64-bit atomics, but no fp64 */
    p->native_uuid[0] = 0xab;
    for (base *b = p->next; b; b = b->next)
        if (b->stype == 0x10003) {
            float_atomics *f = (float_atomics *)b;
            f->fp16 = 1 << 2;
            f->fp32 = 1 << 1 | 1 << 18;
            f->fp64 = 0x70007;
        }
    return 0;
}

typedef struct {
    uint32_t stype; void const *next; uint32_t format; size_t size; uint8_t const *data; char const *flags;
    void const *constants;
} module_desc;

uint32_t zeModuleCreate(void *context, void *device, module_desc const *d, void **module, void **log) {
    FAKE_CALL;
    if (context != (void *)1 || device != (void *)2 || d->stype != 0x1b || d->format > 1 || d->size == 0 || !d->data)
        return INVALID_ARGUMENT;
    if (d->format == 1 && (d->size != 6 || memcmp(d->data, "native", 6) != 0)) return INVALID_NATIVE_BINARY;
    *log = (void *)5;
    ++fake_live;
    fake_large_register_file = d->flags && strcmp(d->flags, "-ze-opt-large-register-file") == 0;
    fake_format = (int)d->format;
    if (fake_refuses) return BUILD_FAILURE;
    ++fake_builds;
    *module = (void *)3;
    ++fake_live;
    return 0;
}

uint32_t zeModuleGetKernelNames(void *module, uint32_t *count, char const **names) {
    FAKE_CALL;
    if (module != (void *)3) return INVALID_ARGUMENT;
    if (names && *count) names[0] = "gemm";
    *count = 1;
    return 0;
}

/* The same for every module. */
uint32_t zeModuleGetNativeBinary(void *module, size_t *size, uint8_t *binary) {
    FAKE_CALL;
    if (module != (void *)3) return INVALID_ARGUMENT;
    if (binary) memcpy(binary, "native", *size);
    *size = 6;
    return 0;
}

typedef struct { uint32_t stype; void *next; uint8_t uuid[16]; uint32_t version; } driver_properties;

uint32_t zeDriverGet(uint32_t *count, void **drivers) {
    FAKE_CALL;
    if (drivers && *count) drivers[0] = (void *)9;
    *count = 1;
    return 0;
}

uint32_t zeDriverGetProperties(void *driver, driver_properties *p) {
    FAKE_CALL;
    if (driver != (void *)9 || p->stype != 0x1) return INVALID_ARGUMENT;
    p->version = fake_driver_version;
    return 0;
}

uint32_t zeModuleDestroy(void *module) {
    if (module == (void *)3) --fake_live;
    FAKE_CALL;
    return module == (void *)3 ? 0 : INVALID_ARGUMENT;
}

uint32_t zeModuleBuildLogGetString(void *log, size_t *size, char *text) {
    FAKE_CALL;
    if (log != (void *)5) return INVALID_ARGUMENT;
    *size = fake_write_log(text, *size);
    return 0;
}

uint32_t zeModuleBuildLogDestroy(void *log) {
    if (log == (void *)5) --fake_live;
    FAKE_CALL;
    return log == (void *)5 ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint32_t stype; void const *next; uint32_t flags; char const *name; } kernel_desc;

uint32_t zeKernelCreate(void *module, kernel_desc const *d, void **kernel) {
    FAKE_CALL;
    if (module != (void *)3 || d->stype != 0x1d) return INVALID_ARGUMENT;
    if (fake_no_kernels || !fake_is_kernel(d->name)) return INVALID_KERNEL_NAME;
    *kernel = (void *)4;
    ++fake_live;
    return 0;
}

uint32_t zeKernelDestroy(void *kernel) {
    if (kernel == (void *)4) --fake_live;
    FAKE_CALL;
    return kernel == (void *)4 ? 0 : INVALID_ARGUMENT;
}

typedef struct {
    uint32_t stype; void *next; uint32_t num_args, required[3], subgroups, subgroup_size, max_subgroup_size,
        max_subgroups, local, private, spill;
} kernel_properties;

uint32_t zeKernelGetProperties(void *kernel, kernel_properties *p) {
    FAKE_CALL;
    if (kernel != (void *)4 || p->stype != 0x1e) return INVALID_ARGUMENT;
    p->num_args = fake_num_args;
    p->required[0] = 64;
    p->required[1] = 2;
    p->required[2] = 1;
    p->spill = (uint32_t)(fake_large_register_file ? fake_spills_in_large : fake_spills);
    return 0;
}

uint32_t zeKernelSetGroupSize(void *kernel, uint32_t x, uint32_t y, uint32_t z) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_ARGUMENT;
    if (x == 0 || y == 0 || z == 0) return INVALID_GROUP_SIZE;
    if (fake_large_register_file && x * y * z > (uint32_t)fake_fit_in_large) return INVALID_GROUP_SIZE;
    fake_group_size[0] = x;
    fake_group_size[1] = y;
    fake_group_size[2] = z;
    return 0;
}

uint32_t zeKernelSetArgumentValue(void *kernel, uint32_t index, size_t size, void const *value) {
    FAKE_CALL;
    if (kernel != (void *)4) return INVALID_ARGUMENT;
    if (index >= sizeof fake_arguments / sizeof *fake_arguments) return INVALID_ARGUMENT_INDEX;
    if (size > 8) return INVALID_ARGUMENT_SIZE;
    fake_arguments[index] = 0;
    memcpy(&fake_arguments[index], value, size);
    return 0;
}

typedef struct { uint32_t x, y, z; } group_count;

static uint32_t append(void *list, void *signal, uint32_t num_waits, void **waits) {
    if (list != (void *)6 || (signal && signal != (void *)7) || (num_waits != 0) != (waits != NULL))
        return INVALID_ARGUMENT;
    for (uint32_t i = 0; i < num_waits; ++i)
        if (waits[i] != (void *)8) return INVALID_ARGUMENT;
    fake_signal = (int)(size_t)signal;
    fake_waits = (int)num_waits;
    return 0;
}

uint32_t zeCommandListAppendLaunchKernel(void *list, void *kernel, group_count const *count, void *signal,
                                         uint32_t num_waits, void **waits) {
    FAKE_CALL;
    if (kernel != (void *)4 || count->x == 0 || count->y != 1 || count->z != 1) return INVALID_ARGUMENT;
    ++fake_launches;
    fake_groups = (int)count->x;
    if (fake_on_launch) fake_on_launch(fake_arguments, count->x);
    return append(list, signal, num_waits, waits);
}

uint32_t zeCommandListAppendBarrier(void *list, void *signal, uint32_t num_waits, void **waits) {
    FAKE_CALL;
    ++fake_barriers;
    return append(list, signal, num_waits, waits);
}

typedef struct { uint32_t stype; void const *next; uint32_t flags; } context_desc;

uint32_t zeContextCreate(void *driver, context_desc const *d, void **context) {
    FAKE_CALL;
    if (driver != (void *)9 || d->stype != 0xd) return INVALID_ARGUMENT;
    *context = (void *)1;
    ++fake_live;
    return 0;
}

uint32_t zeContextDestroy(void *context) {
    if (context == (void *)1) --fake_live;
    FAKE_CALL;
    return context == (void *)1 ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint32_t stype; void const *next; uint32_t ordinal, index, flags, mode, priority; } queue_desc;

/* Only lists that wait for the end of what is appended. */
uint32_t zeCommandListCreateImmediate(void *context, void *device, queue_desc const *d, void **list) {
    FAKE_CALL;
    if (context != (void *)1 || device != (void *)2 || d->stype != 0xe || d->mode != 1) return INVALID_ARGUMENT;
    *list = (void *)6;
    ++fake_live;
    return 0;
}

uint32_t zeCommandListDestroy(void *list) {
    if (list == (void *)6) --fake_live;
    FAKE_CALL;
    return list == (void *)6 ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint32_t stype; void const *next; uint32_t flags, ordinal; } device_mem_desc;
typedef struct { uint32_t stype; void const *next; uint32_t flags; } host_mem_desc;

uint32_t zeMemAllocShared(void *context, device_mem_desc const *on_device, host_mem_desc const *on_host, size_t size,
                          size_t alignment, void *device, void **memory) {
    FAKE_CALL;
    if (context != (void *)1 || device != (void *)2 || on_device->stype != 0x15 || on_host->stype != 0x16 || size == 0)
        return INVALID_ARGUMENT;
    if (alignment > 4096 || posix_memalign(memory, alignment, size) != 0) return UNSUPPORTED_ALIGNMENT;
    ++fake_live;
    return 0;
}

uint32_t zeMemFree(void *context, void *memory) {
    if (memory) --fake_live;
    free(memory);
    FAKE_CALL;
    return context == (void *)1 ? 0 : INVALID_ARGUMENT;
}

uint32_t zeKernelSetIndirectAccess(void *kernel, uint32_t flags) {
    FAKE_CALL;
    fake_indirect_access = (int)flags;
    return kernel == (void *)4 ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint32_t stype; void const *next; uint32_t flags, count; } pool_desc;

/* Only of events whose times can be asked for and that the host sees. */
uint32_t zeEventPoolCreate(void *context, pool_desc const *d, uint32_t num_devices, void **devices, void **pool) {
    FAKE_CALL;
    if (context != (void *)1 || d->stype != 0x10 || d->flags != (0x1 | 0x4) || d->count != 1 || num_devices != 1 ||
        devices[0] != (void *)2)
        return INVALID_ARGUMENT;
    *pool = (void *)10;
    ++fake_live;
    return 0;
}

uint32_t zeEventPoolDestroy(void *pool) {
    if (pool == (void *)10) --fake_live;
    FAKE_CALL;
    return pool == (void *)10 ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint32_t stype; void const *next; uint32_t index, signal, wait; } event_desc;

uint32_t zeEventCreate(void *pool, event_desc const *d, void **event) {
    FAKE_CALL;
    if (pool != (void *)10 || d->stype != 0x11 || d->index != 0) return INVALID_ARGUMENT;
    *event = (void *)7;
    ++fake_live;
    return 0;
}

uint32_t zeEventDestroy(void *event) {
    if (event == (void *)7) --fake_live;
    FAKE_CALL;
    return event == (void *)7 ? 0 : INVALID_ARGUMENT;
}

uint32_t zeEventHostSynchronize(void *event, uint64_t timeout) {
    FAKE_CALL;
    return event == (void *)7 && timeout == UINT64_MAX ? 0 : INVALID_ARGUMENT;
}

typedef struct { uint64_t start, end; } kernel_times;
typedef struct { kernel_times global, context; } kernel_timestamps;

/* A launch of 100 ticks, in which the clock of 32 bits starts anew. */
uint32_t zeEventQueryKernelTimestamp(void *event, kernel_timestamps *times) {
    FAKE_CALL;
    if (event != (void *)7 || fake_signal != 7) return INVALID_ARGUMENT;
    times->global.start = times->context.start = UINT32_MAX - 24;
    times->global.end = times->context.end = 75;
    return 0;
}
