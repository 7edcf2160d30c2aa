// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// Objects that call a function of C for each tag.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_GETTERS_HPP) : !defined(TILETC_GETTERS_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_GETTERS_HPP
#else
#define TILETC_GETTERS_HPP
#endif

#include <tiletc/array_view.hpp>
#include <tiletc/enums.hpp>
#include <tiletc/error.hpp>
#include <tiletc/tags.hpp>
#include <tiletc/tiletc.h>

#include <cstdint>
#include <string_view>

namespace TILETC_NAMESPACE {

/// Looks up an attribute or a type; the handle belongs to the context.
template <typename T> struct getter;

/// Gets the attribute of a truth value.
template <> struct getter<boolean_attr> {
    /// Calls tiletc_boolean_attr_get.
    auto operator()(tiletc_compiler_context_t ctx, bool value) const -> tiletc_attr_t {
        tiletc_attr_t handle = nullptr;
        CHECK_STATUS(tiletc_boolean_attr_get(&handle, ctx, value ? 1 : 0));
        return handle;
    }
};

/// Gets the attribute of an integer.
template <> struct getter<integer_attr> {
    /// Calls tiletc_integer_attr_get.
    auto operator()(tiletc_compiler_context_t ctx, std::int64_t value) const -> tiletc_attr_t {
        tiletc_attr_t handle = nullptr;
        CHECK_STATUS(tiletc_integer_attr_get(&handle, ctx, value));
        return handle;
    }
};

/// Gets the attribute of `str_length` bytes of text, which need no terminator.
template <> struct getter<string_attr> {
    /// Calls tiletc_string_attr_get.
    auto operator()(tiletc_compiler_context_t ctx, std::string_view str) const -> tiletc_attr_t {
        tiletc_attr_t handle = nullptr;
        CHECK_STATUS(tiletc_string_attr_get(&handle, ctx, str.size(), str.data()));
        return handle;
    }
};

/// Gets the attribute of a list.
///
/// Errors: out_of_range if lists and dictionaries lie more than 64 deep in each other, or hold more than 2^20
/// attributes and bytes of text.
template <> struct getter<array_attr> {
    /// Calls tiletc_array_attr_get.
    auto operator()(tiletc_compiler_context_t ctx,
                    array_view<tiletc_attr_t> array) const -> tiletc_attr_t {
        tiletc_attr_t handle = nullptr;
        CHECK_STATUS(tiletc_array_attr_get(&handle, ctx, array.size(), array.data()));
        return handle;
    }
};

/// Gets the attribute of named attributes and sorts `items` by the bytes of the names.
///
/// Errors: ir_expected_string_attribute if a name is no string, ir_duplicate_key_in_dictionary if two are
/// equal, out_of_range as tiletc_array_attr_get.
template <> struct getter<dictionary_attr> {
    /// Calls tiletc_dictionary_attr_get.
    auto operator()(tiletc_compiler_context_t ctx,
                    mutable_array_view<tiletc_named_attr_t> items) const -> tiletc_attr_t {
        tiletc_attr_t handle = nullptr;
        CHECK_STATUS(tiletc_dictionary_attr_get(&handle, ctx, items.size(), items.data()));
        return handle;
    }
};

/// Gets the void type, which only the result of a function may have.
template <> struct getter<void_type> {
    /// Calls tiletc_void_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_void_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `bool`.
template <> struct getter<boolean_type> {
    /// Calls tiletc_boolean_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_boolean_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `i8`.
template <> struct getter<i8_type> {
    /// Calls tiletc_i8_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_i8_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `i16`.
template <> struct getter<i16_type> {
    /// Calls tiletc_i16_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_i16_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `i32`.
template <> struct getter<i32_type> {
    /// Calls tiletc_i32_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_i32_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `i64`.
template <> struct getter<i64_type> {
    /// Calls tiletc_i64_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_i64_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `index`.
template <> struct getter<index_type> {
    /// Calls tiletc_index_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_index_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `i4`, whose numbers are two a byte in memory, and only loaded and cast.
template <> struct getter<i4_type> {
    /// Calls tiletc_i4_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_i4_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `f8e4m3`, whose numbers are only loaded, stored and cast.
template <> struct getter<f8e4m3_type> {
    /// Calls tiletc_f8e4m3_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_f8e4m3_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `f8e5m2`, whose numbers are only loaded, stored and cast.
template <> struct getter<f8e5m2_type> {
    /// Calls tiletc_f8e5m2_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_f8e5m2_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `bf16`.
template <> struct getter<bf16_type> {
    /// Calls tiletc_bf16_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_bf16_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `f16`.
template <> struct getter<f16_type> {
    /// Calls tiletc_f16_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_f16_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `f32`.
template <> struct getter<f32_type> {
    /// Calls tiletc_f32_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_f32_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `f64`.
template <> struct getter<f64_type> {
    /// Calls tiletc_f64_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_f64_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `c32`.
template <> struct getter<c32_type> {
    /// Calls tiletc_c32_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_c32_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type `c64`.
template <> struct getter<c64_type> {
    /// Calls tiletc_c64_type_get.
    auto operator()(tiletc_compiler_context_t ctx) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_c64_type_get(&handle, ctx));
        return handle;
    }
};

/// Gets the type of a view of memory. `shape` and `stride` have an entry for each mode, in elements, which
/// may be TILETC_DYNAMIC; with `stride_size` 0 the elements are packed, first mode first.
///
/// Errors: ir_expected_number for the element type, ir_shape_stride_mismatch if the lengths differ,
/// ir_invalid_shape for a negative entry.
template <> struct getter<memref_type> {
    /// Calls tiletc_memref_type_get.
    auto operator()(tiletc_type_t element_ty, array_view<std::int64_t> shape,
                    array_view<std::int64_t> stride,
                    address_space addrspace) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_memref_type_get(&handle, element_ty, shape.size(), shape.data(),
                                            stride.size(), stride.data(),
                                            static_cast<tiletc_address_space_t>(addrspace)));
        return handle;
    }
};

/// Gets the type of a memref in packed local memory whose elements a swizzle exchanges within columns: element (i, j) of the first two
/// modes is where (((i / vec) xor ((j / per_phase) mod max_phase)) * vec + i mod vec, j) would be in `memref_ty`.
///
/// Errors: ir_expected_memref for the type, ir_tile_swizzle_shape if the memref is not in local memory, not packed or has fewer than two
/// modes, if a number is not positive or max_phase no power of two, or if the first size is no multiple of vec * max_phase.
template <> struct getter<swizzled_type> {
    /// Calls tiletc_swizzled_type_get.
    auto operator()(tiletc_type_t memref_ty, std::int64_t vec, std::int64_t per_phase,
                    std::int64_t max_phase) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_swizzled_type_get(&handle, memref_ty, vec, per_phase, max_phase));
        return handle;
    }
};

/// Gets the type of `size` pointers, each seen as a memref of type `element_ty` and moved by `offset`
/// elements; both numbers may be TILETC_DYNAMIC.
///
/// Errors: ir_expected_memref for the element type, ir_invalid_shape for a negative size, ir_invalid_offset
/// for a negative offset.
template <> struct getter<group_type> {
    /// Calls tiletc_group_type_get.
    auto operator()(tiletc_type_t element_ty, std::int64_t size,
                    std::int64_t offset) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_group_type_get(&handle, element_ty, size, offset));
        return handle;
    }
};

/// Gets the type of a matrix that a subgroup holds; `rows` is a power of two.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a negative size,
/// ir_unsupported_coopmatrix_shape if `rows` is no power of two.
template <> struct getter<coopmatrix_type> {
    /// Calls tiletc_coopmatrix_type_get.
    auto operator()(tiletc_type_t component_ty, std::int64_t rows, std::int64_t cols,
                    matrix_use use_) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_coopmatrix_type_get(&handle, component_ty, rows, cols,
                                                static_cast<tiletc_matrix_use_t>(use_)));
        return handle;
    }
};

/// Gets the type of a matrix that a work-group holds.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a size that is not positive.
template <> struct getter<tile_type> {
    /// Calls tiletc_tile_type_get.
    auto operator()(tiletc_type_t component_ty, std::int64_t rows, std::int64_t cols,
                    matrix_use use_) const -> tiletc_type_t {
        tiletc_type_t handle = nullptr;
        CHECK_STATUS(tiletc_tile_type_get(&handle, component_ty, rows, cols,
                                          static_cast<tiletc_matrix_use_t>(use_)));
        return handle;
    }
};

} // namespace TILETC_NAMESPACE

#endif // TILETC_GETTERS_HPP
