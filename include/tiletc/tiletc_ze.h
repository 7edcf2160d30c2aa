/* SPDX-License-Identifier: BSD-3-Clause */

/**
 * \file
 * tiletc on Level Zero: device description, kernel bundles, launch geometry. The functions are part
 * of libtiletc, which loads Level Zero when one of them is called for the first time.
 *
 * The rules of tiletc.h for all functions hold here, too. Where a program, a binary or a recipe is
 * given, the error reporter of its context gets a message for every failure but bad arguments, with
 * the driver's build log if there is one; the other functions only return the status.
 *
 * Level Zero's own header is used where it is installed. Without it only the opaque handle types
 * are declared, the way Level Zero declares them, so that SYCL programs need no further package.
 */

#ifndef TILETC_ZE_H
#define TILETC_ZE_H

#include <tiletc/tiletc.h>

#ifdef __has_include
#if __has_include(<level_zero/ze_api.h>)
#define TILETC_HAS_ZE_API 1
#endif
#endif

#ifdef TILETC_HAS_ZE_API
#include <level_zero/ze_api.h>
#else
typedef struct _ze_context_handle_t *ze_context_handle_t;
typedef struct _ze_device_handle_t *ze_device_handle_t;
typedef struct _ze_module_handle_t *ze_module_handle_t;
typedef struct _ze_kernel_handle_t *ze_kernel_handle_t;
typedef struct _ze_command_list_handle_t *ze_command_list_handle_t;
typedef struct _ze_event_handle_t *ze_event_handle_t;
#endif

#include <stdint.h>

/** Returns `tiletc_status_compute_runtime_error` from the enclosing function if `X` fails. */
#define TILETC_ZE_CHECK_STATUS(X)                                                                  \
    do {                                                                                           \
        ze_result_t const tiletc_ze_check_status_ = (X);                                           \
        if (tiletc_ze_check_status_ != ZE_RESULT_SUCCESS) {                                        \
            return tiletc_status_compute_runtime_error;                                            \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Tells how well a device is supported.
 *
 * Errors: compute_runtime_error if there is no Level Zero or the driver does not answer. A device
 * of another vendor than Intel is no error: its level is none.
 *
 * \param device [in] the device
 * \param level [out] the support level
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_get_support_level(ze_device_handle_t device,
                                                          tiletc_support_level_t *level);

/**
 * Describes a device to the compiler.
 *
 * Errors: compute_runtime_error if there is no Level Zero or the driver does not answer.
 *
 * \param info [out] the description, with one reference for the caller
 * \param device [in] the device
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_core_info_create(tiletc_core_info_t *info,
                                                         ze_device_handle_t device);

/**
 * Compiles a program for a device and builds it with the device's driver.
 *
 * Errors: those of tiletc_ze_core_info_create for the device; those of tiletc_prog_compile_to_spirv
 * for the program; compute_runtime_error if the driver fails or refuses the module.
 *
 * \param bundle [out] the built module; the caller frees it with zeModuleDestroy or
 *     tiletc_ze_kernel_bundle_destroy
 * \param context [in] the Level Zero context
 * \param device [in] a device of the context
 * \param prg [in] the program, which stays as it is
 * \param core_features [in][optional] wanted core features, or 0
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_kernel_bundle_create_with_program(
    ze_module_handle_t *bundle, ze_context_handle_t context, ze_device_handle_t device,
    tiletc_prog_t prg, tiletc_core_feature_flags_t core_features);

/**
 * Builds a binary with the device's driver.
 *
 * Errors: compute_runtime_error if there is no Level Zero, the binary is a broken SPIR-V module,
 * or the driver fails or refuses it.
 *
 * \param bundle [out] the built module; the caller frees it with zeModuleDestroy or
 *     tiletc_ze_kernel_bundle_destroy
 * \param context [in] the Level Zero context
 * \param device [in] a device of the context
 * \param bin [in] the binary
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t
tiletc_ze_kernel_bundle_create_with_binary(ze_module_handle_t *bundle, ze_context_handle_t context,
                                           ze_device_handle_t device, const_tiletc_binary_t bin);

/**
 * Destroys a module, as zeModuleDestroy does, for programs that do not link Level Zero.
 *
 * Errors: compute_runtime_error if there is no Level Zero or the driver fails.
 *
 * \param bundle [in] the module, which must not be used any more
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_kernel_bundle_destroy(ze_module_handle_t bundle);

/**
 * Destroys a kernel, as zeKernelDestroy does, for programs that do not link Level Zero.
 *
 * Errors: compute_runtime_error if there is no Level Zero or the driver fails.
 *
 * \param krnl [in] the kernel, which must not be used any more
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_kernel_destroy(ze_kernel_handle_t krnl);

/**
 * Creates a kernel and sets its group size to the one fixed in its code.
 *
 * Errors: invalid_arguments if the name is no UTF-8; compute_runtime_error if there is no Level
 * Zero, the module has no kernel of the name, or the driver fails.
 *
 * \param krnl [out] the kernel; the caller frees it with zeKernelDestroy or tiletc_ze_kernel_destroy
 * \param mod [in] the module
 * \param name [in] the kernel's name
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_kernel_create(ze_kernel_handle_t *krnl,
                                                      ze_module_handle_t mod, char const *name);

/**
 * Gets the work-group size that is fixed in a kernel.
 *
 * Errors: compute_runtime_error if there is no Level Zero or the driver does not answer.
 *
 * \param kernel [in] the kernel
 * \param x [out] the work-items along x
 * \param y [out] the work-items along y
 * \param z [out] the work-items along z
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_get_group_size(ze_kernel_handle_t kernel, uint32_t *x,
                                                       uint32_t *y, uint32_t *z);

/**
 * Compares arguments with what a kernel takes: their number, their sizes, and their kinds. Of a kernel
 * that is not one that tiletc_ze_kernel_create has made only the number is known.
 *
 * Errors: invalid_kernel_arguments if they do not fit; the message names the parameter, what it takes
 * and what it got. compute_runtime_error if there is no Level Zero or the driver does not answer.
 *
 * \param kernel [in] the kernel
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments in the order of calling the kernel
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_check_args(ze_kernel_handle_t kernel, uint32_t num_args,
                                                   const tiletc_kernel_arg_t *args);

/**
 * Compares arguments with what a kernel takes, makes the kernel that suits them best, and gets the numbers of
 * work-groups of a launch. Where a program
 * leaves the strides of matrices open, there are variants for matrices that are contiguous along a mode;
 * the first call with such arguments compiles one, at most four for a kernel. A variant takes the same
 * arguments, and its work-groups may be of another size. tiletc_ze_submit does all that by itself. Variants
 * are destroyed by tiletc_ze_kernel_bundle_destroy; zeModuleDestroy leaves them to their context.
 *
 * Errors: those of tiletc_ze_check_args; launch_grid_mismatch if fewer work-groups are asked for than the
 * program says that the arguments need, or none are and it does not say.
 *
 * \param selected [out] a new kernel, to be freed with tiletc_ze_kernel_destroy, or NULL if there is none
 * better than the kernel itself
 * \param mod [out] the module of the new kernel, which stays the library's, or NULL
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
TILETC_EXPORT tiletc_status_t tiletc_ze_prepare_launch(ze_kernel_handle_t *selected,
                                                       ze_module_handle_t *mod, uint32_t *grid,
                                                       ze_kernel_handle_t kernel,
                                                       const uint32_t *num_groups,
                                                       uint32_t num_args,
                                                       const tiletc_kernel_arg_t *args);

/**
 * Gets the steps by which a program compares the arguments of further launches by itself, as long as the kernel
 * lives and after tiletc_ze_check_args or tiletc_ze_prepare_launch has accepted arguments of the same types,
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
TILETC_EXPORT tiletc_status_t tiletc_ze_get_launch_plan(tiletc_launch_plan_t *plan, ze_kernel_handle_t kernel);

/**
 * Sets all arguments of a kernel after comparing them with what it takes. If they do not fit, none is
 * set.
 *
 * Errors: those of tiletc_ze_check_args; compute_runtime_error if the driver refuses an argument.
 *
 * \param kernel [in] the kernel
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments; numbers are copied, memory is not retained
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_set_args(ze_kernel_handle_t kernel, uint32_t num_args,
                                                 const tiletc_kernel_arg_t *args);

/**
 * Sets all arguments of a kernel like tiletc_ze_set_args and appends a launch to a command list. The
 * kernel is the one that tiletc_ze_prepare_launch chooses. A launch
 * without work-groups runs nothing, but its event is signalled after those it waits for.
 *
 * Errors: those of tiletc_ze_set_args; launch_grid_mismatch as there; invalid_arguments for 2^32 or more
 * work-groups.
 *
 * \param kernel [in] the kernel
 * \param list [in] a command list of the kernel's context and device
 * \param num_groups [in][optional] array of three: the work-groups along x, y, z; NULL for those that the
 * program says
 * \param num_args [in][optional] the number of arguments
 * \param args [in][optional] array of the arguments
 * \param signal_event [in][optional] the event to signal at the end of the launch, or NULL
 * \param num_wait_events [in][optional] the number of events to wait for, or 0
 * \param wait_events [in][optional] those events; NULL if there are none
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_submit(ze_kernel_handle_t kernel,
                                               ze_command_list_handle_t list,
                                               const uint32_t *num_groups, uint32_t num_args,
                                               const tiletc_kernel_arg_t *args,
                                               ze_event_handle_t signal_event,
                                               uint32_t num_wait_events,
                                               ze_event_handle_t *wait_events);

/**
 * Makes a handler of a recipe: builds the recipe's binary and creates its kernels. Arguments are
 * set with the recipe's own function, tiletc_recipe_..._set_args; Level Zero takes memory of every
 * type as an address.
 *
 * Errors: as tiletc_ze_kernel_bundle_create_with_binary.
 *
 * \param handler [out] the handler, with one reference for the caller; it must outlive what it launches
 * \param context [in] the Level Zero context
 * \param device [in] a device of the context
 * \param recipe [in] the recipe, compiled for the device; the handler keeps it alive
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_recipe_handler_create(tiletc_recipe_handler_t *handler,
                                                              ze_context_handle_t context,
                                                              ze_device_handle_t device,
                                                              tiletc_recipe_t recipe);

/**
 * Appends the launch whose arguments were set last to a command list. A launch without work-groups
 * runs nothing, but its event is signalled after those it waits for.
 *
 * Errors: invalid_arguments if no arguments are set, for a handler of another runtime, and for 2^32
 * or more work-groups; compute_runtime_error if the driver fails.
 *
 * \param handler [in] the handler, made by tiletc_ze_recipe_handler_create
 * \param list [in] a command list of the handler's context and device
 * \param signal_event [in][optional] the event to signal at the end of the launch, or NULL
 * \param num_wait_events [in][optional] the number of events to wait for, or 0
 * \param wait_events [in][optional] those events; NULL if there are none
 *
 * Threads: any that the runtime lets use its handles; tiletc's own are good for the whole call,
 * or refused.
 */
TILETC_EXPORT tiletc_status_t tiletc_ze_recipe_handler_submit(tiletc_recipe_handler_t handler,
                                                              ze_command_list_handle_t list,
                                                              ze_event_handle_t signal_event,
                                                              uint32_t num_wait_events,
                                                              ze_event_handle_t *wait_events);

#ifdef __cplusplus
}
#endif

#endif /* TILETC_ZE_H */
