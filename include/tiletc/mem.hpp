// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Memory arguments of kernels: a pointer or buffer together with what kind of memory it is.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_MEM_HPP) : !defined(TILETC_MEM_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_MEM_HPP
#else
#define TILETC_MEM_HPP
#endif

#include <tiletc/enums.hpp>
#include <tiletc/half.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace TILETC_NAMESPACE {

/// The kind of memory a `T` refers to. Programs may specialise it for their own pointer types.
template <typename T, typename Enable = void> struct auto_mem_type;

/// True if `T` is the host type of a number in the tensor language.
template <typename T>
constexpr bool is_supported_scalar_type =
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::int16_t> ||
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, bfloat16> || std::is_same_v<T, half> || std::is_same_v<T, float> ||
    std::is_same_v<T, double> || std::is_same_v<T, std::complex<float>> ||
    std::is_same_v<T, std::complex<double>>;

namespace internal {
template <typename T> struct strip_pointers {
    using type = std::remove_cv_t<T>;
    constexpr static int depth = 0;
};
template <typename T> struct strip_pointers<T *> {
    using type = typename strip_pointers<T>::type;
    constexpr static int depth = 1 + strip_pointers<T>::depth;
};
template <typename T> using stripped = strip_pointers<std::remove_cv_t<T>>;
} // namespace internal

/// True if `T` is `void *`, or a pointer, or a pointer to pointers, to supported numbers.
template <typename T>
constexpr bool is_usm_pointer_type =
    (internal::stripped<T>::depth == 1 && std::is_void_v<typename internal::stripped<T>::type>) ||
    ((internal::stripped<T>::depth == 1 || internal::stripped<T>::depth == 2) &&
     is_supported_scalar_type<typename internal::stripped<T>::type>);

/// Pointers to memory that host and device share.
template <typename T> struct auto_mem_type<T, std::enable_if_t<is_usm_pointer_type<T>>> {
    /// The kind.
    constexpr static mem_type value = mem_type::usm_pointer;
};

/// The kind of memory a `T` refers to.
template <typename T> inline constexpr auto auto_mem_type_v = auto_mem_type<T>::value;

/// A memory argument. Its kind follows from the pointer's type, except for SVM, which looks like
/// USM and has to be named.
struct mem {
    /// A pointer or buffer, with its kind if that does not follow from the type.
    template <typename T>
    mem(T const pointer, mem_type kind = auto_mem_type_v<T>) : value{pointer}, type{kind} {}
    /// The same with the C enumerator.
    template <typename T>
    mem(T const pointer, tiletc_mem_type_t kind)
        : value{pointer}, type{static_cast<mem_type>(kind)} {}

    /// The pointer, or the handle of the buffer.
    const void *value;
    /// Kind of that memory.
    mem_type type;
};

} // namespace TILETC_NAMESPACE

#endif // TILETC_MEM_HPP
