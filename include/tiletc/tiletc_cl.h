/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * tiletc on OpenCL: device description, kernel bundles, launch geometry. The functions are part of
 * libtiletc, which loads OpenCL when one of them is called for the first time.
 *
 * The rules of tiletc.h for all functions hold here, too. Where a program, a binary or a recipe is
 * given, the error reporter of its context gets a message for every failure but bad arguments, with
 * the driver's build log if there is one; the other functions only return the status.
 */

#ifndef TILETC_CL_H
#define TILETC_CL_H

#include <tiletc/tiletc.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <stddef.h>
#include <stdint.h>

/** Returns `tiletc_status_compute_runtime_error` from the enclosing function if `X` fails. */
#define TILETC_CL_CHECK_STATUS(X)                                                                  \
    do {                                                                                           \
        cl_int const tiletc_cl_check_status_ = (X);                                                \
        if (tiletc_cl_check_status_ != CL_SUCCESS) {                                               \
            return tiletc_status_compute_runtime_error;                                            \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Tells how well a device is supported.
 *
 * Errors: compute_runtime_error if there is no OpenCL or the driver does not answer. A device that
 * cannot run kernels of tiletc is no error: its level is none.
 *
 * \param device [in] the device
 * \param level [out] the support level
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_get_support_level(cl_device_id device,
                                                          tiletc_support_level_t *level);

/**
 * Describes a device to the compiler.
 *
 * Errors: unsupported_device unless it is a GPU or CPU of Intel or a device of AMD;
 * compute_runtime_error if there is no OpenCL or the driver does not answer.
 *
 * \param info [out] the description, with one reference for the caller
 * \param device [in] the device
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_core_info_create(tiletc_core_info_t *info,
                                                         cl_device_id device);

/**
 * Compiles a program for a device and builds it with the device's driver.
 *
 * Errors: those of tiletc_cl_core_info_create for the device; those of tiletc_prog_compile_to_spirv
 * for the program; compute_runtime_error if the driver fails or refuses the module.
 *
 * \param bundle [out] the built program; the caller frees it with clReleaseProgram
 * \param context [in] the OpenCL context
 * \param device [in] a device of the context
 * \param prg [in] the program, which stays as it is
 * \param core_features [in][optional] wanted core features, or 0
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_kernel_bundle_create_with_program(
    cl_program *bundle, cl_context context, cl_device_id device, tiletc_prog_t prg,
    tiletc_core_feature_flags_t core_features);

/**
 * Builds a binary with the device's driver.
 *
 * Errors: compute_runtime_error if there is no OpenCL, the binary is a broken SPIR-V module, or
 * the driver fails or refuses it.
 *
 * \param bundle [out] the built program; the caller frees it with clReleaseProgram
 * \param context [in] the OpenCL context
 * \param device [in] a device of the context
 * \param bin [in] the binary
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_kernel_bundle_create_with_binary(cl_program *bundle,
                                                                         cl_context context,
                                                                         cl_device_id device,
                                                                         const_tiletc_binary_t bin);

/**
 * Gets the work-group size that is fixed in a kernel.
 *
 * Errors: compute_runtime_error if there is no OpenCL or the driver does not answer.
 *
 * \param kernel [in] the kernel
 * \param local_size [out] array of three: the work-items along x, y, z
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_get_group_size(cl_kernel kernel, size_t *local_size);

/**
 * Adds a reference to an OpenCL object, as clRetainContext and its like do, for programs that do not link
 * OpenCL.
 *
 * Errors: compute_runtime_error if there is no OpenCL or the driver fails.
 *
 * \param kind [in] the kind of the object
 * \param obj [in] the object, which has to be of that kind
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_retain(tiletc_cl_object_t kind, void *obj);

/**
 * Drops a reference to an OpenCL object, as clReleaseContext and its like do, for programs that do not
 * link OpenCL.
 *
 * Errors: compute_runtime_error if there is no OpenCL or the driver fails.
 *
 * \param kind [in] the kind of the object
 * \param obj [in] the object, which has to be of that kind
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_release(tiletc_cl_object_t kind, void *obj);

/**
 * Multiplies numbers of work-groups with work-group sizes. If one of the arrays is NULL it does
 * nothing.
 *
 * \param num_groups [in] array of three: the work-groups along x, y, z
 * \param local_size [in] array of three: the work-items of a work-group
 * \param global_size [out] array of three: the work-items of the launch
 *
 * Threads: any, at any time.
 */
TILETC_EXPORT void tiletc_cl_get_global_size(const size_t *num_groups, const size_t *local_size,
                                             size_t *global_size);

/**
 * Creates the kernel of a name.
 *
 * Errors: compute_runtime_error if there is no such kernel, no OpenCL, or the driver fails. The message
 * of the first names the kernels that there are, see tiletc_get_error_message.
 *
 * \param krnl [out] the kernel; the caller frees it with clReleaseKernel
 * \param mod [in] the built program
 * \param name [in] the name of the kernel
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_kernel_create(cl_kernel *krnl, cl_program mod,
                                                      const char *name);

/**
 * Compares arguments with what a kernel takes: their number, their sizes, and their kinds. Of a kernel
 * that is not one of a program that tiletc has built only the number is known.
 *
 * Errors: invalid_kernel_arguments if they do not fit; the message names the parameter, what it takes
 * and what it got. compute_runtime_error if there is no OpenCL or the driver does not answer.
 *
 * \param kernel [in] the kernel
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments in the order of calling the kernel
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_check_args(cl_kernel kernel, uint32_t num_args,
                                                   const tiletc_kernel_arg_t *args);

/**
 * Compares arguments with what a kernel takes, makes the kernel that suits them best, and gets the numbers of
 * work-groups of a launch. Where a program
 * leaves the strides of matrices open, there are variants for matrices that are contiguous along a mode;
 * the first call with such arguments compiles one, at most four for a kernel. A variant takes the same
 * arguments, and its work-groups may be of another size. tiletc_cl_submit does all that by itself. The program
 * of a kernel with variants is retained.
 *
 * Errors: those of tiletc_cl_check_args; launch_grid_mismatch if fewer work-groups are asked for than the
 * program says that the arguments need, or none are and it does not say.
 *
 * \param selected [out] a new kernel, to be freed with clReleaseKernel, or NULL if there is none
 * better than the kernel itself
 * \param grid [out][optional] array of three: the work-groups along x, y, z; with NULL, nothing is asked
 * about them
 * \param kernel [in] the kernel
 * \param num_groups [in][optional] array of three: the work-groups that are asked for, or NULL for those that
 * the program says
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments in the order of calling the kernel
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_prepare_launch(cl_kernel *selected, size_t *grid,
                                                       cl_kernel kernel, const size_t *num_groups,
                                                       uint32_t num_args,
                                                       const tiletc_kernel_arg_t *args);

/**
 * Gets the steps by which a program compares the arguments of further launches by itself, as long as the kernel
 * lives and after tiletc_cl_check_args or tiletc_cl_prepare_launch has accepted arguments of the same types,
 * without a variant. A launch for which all steps can be done and all that has to hold does is one that
 * they accept, too, as long as no fewer work-groups are asked for than the steps pop; any other one has to ask them.
 * Without a step for work-groups, those of a launch have to be asked for.
 *
 * \param plan [out] the steps
 * \param kernel [in] the kernel
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_get_launch_plan(tiletc_launch_plan_t *plan, cl_kernel kernel);

/**
 * Sets all arguments of a kernel after comparing them with what it takes. If they do not fit, none is
 * set.
 *
 * Errors: those of tiletc_cl_check_args; unavailable_extension for unified shared memory where the
 * platform has none; compute_runtime_error if the driver refuses an argument.
 *
 * \param kernel [in] the kernel
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments; numbers are copied, memory is not retained
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_set_args(cl_kernel kernel, uint32_t num_args,
                                                 const tiletc_kernel_arg_t *args);

/**
 * Sets all arguments of a kernel like tiletc_cl_set_args and puts a launch into a queue, without waiting
 * for it. The kernel is the one that tiletc_cl_prepare_launch chooses. A launch without work-groups runs
 * nothing, but its event comes after those it waits for.
 *
 * Errors: those of tiletc_cl_set_args; launch_grid_mismatch as there; invalid_arguments for more work-items than can be counted.
 *
 * \param kernel [in] the kernel
 * \param queue [in] a queue of the kernel's context and device
 * \param num_groups [in][optional] array of three: the work-groups along x, y, z; NULL for those that the
 * program says
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments
 * \param num_wait_events [in][optional] the number of events to wait for, or 0
 * \param wait_events [in][optional] those events; NULL if there are none
 * \param event [out][optional] an event of the end of the launch, to be freed with clReleaseEvent, or
 * NULL
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_submit(cl_kernel kernel, cl_command_queue queue,
                                               const size_t *num_groups, uint32_t num_args,
                                               const tiletc_kernel_arg_t *args,
                                               cl_uint num_wait_events,
                                               const cl_event *wait_events, cl_event *event);

/**
 * Makes a handler of a recipe: builds the recipe's binary and creates its kernels. Arguments are
 * set with the recipe's own function, tiletc_recipe_..._set_args.
 *
 * Errors: as tiletc_cl_kernel_bundle_create_with_binary.
 *
 * \param handler [out] the handler, with one reference for the caller
 * \param context [in] the OpenCL context
 * \param device [in] a device of the context
 * \param recipe [in] the recipe, compiled for the device; the handler keeps it alive
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_recipe_handler_create(tiletc_recipe_handler_t *handler,
                                                              cl_context context,
                                                              cl_device_id device,
                                                              tiletc_recipe_t recipe);

/**
 * Puts the launch whose arguments were set last into a queue, and does not wait for it. A launch
 * without work-groups runs nothing, but its event comes after those it waits for.
 *
 * Errors: invalid_arguments if no arguments are set, for a handler of another runtime, and for more
 * work-items than can be counted; compute_runtime_error if the driver fails.
 *
 * \param handler [in] the handler, made by tiletc_cl_recipe_handler_create
 * \param queue [in] a queue of the handler's context and device
 * \param num_wait_events [in][optional] the number of events to wait for, or 0
 * \param wait_events [in][optional] those events; NULL if there are none
 * \param event [out][optional] an event of the end of the launch, to be freed with clReleaseEvent, or
 * NULL
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_cl_recipe_handler_submit(tiletc_recipe_handler_t handler,
                                                              cl_command_queue queue,
                                                              cl_uint num_wait_events,
                                                              const cl_event *wait_events,
                                                              cl_event *event);

#ifdef __cplusplus
}
#endif

#endif /* TILETC_CL_H */
