// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// The enumerations of the C interface for C++: `status::success` for `tiletc_status_success`.

#ifndef TILETC_ENUMS_HPP
#define TILETC_ENUMS_HPP

#include <tiletc/namespace.hpp>
#include <tiletc/tiletc.h>

namespace TILETC_NAMESPACE {

/// Outcome of a call.
enum class status : int {
    success = 0, ///< success
    bad_alloc = 1, ///< out of memory
    invalid_arguments = 2, ///< invalid arguments
    out_of_range = 3, ///< index or count out of range
    runtime_error = 4, ///< runtime error
    internal_compiler_error = 5, ///< internal compiler error (please report it)
    unsupported_subgroup_size = 6, ///< subgroup size not available on the device
    unsupported_work_group_size = 7, ///< work-group size not available on the device
    compilation_error = 8, ///< compilation failed
    file_io_error = 9, ///< file could not be read or written
    parse_error = 10, ///< program text was refused
    unavailable_extension = 11, ///< a required driver extension is missing
    unsupported_backend = 12, ///< unsupported compute runtime
    invalid_kernel_arguments = 13, ///< invalid kernel arguments
    unsupported_device = 14, ///< unsupported device
    invalid_core_info = 15, ///< unusable device description
    unknown_pass_name = 16, ///< no pass of that name
    not_implemented = 17, ///< not implemented
    compute_runtime_error = 18, ///< compute runtime returned an error
    ir_out_of_bounds = 0x100, ///< mode, component or index number out of bounds
    ir_invalid_shape = 0x101, ///< invalid shape
    ir_incompatible_shapes = 0x102, ///< operand shapes do not fit together
    ir_shape_stride_mismatch = 0x103, ///< shape and stride differ in length
    ir_number_mismatch = 0x104, ///< number types differ
    ir_invalid_number_of_indices = 0x105, ///< wrong number of indices
    ir_expected_boolean = 0x106, ///< expected bool
    ir_expected_number = 0x107, ///< expected a number type
    ir_expected_int = 0x108, ///< expected an integer type
    ir_expected_float = 0x109, ///< expected a floating-point type
    ir_expected_complex = 0x10a, ///< expected a complex type
    ir_expected_i32 = 0x10b, ///< expected i32
    ir_expected_index = 0x10c, ///< expected index
    ir_expected_coopmatrix = 0x10d, ///< expected a coopmatrix
    ir_expected_coopmatrix_or_number = 0x10e, ///< expected a coopmatrix or a number
    ir_expected_coopmatrix_number_or_boolean = 0x10f, ///< expected a coopmatrix, a number or bool
    ir_expected_memref = 0x110, ///< expected a memref
    ir_expected_memref_or_number = 0x111, ///< expected a memref or a number
    ir_expected_memref_or_group = 0x112, ///< expected a memref or a group
    ir_expected_memref_order_0 = 0x113, ///< expected a memref of order 0
    ir_expected_memref_order_1 = 0x114, ///< expected a memref of order 1
    ir_expected_memref_order_2 = 0x115, ///< expected a memref of order 2
    ir_expected_memref_order_0_or_1 = 0x116, ///< expected a memref of order 0 or 1
    ir_expected_memref_order_1_or_2 = 0x117, ///< expected a memref of order 1 or 2
    ir_expected_memref_order_0_1_or_2 = 0x118, ///< expected a memref of order 0, 1 or 2
    ir_unexpected_yield = 0x119, ///< yield in a region that returns nothing
    ir_yield_mismatch = 0x11a, ///< yielded values do not match the results
    ir_subview_mismatch = 0x11b, ///< wrong number of dynamic subview operands
    ir_invalid_slice = 0x11c, ///< negative offset or size in a slice
    ir_expand_shape_order_too_small = 0x11d, ///< expand needs at least two sizes
    ir_expand_shape_mismatch = 0x11e, ///< wrong number of dynamic expand operands
    ir_collective_called_from_spmd = 0x11f, ///< collective instruction in an SPMD region
    ir_fp_unsupported = 0x120, ///< floating-point type not supported here
    ir_spmd_called_from_collective = 0x121, ///< SPMD instruction in a collective region
    ir_expected_local_address_space = 0x122, ///< expected a memref in local memory
    ir_expected_global_address_space = 0x123, ///< expected a memref in global memory
    ir_address_space_mismatch = 0x124, ///< address spaces differ
    ir_invalid_offset = 0x125, ///< negative group offset
    ir_int_unsupported = 0x126, ///< integer type not supported here
    ir_boolean_unsupported = 0x127, ///< bool not supported here
    ir_complex_unsupported = 0x128, ///< complex type not supported here
    ir_coopmatrix_unsupported = 0x129, ///< coopmatrix not supported here
    ir_forbidden_cast = 0x12a, ///< no such cast
    ir_invalid_beta = 0x12b, ///< beta of an atomic operation must be the constant 0 or 1
    ir_init_return_mismatch = 0x12c, ///< initial values do not match the results
    ir_invalid_matrix_use = 0x12d, ///< wrong coopmatrix use
    ir_unsupported_coopmatrix_shape = 0x12e, ///< unsupported coopmatrix shape
    ir_forbidden_promotion = 0x12f, ///< number types cannot be promoted as needed
    ir_constant_mismatch = 0x130, ///< constant does not fit the type
    ir_insufficient_alignment = 0x131, ///< insufficient alignment
    ir_must_have_yield = 0x132, ///< region must end in yield
    ir_yield_in_else_branch_missing = 0x133, ///< else branch must end in yield
    ir_from_to_mismatch = 0x134, ///< lower and upper bounds differ in number
    ir_from_tile_shape_mismatch = 0x135, ///< bounds and tile shape differ in number
    ir_operand_type_must_match_return_type = 0x136, ///< operand type must match the result type
    ir_invalid_stride = 0x137, ///< invalid stride
    ir_init_return_type_mismatch = 0x138, ///< initial values do not match the result types
    ir_value_still_has_uses = 0x139, ///< value still has uses
    ir_expected_array_attribute = 0x140, ///< expected an array attribute
    ir_expected_boolean_attribute = 0x141, ///< expected a boolean attribute
    ir_expected_dictionary_attribute = 0x142, ///< expected a dictionary attribute
    ir_expected_integer_attribute = 0x143, ///< expected an integer attribute
    ir_expected_string_attribute = 0x144, ///< expected a string attribute
    ir_duplicate_key_in_dictionary = 0x145, ///< duplicate key in dictionary
    ir_unexpected_array_attribute_size = 0x146, ///< array attribute of the wrong length
    ir_expected_non_scalar_memref = 0x150, ///< expected a memref of order 1 or more
    ir_complex_number_type_unsupported = 0x151, ///< complex number type not supported here
    ir_tile_shape0_not_multiple_of_sgs = 0x152, ///< first tile size is not a multiple of the subgroup size
    ir_division_by_zero = 0x153, ///< division by zero
    spirv_forbidden_forward_declaration = 0x1000, ///< SPIR-V id used before it may be
    spirv_undefined_value = 0x1001, ///< value has no SPIR-V counterpart
    spirv_missing_dope_vector = 0x1002, ///< run-time sizes of a tensor are unknown
    spirv_unsupported_atomic_data_type = 0x1003, ///< no atomic operations for this type
    spirv_required_feature_unavailable = 0x1004, ///< the device lacks a required feature
    unknown = 0x7fffffff, ///< unknown error
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(status val) -> char const * {
    return ::tiletc_status_to_string(static_cast<::tiletc_status_t>(val));
}

/// Component of a three-dimensional id.
enum class comp3 : int {
    x = 0, ///< first component
    y = 1, ///< second component
    z = 2, ///< third component
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(comp3 val) -> char const * {
    return ::tiletc_comp3_to_string(static_cast<::tiletc_comp3_t>(val));
}

/// Direction of a coopmatrix reduction.
enum class reduce_mode : int {
    row = 0, ///< reduce over the rows
    column = 1, ///< reduce over the columns
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(reduce_mode val) -> char const * {
    return ::tiletc_reduce_mode_to_string(static_cast<::tiletc_reduce_mode_t>(val));
}

/// Transposition of a matrix.
enum class transpose : int {
    N = 0, ///< not transposed
    T = 1, ///< transposed
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(transpose val) -> char const * {
    return ::tiletc_transpose_to_string(static_cast<::tiletc_transpose_t>(val));
}

/// Memory of a memref; also bits of a fence.
enum class address_space : int {
    global = 1, ///< global memory
    local = 2, ///< shared local memory
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(address_space val) -> char const * {
    return ::tiletc_address_space_to_string(static_cast<::tiletc_address_space_t>(val));
}

/// Bounds checks of coopmatrix loads and stores.
enum class checked_flag : int {
    none = 0, ///< no checks
    rows = 1, ///< check the rows
    cols = 2, ///< check the columns
    both = 3, ///< check rows and columns
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(checked_flag val) -> char const * {
    return ::tiletc_checked_flag_to_string(static_cast<::tiletc_checked_flag_t>(val));
}

/// Scope of an atomic operation.
enum class memory_scope : int {
    cross_device = 0, ///< all devices
    device = 1, ///< the device
    work_group = 2, ///< the work-group
    subgroup = 3, ///< the subgroup
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(memory_scope val) -> char const * {
    return ::tiletc_memory_scope_to_string(static_cast<::tiletc_memory_scope_t>(val));
}

/// Ordering of an atomic operation.
enum class memory_semantics : int {
    relaxed = 0, ///< no ordering
    acquire = 2, ///< acquire
    release = 4, ///< release
    acquire_release = 8, ///< acquire and release
    sequentially_consistent = 16, ///< one total order
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(memory_semantics val) -> char const * {
    return ::tiletc_memory_semantics_to_string(static_cast<::tiletc_memory_semantics_t>(val));
}

/// Role of a coopmatrix.
enum class matrix_use : int {
    a = 0, ///< left factor
    b = 1, ///< right factor
    acc = 2, ///< accumulator
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(matrix_use val) -> char const * {
    return ::tiletc_matrix_use_to_string(static_cast<::tiletc_matrix_use_t>(val));
}

/// Features that the SPIR-V consumer of a device supports.
enum class spirv_feature : int {
    float16 = 0,
    float64 = 1,
    int64_atomics = 2,
    groups = 3,
    subgroup_dispatch = 4,
    atomic_float16_add_local = 5,
    atomic_float16_add_global = 6,
    atomic_float32_add_local = 7,
    atomic_float32_add_global = 8,
    atomic_float64_add_local = 9,
    atomic_float64_add_global = 10,
    atomic_float16_min_max_local = 11,
    atomic_float16_min_max_global = 12,
    atomic_float32_min_max_local = 13,
    atomic_float32_min_max_global = 14,
    atomic_float64_min_max_local = 15,
    atomic_float64_min_max_global = 16,
    bfloat16_conversion = 17,
    subgroup_buffer_block_io = 18,
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(spirv_feature val) -> char const * {
    return ::tiletc_spirv_feature_to_string(static_cast<::tiletc_spirv_feature_t>(val));
}

/// Requested device options, usable as bits.
enum class core_feature_flag : int {
    large_register_file = 1,
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(core_feature_flag val) -> char const * {
    return ::tiletc_core_feature_flag_to_string(static_cast<::tiletc_core_feature_flag_t>(val));
}

/// Intel GPU architectures, by IP version.
enum class intel_gpu_architecture : int {
    tgl = 0x3000000,
    pvc = 0x30f0000,
    bmg = 0x5004000,
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(intel_gpu_architecture val) -> char const * {
    return ::tiletc_intel_gpu_architecture_to_string(static_cast<::tiletc_intel_gpu_architecture_t>(val));
}

/// Format of a binary.
enum class bundle_format : int {
    spirv = 0, ///< SPIR-V words
    native = 1, ///< device binary
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(bundle_format val) -> char const * {
    return ::tiletc_bundle_format_to_string(static_cast<::tiletc_bundle_format_t>(val));
}

/// Optimisation flags.
enum class optflag : int {
    unsafe_fp_math = 0, ///< rewrites that ignore NaN, infinity and signed zero
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(optflag val) -> char const * {
    return ::tiletc_optflag_to_string(static_cast<::tiletc_optflag_t>(val));
}

/// Kind of a memory argument.
enum class mem_type : int {
    buffer = 0, ///< buffer object
    usm_pointer = 1, ///< unified shared memory
    svm_pointer = 2, ///< shared virtual memory
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(mem_type val) -> char const * {
    return ::tiletc_mem_type_to_string(static_cast<::tiletc_mem_type_t>(val));
}

/// Degree to which a device is supported.
enum class support_level : int {
    none = 0, ///< not supported
    basic = 1, ///< supported
    tuned = 2, ///< supported and tuned for
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(support_level val) -> char const * {
    return ::tiletc_support_level_to_string(static_cast<::tiletc_support_level_t>(val));
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_ENUMS_HPP
