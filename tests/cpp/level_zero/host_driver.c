/* SPDX-License-Identifier: BSD-3-Clause */

/* Level Zero as the programs of the manual and the examples call it, with the host in place of the
 * device: a launch computes with the arguments that were set what the kernel would compute. So it
 * counts how many arguments there are, in which order, and of which size. libtiletc finds its own
 * driver, tests/fakes, and launches with it: that driver has the launches of the page computed here. */

#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The handles that the driver of libtiletc has, too. */
#define CONTEXT ((ze_context_handle_t)1)
#define DEVICE ((ze_device_handle_t)2)
#define MODULE ((ze_module_handle_t)3)
#define KERNEL ((ze_kernel_handle_t)4)
#define DRIVER ((ze_driver_handle_t)5)
#define LIST ((ze_command_list_handle_t)6)

enum { most_arguments = 6 };

static struct {
    size_t size;
    uint8_t bytes[8];
} arguments[most_arguments];
static uint32_t num_arguments;
/* Objects and memory that are not yet given back. */
static int live;

/* Ends the program: whatever it does next would not be what it is tested for. */
static void require(int condition, char const *what) {
    if (!condition) {
        fprintf(stderr, "host driver: %s\n", what);
        abort();
    }
}

static ze_result_t made(void) {
    ++live;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t given_back(int right) {
    require(right, "something else is given back");
    --live;
    return ZE_RESULT_SUCCESS;
}

/* c <- c + alpha a b for a of order n and b, c of size n x m, by columns. */
static void add_product(float alpha, float const *a, float const *b, float *c, int n, int m) {
    for (int j = 0; j < m; ++j) {
        for (int i = 0; i < n; ++i) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k) {
                sum += a[i + k * n] * b[k + j * n];
            }
            c[i + j * n] += alpha * sum;
        }
    }
}

/* The kernel of the page: three tensors, behind the second and the third the number of elements. */
static void compute_page(uint64_t const *values, uint32_t groups) {
    float const *a, *b;
    float *c;
    memcpy(&a, &values[0], sizeof(a));
    memcpy(&b, &values[1], sizeof(b));
    memcpy(&c, &values[3], sizeof(c));
    require(values[2] == groups && values[4] == groups, "the number of elements");
    for (uint64_t e = 0; e < groups; ++e) {
        add_product(1.0f, a, b + e * 64, c + e * 64, 8, 8);
    }
}

ze_result_t zeInit(uint32_t flags) {
    require(flags == ZE_INIT_FLAG_GPU_ONLY, "flags");
    void *const library = dlopen("libze_loader.so.1", RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "there is no libze_loader.so.1");
    uint32_t *const num_args = dlsym(library, "fake_num_args");
    void (**const on_launch)(uint64_t const *, uint32_t) = dlsym(library, "fake_on_launch");
    require(num_args != NULL && on_launch != NULL, "libze_loader.so.1 is not the fake");
    *num_args = 5;
    *on_launch = compute_page;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
    require(*count == 1 && drivers != NULL, "drivers");
    *drivers = DRIVER;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
    require(driver == DRIVER && *count == 1 && devices != NULL, "devices");
    *devices = DEVICE;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
    require(device == DEVICE && properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
            "device properties");
    strcpy(properties->name, "host");
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextCreate(ze_driver_handle_t driver, ze_context_desc_t const *desc,
                            ze_context_handle_t *context) {
    require(driver == DRIVER && desc->stype == ZE_STRUCTURE_TYPE_CONTEXT_DESC, "context");
    *context = CONTEXT;
    return made();
}

ze_result_t zeContextDestroy(ze_context_handle_t context) {
    require(live == 1, "the context goes before what was made in it");
    return given_back(context == CONTEXT);
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                         ze_command_queue_desc_t const *desc,
                                         ze_command_list_handle_t *list) {
    require(context == CONTEXT && device == DEVICE &&
                desc->stype == ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC &&
                desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
            "command list");
    *list = LIST;
    return made();
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list) { return given_back(list == LIST); }

ze_result_t zeMemAllocShared(ze_context_handle_t context,
                             ze_device_mem_alloc_desc_t const *device_desc,
                             ze_host_mem_alloc_desc_t const *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t device, void **pointer) {
    require(context == CONTEXT && device == DEVICE && alignment == 128 &&
                device_desc->stype == ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC &&
                host_desc->stype == ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
            "memory");
    *pointer = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    require(*pointer != NULL, "no memory");
    return made();
}

ze_result_t zeMemFree(ze_context_handle_t context, void *pointer) {
    free(pointer);
    return given_back(context == CONTEXT && pointer != NULL);
}

/* Modules and kernels were made by the other driver, which C++ also gives them back to. */
ze_result_t zeModuleDestroy(ze_module_handle_t module) {
    require(module == MODULE, "module");
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) {
    require(kernel == KERNEL, "kernel");
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel, uint32_t index, size_t size,
                                     void const *value) {
    require(kernel == KERNEL && index < most_arguments && size <= sizeof(arguments[0].bytes),
            "argument");
    arguments[index].size = size;
    memcpy(arguments[index].bytes, value, size);
    num_arguments = index + 1 > num_arguments ? index + 1 : num_arguments;
    return ZE_RESULT_SUCCESS;
}

/* The value of an argument. */
static void get(uint32_t index, size_t size, void *value) {
    require(arguments[index].size == size, "an argument has the wrong size");
    memcpy(value, arguments[index].bytes, size);
}

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            ze_group_count_t const *groups,
                                            ze_event_handle_t signal, uint32_t num_wait,
                                            ze_event_handle_t *wait) {
    require(list == LIST && kernel == KERNEL && signal == NULL && num_wait == 0 && wait == NULL,
            "launch");
    /* The example's kernel: dt, then as the page's. */
    require(num_arguments == most_arguments, "arguments are missing");
    int const n = 20, m = 9;
    float dt;
    float const *a, *b;
    float *c;
    int64_t elements, again;
    get(0, sizeof(dt), &dt);
    get(1, sizeof(a), &a);
    get(2, sizeof(b), &b);
    get(3, sizeof(elements), &elements);
    get(4, sizeof(c), &c);
    get(5, sizeof(again), &again);
    require(elements == again && groups->groupCountX == elements && groups->groupCountY == 1 &&
                groups->groupCountZ == 1,
            "the number of elements");
    for (int64_t e = 0; e < elements; ++e) {
        add_product(dt, a, b + e * n * m, c + e * n * m, n, m);
    }
    return ZE_RESULT_SUCCESS;
}
