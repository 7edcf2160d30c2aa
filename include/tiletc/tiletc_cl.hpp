// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tiletc on OpenCL from C++. A program that makes no other use of OpenCL needs its header, but not its
/// loader.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_CL_HPP) : !defined(TILETC_CL_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_CL_HPP
#else
#define TILETC_CL_HPP
#endif

#include <tiletc/arguments.hpp>
#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace TILETC_NAMESPACE {

/// Throws `status::compute_runtime_error` unless the OpenCL call succeeded.
inline void CL_CHECK_STATUS(cl_int code) {
    if (code != CL_SUCCESS) {
        internal::fail(status::compute_runtime_error, "OpenCL error " + std::to_string(code));
    }
}

namespace internal {

/// References to an OpenCL object, counted by libtiletc: a program need not link OpenCL.
template <typename T, tiletc_cl_object_t Kind> struct cl_handle_traits {
    static auto retain(T obj) -> tiletc_status_t { return tiletc_cl_retain(Kind, obj); }
    static auto release(T obj) -> tiletc_status_t { return tiletc_cl_release(Kind, obj); }
};

template <>
struct shared_handle_traits<cl_context>
    : cl_handle_traits<cl_context, tiletc_cl_object_context> {};

template <>
struct shared_handle_traits<cl_device_id>
    : cl_handle_traits<cl_device_id, tiletc_cl_object_device> {};

template <>
struct shared_handle_traits<cl_program>
    : cl_handle_traits<cl_program, tiletc_cl_object_program> {};

template <>
struct shared_handle_traits<cl_kernel> : cl_handle_traits<cl_kernel, tiletc_cl_object_kernel> {};

template <>
struct shared_handle_traits<cl_event> : cl_handle_traits<cl_event, tiletc_cl_object_event> {};

} // namespace internal

/// An OpenCL buffer is passed as such.
template <> struct auto_mem_type<cl_mem> {
    /// The kind.
    constexpr static mem_type value = mem_type::buffer;
};

/// Tells how well the device is supported.
inline auto get_support_level(cl_device_id device) -> support_level {
    tiletc_support_level_t level = {};
    CHECK_STATUS(tiletc_cl_get_support_level(device, &level));
    return static_cast<support_level>(level);
}

/// Describes the device to the compiler.
inline auto create_core_info(cl_device_id device) -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_cl_core_info_create(&info, device));
    return shared_handle{info};
}

/// Compiles a program for a device and builds it with the device's driver.
inline auto create_kernel_bundle(cl_context context, cl_device_id device, tiletc_prog_t prg,
                                 tiletc_core_feature_flags_t core_features = 0)
    -> shared_handle<cl_program> {
    cl_program bundle = nullptr;
    CHECK_STATUS(
        tiletc_cl_kernel_bundle_create_with_program(&bundle, context, device, prg, core_features));
    return shared_handle{bundle};
}

/// The same for a wrapped program.
inline auto create_kernel_bundle(cl_context context, cl_device_id device,
                                 shared_handle<tiletc_prog_t> const &prg,
                                 tiletc_core_feature_flags_t core_features = 0)
    -> shared_handle<cl_program> {
    return create_kernel_bundle(context, device, prg.get(), core_features);
}

/// Builds a binary with the device's driver.
inline auto create_kernel_bundle(cl_context context, cl_device_id device, const_tiletc_binary_t bin)
    -> shared_handle<cl_program> {
    cl_program bundle = nullptr;
    CHECK_STATUS(tiletc_cl_kernel_bundle_create_with_binary(&bundle, context, device, bin));
    return shared_handle{bundle};
}

/// The same for a wrapped binary.
inline auto create_kernel_bundle(cl_context context, cl_device_id device,
                                 shared_handle<tiletc_binary_t> const &bin)
    -> shared_handle<cl_program> {
    return create_kernel_bundle(context, device, bin.get());
}

/// The kernel of the given name.
inline auto create_kernel(cl_program mod, char const *name) -> shared_handle<cl_kernel> {
    cl_kernel kernel = nullptr;
    CHECK_STATUS(tiletc_cl_kernel_create(&kernel, mod, name));
    return shared_handle{kernel};
}

/// The work-group size fixed in the kernel, in the order x, y, z.
inline auto get_group_size(cl_kernel kernel) -> std::array<std::size_t, 3u> {
    std::array<std::size_t, 3u> local_size = {};
    CHECK_STATUS(tiletc_cl_get_group_size(kernel, local_size.data()));
    return local_size;
}

/// The work-items of a launch, in the order x, y, z.
inline auto get_global_size(std::array<std::size_t, 3u> const &num_groups,
                            std::array<std::size_t, 3u> const &local_size)
    -> std::array<std::size_t, 3u> {
    std::array<std::size_t, 3u> global_size = {};
    tiletc_cl_get_global_size(num_groups.data(), local_size.data(), global_size.data());
    return global_size;
}

/// Sets all arguments of a kernel, in the order of calling it, after comparing their number, sizes and
/// kinds with what it takes. A pointer is unified shared memory; a `cl_mem` is a buffer; SVM is named
/// as such by `mem{pointer, mem_type::svm_pointer}`.
template <typename... T> void set_args(cl_kernel kernel, T const &...values) {
    auto const args = internal::make_args(values...);
    CHECK_STATUS(tiletc_cl_set_args(kernel, sizeof...(T), args.data()));
}

/// The same for a wrapped kernel.
template <typename... T>
void set_args(shared_handle<cl_kernel> const &kernel, T const &...values) {
    set_args(kernel.get(), values...);
}

namespace internal {

/// Submits a launch of `num_groups` work-groups, or with null of as many as the program says.
template <typename... T>
auto submit_groups(cl_command_queue queue, cl_kernel kernel, std::size_t const *num_groups,
                   T const &...values) -> shared_handle<cl_event> {
    auto const args = make_args(values...);
    cl_event event = nullptr;
    CHECK_STATUS(tiletc_cl_submit(kernel, queue, num_groups, sizeof...(T), args.data(), 0, nullptr,
                                  &event));
    return shared_handle{event};
}

} // namespace internal

/// Sets all arguments of a kernel like `set_args` and puts a launch of `num_groups` work-groups, in the
/// order x, y, z, into a queue; returns the event of its end.
template <typename... T>
auto submit(cl_command_queue queue, cl_kernel kernel, std::array<std::size_t, 3u> const &num_groups,
            T const &...values) -> shared_handle<cl_event> {
    return internal::submit_groups(queue, kernel, num_groups.data(), values...);
}

/// The same with as many work-groups as the kernel's grid has for the arguments.
template <typename... T>
auto submit(cl_command_queue queue, cl_kernel kernel, T const &...values)
    -> shared_handle<cl_event> {
    return internal::submit_groups(queue, kernel, nullptr, values...);
}

/// The same for a wrapped kernel.
template <typename... T>
auto submit(cl_command_queue queue, shared_handle<cl_kernel> const &kernel,
            std::array<std::size_t, 3u> const &num_groups, T const &...values)
    -> shared_handle<cl_event> {
    return submit(queue, kernel.get(), num_groups, values...);
}

/// The same with as many work-groups as the kernel's grid has for the arguments.
template <typename... T>
auto submit(cl_command_queue queue, shared_handle<cl_kernel> const &kernel, T const &...values)
    -> shared_handle<cl_event> {
    return submit(queue, kernel.get(), values...);
}

////////////////////////////
////////// Recipes /////////
////////////////////////////

/// Makes a handler of a recipe, with kernels of its own.
inline auto create_recipe_handler(cl_context context, cl_device_id device, tiletc_recipe_t recipe)
    -> shared_handle<tiletc_recipe_handler_t> {
    tiletc_recipe_handler_t handler = nullptr;
    CHECK_STATUS(tiletc_cl_recipe_handler_create(&handler, context, device, recipe));
    return shared_handle{handler};
}

/// The same for a wrapped recipe.
inline auto create_recipe_handler(cl_context context, cl_device_id device,
                                  shared_handle<tiletc_recipe_t> const &recipe)
    -> shared_handle<tiletc_recipe_handler_t> {
    return create_recipe_handler(context, device, recipe.get());
}

/// Puts the launch whose arguments were set last into a queue; returns the event of its end.
inline auto submit(tiletc_recipe_handler_t handler, cl_command_queue queue,
                   std::uint32_t num_wait_events = 0, cl_event *wait_events = nullptr)
    -> shared_handle<cl_event> {
    cl_event event = nullptr;
    CHECK_STATUS(
        tiletc_cl_recipe_handler_submit(handler, queue, num_wait_events, wait_events, &event));
    return shared_handle{event};
}

/// The same for a wrapped handler.
inline auto submit(shared_handle<tiletc_recipe_handler_t> const &handler, cl_command_queue queue,
                   std::uint32_t num_wait_events = 0, cl_event *wait_events = nullptr)
    -> shared_handle<cl_event> {
    return submit(handler.get(), queue, num_wait_events, wait_events);
}

/// Puts the launch whose arguments were set last into a queue.
inline void submit_no_event(tiletc_recipe_handler_t handler, cl_command_queue queue,
                            std::uint32_t num_wait_events = 0, cl_event *wait_events = nullptr) {
    CHECK_STATUS(
        tiletc_cl_recipe_handler_submit(handler, queue, num_wait_events, wait_events, nullptr));
}

/// The same for a wrapped handler.
inline void submit_no_event(shared_handle<tiletc_recipe_handler_t> const &handler,
                            cl_command_queue queue, std::uint32_t num_wait_events = 0,
                            cl_event *wait_events = nullptr) {
    submit_no_event(handler.get(), queue, num_wait_events, wait_events);
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_CL_HPP
