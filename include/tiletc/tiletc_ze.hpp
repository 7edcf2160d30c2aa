// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// tiletc on Level Zero from C++. A program that makes no other use of Level Zero needs neither its
/// header nor its loader.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_ZE_HPP) : !defined(TILETC_ZE_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_ZE_HPP
#else
#define TILETC_ZE_HPP
#endif

#include <tiletc/arguments.hpp>
#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_ze.h>

#include <array>
#include <cstdint>
#include <string>

namespace TILETC_NAMESPACE {

/// Tells how well the device is supported.
inline auto get_support_level(ze_device_handle_t device) -> support_level {
    tiletc_support_level_t level = {};
    CHECK_STATUS(tiletc_ze_get_support_level(device, &level));
    return static_cast<support_level>(level);
}

/// Describes the device to the compiler.
inline auto create_core_info(ze_device_handle_t device) -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_ze_core_info_create(&info, device));
    return shared_handle{info};
}

/// The work-group size fixed in the kernel, in the order x, y, z.
inline auto get_group_size(ze_kernel_handle_t kernel) -> std::array<std::uint32_t, 3u> {
    std::array<std::uint32_t, 3u> size = {};
    CHECK_STATUS(tiletc_ze_get_group_size(kernel, &size[0], &size[1], &size[2]));
    return size;
}

/// Makes a handler of a recipe, with kernels of its own.
inline auto create_recipe_handler(ze_context_handle_t context, ze_device_handle_t device,
                                  tiletc_recipe_t recipe)
    -> shared_handle<tiletc_recipe_handler_t> {
    tiletc_recipe_handler_t handler = nullptr;
    CHECK_STATUS(tiletc_ze_recipe_handler_create(&handler, context, device, recipe));
    return shared_handle{handler};
}

/// The same for a wrapped recipe.
inline auto create_recipe_handler(ze_context_handle_t context, ze_device_handle_t device,
                                  shared_handle<tiletc_recipe_t> const &recipe)
    -> shared_handle<tiletc_recipe_handler_t> {
    return create_recipe_handler(context, device, recipe.get());
}

/// Appends the launch whose arguments were set last to a command list.
inline void submit(tiletc_recipe_handler_t handler, ze_command_list_handle_t list,
                   ze_event_handle_t signal_event = nullptr, std::uint32_t num_wait_events = 0,
                   ze_event_handle_t *wait_events = nullptr) {
    CHECK_STATUS(tiletc_ze_recipe_handler_submit(handler, list, signal_event, num_wait_events,
                                                 wait_events));
}

/// The same for a wrapped handler.
inline void submit(shared_handle<tiletc_recipe_handler_t> const &handler,
                   ze_command_list_handle_t list, ze_event_handle_t signal_event = nullptr,
                   std::uint32_t num_wait_events = 0, ze_event_handle_t *wait_events = nullptr) {
    submit(handler.get(), list, signal_event, num_wait_events, wait_events);
}

#ifdef TILETC_HAS_ZE_API

/// Throws `status::compute_runtime_error` unless the Level Zero call succeeded.
inline void ZE_CHECK_STATUS(ze_result_t code) {
    if (code != ZE_RESULT_SUCCESS) {
        internal::fail(status::compute_runtime_error,
                       "Level Zero error " + std::to_string(static_cast<unsigned>(code)));
    }
}

#endif // TILETC_HAS_ZE_API

namespace internal {

template <> struct unique_handle_traits<ze_module_handle_t> {
    static void destroy(ze_module_handle_t obj) { tiletc_ze_kernel_bundle_destroy(obj); }
};

template <> struct unique_handle_traits<ze_kernel_handle_t> {
    static void destroy(ze_kernel_handle_t obj) { tiletc_ze_kernel_destroy(obj); }
};

} // namespace internal

/// Compiles a program for a device and builds it with the device's driver.
inline auto create_kernel_bundle(ze_context_handle_t context, ze_device_handle_t device,
                                 tiletc_prog_t prg, tiletc_core_feature_flags_t core_features = 0)
    -> unique_handle<ze_module_handle_t> {
    ze_module_handle_t bundle = nullptr;
    CHECK_STATUS(
        tiletc_ze_kernel_bundle_create_with_program(&bundle, context, device, prg, core_features));
    return unique_handle{bundle};
}

/// The same for a wrapped program.
inline auto create_kernel_bundle(ze_context_handle_t context, ze_device_handle_t device,
                                 shared_handle<tiletc_prog_t> const &prg,
                                 tiletc_core_feature_flags_t core_features = 0)
    -> unique_handle<ze_module_handle_t> {
    return create_kernel_bundle(context, device, prg.get(), core_features);
}

/// Builds a binary with the device's driver.
inline auto create_kernel_bundle(ze_context_handle_t context, ze_device_handle_t device,
                                 const_tiletc_binary_t bin) -> unique_handle<ze_module_handle_t> {
    ze_module_handle_t bundle = nullptr;
    CHECK_STATUS(tiletc_ze_kernel_bundle_create_with_binary(&bundle, context, device, bin));
    return unique_handle{bundle};
}

/// The same for a wrapped binary.
inline auto create_kernel_bundle(ze_context_handle_t context, ze_device_handle_t device,
                                 shared_handle<tiletc_binary_t> const &bin)
    -> unique_handle<ze_module_handle_t> {
    return create_kernel_bundle(context, device, bin.get());
}

/// The kernel of the given name, with its group size set.
inline auto create_kernel(ze_module_handle_t mod, char const *name)
    -> unique_handle<ze_kernel_handle_t> {
    ze_kernel_handle_t kernel = nullptr;
    CHECK_STATUS(tiletc_ze_kernel_create(&kernel, mod, name));
    return unique_handle{kernel};
}

/// Sets all arguments of a kernel, in the order of calling it, after comparing their number, sizes and
/// kinds with what it takes.
template <typename... T> void set_args(ze_kernel_handle_t kernel, T const &...values) {
    auto const args = internal::make_args(values...);
    CHECK_STATUS(tiletc_ze_set_args(kernel, sizeof...(T), args.data()));
}

/// The same for a wrapped kernel.
template <typename... T>
void set_args(unique_handle<ze_kernel_handle_t> const &kernel, T const &...values) {
    set_args(kernel.get(), values...);
}

namespace internal {

/// Appends a launch of `num_groups` work-groups, or with null of as many as the program says.
template <typename... T>
void submit_groups(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                   std::uint32_t const *num_groups, T const &...values) {
    auto const args = make_args(values...);
    CHECK_STATUS(tiletc_ze_submit(kernel, list, num_groups, sizeof...(T), args.data(), nullptr, 0,
                                  nullptr));
}

} // namespace internal

/// Sets all arguments of a kernel like `set_args` and appends a launch of `num_groups` work-groups, in
/// the order x, y, z, to a command list.
template <typename... T>
void submit(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
            std::array<std::uint32_t, 3u> const &num_groups, T const &...values) {
    internal::submit_groups(list, kernel, num_groups.data(), values...);
}

/// The same with as many work-groups as the kernel's grid has for the arguments.
template <typename... T>
void submit(ze_command_list_handle_t list, ze_kernel_handle_t kernel, T const &...values) {
    internal::submit_groups(list, kernel, nullptr, values...);
}

/// The same for a wrapped kernel.
template <typename... T>
void submit(ze_command_list_handle_t list, unique_handle<ze_kernel_handle_t> const &kernel,
            std::array<std::uint32_t, 3u> const &num_groups, T const &...values) {
    submit(list, kernel.get(), num_groups, values...);
}

/// The same with as many work-groups as the kernel's grid has for the arguments.
template <typename... T>
void submit(ze_command_list_handle_t list, unique_handle<ze_kernel_handle_t> const &kernel,
            T const &...values) {
    submit(list, kernel.get(), values...);
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_ZE_HPP
