/* SPDX-License-Identifier: BSD-3-Clause */

/* A layer below the OpenCL loader that counts the references to programs and kernels which the whole process
 * holds, SYCL and libtiletc included, and lets a call of the test's choice fail. The loader takes it from
 * OPENCL_LAYERS; what is counted stands in opencl_counts.h. */

#define CL_TARGET_OPENCL_VERSION 300
#include "opencl_counts.h"

#include <CL/cl_layer.h>

#include <stddef.h>
#include <string.h>

struct opencl_counts opencl_counts;

static struct _cl_icd_dispatch const *driver;
static struct _cl_icd_dispatch layer;

/* Whether the call that is being made is the one to fail. */
static int fails(void) { return ++opencl_counts.calls == opencl_counts.fail_at; }

static cl_program CL_API_CALL create_program_with_il(cl_context context, void const *il, size_t size,
                                                     cl_int *code) {
    if (fails()) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    cl_program program = driver->clCreateProgramWithIL(context, il, size, code);
    opencl_counts.programs += program != NULL;
    opencl_counts.made_programs += program != NULL;
    return program;
}

static cl_int CL_API_CALL retain_program(cl_program program) {
    ++opencl_counts.programs;
    return driver->clRetainProgram(program);
}

static cl_int CL_API_CALL release_program(cl_program program) {
    --opencl_counts.programs;
    return driver->clReleaseProgram(program);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint number, cl_device_id const *devices,
                                        char const *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *),
                                        void *user_data) {
    return fails() ? CL_DEVICE_NOT_AVAILABLE
                   : driver->clBuildProgram(program, number, devices, options, notify, user_data);
}

static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info what, size_t size,
                                           void *value, size_t *size_ret) {
    return fails() ? CL_DEVICE_NOT_AVAILABLE
                   : driver->clGetProgramInfo(program, what, size, value, size_ret);
}

static cl_int CL_API_CALL get_program_build_info(cl_program program, cl_device_id device,
                                                 cl_program_build_info what, size_t size,
                                                 void *value, size_t *size_ret) {
    return fails() ? CL_DEVICE_NOT_AVAILABLE
                   : driver->clGetProgramBuildInfo(program, device, what, size, value, size_ret);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, char const *name, cl_int *code) {
    if (fails()) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    cl_kernel kernel = driver->clCreateKernel(program, name, code);
    opencl_counts.kernels += kernel != NULL;
    opencl_counts.made_kernels += kernel != NULL;
    return kernel;
}

static cl_int CL_API_CALL retain_kernel(cl_kernel kernel) {
    ++opencl_counts.kernels;
    return driver->clRetainKernel(kernel);
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
    --opencl_counts.kernels;
    return driver->clReleaseKernel(kernel);
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_kernel_info what, size_t size,
                                          void *value, size_t *size_ret) {
    return fails() ? CL_DEVICE_NOT_AVAILABLE
                   : driver->clGetKernelInfo(kernel, what, size, value, size_ret);
}

static cl_int CL_API_CALL get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                     cl_kernel_work_group_info what, size_t size,
                                                     void *value, size_t *size_ret) {
    return fails() ? CL_DEVICE_NOT_AVAILABLE
                   : driver->clGetKernelWorkGroupInfo(kernel, device, what, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value,
                                               size_t *size_ret) {
    cl_layer_api_version const version = CL_LAYER_API_VERSION_100;
    if (what != CL_LAYER_API_VERSION || (value && size < sizeof version)) {
        return CL_INVALID_VALUE;
    }
    if (value) {
        memcpy(value, &version, sizeof version);
    }
    if (size_ret) {
        *size_ret = sizeof version;
    }
    return CL_SUCCESS;
}

/* Newer loaders call this one, older ones the next. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint num_entries, struct _cl_icd_dispatch const *target, cl_uint *num_entries_ret,
    struct _cl_icd_dispatch const **layer_ret, cl_layer_properties const *properties) {
    (void)properties;
    if (!target || !num_entries_ret || !layer_ret ||
        num_entries < sizeof layer / sizeof layer.clGetPlatformIDs) {
        return CL_INVALID_VALUE;
    }
    driver = target;
    layer = *target;
    layer.clCreateProgramWithIL = create_program_with_il;
    layer.clRetainProgram = retain_program;
    layer.clReleaseProgram = release_program;
    layer.clBuildProgram = build_program;
    layer.clGetProgramInfo = get_program_info;
    layer.clGetProgramBuildInfo = get_program_build_info;
    layer.clCreateKernel = create_kernel;
    layer.clRetainKernel = retain_kernel;
    layer.clReleaseKernel = release_kernel;
    layer.clGetKernelInfo = get_kernel_info;
    layer.clGetKernelWorkGroupInfo = get_kernel_work_group_info;
    *num_entries_ret = sizeof layer / sizeof layer.clGetPlatformIDs;
    *layer_ret = &layer;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries,
                                            struct _cl_icd_dispatch const *target,
                                            cl_uint *num_entries_ret,
                                            struct _cl_icd_dispatch const **layer_ret) {
    return clInitLayerWithProperties(num_entries, target, num_entries_ret, layer_ret, NULL);
}

CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void) { return CL_SUCCESS; }
