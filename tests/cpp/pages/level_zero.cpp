// SPDX-License-Identifier: BSD-3-Clause

// The program of the manual's page "Level Zero".

#include <level_zero/ze_api.h>
#include <tiletc/tiletc_ze.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>

// C_e <- C_e + A B_e: one work-group for each element e
constexpr char const *text = R"(
    func @multiply(%A: memref<f32x8x8>, %B: memref<f32x8x8x?>, %C: memref<f32x8x8x?>) {
        %e   = group_id.x : index
        %b   = subview %B[0:8,0:8,%e] : memref<f32x8x8>
        %c   = subview %C[0:8,0:8,%e] : memref<f32x8x8>
        %one = constant 1.0 : f32
        gemm %one, %A, %b, %one, %c
    }
)";

// The first GPU of the first driver
ze_device_handle_t find_device(ze_driver_handle_t &driver) {
    uint32_t drivers = 1, devices = 1;
    ze_device_handle_t device = nullptr;
    if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS ||
        zeDriverGet(&drivers, &driver) != ZE_RESULT_SUCCESS || drivers == 0 ||
        zeDeviceGet(driver, &devices, &device) != ZE_RESULT_SUCCESS || devices == 0) {
        throw std::runtime_error("there is no Level Zero device");
    }
    return device;
}

// Memory that host and device share, aligned to 128 bytes
float *allocate(ze_context_handle_t context, ze_device_handle_t device, std::size_t numbers) {
    ze_device_mem_alloc_desc_t on_device = {};
    on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
    ze_host_mem_alloc_desc_t on_host = {};
    on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    void *pointer = nullptr;
    tiletc::ZE_CHECK_STATUS(zeMemAllocShared(context, &on_device, &on_host, numbers * sizeof(float),
                                             128, device, &pointer));
    return static_cast<float *>(pointer);
}

int main() try {
    ze_driver_handle_t driver = nullptr;
    auto device = find_device(driver);
    ze_context_desc_t context_desc = {};
    context_desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
    ze_context_handle_t context = nullptr;
    tiletc::ZE_CHECK_STATUS(zeContextCreate(driver, &context_desc, &context));

    // A list whose commands run at once; each is done when the call returns
    ze_command_queue_desc_t queue_desc = {};
    queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t list = nullptr;
    tiletc::ZE_CHECK_STATUS(zeCommandListCreateImmediate(context, device, &queue_desc, &list));

    // From the text to a kernel: once
    auto prog = tiletc::parse_string(text);
    auto bundle = tiletc::create_kernel_bundle(context, device, prog.get());
    auto kernel = tiletc::create_kernel(bundle.get(), "multiply");

    std::int64_t const elements = 1000;
    auto const numbers = static_cast<std::size_t>(64 * elements);
    auto *A = allocate(context, device, 64);
    auto *B = allocate(context, device, numbers);
    auto *C = allocate(context, device, numbers);
    for (std::size_t i = 0; i < 64; ++i) {
        A[i] = i % 9 == 0 ? 2.0f : 0.0f; // twice the identity
    }
    for (std::size_t i = 0; i < numbers; ++i) {
        B[i] = static_cast<float>(i % 1000);
        C[i] = 1.0f;
    }

    // Launch one work-group for each element, whose size create_kernel has set. Arguments are in the
    // order of the kernel's; behind B and C stands what their `?` is
    tiletc::submit(list, kernel, {static_cast<std::uint32_t>(elements), 1, 1}, A, B, elements, C,
                   elements);

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < numbers; ++i) {
        wrong += C[i] != 1.0f + 2.0f * B[i] ? 1 : 0;
    }
    std::printf("%zu numbers are wrong\n", wrong);
    for (auto *tensor : {A, B, C}) {
        zeMemFree(context, tensor);
    }
    zeCommandListDestroy(list);
    kernel = {};
    bundle = {};
    zeContextDestroy(context);
    return wrong == 0 ? 0 : 1;
} catch (std::exception const &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
