// SPDX-License-Identifier: BSD-3-Clause

// The first GPU of Level Zero with what launches on it need.

#ifndef GPU_HPP
#define GPU_HPP

#include "../check.hpp"

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>

/// A GPU, a context, a command list that carries each command out at once, and memory that host and
/// device share.
struct gpu {
    explicit gpu(std::size_t bytes) {
        CHECK(zeInit(ZE_INIT_FLAG_GPU_ONLY) == ZE_RESULT_SUCCESS);
        std::uint32_t one = 1;
        ze_driver_handle_t driver = nullptr;
        CHECK(zeDriverGet(&one, &driver) == ZE_RESULT_SUCCESS);
        CHECK(zeDeviceGet(driver, &one, &device) == ZE_RESULT_SUCCESS);
        ze_context_desc_t context_desc = {};
        context_desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
        CHECK(zeContextCreate(driver, &context_desc, &context) == ZE_RESULT_SUCCESS);
        ze_command_queue_desc_t queue_desc = {};
        queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list) ==
              ZE_RESULT_SUCCESS);
        ze_device_mem_alloc_desc_t on_device = {};
        on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
        ze_host_mem_alloc_desc_t on_host = {};
        on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
        CHECK(zeMemAllocShared(context, &on_device, &on_host, bytes, 128, device, &memory) ==
              ZE_RESULT_SUCCESS);
    }
    ~gpu() {
        zeMemFree(context, memory);
        zeCommandListDestroy(list);
        zeContextDestroy(context);
    }
    gpu(gpu const &) = delete;
    auto operator=(gpu const &) -> gpu & = delete;

    ze_device_handle_t device = nullptr;
    ze_context_handle_t context = nullptr;
    ze_command_list_handle_t list = nullptr;
    void *memory = nullptr;
};

#endif // GPU_HPP
