// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_OPENCL_HPP
#define TILETC_TESTS_OPENCL_HPP

#include "check.hpp"

#include <tiletc/tiletc_cl.hpp>

#include <CL/cl_ext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tiletc::internal {
template <> struct shared_handle_traits<cl_command_queue> {
    static auto retain(cl_command_queue obj) -> tiletc_status_t {
        clRetainCommandQueue(obj);
        return tiletc_status_success;
    }
    static auto release(cl_command_queue obj) -> tiletc_status_t {
        clReleaseCommandQueue(obj);
        return tiletc_status_success;
    }
};
} // namespace tiletc::internal

/// A device with its context, a queue, and memory.
struct opencl_setup {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    tiletc::shared_handle<cl_context> context;
    tiletc::shared_handle<cl_command_queue> queue;

    /// Memory that host and device see under one address.
    template <typename T> using array = std::unique_ptr<T, std::function<void(T *)>>;

    /// The first device there is.
    static auto first() -> std::optional<opencl_setup> {
        cl_uint num_platforms = 0;
        if (clGetPlatformIDs(0, nullptr, &num_platforms) != CL_SUCCESS) {
            return std::nullopt;
        }
        auto platforms = std::vector<cl_platform_id>(num_platforms);
        CHECK(clGetPlatformIDs(num_platforms, platforms.data(), nullptr) == CL_SUCCESS);
        for (auto platform : platforms) {
            auto setup = opencl_setup{};
            if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &setup.device, nullptr) ==
                CL_SUCCESS) {
                cl_int code = CL_SUCCESS;
                setup.platform = platform;
                setup.context = tiletc::shared_handle{
                    clCreateContext(nullptr, 1, &setup.device, nullptr, nullptr, &code)};
                CHECK(code == CL_SUCCESS);
                setup.queue = tiletc::shared_handle{clCreateCommandQueueWithProperties(
                    setup.context.get(), setup.device, nullptr, &code)};
                CHECK(code == CL_SUCCESS);
                return setup;
            }
        }
        return std::nullopt;
    }

    auto has_fine_grained_svm() const -> bool {
        cl_device_svm_capabilities capabilities = 0;
        CHECK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(capabilities),
                              &capabilities, nullptr) == CL_SUCCESS);
        return (capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    }

    auto has_usm() const -> bool {
        std::size_t size = 0;
        CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size) == CL_SUCCESS);
        auto text = std::string(size, '\0');
        CHECK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, text.data(), nullptr) ==
              CL_SUCCESS);
        return text.find("cl_intel_unified_shared_memory") != std::string::npos;
    }

    template <typename T> auto svm(std::size_t size) const -> array<T> {
        auto *ptr = static_cast<T *>(clSVMAlloc(context.get(),
                                                CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                                size * sizeof(T), 128));
        CHECK(ptr != nullptr);
        return {ptr, [ctx = context](T *obj) { clSVMFree(ctx.get(), obj); }};
    }

    template <typename T> auto usm(std::size_t size) const -> array<T> {
        auto const allocate =
            reinterpret_cast<clHostMemAllocINTEL_fn>(function("clHostMemAllocINTEL"));
        auto const release = reinterpret_cast<clMemFreeINTEL_fn>(function("clMemFreeINTEL"));
        cl_int code = CL_SUCCESS;
        auto *ptr =
            static_cast<T *>(allocate(context.get(), nullptr, size * sizeof(T), 128, &code));
        CHECK(code == CL_SUCCESS);
        return {ptr, [ctx = context, release](T *obj) { release(ctx.get(), obj); }};
    }

  private:
    auto function(char const *name) const -> void * {
        auto *address = clGetExtensionFunctionAddressForPlatform(platform, name);
        CHECK(address != nullptr);
        return address;
    }
};

#endif // TILETC_TESTS_OPENCL_HPP
