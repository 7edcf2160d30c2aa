// SPDX-License-Identifier: BSD-3-Clause

// Objects of OpenCL and Level Zero to call functions with, where these runtimes are. Unlike handles of this library, the
// drivers' must be live whenever they are used, so each thread has its own of what comes and goes.

#ifndef TILETC_TESTS_RANDOM_CALLS_RUNTIMES_HPP
#define TILETC_TESTS_RANDOM_CALLS_RUNTIMES_HPP

#include <level_zero/ze_api.h>
#include <tiletc/tiletc.h>

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <utility>
#include <vector>

// OpenCL's types, whose header need not be there
using cl_uint = std::uint32_t;
using cl_platform_id = struct _cl_platform_id *;
using cl_device_id = struct _cl_device_id *;
using cl_context = struct _cl_context *;
using cl_command_queue = struct _cl_command_queue *;
using cl_program = struct _cl_program *;
using cl_kernel = struct _cl_kernel *;
using cl_event = struct _cl_event *;

#define TILETC_DECLARE(DECLARATION) extern "C" DECLARATION;
#define TILETC_CALL(NAME)
#include "functions.inc"
#ifdef TILETC_TEST_TINYTC
#include "tinytc.inc"
#endif
#undef TILETC_DECLARE
#undef TILETC_CALL

/// A function of a shared library.
template <typename F> auto symbol(void *library, char const *name) -> F * {
    return library == nullptr ? nullptr : reinterpret_cast<F *>(dlsym(library, name));
}

/// The first OpenCL device with a context; null if there is none.
struct opencl {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    int (*release_program)(cl_program) =
        symbol<int(cl_program)>(library, "clReleaseProgram");
    int (*release_kernel)(cl_kernel) = symbol<int(cl_kernel)>(library, "clReleaseKernel");
    int (*release_event)(cl_event) = symbol<int(cl_event)>(library, "clReleaseEvent");
    int (*finish)(cl_command_queue) = symbol<int(cl_command_queue)>(library, "clFinish");
    int (*create_kernels)(cl_program, cl_uint, cl_kernel *, cl_uint *) =
        symbol<int(cl_program, cl_uint, cl_kernel *, cl_uint *)>(library, "clCreateKernelsInProgram");

    opencl() {
        auto const get_platforms =
            symbol<int(cl_uint, cl_platform_id *, cl_uint *)>(library, "clGetPlatformIDs");
        auto const get_devices =
            symbol<int(cl_platform_id, std::uint64_t, cl_uint, cl_device_id *, cl_uint *)>(
                library, "clGetDeviceIDs");
        auto const create_context =
            symbol<cl_context(void const *, cl_uint, cl_device_id const *, void *, void *, int *)>(
                library, "clCreateContext");
        constexpr std::uint64_t all = 0xffffffff;
        cl_platform_id platform = nullptr;
        if (create_context != nullptr && get_platforms(1, &platform, nullptr) == 0 &&
            get_devices(platform, all, 1, &device, nullptr) == 0) {
            context = create_context(nullptr, 1, &device, nullptr, nullptr, nullptr);
        }
    }

    auto create_queue() const -> cl_command_queue {
        auto const create = symbol<cl_command_queue(cl_context, cl_device_id, void const *, int *)>(
            library, "clCreateCommandQueueWithProperties");
        return context == nullptr ? nullptr : create(context, device, nullptr, nullptr);
    }

    /// Memory of the host that kernels may use, too.
    auto allocate(std::size_t size) const -> void * {
        auto const create = symbol<void *(cl_context, std::uint64_t, std::size_t, cl_uint)>(
            library, "clSVMAlloc");
        return create(context, 1, size, 0);
    }
};

/// The first device of Level Zero with a context; null if there is none.
struct level_zero {
    void *library = dlopen("libze_loader.so.1", RTLD_NOW);
    ze_device_handle_t device = nullptr;
    ze_context_handle_t context = nullptr;

    level_zero() {
        auto const init = symbol<decltype(zeInit)>(library, "zeInit");
        auto const get_drivers = symbol<decltype(zeDriverGet)>(library, "zeDriverGet");
        auto const get_devices = symbol<decltype(zeDeviceGet)>(library, "zeDeviceGet");
        auto const create_context = symbol<decltype(zeContextCreate)>(library, "zeContextCreate");
        std::uint32_t drivers = 1, devices = 1;
        ze_driver_handle_t driver = nullptr;
        auto description = ze_context_desc_t{};
        description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
        if (create_context == nullptr || init(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS ||
            get_drivers(&drivers, &driver) != ZE_RESULT_SUCCESS || drivers == 0 ||
            get_devices(driver, &devices, &device) != ZE_RESULT_SUCCESS || devices == 0 ||
            create_context(driver, &description, &context) != ZE_RESULT_SUCCESS) {
            context = nullptr;
        }
    }

    /// A list whose commands have run when a call returns.
    auto create_list() const -> ze_command_list_handle_t {
        auto const create =
            symbol<decltype(zeCommandListCreateImmediate)>(library, "zeCommandListCreateImmediate");
        auto description = ze_command_queue_desc_t{};
        description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        ze_command_list_handle_t list = nullptr;
        if (context != nullptr) {
            create(context, device, &description, &list);
        }
        return list;
    }

    auto allocate(std::size_t size) const -> void * {
        auto const create = symbol<decltype(zeMemAllocShared)>(library, "zeMemAllocShared");
        auto on_device = ze_device_mem_alloc_desc_t{};
        on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
        auto on_host = ze_host_mem_alloc_desc_t{};
        on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
        void *memory = nullptr;
        create(context, &on_device, &on_host, size, 64, device, &memory);
        return memory;
    }
};

/// The runtimes that are there.
struct runtimes {
    opencl cl;
    level_zero ze;

    static auto get() -> runtimes const & {
        static auto const all = runtimes{};
        return all;
    }
};

/// Objects of the runtimes that a thread has.
class runtime_objects {
  public:
    runtime_objects() = default;
    runtime_objects(runtime_objects const &) = delete;
    auto operator=(runtime_objects const &) -> runtime_objects & = delete;
    ~runtime_objects() {
        put(cl_program{});
        destroy_module();
    }

    cl_command_queue const queue = runtimes::get().cl.create_queue();
    ze_command_list_handle_t const list = runtimes::get().ze.create_list();

    auto program() const -> cl_program { return cl_program_; }
    auto kernel() const -> cl_kernel { return cl_kernel_; }
    auto module() const -> ze_module_handle_t { return module_; }
    auto native_kernel() const -> ze_kernel_handle_t { return ze_kernel_; }

    /// Takes the place of the program, with a kernel if it has one.
    void put(cl_program program) {
        auto const &cl = runtimes::get().cl;
        if (auto const old = std::exchange(cl_kernel_, nullptr)) {
            cl.release_kernel(old);
        }
        if (auto const old = std::exchange(cl_program_, program)) {
            cl.release_program(old);
        }
        cl_uint count = 0;
        auto kernels = std::vector<cl_kernel>{};
        if (program != nullptr && cl.create_kernels(program, 0, nullptr, &count) == 0) {
            kernels.resize(count);
            cl.create_kernels(program, count, kernels.data(), nullptr);
        }
        for (auto kernel : kernels) {
            if (auto const old = std::exchange(cl_kernel_, kernel)) {
                cl.release_kernel(old);
            }
        }
    }

    void put(cl_kernel kernel) {
        if (auto const old = std::exchange(cl_kernel_, kernel)) {
            runtimes::get().cl.release_kernel(old);
        }
    }

    void put(ze_module_handle_t module) {
        destroy_module();
        module_ = module;
    }

    void put(ze_kernel_handle_t kernel) {
        destroy_kernel();
        ze_kernel_ = kernel;
    }

    /// Gives the module up, whose kernel goes with it.
    auto take_module() -> ze_module_handle_t {
        destroy_kernel();
        return std::exchange(module_, nullptr);
    }

    auto take_kernel() -> ze_kernel_handle_t { return std::exchange(ze_kernel_, nullptr); }

  private:
    void destroy_kernel() {
        if (auto const old = take_kernel()) {
            tiletc_ze_kernel_destroy(old);
        }
    }
    void destroy_module() {
        if (auto const old = take_module()) {
            tiletc_ze_kernel_bundle_destroy(old);
        }
    }

    cl_program cl_program_ = nullptr;
    cl_kernel cl_kernel_ = nullptr;
    ze_module_handle_t module_ = nullptr;
    ze_kernel_handle_t ze_kernel_ = nullptr;
};

#endif // TILETC_TESTS_RANDOM_CALLS_RUNTIMES_HPP
