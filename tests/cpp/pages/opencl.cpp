// SPDX-License-Identifier: BSD-3-Clause

// The program of the manual's page "OpenCL".

#include <tiletc/tiletc_cl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

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

// The first device of the first platform that has one
cl_device_id find_device() {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) == CL_SUCCESS) {
        for (cl_uint i = 0; i < count && i < 8; ++i) {
            cl_device_id device = nullptr;
            if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) ==
                CL_SUCCESS) {
                return device;
            }
        }
    }
    throw std::runtime_error("there is no OpenCL device");
}

// A buffer with a copy of some numbers
cl_mem make_buffer(cl_context context, std::vector<float> &numbers) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   numbers.size() * sizeof(float), numbers.data(), &code);
    tiletc::CL_CHECK_STATUS(code);
    return buffer;
}

int main() try {
    auto device = find_device();
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    tiletc::CL_CHECK_STATUS(code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    tiletc::CL_CHECK_STATUS(code);

    // From the text to a kernel: once
    auto prog = tiletc::parse_string(text);
    auto bundle = tiletc::create_kernel_bundle(context, device, prog.get());
    auto kernel = tiletc::create_kernel(bundle.get(), "multiply");

    std::int64_t const elements = 1000;
    auto A = std::vector<float>(64), B = std::vector<float>(64 * elements);
    for (std::size_t i = 0; i < A.size(); ++i) {
        A[i] = i % 9 == 0 ? 2.0f : 0.0f; // twice the identity
    }
    for (std::size_t i = 0; i < B.size(); ++i) {
        B[i] = static_cast<float>(i % 1000);
    }
    auto C = std::vector<float>(B.size(), 1.0f);
    cl_mem const buffers[] = {make_buffer(context, A), make_buffer(context, B),
                              make_buffer(context, C)};

    // Launch one work-group for each element. Arguments are in the order of the kernel's; behind B
    // and C stands what their `?` is
    tiletc::submit(queue, kernel, {static_cast<std::size_t>(elements), 1, 1}, buffers[0],
                   buffers[1], elements, buffers[2], elements);
    tiletc::CL_CHECK_STATUS(clEnqueueReadBuffer(
        queue, buffers[2], CL_TRUE, 0, C.size() * sizeof(float), C.data(), 0, nullptr, nullptr));

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < C.size(); ++i) {
        wrong += C[i] != 1.0f + 2.0f * B[i] ? 1 : 0;
    }
    std::printf("%zu numbers are wrong\n", wrong);
    for (cl_mem buffer : buffers) {
        clReleaseMemObject(buffer);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong == 0 ? 0 : 1;
} catch (std::exception const &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
