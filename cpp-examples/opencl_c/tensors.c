/* SPDX-License-Identifier: BSD-3-Clause */

#include "tensors.h"

#include "update.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cl_works(char const *what, cl_int code) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "error: OpenCL: %s failed (%d)\n", what, code);
    }
    return code == CL_SUCCESS;
}

static int allocate_host(struct tensors *t) {
    for (int i = 0; i < 3; ++i) {
        t->host[i] = malloc(t->bytes[i]);
        if (t->host[i] == NULL) {
            fprintf(stderr, "error: there is no memory for the tensors\n");
            return 0;
        }
    }
    return 1;
}

/** Finds the functions of the extension, and memory that host and device share. */
static int allocate_shared(struct tensors *t, cl_context context, cl_device_id device) {
    cl_platform_id platform = NULL;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    void *const functions[3] = {
        clGetExtensionFunctionAddressForPlatform(platform, "clSharedMemAllocINTEL"),
        clGetExtensionFunctionAddressForPlatform(platform, "clMemBlockingFreeINTEL"),
        clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgMemPointerINTEL")};
    if (functions[0] == NULL || functions[1] == NULL || functions[2] == NULL) {
        fprintf(stderr, "error: the device has no unified shared memory\n");
        return 0;
    }
    /* C lets nobody cast a pointer to an object into one to a function. */
    memcpy(&t->alloc, &functions[0], sizeof(t->alloc));
    memcpy(&t->free, &functions[1], sizeof(t->free));
    memcpy(&t->set_arg, &functions[2], sizeof(t->set_arg));
    for (int i = 0; i < 3; ++i) {
        cl_int code = CL_SUCCESS;
        t->host[i] = t->alloc(context, device, NULL, t->bytes[i], update_alignment, &code);
        if (!cl_works("clSharedMemAllocINTEL", code)) {
            return 0;
        }
    }
    return 1;
}

int tensors_allocate(struct tensors *t, int shared, cl_context context, cl_device_id device) {
    return shared ? allocate_shared(t, context, device) : allocate_host(t);
}

int tensors_upload(struct tensors *t, cl_context context) {
    for (int i = 0; i < 3 && t->alloc == NULL; ++i) {
        cl_int code = CL_SUCCESS;
        t->buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      t->bytes[i], t->host[i], &code);
        if (!cl_works("clCreateBuffer", code)) {
            return 0;
        }
    }
    return 1;
}

int tensors_download(struct tensors *t, cl_command_queue queue, int tensor) {
    return t->alloc != NULL ||
           cl_works("clEnqueueReadBuffer",
                    clEnqueueReadBuffer(queue, t->buffer[tensor], CL_TRUE, 0, t->bytes[tensor],
                                        t->host[tensor], 0, NULL, NULL));
}

void tensors_release(struct tensors *t, cl_context context) {
    for (int i = 0; i < 3; ++i) {
        if (t->buffer[i] != NULL) {
            clReleaseMemObject(t->buffer[i]);
        }
        if (t->free != NULL) {
            t->free(context, t->host[i]);
        } else {
            free(t->host[i]);
        }
    }
}

int tensors_set_argument(struct tensors const *t, cl_kernel kernel, cl_uint index, int tensor) {
    return t->set_arg != NULL
               ? cl_works("clSetKernelArgMemPointerINTEL",
                          t->set_arg(kernel, index, t->host[tensor]))
               : cl_works("clSetKernelArg",
                          clSetKernelArg(kernel, index, sizeof(cl_mem), &t->buffer[tensor]));
}
