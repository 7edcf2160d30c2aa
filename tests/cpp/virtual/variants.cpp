// SPDX-License-Identifier: BSD-3-Clause

// Variants of kernels on Level Zero.

#include "../check.hpp"
#include "../variants.hpp"

#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_ze.hpp>

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>

namespace {

using strides = std::array<std::int64_t, 2>;

/// The variant of a kernel for matrices of these strides, and the status of asking for it.
auto variant(ze_kernel_handle_t kernel, float *A, strides const &from, float *B, strides const &to)
    -> tiletc::unique_handle<ze_kernel_handle_t> {
    auto const args = tiletc::internal::make_args(A, copied_rows, copied_cols, from[0], from[1], B,
                                                  copied_rows, copied_cols, to[0], to[1]);
    ze_kernel_handle_t selected = nullptr;
    ze_module_handle_t module = nullptr;
    CHECK(tiletc_ze_variant_create(&selected, &module, kernel, args.size(), args.data()) ==
          tiletc_status_success);
    CHECK((selected == nullptr) == (module == nullptr));
    return tiletc::unique_handle{selected};
}

} // namespace

int main() {
    CHECK(zeInit(ZE_INIT_FLAG_GPU_ONLY) == ZE_RESULT_SUCCESS);
    std::uint32_t one = 1;
    ze_driver_handle_t driver = nullptr;
    CHECK(zeDriverGet(&one, &driver) == ZE_RESULT_SUCCESS);
    ze_device_handle_t device = nullptr;
    CHECK(zeDeviceGet(driver, &one, &device) == ZE_RESULT_SUCCESS);
    ze_context_desc_t context_desc = {};
    context_desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
    ze_context_handle_t context = nullptr;
    CHECK(zeContextCreate(driver, &context_desc, &context) == ZE_RESULT_SUCCESS);
    ze_command_queue_desc_t queue_desc = {};
    queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t list = nullptr;
    CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list) == ZE_RESULT_SUCCESS);
    ze_device_mem_alloc_desc_t on_device = {};
    on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
    ze_host_mem_alloc_desc_t on_host = {};
    on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    void *memory = nullptr;
    CHECK(zeMemAllocShared(context, &on_device, &on_host, 2 * copied_numbers * sizeof(float), 128,
                           device, &memory) == ZE_RESULT_SUCCESS);
    auto *const A = static_cast<float *>(memory);
    auto *const B = A + copied_numbers;

    // A bundle for each round: variants go with it.
    for (int round = 0; round < 2; ++round) {
        auto bundle =
            tiletc::create_kernel_bundle(context, device, tiletc::parse_string(copy_text));
        auto kernel = tiletc::create_kernel(bundle.get(), "copy");
        copy_every_layout(
            A, B,
            [&](strides const &from, strides const &to) {
                tiletc::submit(list, kernel, {1, 1, 1}, A, copied_rows, copied_cols, from[0],
                               from[1], B, copied_rows, copied_cols, to[0], to[1]);
            },
            [&](strides const &from, strides const &to) {
                return variant(kernel.get(), A, from, B, to).get() != nullptr;
            });
        kernel = {};
        bundle = {};
    }

    zeMemFree(context, memory);
    zeCommandListDestroy(list);
    zeContextDestroy(context);
    return check_result();
}
