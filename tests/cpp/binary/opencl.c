/* SPDX-License-Identifier: BSD-3-Clause */

/* A program that runs a kernel on an OpenCL device. */

#include "tinytc_0_4_cl.h"

#include "kernel.h"

static cl_device_id find_device(void) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) == CL_SUCCESS) {
        for (cl_uint i = 0; i < count && i < 8; ++i) {
            cl_device_id device = NULL;
            if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
                return device;
            }
        }
    }
    return NULL;
}

static cl_mem make_buffer(cl_context context, size_t size, float *data) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size * sizeof(float),
                          data, NULL);
}

int main(void) {
    tinytc_support_level_t level = tinytc_support_level_none;
    CHECK(tinytc_cl_get_support_level(NULL, &level) == tinytc_status_invalid_arguments);
    cl_device_id device = find_device();
    if (!device) {
        return skip("there is no OpenCL device");
    }
    CHECK(tinytc_cl_get_support_level(device, &level) == tinytc_status_success);
    CHECK(level != tinytc_support_level_none);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);

    tinytc_prog_t prog = parsed();
    cl_program bundle = NULL;
    CHECK(tinytc_cl_kernel_bundle_create_with_program(&bundle, context, device, prog, 0) ==
          tinytc_status_success);
    CHECK(tinytc_prog_release(prog) == tinytc_status_success);
    cl_kernel kernel = clCreateKernel(bundle, "multiply", NULL);

    static float A[64], B[numbers], C[numbers];
    fill(A, B, C);
    cl_mem buffers[] = {make_buffer(context, 64, A), make_buffer(context, numbers, B),
                        make_buffer(context, numbers, C)};
    int64_t const number = elements;
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 2, sizeof(number), &number) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &buffers[2]) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 4, sizeof(number), &number) == CL_SUCCESS);

    size_t const groups[] = {elements, 1, 1};
    size_t local[3] = {0}, global[3] = {0};
    CHECK(tinytc_cl_get_group_size(kernel, local) == tinytc_status_success);
    tinytc_cl_get_global_size(groups, local, global);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof(C), C, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(count_wrong(B, C) == 0);

    for (int i = 0; i < 3; ++i) {
        clReleaseMemObject(buffers[i]);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(bundle);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return check_result();
}
