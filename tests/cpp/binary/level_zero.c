/* SPDX-License-Identifier: BSD-3-Clause */

/* A program that runs a kernel on a Level Zero device. */

#include "tinytc_0_4_ze.h"

#include "kernel.h"

static float *allocate(ze_context_handle_t context, ze_device_handle_t device, size_t size) {
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *pointer = NULL;
    CHECK(zeMemAllocShared(context, &on_device, &on_host, size * sizeof(float), 128, device,
                           &pointer) == ZE_RESULT_SUCCESS);
    return pointer;
}

int main(void) {
    tinytc_support_level_t level = tinytc_support_level_none;
    CHECK(tinytc_ze_get_support_level(NULL, &level) == tinytc_status_invalid_arguments);
    uint32_t count = 1;
    ze_driver_handle_t driver = NULL;
    ze_device_handle_t device = NULL;
    if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS ||
        zeDriverGet(&count, &driver) != ZE_RESULT_SUCCESS || count == 0 ||
        zeDeviceGet(driver, &count, &device) != ZE_RESULT_SUCCESS || count == 0) {
        return skip("there is no Level Zero device");
    }
    CHECK(tinytc_ze_get_support_level(device, &level) == tinytc_status_success);
    CHECK(level != tinytc_support_level_none);
    ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context = NULL;
    CHECK(zeContextCreate(driver, &context_desc, &context) == ZE_RESULT_SUCCESS);
    ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                          .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    ze_command_list_handle_t list = NULL;
    CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list) == ZE_RESULT_SUCCESS);

    tinytc_prog_t prog = parsed();
    ze_module_handle_t bundle = NULL;
    ze_kernel_handle_t kernel = NULL;
    uint32_t x = 0, y = 0, z = 0;
    CHECK(tinytc_ze_kernel_bundle_create_with_program(&bundle, context, device, prog, 0) ==
          tinytc_status_success);
    CHECK(tinytc_prog_release(prog) == tinytc_status_success);
    CHECK(tinytc_ze_kernel_create(&kernel, bundle, "multiply") == tinytc_status_success);
    CHECK(tinytc_ze_get_group_size(kernel, &x, &y, &z) == tinytc_status_success && x * y > 0 &&
          z == 1);
    if (!kernel) {
        return check_result();
    }

    float *tensors[] = {allocate(context, device, 64), allocate(context, device, numbers),
                        allocate(context, device, numbers)};
    fill(tensors[0], tensors[1], tensors[2]);
    int64_t const number = elements;
    void const *const arguments[] = {&tensors[0], &tensors[1], &number, &tensors[2], &number};
    for (uint32_t i = 0; i < 5; ++i) {
        CHECK(zeKernelSetArgumentValue(kernel, i, 8, arguments[i]) == ZE_RESULT_SUCCESS);
    }
    ze_group_count_t const groups = {elements, 1, 1};
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL) ==
          ZE_RESULT_SUCCESS);
    CHECK(count_wrong(tensors[1], tensors[2]) == 0);

    for (int i = 0; i < 3; ++i) {
        zeMemFree(context, tensors[i]);
    }
    zeCommandListDestroy(list);
    zeKernelDestroy(kernel);
    zeModuleDestroy(bundle);
    zeContextDestroy(context);
    return check_result();
}
