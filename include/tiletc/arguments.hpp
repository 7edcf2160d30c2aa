// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Arguments of kernels with their kinds, as the functions take them that compare arguments with what
/// a kernel takes; used by the runtimes' headers.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_ARGUMENTS_HPP) : !defined(TILETC_ARGUMENTS_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_ARGUMENTS_HPP
#else
#define TILETC_ARGUMENTS_HPP
#endif

#include <tiletc/half.hpp>
#include <tiletc/mem.hpp>
#include <tiletc/tiletc.h>

#ifndef TILETC_CHECK_ARGUMENTS
/// 0 if command groups of SYCL do not compare arguments with what kernels take.
#define TILETC_CHECK_ARGUMENTS 1
#endif

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace TILETC_NAMESPACE {
namespace internal {

template <typename T> constexpr bool is_complex = false;
template <typename T> constexpr bool is_complex<std::complex<T>> = true;

/// Kind of a number; any other object is bytes.
template <typename T> constexpr auto number_kind() -> tiletc_arg_kind_t {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        return tiletc_arg_kind_integer;
    } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, half> ||
                         std::is_same_v<T, bfloat16>) {
        return tiletc_arg_kind_floating;
    } else if constexpr (is_complex<T>) {
        return tiletc_arg_kind_complex;
    } else {
        return tiletc_arg_kind_bytes;
    }
}

/// Kind of a memory argument.
constexpr auto memory_kind(mem_type type) -> tiletc_arg_kind_t {
    switch (type) {
    case mem_type::buffer:
        return tiletc_arg_kind_buffer;
    case mem_type::svm_pointer:
        return tiletc_arg_kind_svm_pointer;
    default:
        return tiletc_arg_kind_usm_pointer;
    }
}

template <typename T, typename = void> constexpr auto pointer_type = mem_type::usm_pointer;
template <typename T>
constexpr auto pointer_type<T, std::void_t<decltype(auto_mem_type<T>::value)>> =
    auto_mem_type<T>::value;

/// The type behind a pointer as `tiletc_kernel_arg` has it, or 0 if it says nothing: `void`, `std::byte`
/// and objects other than numbers.
template <typename T, std::size_t levels = 0> constexpr auto pointee() -> std::size_t {
    using type = std::remove_cv_t<T>;
    if constexpr (std::is_pointer_v<type>) {
        return pointee<std::remove_pointer_t<type>, levels + 1>();
    } else if constexpr (!std::is_void_v<type> && !std::is_same_v<type, std::byte> &&
                         number_kind<type>() != tiletc_arg_kind_bytes) {
        return sizeof(type) | std::size_t{number_kind<type>()} << 8 | levels << 16;
    } else {
        return levels << 16;
    }
}

/// An address of unified shared memory.
template <typename T> auto make_usm_arg(T *address) -> tiletc_kernel_arg_t {
    tiletc_kernel_arg_t arg = {};
    constexpr auto type = pointee<T>();
    arg.kind = type != 0 ? tiletc_arg_kind_typed_usm_pointer : tiletc_arg_kind_usm_pointer;
    arg.size = type;
    arg.value = address;
    return arg;
}

/// An argument of a kernel, which refers to the value if that is a number. Pointers are unified shared
/// memory, unless `auto_mem_type` says otherwise; what else there is comes as `mem`.
template <typename T> auto make_arg(T const &value) -> tiletc_kernel_arg_t {
    tiletc_kernel_arg_t arg = {};
    arg.size = sizeof(void *);
    if constexpr (std::is_same_v<T, mem>) {
        arg.kind = memory_kind(value.type);
        arg.value = value.value;
    } else if constexpr (std::is_null_pointer_v<T>) {
        arg.kind = tiletc_arg_kind_usm_pointer;
        arg.value = nullptr;
    } else if constexpr (std::is_array_v<T>) {
        return make_usm_arg(&value[0]);
    } else if constexpr (std::is_pointer_v<T> && pointer_type<T> == mem_type::usm_pointer) {
        return make_usm_arg(value);
    } else if constexpr (std::is_pointer_v<T>) {
        arg.kind = memory_kind(pointer_type<T>);
        arg.value = value;
    } else {
        static_assert(std::is_trivially_copyable_v<T>,
                      "a kernel takes numbers and pointers to memory only");
        arg.kind = number_kind<T>();
        arg.size = sizeof(T);
        arg.value = &value;
    }
    return arg;
}

/// All arguments of a kernel; they refer to the values.
template <typename... T>
auto make_args(T const &...values) -> std::array<tiletc_kernel_arg_t, sizeof...(T)> {
    return {{make_arg(values)...}};
}

} // namespace internal
} // namespace TILETC_NAMESPACE

#endif // TILETC_ARGUMENTS_HPP
