// SPDX-License-Identifier: BSD-3-Clause

// The fused matrix chain from a plain OpenCL program, with a buffer and with shared virtual memory;
// and what OpenCL has to say about wrong names and handles.
//
// Argument: the folder with fused_kernel.ir.

#include "check.hpp"
#include "variants.hpp"

#include <tiletc/tiletc_cl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t M = 56;
constexpr std::size_t N = 9;
constexpr std::int64_t E = 3;

/// The first OpenCL device there is, or null.
auto first_device() -> cl_device_id {
    cl_uint num_platforms = 0;
    if (clGetPlatformIDs(0, nullptr, &num_platforms) != CL_SUCCESS) {
        return nullptr;
    }
    auto platforms = std::vector<cl_platform_id>(num_platforms);
    CHECK(clGetPlatformIDs(num_platforms, platforms.data(), nullptr) == CL_SUCCESS);
    for (auto platform : platforms) {
        cl_device_id device = nullptr;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) {
            return device;
        }
    }
    return nullptr;
}

template <typename T> auto device_info(cl_device_id device, cl_device_info what) -> T {
    auto value = T{};
    CHECK(clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) == CL_SUCCESS);
    return value;
}

/// Any numbers of magnitude one.
auto number(std::size_t i) -> float { return std::sin(static_cast<float>(i) * 0.7f); }

/// Memory that host and device see under one address.
struct svm_deleter {
    cl_context context;
    void operator()(float *ptr) const { clSVMFree(context, ptr); }
};
using svm_array = std::unique_ptr<float, svm_deleter>;

auto svm(cl_context context, std::size_t size, std::size_t seed) -> svm_array {
    auto *ptr = static_cast<float *>(clSVMAlloc(
        context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size * sizeof(float), 128));
    CHECK(ptr != nullptr);
    for (std::size_t i = 0; ptr && i < size; ++i) {
        ptr[i] = number(seed + i);
    }
    return svm_array{ptr, {context}};
}

void expect_result(float const *K, float const *P, float const *const *A, float const *Q) {
    for (std::size_t e = 0; e < E; ++e) {
        double error = 0.0, norm = 0.0;
        for (std::size_t j = 0; j < N; ++j) {
            for (std::size_t i = 0; i < M; ++i) {
                double expected = number(3000 + i + j * M + e * M * N);
                for (std::size_t l = 0; l < N; ++l) {
                    double KP = 0.0;
                    for (std::size_t k = 0; k < M; ++k) {
                        KP += double{K[i + k * M]} * P[k + l * M + e * M * N];
                    }
                    expected += KP * A[e][l + j * N];
                }
                error += std::pow(Q[i + j * M + e * M * N] - expected, 2);
                norm += std::pow(expected, 2);
            }
        }
        CHECK(std::sqrt(error / norm) <= 1e-5);
    }
}

void launch(cl_context context, cl_device_id device, cl_command_queue queue, cl_kernel kernel) {
    auto const K = svm(context, M * M, 0);
    auto P = std::vector<float>(M * N * E);
    for (std::size_t i = 0; i < P.size(); ++i) {
        P[i] = number(1000 + i);
    }
    auto const Q = svm(context, M * N * E, 3000);
    auto const A0 = svm(context, N * N, 5000);
    auto const A1 = svm(context, N * N, 6000);
    auto const A2 = svm(context, N * N, 7000);
    // The table of pointers lives in shared memory as well.
    auto const table = svm(context, E * sizeof(float *) / sizeof(float), 0);
    if (!K || !Q || !A0 || !A1 || !A2 || !table) {
        return;
    }
    std::array<float *, E> const A = {A2.get(), A0.get(), A1.get()};
    std::memcpy(static_cast<void *>(table.get()), A.data(), sizeof(A));

    cl_int code = CL_SUCCESS;
    cl_mem P_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                     P.size() * sizeof(float), P.data(), &code);
    CHECK(code == CL_SUCCESS);
    std::int64_t const howmany = E;
    CHECK(clSetKernelArgSVMPointer(kernel, 0, K.get()) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 1, sizeof(P_buffer), &P_buffer) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 2, sizeof(howmany), &howmany) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(kernel, 3, table.get()) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 4, sizeof(howmany), &howmany) == CL_SUCCESS);
    CHECK(clSetKernelArgSVMPointer(kernel, 5, Q.get()) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 6, sizeof(howmany), &howmany) == CL_SUCCESS);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(A), A.data()) ==
          CL_SUCCESS);

    auto const local_size = tiletc::get_group_size(kernel);
    CHECK(local_size[0] * local_size[1] >= 1 && local_size[2] == 1);
    CHECK(local_size[0] * local_size[1] <=
          device_info<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
    auto const global_size = tiletc::get_global_size({E, 1, 1}, local_size);
    CHECK(global_size[0] == E * local_size[0] && global_size[1] == local_size[1]);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, global_size.data(), local_size.data(),
                                 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(clFinish(queue) == CL_SUCCESS);
    expect_result(K.get(), P.data(), A.data(), Q.get());
    clReleaseMemObject(P_buffer);
}

void wrong_handles_are_refused(cl_context context, cl_device_id device, tiletc_prog_t prog) {
    using tiletc::status;
    CHECK(status_of([] { tiletc::get_support_level(cl_device_id{}); }) ==
          status::invalid_arguments);
    CHECK(status_of([] { tiletc::create_core_info(cl_device_id{}); }) == status::invalid_arguments);
    CHECK(status_of([&] { tiletc::create_kernel_bundle(nullptr, device, prog); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] { tiletc::create_kernel_bundle(context, nullptr, prog); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] { tiletc::create_kernel_bundle(context, device, tiletc_prog_t{}); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] { tiletc::create_kernel_bundle(context, device, tiletc_binary_t{}); }) ==
          status::invalid_arguments);
    CHECK(status_of([] { tiletc::get_group_size(cl_kernel{}); }) == status::invalid_arguments);
    CHECK(tiletc_cl_get_support_level(device, nullptr) == tiletc_status_invalid_arguments);
    CHECK(tiletc_cl_kernel_bundle_create_with_program(nullptr, context, device, prog, 0) ==
          tiletc_status_invalid_arguments);
    CHECK(tiletc_cl_kernel_bundle_create_with_binary(nullptr, context, device, nullptr) ==
          tiletc_status_invalid_arguments);
}

/// Message of a failure.
template <typename F> auto said_by(F &&f) -> std::string {
    try {
        f();
    } catch (std::exception const &e) {
        return e.what();
    }
    return "nothing";
}

/// The arguments of the kernel, of which one after the other is wrong.
void arguments_are_compared(cl_context context, cl_device_id device, cl_command_queue queue,
                            cl_program bundle, tiletc::shared_handle<cl_kernel> const &kernel) {
    using tiletc::mem, tiletc::mem_type;
    CHECK(said_by([&] { tiletc::create_kernel(bundle, "fused"); }) ==
          "there is no kernel `fused`; the bundle has fused_kernel");
    auto const K = svm(context, M * M, 0);
    auto const shared = mem(static_cast<void *>(K.get()), mem_type::svm_pointer);
    std::int64_t const howmany = 0;
    auto const prefix = std::string{"kernel fused_kernel: "};
    CHECK(said_by([&] { tiletc::set_args(kernel, shared, shared, 1, shared); }) ==
          prefix + "%P: memref<f32x56x9x?> takes a pointer to float and one int64, got an SVM "
                   "pointer and an int32 (arguments 2 to 3)");
    CHECK(said_by([&] { tiletc::set_args(kernel, 1.0f); }) ==
          prefix + "%K: memref<f32x56x56> takes a pointer to float, got a float (argument 1)");
    CHECK(said_by([&] { tiletc::set_args(kernel, shared, shared, howmany, cl_mem{}, howmany); }) ==
          prefix + "%A: group<memref<f32x9x9>x?> takes a pointer to pointers to float and "
                   "one int64, got a buffer and an int64 (arguments 4 to 5)");
    auto const message =
        said_by([&] { tiletc::set_args(kernel, shared, shared, howmany, shared, howmany); });
    CHECK(message == prefix + "%Q: memref<f32x56x9x?> takes a pointer to float and one int64, got "
                              "nothing (argument 6 is missing)");
    CHECK(status_of([&] { tiletc::set_args(kernel); }) == tiletc::status::invalid_kernel_arguments);
    tiletc::set_args(kernel, shared, shared, howmany, shared, howmany, shared, howmany);
    auto const event = tiletc::submit(queue, kernel, {0, 1, 1}, shared, shared, howmany, shared,
                                      howmany, shared, howmany);
    CHECK(clWaitForEvents(1, &*std::array{event.get()}.begin()) == CL_SUCCESS);

    // Work-groups: as many as there are matrices
    auto const none =
        tiletc::submit(queue, kernel, shared, shared, howmany, shared, howmany, shared, howmany);
    CHECK(clWaitForEvents(1, &*std::array{none.get()}.begin()) == CL_SUCCESS);
    std::int64_t const two = 2;
    CHECK(
        said_by([&] {
            tiletc::submit(queue, kernel, {1, 1, 1}, shared, shared, two, shared, two, shared, two);
        }) == prefix + "1 × 1 × 1 work-groups, where the arguments need 2 × 1 × 1 (grid=[%Q[2]])");
    CHECK(status_of([&] {
              tiletc::submit(queue, kernel, {2, 0, 1}, shared, shared, two, shared, two, shared,
                             two);
          }) == tiletc::status::launch_grid_mismatch);
    auto const unknown = tiletc::create_kernel_bundle(
        context, device, tiletc::parse_string("func @f() { %n = num_groups.x }"), 0);
    auto const of_any_grid = tiletc::create_kernel(unknown.get(), "f");
    CHECK(said_by([&] { tiletc::submit(queue, of_any_grid); }) ==
          "kernel f: nothing tells how many work-groups it takes; pass their number, or give the "
          "function an attribute grid=[x,y,z]");

    // What attributes promise
    auto const promising = tiletc::create_kernel_bundle(
        context, device,
        tiletc::parse_string("func @f(%A: memref<f32x?> {alignment=64, shape_gcd=[4]}) {}"), 0);
    auto const aligned = tiletc::create_kernel(promising.get(), "f");
    tiletc::set_args(aligned, shared, std::int64_t{8});
    CHECK(said_by([&] { tiletc::set_args(aligned, shared, std::int64_t{6}); }) ==
          "kernel f: argument 2 (%A): the kernel was compiled for shape_gcd=[4], but the size of "
          "mode "
          "0 is 6");
    CHECK(status_of([&] {
              tiletc::set_args(aligned, mem(K.get() + 1, mem_type::svm_pointer), std::int64_t{8});
          }) == tiletc::status::launch_argument_contract);

    // From C, where a number without an address is refused as well
    tiletc_kernel_arg_t arg = {};
    arg.kind = tiletc_arg_kind_integer;
    CHECK(tiletc_cl_check_args(kernel.get(), 1, &arg) == tiletc_status_invalid_arguments);
    arg.kind = static_cast<tiletc_arg_kind_t>(77);
    CHECK(tiletc_cl_set_args(kernel.get(), 1, &arg) == tiletc_status_invalid_arguments);
    CHECK(tiletc_cl_set_args(nullptr, 0, nullptr) == tiletc_status_invalid_arguments);
    CHECK(tiletc_cl_submit(kernel.get(), queue, nullptr, 0, nullptr, 0, nullptr, nullptr) ==
          tiletc_status_invalid_kernel_arguments);
}

void variants_are_chosen(cl_context context, cl_device_id device, cl_command_queue queue) {
    using tiletc::mem, tiletc::mem_type;
    using strides = std::array<std::int64_t, 2>;
    auto bundle = tiletc::create_kernel_bundle(context, device, tiletc::parse_string(copy_text), 0);
    auto const kernel = tiletc::create_kernel(bundle.get(), "copy");
    // Variants are made for who has nothing but the kernel.
    bundle = {};
    auto const A = svm(context, copied_numbers, 0), B = svm(context, copied_numbers, 0);
    auto const shared = [](svm_array const &array) {
        return mem(static_cast<void *>(array.get()), mem_type::svm_pointer);
    };
    copy_every_layout(
        A.get(), B.get(),
        [&](strides const &from, strides const &to) {
            auto const event =
                tiletc::submit(queue, kernel, {1, 1, 1}, shared(A), copied_rows, copied_cols,
                               from[0], from[1], shared(B), copied_rows, copied_cols, to[0], to[1]);
            auto const ended = event.get();
            CHECK(clWaitForEvents(1, &ended) == CL_SUCCESS);
        },
        [&](strides const &from, strides const &to) {
            auto const args =
                tiletc::internal::make_args(shared(A), copied_rows, copied_cols, from[0], from[1],
                                            shared(B), copied_rows, copied_cols, to[0], to[1]);
            cl_kernel selected = nullptr;
            CHECK(tiletc_cl_prepare_launch(&selected, nullptr, kernel.get(), nullptr, args.size(),
                                           args.data()) == tiletc_status_success);
            return tiletc::shared_handle{selected}.get() != nullptr;
        });
    cl_kernel selected = nullptr;
    CHECK(tiletc_cl_prepare_launch(&selected, nullptr, kernel.get(), nullptr, 0, nullptr) ==
          tiletc_status_invalid_kernel_arguments);
    CHECK(tiletc_cl_prepare_launch(nullptr, nullptr, kernel.get(), nullptr, 0, nullptr) ==
          tiletc_status_invalid_arguments);
}

/// A kernel and its arguments, whose launches are timed.
struct timed {
    cl_kernel kernel;
    cl_command_queue queue;
    std::size_t num_args;
    tiletc_kernel_arg_t const *args;
};

/// Launches it as the manual does.
auto launch_timed(double *seconds, std::size_t launches, tiletc_bool_t, void *user_data)
    -> tiletc_status_t {
    auto const *const it = static_cast<timed const *>(user_data);
    *seconds = 0.0;
    for (std::size_t i = 0; i < launches; ++i) {
        cl_event event = nullptr;
        cl_ulong start = 0, end = 0;
        auto const code = tiletc_cl_submit(it->kernel, it->queue, nullptr, it->num_args, it->args,
                                           0, nullptr, &event);
        if (code != tiletc_status_success) {
            return code;
        }
        clWaitForEvents(1, &event);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
        clReleaseEvent(event);
        *seconds += 1e-9 * static_cast<double>(end - start) / static_cast<double>(launches);
    }
    return tiletc_status_success;
}

/// Times of launches by the device's clock, until the library knows their median.
void launches_are_timed(cl_context context, cl_device_id device) {
    auto const bundle = tiletc::create_kernel_bundle(context, device, tiletc::parse_string(R"(
func @fill(%x: memref<f32x1024x?>) {
    %g = group_id.x
    %a = subview %x[0:1024,%g]
    axpby 0.0, %a, 1.0, %a
})"),
                                                     0);
    auto const kernel = tiletc::create_kernel(bundle.get(), "fill");
    constexpr std::int64_t columns = 64;
    auto const x = svm(context, 1024 * columns, 0);
    cl_queue_properties const properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int code = CL_SUCCESS;
    auto *const queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    CHECK(code == CL_SUCCESS);
    auto const shared = tiletc::mem(static_cast<void *>(x.get()), tiletc::mem_type::svm_pointer);
    auto const args = tiletc::internal::make_args(shared, columns);

    auto it = timed{kernel.get(), queue, args.size(), args.data()};
    tiletc_bench_summary_t found = {};
    std::size_t samples = 0, launches = 0;
    CHECK(tiletc_bench(&found, &samples, &launches, &launch_timed, &it, 1e-5, 0.5) ==
          tiletc_status_success);
    CHECK(found.minimum > 0.0 && found.median < 1.0);
    CHECK(found.lower <= found.median && found.median <= found.upper);
    CHECK(samples >= 1 && launches >= 1 && (!found.precise || samples >= 20));
    // In C++ what a launch throws ends the measurement.
    auto const times = tiletc::measure_times(
        [&](std::size_t count, bool is_sample) {
            auto seconds = 0.0;
            launch_timed(&seconds, count, is_sample, &it);
            return seconds;
        },
        0.0, 0.01);
    CHECK(times.launches == 1 && times.summary.median > 0.0);
    CHECK(status_of([] {
              tiletc::measure_times(
                  [](std::size_t, bool) -> double { throw tiletc::status::bad_alloc; }, 0.0, 1.0);
          }) == tiletc::status::bad_alloc);
    it.num_args = 0;
    CHECK(tiletc_bench(&found, nullptr, nullptr, &launch_timed, &it, 0.0, 0.5) ==
          tiletc_status_invalid_kernel_arguments);
    clReleaseCommandQueue(queue);
}

void a_bad_binary_is_reported(cl_context context, cl_device_id device) {
    auto const ctx = tiletc::create_compiler_context();
    std::uint8_t const noise[64] = {1, 2, 3};
    auto const bin =
        tiletc::create_binary(ctx.get(), tiletc::bundle_format::spirv, sizeof(noise), noise, 0);
    CHECK(status_of([&] { tiletc::create_kernel_bundle(context, device, bin); }) ==
          tiletc::status::compute_runtime_error);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: opencl_host FOLDER\n", stderr);
        return 2;
    }
    auto *const device = first_device();
    if (!device) {
        return skip("there is no OpenCL device");
    }
    if (!(device_info<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES) &
          CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) {
        return skip("the OpenCL device has no fine-grained shared virtual memory");
    }
    cl_int code = CL_SUCCESS;
    auto const context =
        tiletc::shared_handle{clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code)};
    CHECK(code == CL_SUCCESS);
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context.get(), device, nullptr, &code);
    CHECK(code == CL_SUCCESS);

    try {
        CHECK(tiletc::get_support_level(device) != tiletc::support_level::none);
        CHECK(!tiletc::get_subgroup_sizes(tiletc::create_core_info(device).get()).empty());

        auto ctx = tiletc::create_compiler_context();
        set_error_reporter(ctx, [](char const *what, const tiletc_location *, void *) {
            fprintf(stderr, "%s\n", what);
        });
        auto const file = std::string(argv[1]) + "/fused_kernel.ir";
        auto prog = tiletc::parse_file(file.c_str(), ctx.get());
        wrong_handles_are_refused(context.get(), device, prog.get());

        auto bundle = tiletc::create_kernel_bundle(context.get(), device, prog);
        // What the kernel needs, it keeps.
        prog = {};
        ctx = {};
        CHECK(status_of([&] { tiletc::create_kernel(bundle.get(), "no_such_kernel"); }) ==
              tiletc::status::compute_runtime_error);
        auto const kernel = tiletc::create_kernel(bundle.get(), "fused_kernel");
        arguments_are_compared(context.get(), device, queue, bundle.get(), kernel);
        bundle = {};
        launch(context.get(), device, queue, kernel.get());
        launch(context.get(), device, queue, kernel.get());

        variants_are_chosen(context.get(), device, queue);
        launches_are_timed(context.get(), device);
        a_bad_binary_is_reported(context.get(), device);
    } catch (tiletc::status const &st) {
        fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    }
    clReleaseCommandQueue(queue);
    return check_result();
}
