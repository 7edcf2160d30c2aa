/* SPDX-License-Identifier: BSD-3-Clause */

#include <level_zero/ze_api.h>

ze_result_t zeModuleDestroy(ze_module_handle_t module) {
    (void)module;
    return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) {
    (void)kernel;
    return ZE_RESULT_SUCCESS;
}
