/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * The three tensors K, P, Q on an OpenCL device: in OpenCL's buffers with a copy on the host, or in
 * unified shared memory, which both see. Functions return 0 after saying what has failed.
 */

#ifndef OPENCL_C_TENSORS_H
#define OPENCL_C_TENSORS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stddef.h>

struct tensors {
    size_t bytes[3];
    /** Array that the host works with. */
    float *host[3];
    /** Array that the device works with; NULL for shared memory. */
    cl_mem buffer[3];
    /** Functions of the extension for shared memory; NULL for buffers. */
    clSharedMemAllocINTEL_fn alloc;
    clMemBlockingFreeINTEL_fn free;
    clSetKernelArgMemPointerINTEL_fn set_arg;
};

/** Says that the call `what` has failed, unless it has not. */
int cl_works(char const *what, cl_int code);

/** Allocates `bytes` for each tensor, in shared memory or on the host only. */
int tensors_allocate(struct tensors *t, int shared, cl_context context, cl_device_id device);

/** Makes the buffers from what is on the host. */
int tensors_upload(struct tensors *t, cl_context context);

/** Brings a tensor back to the host. */
int tensors_download(struct tensors *t, cl_command_queue queue, int tensor);

/** Has argument `index` of a kernel be a tensor. */
int tensors_set_argument(struct tensors const *t, cl_kernel kernel, cl_uint index, int tensor);

/** Frees everything, also what was only begun. */
void tensors_release(struct tensors *t, cl_context context);

#endif /* OPENCL_C_TENSORS_H */
