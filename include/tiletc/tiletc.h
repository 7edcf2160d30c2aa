// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// The C interface of tiletc, but the runtimes.
///
/// - A function returns `tiletc_status_success` or why it failed. Its comment lists the errors of its own
///   without their prefix; any function may also give `invalid_arguments` (the next two points) and
///   `internal_compiler_error` (our mistake).
/// - A NULL handle, text or output pointer is refused unless the comment says that it may be NULL. An array
///   may be NULL if its size is 0.
/// - A handle of the wrong kind, or one that was freed, is refused (unless its memory serves a new object of
///   its kind), and so is a number that is no enumerator.
/// - If a call fails its output parameters keep their values, and the next call works.
/// - What a `..._create` or `..._parse_...` function stores has one reference, which the caller gives up
///   with the `..._release` function of its kind. Instructions and functions have one owner instead: the
///   caller, who may free them with `..._destroy`, until a region or a program takes them. What a `..._get...`
///   function stores is no new reference unless the comment says so. Types and attributes live as long as
///   their context.
/// - A constructor of an instruction (`..._inst_create...`) takes what is fixed in the instruction, its
///   operands, the types of its results, and its place in a source, which may be NULL. Its error is the `ir_`
///   status of the first rule of the language that the instruction breaks; nothing is reported.
/// - In linear algebra (axpby, cumsum, sum, gemm, gemv, ger, hadamard) A, B and C are memrefs, and alpha and
///   beta numbers that promote to the elements. Matrices are given as rows x columns; op(A) and op(B) are A and
///   B or, if tA and tB say so, their transposes. With `atomic` each element of the output is updated
///   atomically, and beta is a constant 0 or 1.
/// - A `char *` that is stored belongs to the caller, who frees it with tiletc_string_destroy; a
///   `const char *` belongs to the library.
/// - Shapes, strides and offsets count elements, sizes of memory count bytes.
/// - Any thread may call any function. Calls that work on one context wait for each other; different
///   contexts have nothing to do with each other.
/// - A call holds what it works on. If another thread gives the last reference up meanwhile, or destroys what the call
///   is about, the call goes on to its end as if it had come first, or is refused as with any handle that was freed. The
///   last line of each comment says what else there is to heed: what a function stores a `const` pointer to is part of
///   an object, and whoever reads it has a reference to that.
/// - Texts, arrays and places that are passed are the caller's: no other thread may change or free them during the call.
/// - Messages go to the error reporter of the context, which is called without any lock held. Nothing else
///   is printed unless asked for.
/// - The floating-point environment of the caller (traps, rounding, flags) neither matters nor changes; the
///   error reporter is called in the default one.
/// - The structures and enumerations are tinytc's (`struct tinytc_prog`) and have two names, ours and
///   tinytc's, so that both kinds of programs exchange handles: C++ makes symbols of the tags.

#ifndef TILETC_TILETC_H
#define TILETC_TILETC_H

#include <stddef.h>
#include <stdint.h>

#if defined(TILETC_STATIC_DEFINE) || !defined(__GNUC__)
#define TILETC_EXPORT
#define TILETC_NO_EXPORT
#else
/// Marks what a shared library shows.
#define TILETC_EXPORT __attribute__((visibility("default")))
/// Marks what a shared library hides.
#define TILETC_NO_EXPORT __attribute__((visibility("hidden")))
#endif
#if defined(__GNUC__)
/// Marks what programs should no longer use.
#define TILETC_DEPRECATED __attribute__((__deprecated__))
#else
#define TILETC_DEPRECATED
#endif
/// Shown, but deprecated.
#define TILETC_DEPRECATED_EXPORT TILETC_EXPORT TILETC_DEPRECATED
/// Hidden and deprecated.
#define TILETC_DEPRECATED_NO_EXPORT TILETC_NO_EXPORT TILETC_DEPRECATED

/// A size that is known at run time only, `?` in a program's text.
#define TILETC_DYNAMIC INT64_MIN
/// The bits of an IP version in which the devices of one architecture differ.
#define TILETC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS 0xfff

/// Returns the status of the call `X` from the enclosing function unless it is success.
#define TILETC_CHECK_STATUS(X)                                                                        \
    do {                                                                                              \
        tiletc_status_t tiletc_check_status_ = (X);                                                   \
        if (tiletc_check_status_ != tiletc_status_success) {                                          \
            return tiletc_check_status_;                                                              \
        }                                                                                             \
    } while (0)

/// The major version.
#define TILETC_VERSION_MAJOR 0
/// The minor version.
#define TILETC_VERSION_MINOR 2
/// The patch version.
#define TILETC_VERSION_PATCH 0
/// Short commit id; a build that knows it defines it.
#ifndef TILETC_VERSION_HASH
#define TILETC_VERSION_HASH "unknown"
#endif
/// Commits since the release; a build that knows the number defines it.
#ifndef TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE
#define TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE 0
#endif
/// `X` as a string, as it stands.
#define TILETC_VERSION_TEXT_(X) #X
/// Expansion of the macro `X`, as a string.
#define TILETC_VERSION_TEXT(X) TILETC_VERSION_TEXT_(X)
/// "v<major>.<minor>.<patch>-<commits>-<hash>"
#define TILETC_VERSION_DESCRIPTION                                                 \
    "v" TILETC_VERSION_TEXT(TILETC_VERSION_MAJOR) \
    "." TILETC_VERSION_TEXT(TILETC_VERSION_MINOR) \
    "." TILETC_VERSION_TEXT(TILETC_VERSION_PATCH) \
    "-" TILETC_VERSION_TEXT(TILETC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE) \
    "-" TILETC_VERSION_HASH

/// Outcome of a call.
typedef enum {
    tiletc_status_success = 0, ///< success
    tiletc_status_bad_alloc = 1, ///< out of memory
    tiletc_status_invalid_arguments = 2, ///< invalid arguments
    tiletc_status_out_of_range = 3, ///< index or count out of range
    tiletc_status_runtime_error = 4, ///< runtime error
    tiletc_status_internal_compiler_error = 5, ///< internal compiler error (please report it)
    tiletc_status_unsupported_subgroup_size = 6, ///< subgroup size not available on the device
    tiletc_status_unsupported_work_group_size = 7, ///< work-group size not available on the device
    tiletc_status_compilation_error = 8, ///< compilation failed
    tiletc_status_file_io_error = 9, ///< file could not be read or written
    tiletc_status_parse_error = 10, ///< program text was refused
    tiletc_status_unavailable_extension = 11, ///< a required driver extension is missing
    tiletc_status_unsupported_backend = 12, ///< unsupported compute runtime
    tiletc_status_invalid_kernel_arguments = 13, ///< invalid kernel arguments
    tiletc_status_unsupported_device = 14, ///< unsupported device
    tiletc_status_invalid_core_info = 15, ///< unusable device description
    tiletc_status_unknown_pass_name = 16, ///< no pass of that name
    tiletc_status_not_implemented = 17, ///< not implemented
    tiletc_status_compute_runtime_error = 18, ///< compute runtime returned an error
    tiletc_status_ir_out_of_bounds = 0x100, ///< mode, component or index number out of bounds
    tiletc_status_ir_invalid_shape = 0x101, ///< invalid shape
    tiletc_status_ir_incompatible_shapes = 0x102, ///< operand shapes do not fit together
    tiletc_status_ir_shape_stride_mismatch = 0x103, ///< shape and stride differ in length
    tiletc_status_ir_number_mismatch = 0x104, ///< number types differ
    tiletc_status_ir_invalid_number_of_indices = 0x105, ///< wrong number of indices
    tiletc_status_ir_expected_boolean = 0x106, ///< expected bool
    tiletc_status_ir_expected_number = 0x107, ///< expected a number type
    tiletc_status_ir_expected_int = 0x108, ///< expected an integer type
    tiletc_status_ir_expected_float = 0x109, ///< expected a floating-point type
    tiletc_status_ir_expected_complex = 0x10a, ///< expected a complex type
    tiletc_status_ir_expected_i32 = 0x10b, ///< expected i32
    tiletc_status_ir_expected_index = 0x10c, ///< expected index
    tiletc_status_ir_expected_coopmatrix = 0x10d, ///< expected a coopmatrix
    tiletc_status_ir_expected_coopmatrix_or_number = 0x10e, ///< expected a coopmatrix or a number
    tiletc_status_ir_expected_coopmatrix_number_or_boolean = 0x10f, ///< expected a coopmatrix, a number or bool
    tiletc_status_ir_expected_memref = 0x110, ///< expected a memref
    tiletc_status_ir_expected_memref_or_number = 0x111, ///< expected a memref or a number
    tiletc_status_ir_expected_memref_or_group = 0x112, ///< expected a memref or a group
    tiletc_status_ir_expected_memref_order_0 = 0x113, ///< expected a memref of order 0
    tiletc_status_ir_expected_memref_order_1 = 0x114, ///< expected a memref of order 1
    tiletc_status_ir_expected_memref_order_2 = 0x115, ///< expected a memref of order 2
    tiletc_status_ir_expected_memref_order_0_or_1 = 0x116, ///< expected a memref of order 0 or 1
    tiletc_status_ir_expected_memref_order_1_or_2 = 0x117, ///< expected a memref of order 1 or 2
    tiletc_status_ir_expected_memref_order_0_1_or_2 = 0x118, ///< expected a memref of order 0, 1 or 2
    tiletc_status_ir_unexpected_yield = 0x119, ///< yield in a region that returns nothing
    tiletc_status_ir_yield_mismatch = 0x11a, ///< yielded values do not match the results
    tiletc_status_ir_subview_mismatch = 0x11b, ///< wrong number of dynamic subview operands
    tiletc_status_ir_invalid_slice = 0x11c, ///< negative offset or size in a slice
    tiletc_status_ir_expand_shape_order_too_small = 0x11d, ///< expand needs at least two sizes
    tiletc_status_ir_expand_shape_mismatch = 0x11e, ///< wrong number of dynamic expand operands
    tiletc_status_ir_collective_called_from_spmd = 0x11f, ///< collective instruction in an SPMD region
    tiletc_status_ir_fp_unsupported = 0x120, ///< floating-point type not supported here
    tiletc_status_ir_spmd_called_from_collective = 0x121, ///< SPMD instruction in a collective region
    tiletc_status_ir_expected_local_address_space = 0x122, ///< expected a memref in local memory
    tiletc_status_ir_expected_global_address_space = 0x123, ///< expected a memref in global memory
    tiletc_status_ir_address_space_mismatch = 0x124, ///< address spaces differ
    tiletc_status_ir_invalid_offset = 0x125, ///< negative group offset
    tiletc_status_ir_int_unsupported = 0x126, ///< integer type not supported here
    tiletc_status_ir_boolean_unsupported = 0x127, ///< bool not supported here
    tiletc_status_ir_complex_unsupported = 0x128, ///< complex type not supported here
    tiletc_status_ir_coopmatrix_unsupported = 0x129, ///< coopmatrix not supported here
    tiletc_status_ir_forbidden_cast = 0x12a, ///< no such cast
    tiletc_status_ir_invalid_beta = 0x12b, ///< beta of an atomic operation must be the constant 0 or 1
    tiletc_status_ir_init_return_mismatch = 0x12c, ///< initial values do not match the results
    tiletc_status_ir_invalid_matrix_use = 0x12d, ///< wrong coopmatrix use
    tiletc_status_ir_unsupported_coopmatrix_shape = 0x12e, ///< unsupported coopmatrix shape
    tiletc_status_ir_forbidden_promotion = 0x12f, ///< number types cannot be promoted as needed
    tiletc_status_ir_constant_mismatch = 0x130, ///< constant does not fit the type
    tiletc_status_ir_insufficient_alignment = 0x131, ///< insufficient alignment
    tiletc_status_ir_must_have_yield = 0x132, ///< region must end in yield
    tiletc_status_ir_yield_in_else_branch_missing = 0x133, ///< else branch must end in yield
    tiletc_status_ir_from_to_mismatch = 0x134, ///< lower and upper bounds differ in number
    tiletc_status_ir_from_tile_shape_mismatch = 0x135, ///< bounds and tile shape differ in number
    tiletc_status_ir_operand_type_must_match_return_type = 0x136, ///< operand type must match the result type
    tiletc_status_ir_invalid_stride = 0x137, ///< invalid stride
    tiletc_status_ir_init_return_type_mismatch = 0x138, ///< initial values do not match the result types
    tiletc_status_ir_value_still_has_uses = 0x139, ///< value still has uses
    tiletc_status_ir_expected_array_attribute = 0x140, ///< expected an array attribute
    tiletc_status_ir_expected_boolean_attribute = 0x141, ///< expected a boolean attribute
    tiletc_status_ir_expected_dictionary_attribute = 0x142, ///< expected a dictionary attribute
    tiletc_status_ir_expected_integer_attribute = 0x143, ///< expected an integer attribute
    tiletc_status_ir_expected_string_attribute = 0x144, ///< expected a string attribute
    tiletc_status_ir_duplicate_key_in_dictionary = 0x145, ///< duplicate key in dictionary
    tiletc_status_ir_unexpected_array_attribute_size = 0x146, ///< array attribute of the wrong length
    tiletc_status_ir_expected_non_scalar_memref = 0x150, ///< expected a memref of order 1 or more
    tiletc_status_ir_complex_number_type_unsupported = 0x151, ///< complex number type not supported here
    tiletc_status_ir_tile_shape0_not_multiple_of_sgs = 0x152, ///< first tile size is not a multiple of the subgroup size
    tiletc_status_ir_division_by_zero = 0x153, ///< division by zero
    tiletc_status_ir_unexpected_break = 0x154, ///< break_if outside of the body of a loop
    tiletc_status_ir_expected_tile = 0x160, ///< expected a tile
    tiletc_status_ir_tile_shape_mismatch = 0x161, ///< shapes of tiles do not fit together
    tiletc_status_ir_tile_use_mismatch = 0x162, ///< wrong use of a tile
    tiletc_status_ir_tile_type_unsupported = 0x163, ///< product of tiles not supported
    tiletc_status_ir_tile_uncovered = 0x164, ///< subgroups cannot share the tile equally
    tiletc_status_ir_tile_rows_not_multiple_of_sgs = 0x165, ///< rows of a tile are not a multiple of the subgroup size
    tiletc_status_ir_tile_unchecked_remainder = 0x166, ///< unchecked loads may reach beyond the end along K
    tiletc_status_ir_tile_pipeline_dependence = 0x167, ///< the loop cannot have stages
    tiletc_status_ir_tile_slm_exceeded = 0x168, ///< stages exceed the local memory
    tiletc_status_ir_tile_registers_exceeded = 0x169, ///< tile exceeds the registers
    tiletc_status_ir_tile_fragment_shape = 0x16a, ///< fragments do not make up the share of a tile
    tiletc_status_ir_tile_swizzle_shape = 0x16b, ///< swizzle does not fit
    tiletc_status_ir_tile_order_group = 0x16c, ///< invalid group of an order of tiles
    tiletc_status_ir_tile_side_effect = 0x16d, ///< side effect in the region of a tile instruction
    tiletc_status_ir_tile_unsupported = 0x16e, ///< tile not supported here
    tiletc_status_ir_packed_shape = 0x16f, ///< numbers that share bytes need even sizes and distances
    tiletc_status_ir_packed_read_only = 0x170, ///< numbers that share bytes are only read
    tiletc_status_spirv_forbidden_forward_declaration = 0x1000, ///< SPIR-V id used before it may be
    tiletc_status_spirv_undefined_value = 0x1001, ///< value has no SPIR-V counterpart
    tiletc_status_spirv_missing_dope_vector = 0x1002, ///< run-time sizes of a tensor are unknown
    tiletc_status_spirv_unsupported_atomic_data_type = 0x1003, ///< no atomic operations for this type
    tiletc_status_spirv_required_feature_unavailable = 0x1004, ///< the device lacks a required feature
    tiletc_status_launch_argument_contract = 0x2000, ///< an argument is not what an attribute promises
    tiletc_status_launch_grid_mismatch = 0x2001, ///< a launch has fewer work-groups than it needs
    tiletc_status_unknown = 0x7fffffff, ///< unknown error
    tinytc_status_success = 0, ///< tiletc_status_success
    tinytc_status_bad_alloc = 1, ///< tiletc_status_bad_alloc
    tinytc_status_invalid_arguments = 2, ///< tiletc_status_invalid_arguments
    tinytc_status_out_of_range = 3, ///< tiletc_status_out_of_range
    tinytc_status_runtime_error = 4, ///< tiletc_status_runtime_error
    tinytc_status_internal_compiler_error = 5, ///< tiletc_status_internal_compiler_error
    tinytc_status_unsupported_subgroup_size = 6, ///< tiletc_status_unsupported_subgroup_size
    tinytc_status_unsupported_work_group_size = 7, ///< tiletc_status_unsupported_work_group_size
    tinytc_status_compilation_error = 8, ///< tiletc_status_compilation_error
    tinytc_status_file_io_error = 9, ///< tiletc_status_file_io_error
    tinytc_status_parse_error = 10, ///< tiletc_status_parse_error
    tinytc_status_unavailable_extension = 11, ///< tiletc_status_unavailable_extension
    tinytc_status_unsupported_backend = 12, ///< tiletc_status_unsupported_backend
    tinytc_status_invalid_kernel_arguments = 13, ///< tiletc_status_invalid_kernel_arguments
    tinytc_status_unsupported_device = 14, ///< tiletc_status_unsupported_device
    tinytc_status_invalid_core_info = 15, ///< tiletc_status_invalid_core_info
    tinytc_status_unknown_pass_name = 16, ///< tiletc_status_unknown_pass_name
    tinytc_status_not_implemented = 17, ///< tiletc_status_not_implemented
    tinytc_status_compute_runtime_error = 18, ///< tiletc_status_compute_runtime_error
    tinytc_status_ir_out_of_bounds = 0x100, ///< tiletc_status_ir_out_of_bounds
    tinytc_status_ir_invalid_shape = 0x101, ///< tiletc_status_ir_invalid_shape
    tinytc_status_ir_incompatible_shapes = 0x102, ///< tiletc_status_ir_incompatible_shapes
    tinytc_status_ir_shape_stride_mismatch = 0x103, ///< tiletc_status_ir_shape_stride_mismatch
    tinytc_status_ir_number_mismatch = 0x104, ///< tiletc_status_ir_number_mismatch
    tinytc_status_ir_invalid_number_of_indices = 0x105, ///< tiletc_status_ir_invalid_number_of_indices
    tinytc_status_ir_expected_boolean = 0x106, ///< tiletc_status_ir_expected_boolean
    tinytc_status_ir_expected_number = 0x107, ///< tiletc_status_ir_expected_number
    tinytc_status_ir_expected_int = 0x108, ///< tiletc_status_ir_expected_int
    tinytc_status_ir_expected_float = 0x109, ///< tiletc_status_ir_expected_float
    tinytc_status_ir_expected_complex = 0x10a, ///< tiletc_status_ir_expected_complex
    tinytc_status_ir_expected_i32 = 0x10b, ///< tiletc_status_ir_expected_i32
    tinytc_status_ir_expected_index = 0x10c, ///< tiletc_status_ir_expected_index
    tinytc_status_ir_expected_coopmatrix = 0x10d, ///< tiletc_status_ir_expected_coopmatrix
    tinytc_status_ir_expected_coopmatrix_or_number = 0x10e, ///< tiletc_status_ir_expected_coopmatrix_or_number
    tinytc_status_ir_expected_coopmatrix_number_or_boolean = 0x10f, ///< tiletc_status_ir_expected_coopmatrix_number_or_boolean
    tinytc_status_ir_expected_memref = 0x110, ///< tiletc_status_ir_expected_memref
    tinytc_status_ir_expected_memref_or_number = 0x111, ///< tiletc_status_ir_expected_memref_or_number
    tinytc_status_ir_expected_memref_or_group = 0x112, ///< tiletc_status_ir_expected_memref_or_group
    tinytc_status_ir_expected_memref_order_0 = 0x113, ///< tiletc_status_ir_expected_memref_order_0
    tinytc_status_ir_expected_memref_order_1 = 0x114, ///< tiletc_status_ir_expected_memref_order_1
    tinytc_status_ir_expected_memref_order_2 = 0x115, ///< tiletc_status_ir_expected_memref_order_2
    tinytc_status_ir_expected_memref_order_0_or_1 = 0x116, ///< tiletc_status_ir_expected_memref_order_0_or_1
    tinytc_status_ir_expected_memref_order_1_or_2 = 0x117, ///< tiletc_status_ir_expected_memref_order_1_or_2
    tinytc_status_ir_expected_memref_order_0_1_or_2 = 0x118, ///< tiletc_status_ir_expected_memref_order_0_1_or_2
    tinytc_status_ir_unexpected_yield = 0x119, ///< tiletc_status_ir_unexpected_yield
    tinytc_status_ir_yield_mismatch = 0x11a, ///< tiletc_status_ir_yield_mismatch
    tinytc_status_ir_subview_mismatch = 0x11b, ///< tiletc_status_ir_subview_mismatch
    tinytc_status_ir_invalid_slice = 0x11c, ///< tiletc_status_ir_invalid_slice
    tinytc_status_ir_expand_shape_order_too_small = 0x11d, ///< tiletc_status_ir_expand_shape_order_too_small
    tinytc_status_ir_expand_shape_mismatch = 0x11e, ///< tiletc_status_ir_expand_shape_mismatch
    tinytc_status_ir_collective_called_from_spmd = 0x11f, ///< tiletc_status_ir_collective_called_from_spmd
    tinytc_status_ir_fp_unsupported = 0x120, ///< tiletc_status_ir_fp_unsupported
    tinytc_status_ir_spmd_called_from_collective = 0x121, ///< tiletc_status_ir_spmd_called_from_collective
    tinytc_status_ir_expected_local_address_space = 0x122, ///< tiletc_status_ir_expected_local_address_space
    tinytc_status_ir_expected_global_address_space = 0x123, ///< tiletc_status_ir_expected_global_address_space
    tinytc_status_ir_address_space_mismatch = 0x124, ///< tiletc_status_ir_address_space_mismatch
    tinytc_status_ir_invalid_offset = 0x125, ///< tiletc_status_ir_invalid_offset
    tinytc_status_ir_int_unsupported = 0x126, ///< tiletc_status_ir_int_unsupported
    tinytc_status_ir_boolean_unsupported = 0x127, ///< tiletc_status_ir_boolean_unsupported
    tinytc_status_ir_complex_unsupported = 0x128, ///< tiletc_status_ir_complex_unsupported
    tinytc_status_ir_coopmatrix_unsupported = 0x129, ///< tiletc_status_ir_coopmatrix_unsupported
    tinytc_status_ir_forbidden_cast = 0x12a, ///< tiletc_status_ir_forbidden_cast
    tinytc_status_ir_invalid_beta = 0x12b, ///< tiletc_status_ir_invalid_beta
    tinytc_status_ir_init_return_mismatch = 0x12c, ///< tiletc_status_ir_init_return_mismatch
    tinytc_status_ir_invalid_matrix_use = 0x12d, ///< tiletc_status_ir_invalid_matrix_use
    tinytc_status_ir_unsupported_coopmatrix_shape = 0x12e, ///< tiletc_status_ir_unsupported_coopmatrix_shape
    tinytc_status_ir_forbidden_promotion = 0x12f, ///< tiletc_status_ir_forbidden_promotion
    tinytc_status_ir_constant_mismatch = 0x130, ///< tiletc_status_ir_constant_mismatch
    tinytc_status_ir_insufficient_alignment = 0x131, ///< tiletc_status_ir_insufficient_alignment
    tinytc_status_ir_must_have_yield = 0x132, ///< tiletc_status_ir_must_have_yield
    tinytc_status_ir_yield_in_else_branch_missing = 0x133, ///< tiletc_status_ir_yield_in_else_branch_missing
    tinytc_status_ir_from_to_mismatch = 0x134, ///< tiletc_status_ir_from_to_mismatch
    tinytc_status_ir_from_tile_shape_mismatch = 0x135, ///< tiletc_status_ir_from_tile_shape_mismatch
    tinytc_status_ir_operand_type_must_match_return_type = 0x136, ///< tiletc_status_ir_operand_type_must_match_return_type
    tinytc_status_ir_invalid_stride = 0x137, ///< tiletc_status_ir_invalid_stride
    tinytc_status_ir_init_return_type_mismatch = 0x138, ///< tiletc_status_ir_init_return_type_mismatch
    tinytc_status_ir_value_still_has_uses = 0x139, ///< tiletc_status_ir_value_still_has_uses
    tinytc_status_ir_expected_array_attribute = 0x140, ///< tiletc_status_ir_expected_array_attribute
    tinytc_status_ir_expected_boolean_attribute = 0x141, ///< tiletc_status_ir_expected_boolean_attribute
    tinytc_status_ir_expected_dictionary_attribute = 0x142, ///< tiletc_status_ir_expected_dictionary_attribute
    tinytc_status_ir_expected_integer_attribute = 0x143, ///< tiletc_status_ir_expected_integer_attribute
    tinytc_status_ir_expected_string_attribute = 0x144, ///< tiletc_status_ir_expected_string_attribute
    tinytc_status_ir_duplicate_key_in_dictionary = 0x145, ///< tiletc_status_ir_duplicate_key_in_dictionary
    tinytc_status_ir_unexpected_array_attribute_size = 0x146, ///< tiletc_status_ir_unexpected_array_attribute_size
    tinytc_status_ir_expected_non_scalar_memref = 0x150, ///< tiletc_status_ir_expected_non_scalar_memref
    tinytc_status_ir_complex_number_type_unsupported = 0x151, ///< tiletc_status_ir_complex_number_type_unsupported
    tinytc_status_ir_tile_shape0_not_multiple_of_sgs = 0x152, ///< tiletc_status_ir_tile_shape0_not_multiple_of_sgs
    tinytc_status_ir_division_by_zero = 0x153, ///< tiletc_status_ir_division_by_zero
    tinytc_status_ir_unexpected_break = 0x154, ///< tiletc_status_ir_unexpected_break
    tinytc_status_ir_expected_tile = 0x160, ///< tiletc_status_ir_expected_tile
    tinytc_status_ir_tile_shape_mismatch = 0x161, ///< tiletc_status_ir_tile_shape_mismatch
    tinytc_status_ir_tile_use_mismatch = 0x162, ///< tiletc_status_ir_tile_use_mismatch
    tinytc_status_ir_tile_type_unsupported = 0x163, ///< tiletc_status_ir_tile_type_unsupported
    tinytc_status_ir_tile_uncovered = 0x164, ///< tiletc_status_ir_tile_uncovered
    tinytc_status_ir_tile_rows_not_multiple_of_sgs = 0x165, ///< tiletc_status_ir_tile_rows_not_multiple_of_sgs
    tinytc_status_ir_tile_unchecked_remainder = 0x166, ///< tiletc_status_ir_tile_unchecked_remainder
    tinytc_status_ir_tile_pipeline_dependence = 0x167, ///< tiletc_status_ir_tile_pipeline_dependence
    tinytc_status_ir_tile_slm_exceeded = 0x168, ///< tiletc_status_ir_tile_slm_exceeded
    tinytc_status_ir_tile_registers_exceeded = 0x169, ///< tiletc_status_ir_tile_registers_exceeded
    tinytc_status_ir_tile_fragment_shape = 0x16a, ///< tiletc_status_ir_tile_fragment_shape
    tinytc_status_ir_tile_swizzle_shape = 0x16b, ///< tiletc_status_ir_tile_swizzle_shape
    tinytc_status_ir_tile_order_group = 0x16c, ///< tiletc_status_ir_tile_order_group
    tinytc_status_ir_tile_side_effect = 0x16d, ///< tiletc_status_ir_tile_side_effect
    tinytc_status_ir_tile_unsupported = 0x16e, ///< tiletc_status_ir_tile_unsupported
    tinytc_status_ir_packed_shape = 0x16f, ///< tiletc_status_ir_packed_shape
    tinytc_status_ir_packed_read_only = 0x170, ///< tiletc_status_ir_packed_read_only
    tinytc_status_spirv_forbidden_forward_declaration = 0x1000, ///< tiletc_status_spirv_forbidden_forward_declaration
    tinytc_status_spirv_undefined_value = 0x1001, ///< tiletc_status_spirv_undefined_value
    tinytc_status_spirv_missing_dope_vector = 0x1002, ///< tiletc_status_spirv_missing_dope_vector
    tinytc_status_spirv_unsupported_atomic_data_type = 0x1003, ///< tiletc_status_spirv_unsupported_atomic_data_type
    tinytc_status_spirv_required_feature_unavailable = 0x1004, ///< tiletc_status_spirv_required_feature_unavailable
    tinytc_status_launch_argument_contract = 0x2000, ///< tiletc_status_launch_argument_contract
    tinytc_status_launch_grid_mismatch = 0x2001, ///< tiletc_status_launch_grid_mismatch
    tinytc_status_unknown = 0x7fffffff, ///< tiletc_status_unknown
} tinytc_status_t;
/// Outcome of a call.
typedef tinytc_status_t tiletc_status_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_STATUS 114

/// Component of a three-dimensional id.
typedef enum {
    tiletc_comp3_x = 0, ///< first component
    tiletc_comp3_y = 1, ///< second component
    tiletc_comp3_z = 2, ///< third component
    tinytc_comp3_x = 0, ///< tiletc_comp3_x
    tinytc_comp3_y = 1, ///< tiletc_comp3_y
    tinytc_comp3_z = 2, ///< tiletc_comp3_z
} tinytc_comp3_t;
/// Component of a three-dimensional id.
typedef tinytc_comp3_t tiletc_comp3_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_COMP3 3

/// Direction of a coopmatrix reduction.
typedef enum {
    tiletc_reduce_mode_row = 0, ///< reduce over the rows
    tiletc_reduce_mode_column = 1, ///< reduce over the columns
    tinytc_reduce_mode_row = 0, ///< tiletc_reduce_mode_row
    tinytc_reduce_mode_column = 1, ///< tiletc_reduce_mode_column
} tinytc_reduce_mode_t;
/// Direction of a coopmatrix reduction.
typedef tinytc_reduce_mode_t tiletc_reduce_mode_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_REDUCE_MODE 2

/// Transposition of a matrix.
typedef enum {
    tiletc_transpose_N = 0, ///< not transposed
    tiletc_transpose_T = 1, ///< transposed
    tinytc_transpose_N = 0, ///< tiletc_transpose_N
    tinytc_transpose_T = 1, ///< tiletc_transpose_T
} tinytc_transpose_t;
/// Transposition of a matrix.
typedef tinytc_transpose_t tiletc_transpose_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_TRANSPOSE 2

/// Memory of a memref; also bits of a fence.
typedef enum {
    tiletc_address_space_global = 1, ///< global memory
    tiletc_address_space_local = 2, ///< shared local memory
    tinytc_address_space_global = 1, ///< tiletc_address_space_global
    tinytc_address_space_local = 2, ///< tiletc_address_space_local
} tinytc_address_space_t;
/// Memory of a memref; also bits of a fence.
typedef tinytc_address_space_t tiletc_address_space_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_ADDRESS_SPACE 2

/// Bounds checks of coopmatrix loads and stores.
typedef enum {
    tiletc_checked_flag_none = 0, ///< no checks
    tiletc_checked_flag_rows = 1, ///< check the rows
    tiletc_checked_flag_cols = 2, ///< check the columns
    tiletc_checked_flag_both = 3, ///< check rows and columns
    tinytc_checked_flag_none = 0, ///< tiletc_checked_flag_none
    tinytc_checked_flag_rows = 1, ///< tiletc_checked_flag_rows
    tinytc_checked_flag_cols = 2, ///< tiletc_checked_flag_cols
    tinytc_checked_flag_both = 3, ///< tiletc_checked_flag_both
} tinytc_checked_flag_t;
/// Bounds checks of coopmatrix loads and stores.
typedef tinytc_checked_flag_t tiletc_checked_flag_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_CHECKED_FLAG 4

/// Scope of an atomic operation.
typedef enum {
    tiletc_memory_scope_cross_device = 0, ///< all devices
    tiletc_memory_scope_device = 1, ///< the device
    tiletc_memory_scope_work_group = 2, ///< the work-group
    tiletc_memory_scope_subgroup = 3, ///< the subgroup
    tinytc_memory_scope_cross_device = 0, ///< tiletc_memory_scope_cross_device
    tinytc_memory_scope_device = 1, ///< tiletc_memory_scope_device
    tinytc_memory_scope_work_group = 2, ///< tiletc_memory_scope_work_group
    tinytc_memory_scope_subgroup = 3, ///< tiletc_memory_scope_subgroup
} tinytc_memory_scope_t;
/// Scope of an atomic operation.
typedef tinytc_memory_scope_t tiletc_memory_scope_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_MEMORY_SCOPE 4

/// Ordering of an atomic operation.
typedef enum {
    tiletc_memory_semantics_relaxed = 0, ///< no ordering
    tiletc_memory_semantics_acquire = 2, ///< acquire
    tiletc_memory_semantics_release = 4, ///< release
    tiletc_memory_semantics_acquire_release = 8, ///< acquire and release
    tiletc_memory_semantics_sequentially_consistent = 16, ///< one total order
    tinytc_memory_semantics_relaxed = 0, ///< tiletc_memory_semantics_relaxed
    tinytc_memory_semantics_acquire = 2, ///< tiletc_memory_semantics_acquire
    tinytc_memory_semantics_release = 4, ///< tiletc_memory_semantics_release
    tinytc_memory_semantics_acquire_release = 8, ///< tiletc_memory_semantics_acquire_release
    tinytc_memory_semantics_sequentially_consistent = 16, ///< tiletc_memory_semantics_sequentially_consistent
} tinytc_memory_semantics_t;
/// Ordering of an atomic operation.
typedef tinytc_memory_semantics_t tiletc_memory_semantics_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_MEMORY_SEMANTICS 5

/// Role of a coopmatrix.
typedef enum {
    tiletc_matrix_use_a = 0, ///< left factor
    tiletc_matrix_use_b = 1, ///< right factor
    tiletc_matrix_use_acc = 2, ///< accumulator
    tinytc_matrix_use_a = 0, ///< tiletc_matrix_use_a
    tinytc_matrix_use_b = 1, ///< tiletc_matrix_use_b
    tinytc_matrix_use_acc = 2, ///< tiletc_matrix_use_acc
} tinytc_matrix_use_t;
/// Role of a coopmatrix.
typedef tinytc_matrix_use_t tiletc_matrix_use_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_MATRIX_USE 3

/// Value of what a tile load finds outside of the memref.
typedef enum {
    tiletc_boundary_zero = 0, ///< 0, or another number that the load names
    tiletc_boundary_wrap = 1, ///< the element at the coordinates modulo the sizes
    tiletc_boundary_unchecked = 2, ///< undefined; there must be nothing outside
    tiletc_boundary_undefined = 3, ///< undefined, whatever is there; the mode is not empty
    tinytc_boundary_zero = 0, ///< tiletc_boundary_zero
    tinytc_boundary_wrap = 1, ///< tiletc_boundary_wrap
    tinytc_boundary_unchecked = 2, ///< tiletc_boundary_unchecked
    tinytc_boundary_undefined = 3, ///< tiletc_boundary_undefined
} tinytc_boundary_t;
/// Value of what a tile load finds outside of the memref.
typedef tinytc_boundary_t tiletc_boundary_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_BOUNDARY 4

/// Order in which work-groups take the tiles of a matrix.
typedef enum {
    tiletc_tile_order_linear_n = 0, ///< row after row
    tiletc_tile_order_linear_m = 1, ///< column after column
    tiletc_tile_order_grouped = 2, ///< column after column within groups of rows
    tiletc_tile_order_panel_m = 3, ///< the same, every other group backwards
    tiletc_tile_order_panel_n = 4, ///< the same for groups of columns
    tiletc_tile_order_morton = 5, ///< along a z-curve within blocks
    tiletc_tile_order_hilbert = 6, ///< along a Hilbert curve within blocks
    tiletc_tile_order_diagonal = 7, ///< row after row, each begun one column later
    tiletc_tile_order_any = 8, ///< what the function's attribute says, or else column after column within groups of rows
    tinytc_tile_order_linear_n = 0, ///< tiletc_tile_order_linear_n
    tinytc_tile_order_linear_m = 1, ///< tiletc_tile_order_linear_m
    tinytc_tile_order_grouped = 2, ///< tiletc_tile_order_grouped
    tinytc_tile_order_panel_m = 3, ///< tiletc_tile_order_panel_m
    tinytc_tile_order_panel_n = 4, ///< tiletc_tile_order_panel_n
    tinytc_tile_order_morton = 5, ///< tiletc_tile_order_morton
    tinytc_tile_order_hilbert = 6, ///< tiletc_tile_order_hilbert
    tinytc_tile_order_diagonal = 7, ///< tiletc_tile_order_diagonal
    tinytc_tile_order_any = 8, ///< tiletc_tile_order_any
} tinytc_tile_order_t;
/// Order in which work-groups take the tiles of a matrix.
typedef tinytc_tile_order_t tiletc_tile_order_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_TILE_ORDER 9

/// Features that the SPIR-V consumer of a device supports.
typedef enum {
    tiletc_spirv_feature_float16 = 0,
    tiletc_spirv_feature_float64 = 1,
    tiletc_spirv_feature_int64_atomics = 2,
    tiletc_spirv_feature_groups = 3,
    tiletc_spirv_feature_subgroup_dispatch = 4,
    tiletc_spirv_feature_atomic_float16_add_local = 5,
    tiletc_spirv_feature_atomic_float16_add_global = 6,
    tiletc_spirv_feature_atomic_float32_add_local = 7,
    tiletc_spirv_feature_atomic_float32_add_global = 8,
    tiletc_spirv_feature_atomic_float64_add_local = 9,
    tiletc_spirv_feature_atomic_float64_add_global = 10,
    tiletc_spirv_feature_atomic_float16_min_max_local = 11,
    tiletc_spirv_feature_atomic_float16_min_max_global = 12,
    tiletc_spirv_feature_atomic_float32_min_max_local = 13,
    tiletc_spirv_feature_atomic_float32_min_max_global = 14,
    tiletc_spirv_feature_atomic_float64_min_max_local = 15,
    tiletc_spirv_feature_atomic_float64_min_max_global = 16,
    tiletc_spirv_feature_bfloat16_conversion = 17,
    tiletc_spirv_feature_subgroup_buffer_block_io = 18,
    tinytc_spirv_feature_float16 = 0, ///< tiletc_spirv_feature_float16
    tinytc_spirv_feature_float64 = 1, ///< tiletc_spirv_feature_float64
    tinytc_spirv_feature_int64_atomics = 2, ///< tiletc_spirv_feature_int64_atomics
    tinytc_spirv_feature_groups = 3, ///< tiletc_spirv_feature_groups
    tinytc_spirv_feature_subgroup_dispatch = 4, ///< tiletc_spirv_feature_subgroup_dispatch
    tinytc_spirv_feature_atomic_float16_add_local = 5, ///< tiletc_spirv_feature_atomic_float16_add_local
    tinytc_spirv_feature_atomic_float16_add_global = 6, ///< tiletc_spirv_feature_atomic_float16_add_global
    tinytc_spirv_feature_atomic_float32_add_local = 7, ///< tiletc_spirv_feature_atomic_float32_add_local
    tinytc_spirv_feature_atomic_float32_add_global = 8, ///< tiletc_spirv_feature_atomic_float32_add_global
    tinytc_spirv_feature_atomic_float64_add_local = 9, ///< tiletc_spirv_feature_atomic_float64_add_local
    tinytc_spirv_feature_atomic_float64_add_global = 10, ///< tiletc_spirv_feature_atomic_float64_add_global
    tinytc_spirv_feature_atomic_float16_min_max_local = 11, ///< tiletc_spirv_feature_atomic_float16_min_max_local
    tinytc_spirv_feature_atomic_float16_min_max_global = 12, ///< tiletc_spirv_feature_atomic_float16_min_max_global
    tinytc_spirv_feature_atomic_float32_min_max_local = 13, ///< tiletc_spirv_feature_atomic_float32_min_max_local
    tinytc_spirv_feature_atomic_float32_min_max_global = 14, ///< tiletc_spirv_feature_atomic_float32_min_max_global
    tinytc_spirv_feature_atomic_float64_min_max_local = 15, ///< tiletc_spirv_feature_atomic_float64_min_max_local
    tinytc_spirv_feature_atomic_float64_min_max_global = 16, ///< tiletc_spirv_feature_atomic_float64_min_max_global
    tinytc_spirv_feature_bfloat16_conversion = 17, ///< tiletc_spirv_feature_bfloat16_conversion
    tinytc_spirv_feature_subgroup_buffer_block_io = 18, ///< tiletc_spirv_feature_subgroup_buffer_block_io
} tinytc_spirv_feature_t;
/// Features that the SPIR-V consumer of a device supports.
typedef tinytc_spirv_feature_t tiletc_spirv_feature_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_SPIRV_FEATURE 19

/// Requested device options, usable as bits.
typedef enum {
    tiletc_core_feature_flag_large_register_file = 1,
    tinytc_core_feature_flag_large_register_file = 1, ///< tiletc_core_feature_flag_large_register_file
} tinytc_core_feature_flag_t;
/// Requested device options, usable as bits.
typedef tinytc_core_feature_flag_t tiletc_core_feature_flag_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_CORE_FEATURE_FLAG 1

/// Intel GPU architectures, by IP version.
typedef enum {
    tiletc_intel_gpu_architecture_tgl = 0x3000000,
    tiletc_intel_gpu_architecture_pvc = 0x30f0000,
    tiletc_intel_gpu_architecture_bmg = 0x5004000,
    tinytc_intel_gpu_architecture_tgl = 0x3000000, ///< tiletc_intel_gpu_architecture_tgl
    tinytc_intel_gpu_architecture_pvc = 0x30f0000, ///< tiletc_intel_gpu_architecture_pvc
    tinytc_intel_gpu_architecture_bmg = 0x5004000, ///< tiletc_intel_gpu_architecture_bmg
} tinytc_intel_gpu_architecture_t;
/// Intel GPU architectures, by IP version.
typedef tinytc_intel_gpu_architecture_t tiletc_intel_gpu_architecture_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_INTEL_GPU_ARCHITECTURE 3

/// Format of a binary.
typedef enum {
    tiletc_bundle_format_spirv = 0, ///< SPIR-V words
    tiletc_bundle_format_native = 1, ///< device binary
    tinytc_bundle_format_spirv = 0, ///< tiletc_bundle_format_spirv
    tinytc_bundle_format_native = 1, ///< tiletc_bundle_format_native
} tinytc_bundle_format_t;
/// Format of a binary.
typedef tinytc_bundle_format_t tiletc_bundle_format_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_BUNDLE_FORMAT 2

/// Optimisation flags.
typedef enum {
    tiletc_optflag_unsafe_fp_math = 0, ///< rewrites that ignore NaN, infinity and signed zero
    tiletc_optflag_tf32 = 0x2000, ///< rounding of the factors of products from f32 to tf32 in functions that name no precision
    tinytc_optflag_unsafe_fp_math = 0, ///< tiletc_optflag_unsafe_fp_math
    tinytc_optflag_tf32 = 0x2000, ///< tiletc_optflag_tf32
} tinytc_optflag_t;
/// Optimisation flags.
typedef tinytc_optflag_t tiletc_optflag_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_OPTFLAG 2

/// Kind of a memory argument.
typedef enum {
    tiletc_mem_type_buffer = 0, ///< buffer object
    tiletc_mem_type_usm_pointer = 1, ///< unified shared memory
    tiletc_mem_type_svm_pointer = 2, ///< shared virtual memory
    tinytc_mem_type_buffer = 0, ///< tiletc_mem_type_buffer
    tinytc_mem_type_usm_pointer = 1, ///< tiletc_mem_type_usm_pointer
    tinytc_mem_type_svm_pointer = 2, ///< tiletc_mem_type_svm_pointer
} tinytc_mem_type_t;
/// Kind of a memory argument.
typedef tinytc_mem_type_t tiletc_mem_type_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_MEM_TYPE 3

/// Kind of an argument of a kernel.
typedef enum {
    tiletc_arg_kind_bytes = 0, ///< object of which only the size is known
    tiletc_arg_kind_integer = 1, ///< integer
    tiletc_arg_kind_floating = 2, ///< floating-point number
    tiletc_arg_kind_complex = 3, ///< complex number
    tiletc_arg_kind_buffer = 4, ///< buffer object
    tiletc_arg_kind_usm_pointer = 5, ///< unified shared memory
    tiletc_arg_kind_svm_pointer = 6, ///< shared virtual memory
    tiletc_arg_kind_typed_usm_pointer = 7, ///< unified shared memory of which is known what it holds
    tiletc_arg_kind_foreign_pointer = 8, ///< address that is no unified shared memory of the kernel's context
    tinytc_arg_kind_bytes = 0, ///< tiletc_arg_kind_bytes
    tinytc_arg_kind_integer = 1, ///< tiletc_arg_kind_integer
    tinytc_arg_kind_floating = 2, ///< tiletc_arg_kind_floating
    tinytc_arg_kind_complex = 3, ///< tiletc_arg_kind_complex
    tinytc_arg_kind_buffer = 4, ///< tiletc_arg_kind_buffer
    tinytc_arg_kind_usm_pointer = 5, ///< tiletc_arg_kind_usm_pointer
    tinytc_arg_kind_svm_pointer = 6, ///< tiletc_arg_kind_svm_pointer
    tinytc_arg_kind_typed_usm_pointer = 7, ///< tiletc_arg_kind_typed_usm_pointer
    tinytc_arg_kind_foreign_pointer = 8, ///< tiletc_arg_kind_foreign_pointer
} tinytc_arg_kind_t;
/// Kind of an argument of a kernel.
typedef tinytc_arg_kind_t tiletc_arg_kind_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_ARG_KIND 9

/// Operation of a step of the plan of a launch.
typedef enum {
    tiletc_launch_op_number = 0, ///< pushes the step's value
    tiletc_launch_op_argument = 1, ///< pushes the address or integer of the argument of that number
    tiletc_launch_op_add = 2, ///< replaces a and b, which is on top, by a + b
    tiletc_launch_op_sub = 3, ///< by a - b
    tiletc_launch_op_mul = 4, ///< by a * b
    tiletc_launch_op_div = 5, ///< by a / b, rounded toward zero
    tiletc_launch_op_cdiv = 6, ///< by a / b, rounded up
    tiletc_launch_op_min = 7, ///< by the smaller one
    tiletc_launch_op_max = 8, ///< by the larger one
    tiletc_launch_op_multiple_of = 9, ///< pops what has to be a multiple of the value, both without a sign
    tiletc_launch_op_is = 10, ///< pops what has to be the value
    tiletc_launch_op_groups = 11, ///< pops the number of work-groups along x (0), y (1) or z (2); a negative one is 0
    tiletc_launch_op_ask = 12, ///< says that no plan can tell
    tinytc_launch_op_number = 0, ///< tiletc_launch_op_number
    tinytc_launch_op_argument = 1, ///< tiletc_launch_op_argument
    tinytc_launch_op_add = 2, ///< tiletc_launch_op_add
    tinytc_launch_op_sub = 3, ///< tiletc_launch_op_sub
    tinytc_launch_op_mul = 4, ///< tiletc_launch_op_mul
    tinytc_launch_op_div = 5, ///< tiletc_launch_op_div
    tinytc_launch_op_cdiv = 6, ///< tiletc_launch_op_cdiv
    tinytc_launch_op_min = 7, ///< tiletc_launch_op_min
    tinytc_launch_op_max = 8, ///< tiletc_launch_op_max
    tinytc_launch_op_multiple_of = 9, ///< tiletc_launch_op_multiple_of
    tinytc_launch_op_is = 10, ///< tiletc_launch_op_is
    tinytc_launch_op_groups = 11, ///< tiletc_launch_op_groups
    tinytc_launch_op_ask = 12, ///< tiletc_launch_op_ask
} tinytc_launch_op_t;
/// Operation of a step of the plan of a launch.
typedef tinytc_launch_op_t tiletc_launch_op_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_LAUNCH_OP 13

/// Kind of an OpenCL object.
typedef enum {
    tiletc_cl_object_context = 0, ///< cl_context
    tiletc_cl_object_device = 1, ///< cl_device_id
    tiletc_cl_object_program = 2, ///< cl_program
    tiletc_cl_object_kernel = 3, ///< cl_kernel
    tiletc_cl_object_event = 4, ///< cl_event
    tinytc_cl_object_context = 0, ///< tiletc_cl_object_context
    tinytc_cl_object_device = 1, ///< tiletc_cl_object_device
    tinytc_cl_object_program = 2, ///< tiletc_cl_object_program
    tinytc_cl_object_kernel = 3, ///< tiletc_cl_object_kernel
    tinytc_cl_object_event = 4, ///< tiletc_cl_object_event
} tinytc_cl_object_t;
/// Kind of an OpenCL object.
typedef tinytc_cl_object_t tiletc_cl_object_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_CL_OBJECT 5

/// Weight of a message of the log.
typedef enum {
    tiletc_log_level_off = 0, ///< no messages
    tiletc_log_level_error = 1, ///< what has failed
    tiletc_log_level_warn = 2, ///< what may not be meant
    tiletc_log_level_info = 3, ///< steps, with times and sizes
    tiletc_log_level_debug = 4, ///< every pass and decision
    tinytc_log_level_off = 0, ///< tiletc_log_level_off
    tinytc_log_level_error = 1, ///< tiletc_log_level_error
    tinytc_log_level_warn = 2, ///< tiletc_log_level_warn
    tinytc_log_level_info = 3, ///< tiletc_log_level_info
    tinytc_log_level_debug = 4, ///< tiletc_log_level_debug
} tinytc_log_level_t;
/// Weight of a message of the log.
typedef tinytc_log_level_t tiletc_log_level_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_LOG_LEVEL 5

/// Degree to which a device is supported.
typedef enum {
    tiletc_support_level_none = 0, ///< not supported
    tiletc_support_level_basic = 1, ///< supported
    tiletc_support_level_tuned = 2, ///< supported and tuned for
    tinytc_support_level_none = 0, ///< tiletc_support_level_none
    tinytc_support_level_basic = 1, ///< tiletc_support_level_basic
    tinytc_support_level_tuned = 2, ///< tiletc_support_level_tuned
} tinytc_support_level_t;
/// Degree to which a device is supported.
typedef tinytc_support_level_t tiletc_support_level_t;
/// Number of enumerators.
#define TILETC_ENUM_NUM_SUPPORT_LEVEL 3

/// C++ name of tiletc_position_t.
typedef struct tinytc_position tiletc_position;
/// C++ name of tiletc_location_t.
typedef struct tinytc_location tiletc_location;
/// C++ name of tiletc_named_attr_t.
typedef struct tinytc_named_attr tiletc_named_attr;

/// Attribute, owned by its context.
struct tinytc_attr;

/// Compiled binary, reference-counted.
struct tinytc_binary;

/// Compiler context, reference-counted.
struct tinytc_compiler_context;

/// Device description, reference-counted.
struct tinytc_core_info;

/// Function, owned by one owner.
struct tinytc_func;

/// Instruction, owned by one owner.
struct tinytc_inst;

/// Program, reference-counted.
struct tinytc_prog;

/// Recipe, reference-counted.
struct tinytc_recipe;

/// Recipe on a device, reference-counted.
struct tinytc_recipe_handler;

/// Region, owned by its function or instruction.
struct tinytc_region;

/// SPIR-V module, reference-counted.
struct tinytc_spv_mod;

/// Tuner of a kernel, reference-counted.
struct tiletc_tuner;

/// Type, owned by its context.
struct tinytc_type;

/// Value, owned by the instruction or region that defines it.
struct tinytc_value;

/// Receives one message of the log, whose text is valid during the call only.
typedef void (*tiletc_log_callback_t)(tiletc_log_level_t level, const char *message, void *user_data);

/// Compiler context, reference-counted.
typedef struct tinytc_compiler_context *tiletc_compiler_context_t;

/// A position in a source; lines and columns start at 1, 0 means unknown.
struct tinytc_position {
    /// Source id, see tiletc_compiler_context_add_source; 0 means unknown.
    int32_t source_id;
    /// Line, from 1.
    int32_t line;
    /// Byte column, from 1.
    int32_t column;
};

/// A position in a source.
typedef struct tinytc_position tiletc_position_t;

/// A range of a source.
struct tinytc_location {
    /// First byte.
    tiletc_position_t begin;
    /// One column past the last byte.
    tiletc_position_t end;
};

/// A range of a source.
typedef struct tinytc_location tiletc_location_t;

/// Receives one complete message: an error, or a warning of a call that succeeds all the same, behind whose place
/// (`NAME:LINE.COLUMN: `) the text begins with `warning: `. `what` and `location` are valid during the call only. The
/// function is called on the thread that made the call, and may call this library. It must not throw, longjmp or leave
/// in any other way than by returning: there is no way through this library for an exception, and the process would be
/// aborted. In C++, tiletc::set_error_reporter takes a function that may throw.
typedef void (*tiletc_error_reporter_t)(const char *what, const tiletc_location_t *location, void *user_data);

/// Read-only compiler context.
typedef const struct tinytc_compiler_context *const_tiletc_compiler_context_t;

/// Outcomes for the native binaries that the programs of a context needed.
struct tiletc_cache_counters {
    /// Kernel bundles that were made of a cached binary.
    uint64_t hits;
    /// Kernel bundles that had to be built.
    uint64_t misses;
    /// Binaries that were added to the cache.
    uint64_t stored;
    /// Entries that were removed to keep the bound on the size.
    uint64_t evicted;
    /// Entries that were removed because they were damaged or the driver refused them.
    uint64_t rejected;
};

/// Outcomes for the native binaries that the programs of a context needed.
typedef struct tiletc_cache_counters tiletc_cache_counters_t;

/// A truth value; 0 is false, anything else is true.
typedef uint8_t tiletc_bool_t;

/// Times of a kernel in a few numbers, in seconds.
struct tiletc_bench_summary {
    /// Median.
    double median;
    /// Lower end of the 95 % interval of the median; 0 below six times.
    double lower;
    /// Upper end of the 95 % interval of the median; infinite below six times.
    double upper;
    /// The least.
    double minimum;
    /// Median of the distances from the median.
    double deviation;
    /// The range of the middle half of the times as a share of the median.
    double spread;
    /// 1 if there are 20 times or more, and the ends of the interval are within 1 % of the median.
    tiletc_bool_t precise;
};

/// Times of a kernel in a few numbers, in seconds.
typedef struct tiletc_bench_summary tiletc_bench_summary_t;

/// Launches a kernel `launches` times, one after the other, waits, and stores the seconds that one of them took. `is_sample` is 0 for launches
/// that only prepare a measurement: they warm the device up, or tell how long a launch takes. A program that wants the times with cold
/// caches overwrites these in front of each launch of a sample. An error ends the measurement. The function is called on the thread that made the
/// call, and may call this library; it must return.
typedef tiletc_status_t (*tiletc_bench_launch_t)(double *seconds,
                                                 size_t launches,
                                                 tiletc_bool_t is_sample,
                                                 void *user_data);

/// Type, owned by its context.
typedef struct tinytc_type *tiletc_type_t;

/// Read-only type.
typedef const struct tinytc_type *const_tiletc_type_t;

/// Attribute, owned by its context.
typedef struct tinytc_attr *tiletc_attr_t;

/// An entry of a dictionary attribute.
struct tinytc_named_attr {
    /// The name, a string attribute.
    tiletc_attr_t name;
    /// The attribute itself.
    tiletc_attr_t attr;
};

/// An entry of a dictionary attribute.
typedef struct tinytc_named_attr tiletc_named_attr_t;

/// Value, owned by the instruction or region that defines it.
typedef struct tinytc_value *tiletc_value_t;

/// Read-only value.
typedef const struct tinytc_value *const_tiletc_value_t;

/// Instruction, owned by one owner.
typedef struct tinytc_inst *tiletc_inst_t;

/// Region, owned by its function or instruction.
typedef struct tinytc_region *tiletc_region_t;

/// Cursor in the instructions of a region.
typedef struct tinytc_inst *tiletc_inst_iterator_t;

/// Function, owned by one owner.
typedef struct tinytc_func *tiletc_func_t;

/// Program, reference-counted.
typedef struct tinytc_prog *tiletc_prog_t;

/// Read-only program.
typedef const struct tinytc_prog *const_tiletc_prog_t;

/// Device description, reference-counted.
typedef struct tinytc_core_info *tiletc_core_info_t;

/// Read-only device description.
typedef const struct tinytc_core_info *const_tiletc_core_info_t;

/// A bit set of tiletc_core_feature_flag_t values.
typedef uint32_t tiletc_core_feature_flags_t;

/// SPIR-V module, reference-counted.
typedef struct tinytc_spv_mod *tiletc_spv_mod_t;

/// Compiled binary, reference-counted.
typedef struct tinytc_binary *tiletc_binary_t;

/// Read-only SPIR-V module.
typedef const struct tinytc_spv_mod *const_tiletc_spv_mod_t;

/// Read-only binary.
typedef const struct tinytc_binary *const_tiletc_binary_t;

/// Recipe, reference-counted.
typedef struct tinytc_recipe *tiletc_recipe_t;

/// Read-only recipe.
typedef const struct tinytc_recipe *const_tiletc_recipe_t;

/// Recipe on a device, reference-counted.
typedef struct tinytc_recipe_handler *tiletc_recipe_handler_t;

/// Read-only recipe handler.
typedef const struct tinytc_recipe_handler *const_tiletc_recipe_handler_t;

/// Functions of a runtime for a recipe handler, see tiletc_recipe_handler_create_with_callbacks. The set_args
/// functions call the first four in this order, on the thread of their caller, with the handler's user data
/// in front; a status other than success ends the call with that status. No callback may throw. All must be
/// given.
struct tiletc_recipe_handler_callbacks {
    /// Name of the runtime, which says what the user data are.
    const char *runtime;
    /// Selects the kernel that the other calls are about: 0 is `gemm`, 1 is `gemm_beta0`.
    tiletc_status_t (*select_kernel)(void *user_data, size_t kernel);
    /// Sets argument `index` of the kernel to a number of `size` bytes at `value`, valid during the call.
    tiletc_status_t (*set_value)(void *user_data, uint32_t index, size_t size, const void *value);
    /// Sets argument `index` of the kernel to the memory `value`, which is passed on as the user gave it.
    tiletc_status_t (*set_memory)(void *user_data, uint32_t index, tiletc_mem_type_t type_, const void *value);
    /// Sets the number of work-groups along x; with 0 there is nothing to launch.
    tiletc_status_t (*set_groups)(void *user_data, int64_t groups);
    /// Frees the user data.
    void (*destroy)(void *user_data);
};

/// Functions of a runtime for a recipe handler.
typedef struct tiletc_recipe_handler_callbacks tiletc_recipe_handler_callbacks_t;

/// Tuner of a kernel, reference-counted.
typedef struct tiletc_tuner *tiletc_tuner_t;

/// An argument of a kernel, with its kind.
struct tiletc_kernel_arg {
    /// Its kind.
    tiletc_arg_kind_t kind;
    /// Bytes of a number. For `typed_usm_pointer` bytes of a number there, its kind times 2⁸, and times 2¹⁶ the pointers
    /// that lead to it beside this one: 0x10208 for `double **`. Not looked at for other memory.
    size_t size;
    /// Address of a number; for memory its address or buffer object itself.
    const void *value;
};

/// An argument of a kernel, with its kind.
typedef struct tiletc_kernel_arg tiletc_kernel_arg_t;

/// A bit set of tiletc_address_space_t values.
typedef uint32_t tiletc_address_spaces_t;

/// A step of the plan of a launch.
struct tiletc_launch_step {
    /// Operation.
    tiletc_launch_op_t op;
    /// Its number; 0 if it takes none.
    int64_t value;
};

/// Steps by which a program compares the arguments of a launch by itself, with a stack of at most 40 integers.
struct tiletc_launch_plan {
    /// Number of steps.
    uint32_t num_steps;
    /// The steps in their order.
    struct tiletc_launch_step steps[64];
};

/// Steps by which a program compares the arguments of a launch by itself.
typedef struct tiletc_launch_plan tiletc_launch_plan_t;

/// Read-only attribute.
typedef const struct tinytc_attr *const_tiletc_attr_t;

/// Read-only instruction.
typedef const struct tinytc_inst *const_tiletc_inst_t;

/// Read-only region.
typedef const struct tinytc_region *const_tiletc_region_t;

/// Read-only function.
typedef const struct tinytc_func *const_tiletc_func_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// The phrase of a status; static.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_status_to_string(tiletc_status_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_comp3_to_string(tiletc_comp3_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_reduce_mode_to_string(tiletc_reduce_mode_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_transpose_to_string(tiletc_transpose_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_address_space_to_string(tiletc_address_space_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_checked_flag_to_string(tiletc_checked_flag_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_memory_scope_to_string(tiletc_memory_scope_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_memory_semantics_to_string(tiletc_memory_semantics_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_matrix_use_to_string(tiletc_matrix_use_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_boundary_to_string(tiletc_boundary_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_tile_order_to_string(tiletc_tile_order_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_spirv_feature_to_string(tiletc_spirv_feature_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_core_feature_flag_to_string(tiletc_core_feature_flag_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_intel_gpu_architecture_to_string(tiletc_intel_gpu_architecture_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_bundle_format_to_string(tiletc_bundle_format_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_optflag_to_string(tiletc_optflag_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_mem_type_to_string(tiletc_mem_type_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_arg_kind_to_string(tiletc_arg_kind_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_launch_op_to_string(tiletc_launch_op_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_cl_object_to_string(tiletc_cl_object_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_log_level_to_string(tiletc_log_level_t val);

/// The name of an enumerator; static, "unknown" for any other number.
///
/// Threads: any, at any time.
TILETC_EXPORT const char *tiletc_support_level_to_string(tiletc_support_level_t val);

/// Describes the last failure of this thread, given its status: the reports, or whatever else there is to say, in words.
/// If the last call of the thread that failed had another status it is the phrase of tiletc_status_to_string. The text
/// stays valid until the next call of this thread that fails.
///
/// Threads: any, at any time.
TILETC_EXPORT
const char *tiletc_get_error_message(tiletc_status_t val);

/// Sets the function that receives the log of the whole process up to a level: what is parsed, compiled, built, and taken
/// from the cache, with times and sizes. With NULL the log goes to standard error again, up to the level that TILETC_LOG
/// names, which is off if the environment has no such variable. `user_data` is passed through and may be NULL. The function
/// is called on any thread, maybe on several at once and still during calls that were under way when it was replaced; it
/// must return.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_set_log_callback(tiletc_log_level_t level,
                                        tiletc_log_callback_t callback,
                                        void *user_data);

/// Rounds to bfloat16, to nearest, ties to even.
///
/// Threads: any, at any time.
TILETC_EXPORT uint16_t tiletc_f32_to_bf16_as_ui16(float x);

/// Widens a bfloat16 number; exact.
///
/// Threads: any, at any time.
TILETC_EXPORT float tiletc_bf16_as_ui16_to_f32(uint16_t x);

/// Rounds to half precision, to nearest, ties to even.
///
/// Threads: any, at any time.
TILETC_EXPORT uint16_t tiletc_f32_to_f16_as_ui16(float x);

/// Widens a half-precision number; exact.
///
/// Threads: any, at any time.
TILETC_EXPORT float tiletc_f16_as_ui16_to_f32(uint16_t x);

/// Creates a compiler context: silent, optimisation level 2, with the kernel cache that the environment
/// names (see tiletc_compiler_context_set_cache).
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_compiler_context_create(tiletc_compiler_context_t *ctx);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_compiler_context_retain(tiletc_compiler_context_t obj);

/// Drops a reference and frees the context with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_compiler_context_release(tiletc_compiler_context_t obj);

/// Copies a source text, to which locations can then refer by `source_id`; both texts end with a NUL byte.
///
/// Errors: bad_alloc if the text is too large to copy, out_of_range if there are too many sources.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_add_source(tiletc_compiler_context_t ctx,
                                                   const char *name,
                                                   const char *text,
                                                   int32_t *source_id);

/// Sets the function that receives messages; NULL for none. These are errors, and the warnings of the calls that compile a
/// program, whose text begins with `warning: `. `user_data` is passed through and may be NULL. The function must return: if
/// it throws, the process is aborted.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_error_reporter(tiletc_compiler_context_t ctx,
                                                           tiletc_error_reporter_t reporter,
                                                           void *user_data);

/// Switches an optimisation: 0 is off, above 0 on, below 0 as the optimisation level says. Of tf32 all levels say off.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_optimization_flag(tiletc_compiler_context_t ctx,
                                                              tiletc_optflag_t flag,
                                                              int32_t state);

/// Sets the optimisation level: 0 (or less), 1, 2 (or more).
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_optimization_level(tiletc_compiler_context_t ctx,
                                                               int32_t level);

/// Sets whether modules keep the names of functions and values (`OpName`), for whoever reads them: 0 (the
/// default) for no, anything else for yes.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_keep_names(tiletc_compiler_context_t ctx,
                                                       int32_t state);

/// Sets whether modules tell the lines of the text that instructions come from (`OpLine`), for profilers and for the
/// checks of virtual devices: 0 for no, anything else (the default) for yes. The code is the same.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_keep_lines(tiletc_compiler_context_t ctx,
                                                       int32_t state);

/// Reports `what` with the source around `location` (NULL if unknown) through the error reporter.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_report_error(tiletc_compiler_context_t ctx,
                                                     const tiletc_location_t *location,
                                                     const char *what);

/// Keeps the native binaries of kernel bundles in the folder `dir`, for all processes that name the same
/// one; NULL or an empty text for no folder. The files take at most `max_bytes` together; 0 stands for 256
/// MiB. The counters start anew.
///
/// A bundle of the same program (its canonical text), options, device and driver then needs neither
/// compiler nor driver's compiler. Nothing of the cache is ever an error: what cannot be read is built, what
/// cannot be written is not kept. The folder is made when it is needed, for this user alone. Without this
/// call a context uses the folder that the environment variable `TILETC_CACHE_DIR` names when it is created,
/// bounded by `TILETC_CACHE_MAX_BYTES`, and none if there is no such variable.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_set_cache(tiletc_compiler_context_t ctx,
                                                  const char *dir,
                                                  uint64_t max_bytes);

/// Gets what the cache of a context has done so far, for all programs and binaries of the context; zeros if
/// it has none.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_compiler_context_get_cache_counters(const_tiletc_compiler_context_t ctx,
                                                           tiletc_cache_counters_t *counters);

/// Reads a table that `tiletc tune` has written, for all contexts of the process: from now on functions that are compiled have the
/// attributes that it names for them, unless they say otherwise themselves. Tables that were loaded before stay; with
/// `TILETC_TUNE=off` in the environment nothing is loaded. Entries of other versions of tiletc are not used.
///
/// `file_io_error` if the file cannot be read, `invalid_arguments` if it is no table, or one of another format.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuning_load(const char *filename);

/// The same from memory: the `size` bytes of a table at `data`.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_tuning_load_from_memory(size_t size, const void *data);

/// Sums up the times of `count` launches of a kernel, in seconds and in any order, for example those between the timestamps of
/// their events. The statistics are those of `tiletc bench`: ranks, that is, which single outliers do not change. More launches are
/// of use until `precise` is 1.
///
/// `invalid_arguments` without a time, or if one is negative or not finite.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_bench_summarize(size_t count,
                                       const double *seconds,
                                       tiletc_bench_summary_t *summary);

/// Measures how long a launch of a kernel takes, as `tiletc bench` does: warms the device up, puts as many launches into a sample as take `sample` seconds
/// together, and takes samples until the 95 % interval of the median is within 1 % or `budget` seconds are over; there is one at least. How
/// launches are made and timed is the program's; 1 % of 10 µs is more than the clock of a device needs, of 1 ms more than that of the host does. 0
/// for `sample` makes each launch a sample.
///
/// `samples` and `launches` are optional: the number of samples, and the launches of each. `invalid_arguments` if a number of seconds is
/// negative or not finite, among them those that `launch` stores; else what `launch` returns.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_bench(tiletc_bench_summary_t *summary,
                             size_t *samples,
                             size_t *launches,
                             tiletc_bench_launch_t launch,
                             void *user_data,
                             double sample,
                             double budget);

/// Gets the void type, which only the result of a function may have.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_void_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `bool`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_boolean_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `i8`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_i8_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `i16`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_i16_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `i32`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_i32_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `i64`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_i64_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `index`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_index_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `i4`, whose numbers are two a byte in memory, and only loaded and cast.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_i4_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `f8e4m3`, whose numbers are only loaded, stored and cast.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_f8e4m3_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `f8e5m2`, whose numbers are only loaded, stored and cast.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_f8e5m2_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `bf16`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_bf16_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `f16`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_f16_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `f32`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_f32_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `f64`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_f64_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `c32`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_c32_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type `c64`.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_c64_type_get(tiletc_type_t *ty_, tiletc_compiler_context_t ctx);

/// Gets the type of a view of memory. `shape` and `stride` have an entry for each mode, in elements, which
/// may be TILETC_DYNAMIC; with `stride_size` 0 the elements are packed, first mode first.
///
/// Errors: ir_expected_number for the element type, ir_shape_stride_mismatch if the lengths differ,
/// ir_invalid_shape for a negative entry.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_memref_type_get(tiletc_type_t *ty_,
                                       tiletc_type_t element_ty,
                                       size_t shape_size,
                                       const int64_t *shape,
                                       size_t stride_size,
                                       const int64_t *stride,
                                       tiletc_address_space_t addrspace);

/// Gets the type of a memref in packed local memory whose elements a swizzle exchanges within columns: element (i, j) of the first two
/// modes is where (((i / vec) xor ((j / per_phase) mod max_phase)) * vec + i mod vec, j) would be in `memref_ty`.
///
/// Errors: ir_expected_memref for the type, ir_tile_swizzle_shape if the memref is not in local memory, not packed or has fewer than two
/// modes, if a number is not positive or max_phase no power of two, or if the first size is no multiple of vec * max_phase.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_swizzled_type_get(tiletc_type_t *ty_,
                                         tiletc_type_t memref_ty,
                                         int64_t vec,
                                         int64_t per_phase,
                                         int64_t max_phase);

/// Gets the type of `size` pointers, each seen as a memref of type `element_ty` and moved by `offset`
/// elements; both numbers may be TILETC_DYNAMIC.
///
/// Errors: ir_expected_memref for the element type, ir_invalid_shape for a negative size, ir_invalid_offset
/// for a negative offset.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_group_type_get(tiletc_type_t *ty_,
                                      tiletc_type_t element_ty,
                                      int64_t size,
                                      int64_t offset);

/// Gets the type of a matrix that a subgroup holds; `rows` is a power of two.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a negative size,
/// ir_unsupported_coopmatrix_shape if `rows` is no power of two.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_coopmatrix_type_get(tiletc_type_t *ty_,
                                           tiletc_type_t component_ty,
                                           int64_t rows,
                                           int64_t cols,
                                           tiletc_matrix_use_t use_);

/// Gets the type of a matrix that a work-group holds.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a size that is not positive.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_tile_type_get(tiletc_type_t *ty_,
                                     tiletc_type_t component_ty,
                                     int64_t rows,
                                     int64_t cols,
                                     tiletc_matrix_use_t use_);

/// Gets the context of a type, without a new reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_type_get_compiler_context(const_tiletc_type_t ty,
                                                 tiletc_compiler_context_t *ctx);

/// Gets the attribute of a truth value.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_boolean_attr_get(tiletc_attr_t *attr,
                                        tiletc_compiler_context_t ctx,
                                        tiletc_bool_t value);

/// Gets the attribute of an integer.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_integer_attr_get(tiletc_attr_t *attr,
                                        tiletc_compiler_context_t ctx,
                                        int64_t value);

/// Gets the attribute of `str_length` bytes of text, which need no terminator.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_string_attr_get(tiletc_attr_t *attr,
                                       tiletc_compiler_context_t ctx,
                                       size_t str_length,
                                       const char *str);

/// Gets the attribute of a list.
///
/// Errors: out_of_range if lists and dictionaries lie more than 64 deep in each other, or hold more than 2^20
/// attributes and bytes of text.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_array_attr_get(tiletc_attr_t *attr,
                                      tiletc_compiler_context_t ctx,
                                      size_t array_size,
                                      const tiletc_attr_t *array);

/// Gets the attribute of named attributes and sorts `items` by the bytes of the names.
///
/// Errors: ir_expected_string_attribute if a name is no string, ir_duplicate_key_in_dictionary if two are
/// equal, out_of_range as tiletc_array_attr_get.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_dictionary_attr_get(tiletc_attr_t *attr,
                                           tiletc_compiler_context_t ctx,
                                           size_t items_size,
                                           tiletc_named_attr_t *items);

/// Gets the attribute of named attributes that are sorted by the bytes of the names; for others use
/// tiletc_dictionary_attr_get.
///
/// Errors: as tiletc_dictionary_attr_get.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_dictionary_attr_get_with_sorted(tiletc_attr_t *attr,
                                                       tiletc_compiler_context_t ctx,
                                                       size_t items_size,
                                                       const tiletc_named_attr_t *items);

/// Sorts named attributes by the bytes of the names.
///
/// Errors: ir_expected_string_attribute if a name is no string; nothing is moved then.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_dictionary_attr_sort(size_t items_size, tiletc_named_attr_t *items);

/// Names a value in the printed text; the empty name makes it a number again. Names that are no identifiers,
/// or are taken, are printed with changes.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_value_set_name(tiletc_value_t vl, const char *name);

/// The same for a name of `name_length` bytes, which a NUL byte ends early.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_value_set_name_n(tiletc_value_t vl,
                                        size_t name_length,
                                        const char *name);

/// Gets the name of a value, the empty text if it has none. The text lives as long as the context.
///
/// Threads: any; nobody may free the object while what is stored is read.
TILETC_EXPORT tiletc_status_t tiletc_value_get_name(const_tiletc_value_t vl, const char **name);

/// Gets the type of a value.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_value_get_type(const_tiletc_value_t vl, tiletc_type_t *ty);

/// Frees an instruction that no region has taken; NULL is fine. An instruction whose results others use goes
/// with its context instead.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT void tiletc_inst_destroy(tiletc_inst_t instr);

/// Gets the region that the instruction is in, NULL if it is in none.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_inst_get_parent_region(tiletc_inst_t instr, tiletc_region_t *parent);

/// Gets the regions of an instruction: if `*result_list_size` is 0, their number; else at most so many of
/// them, and `*result_list_size` becomes the number that was written.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_inst_get_regions(tiletc_inst_t instr,
                                        size_t *result_list_size,
                                        tiletc_region_t *result_list);

/// Gets the results of an instruction: if `*result_list_size` is 0, their number; else at most so many of
/// them, and `*result_list_size` becomes the number that was written.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_inst_get_values(tiletc_inst_t instr,
                                       size_t *result_list_size,
                                       tiletc_value_t *result_list);

/// Sets the attributes of an instruction to a dictionary, or with NULL to none. The attribute `boundary` of a `tile_load`
/// takes the place of the boundary that the load was made with, which stays without it.
///
/// Errors: as tiletc_func_set_attr.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_inst_set_attr(tiletc_inst_t instr,
                                     tiletc_attr_t a);

/// Puts an instruction, which the region owns from then on, at the end of a region.
///
/// Errors: out_of_range if regions lie too deep in each other.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_region_append(tiletc_region_t reg, tiletc_inst_t instr);

/// Puts an instruction, which the region owns from then on, before the iterator's, and moves the iterator to it.
///
/// Errors: out_of_range if regions lie too deep in each other.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_region_insert(tiletc_region_t reg,
                                     tiletc_inst_iterator_t *iterator,
                                     tiletc_inst_t instr);

/// Gets the iterator at the first instruction, that of the end if there is none.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_region_begin(tiletc_region_t reg, tiletc_inst_iterator_t *iterator);

/// Gets the iterator behind the last instruction.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_region_end(tiletc_region_t reg, tiletc_inst_iterator_t *iterator);

/// Frees the iterator's instruction, whose results nobody may use, and moves the iterator to the next one.
///
/// Errors: ir_value_still_has_uses, which leaves everything as it was.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_region_erase(tiletc_region_t reg, tiletc_inst_iterator_t *iterator);

/// Moves an iterator to the next instruction or to the end.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_next_inst(tiletc_inst_iterator_t *iterator);

/// Moves an iterator to the instruction before.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_prev_inst(tiletc_inst_iterator_t *iterator);

/// Gets the parameters of a region: if `*result_list_size` is 0, their number; else at most so many of them,
/// and `*result_list_size` becomes the number that was written.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_region_get_parameters(tiletc_region_t reg,
                                             size_t *result_list_size,
                                             tiletc_value_t *result_list);

/// Makes a function, which belongs to the caller, with an empty body and a parameter for each type. A NUL byte
/// ends the name early; what is left must be an identifier of the language. `ty` is the void type.
///
/// Errors: invalid_arguments for another `ty`, another name, or types of different contexts.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_func_create(tiletc_func_t *fun,
                                   size_t name_length,
                                   const char *name,
                                   size_t num_params,
                                   const tiletc_type_t *param_type_list,
                                   tiletc_type_t ty,
                                   const tiletc_location_t *loc);

/// Frees a function that no program has taken; NULL is fine.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT void tiletc_func_destroy(tiletc_func_t fun);

/// Sets the attributes of a function to a dictionary, or with NULL to none.
///
/// Errors: invalid_arguments for an attribute that functions do not have; for one of another kind, or out of range,
/// the status of a text with it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_func_set_attr(tiletc_func_t fun,
                                     tiletc_attr_t a);

/// Sets the attributes of a parameter, counted from 0, to a dictionary, or with NULL to none.
///
/// Errors: as tiletc_func_set_attr, and invalid_arguments if there is no such parameter.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_func_set_parameter_attr(tiletc_func_t fun,
                                               size_t param_no,
                                               tiletc_attr_t a);

/// Gets the body of a function, a collective region; its parameters are those of the function.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_func_get_body(tiletc_func_t fun, tiletc_region_t *body);

/// Creates a program without functions. `loc` may be NULL.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_prog_create(tiletc_prog_t *prg,
                                   tiletc_compiler_context_t ctx,
                                   const tiletc_location_t *loc);

/// Appends a function, which the program owns from then on, to a program of the same context.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_add_function(tiletc_prog_t prg, tiletc_func_t fun);

/// Parses a file. `ctx` may be NULL; the program then has a context of its own.
///
/// Errors: file_io_error if the file cannot be read; ir_duplicate_key_in_dictionary if a dictionary has a key
/// twice; parse_error for any other mistake in the text, whichever rule or limit it breaks. The reporter gets a
/// message for the first mistake, with its place.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_parse_file(tiletc_prog_t *prg,
                                  const char *filename,
                                  tiletc_compiler_context_t ctx);

/// Parses standard input. `ctx` may be NULL; the program then has a context of its own.
///
/// Errors: as tiletc_parse_file.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_parse_stdin(tiletc_prog_t *prg, tiletc_compiler_context_t ctx);

/// Parses a text of `source_size` bytes; a NUL byte ends it early. `ctx` may be NULL; the program then
/// has a context of its own.
///
/// Errors: as tiletc_parse_file, but instead of file_io_error invalid_arguments for a size of 0 and
/// out_of_range for one that no memory has.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_parse_string(tiletc_prog_t *prg,
                                    size_t source_size,
                                    const char *source,
                                    tiletc_compiler_context_t ctx);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_retain(tiletc_prog_t prg);

/// Drops a reference and frees the program with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_release(tiletc_prog_t prg);

/// Gets the context, without a new reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_prog_get_compiler_context(const_tiletc_prog_t prg,
                                                 tiletc_compiler_context_t *ctx);

/// Prints the program to standard error.
///
/// Errors: file_io_error.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_dump(tiletc_prog_t prg);

/// Prints the program to a file, which is replaced if it exists.
///
/// Errors: file_io_error.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_print_to_file(tiletc_prog_t prg, const char *filename);

/// Prints the program to a new string, to be freed with tiletc_string_destroy.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_prog_print_to_string(tiletc_prog_t prg, char **str);

/// Frees a string that this library returned; NULL is fine.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT void tiletc_string_destroy(char *str);

/// Describes a device by its registers (bytes per subgroup), largest work-group (work-items) and subgroup
/// sizes (work-items). Whether they make sense shows when something is compiled.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_generic_create(tiletc_core_info_t *info,
                                                int32_t register_space,
                                                int32_t max_work_group_size,
                                                size_t sgs_size,
                                                const int32_t *sgs);

/// Describes an Intel GPU by its architecture; stores NULL if it is unknown.
///
/// Errors: invalid_arguments if the architecture is unknown.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_intel_create_from_arch(tiletc_core_info_t *info,
                                                        tiletc_intel_gpu_architecture_t arch);

/// Describes an Intel GPU by name, e.g. "pvc"; stores NULL if it is unknown.
///
/// Errors: invalid_arguments if the name is unknown.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_intel_create_from_name(tiletc_core_info_t *info,
                                                        const char *name);

/// Describes an Intel GPU by its IP version and what its driver says about it.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_intel_create(tiletc_core_info_t *info,
                                              uint32_t ip_version,
                                              int32_t num_eus_per_subslice,
                                              int32_t num_threads_per_eu,
                                              size_t sgs_size,
                                              const int32_t *sgs);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_core_info_retain(tiletc_core_info_t obj);

/// Drops a reference and frees the description with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_core_info_release(tiletc_core_info_t obj);

/// Gets the subgroup sizes, which are valid while the description lives.
///
/// Threads: any; nobody may free the object while what is stored is read.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_get_subgroup_sizes(const_tiletc_core_info_t info,
                                                    size_t *sgs_size,
                                                    const int32_t **sgs);

/// Gets the bytes of registers per subgroup.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_get_register_space(const_tiletc_core_info_t info,
                                                    int32_t *space);

/// Requests device options, a bit set.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_set_core_features(tiletc_core_info_t info,
                                                   tiletc_core_feature_flags_t flags);

/// Gets the requested device options.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_get_core_features(const_tiletc_core_info_t info,
                                                   tiletc_core_feature_flags_t *flags);

/// Says whether a SPIR-V feature is available. Besides the enumerators, features take the numbers of tiletc's own ones, see the
/// manual on devices.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_set_spirv_feature(tiletc_core_info_t info,
                                                   tiletc_spirv_feature_t feature,
                                                   tiletc_bool_t available);

/// Asks whether a SPIR-V feature is available.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_have_spirv_feature(const_tiletc_core_info_t info,
                                                    tiletc_spirv_feature_t feature,
                                                    tiletc_bool_t *available);

/// Tests whether two devices are Intel GPUs of one family, so that a SPIR-V module for one is good for the other.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_is_same_family(const_tiletc_core_info_t info,
                                                const_tiletc_core_info_t other,
                                                tiletc_bool_t *is_same);

/// Gets the bytes that base pointers without an alignment attribute are assumed to be aligned to.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_get_default_alignment(const_tiletc_core_info_t info,
                                                       int32_t *alignment);

/// Sets the bytes that base pointers without an alignment attribute are assumed to be aligned to, a power of two.
///
/// Errors: invalid_arguments for any other number.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_core_info_set_default_alignment(tiletc_core_info_t info,
                                                       int32_t alignment);

/// Runs one pass on every function of the program. `info` may be NULL for passes that need no device. What
/// the pass prints goes to standard output.
///
/// Errors: unknown_pass_name; file_io_error; what the pass finds, as tiletc_prog_compile_to_spirv.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_run_function_pass(const char *pass_name,
                                         tiletc_prog_t prg,
                                         const_tiletc_core_info_t info);

/// Gets number and names of all passes; the array and the names are static.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_list_function_passes(size_t *names_size, const char *const **names);

/// Compiles the program, which thereby changes, to SPIR-V for the device.
///
/// Errors: an `ir_` status for a broken rule of the language; invalid_arguments for two functions of one name;
/// invalid_core_info, unsupported_subgroup_size or unsupported_work_group_size if the device cannot run a
/// kernel; a `spirv_` status or not_implemented for what cannot be said in SPIR-V; out_of_range for a program
/// that becomes too large, has too many parameters, or needs more local memory than there is.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_prog_compile_to_spirv(tiletc_spv_mod_t *mod,
                                             tiletc_prog_t prg,
                                             const_tiletc_core_info_t info);

/// Compiles the program, which thereby changes, to a SPIR-V binary for the device.
///
/// Errors: as tiletc_prog_compile_to_spirv.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_prog_compile_to_spirv_and_assemble(tiletc_binary_t *bin,
                                                          tiletc_prog_t prg,
                                                          const_tiletc_core_info_t info);

/// Encodes a module as a binary.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_spirv_assemble(tiletc_binary_t *bin, const_tiletc_spv_mod_t mod);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_spv_mod_retain(tiletc_spv_mod_t mod);

/// Drops a reference and frees the module with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_spv_mod_release(tiletc_spv_mod_t mod);

/// Prints the disassembly to standard error.
///
/// Errors: file_io_error.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_spv_mod_dump(const_tiletc_spv_mod_t mod);

/// Prints the disassembly to a file, which is replaced if it exists.
///
/// Errors: file_io_error.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_spv_mod_print_to_file(const_tiletc_spv_mod_t mod, const char *filename);

/// Prints the disassembly to a new string, to be freed with tiletc_string_destroy.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_spv_mod_print_to_string(const_tiletc_spv_mod_t mod, char **str);

/// Creates a binary from a copy of `data`, which is not inspected and not NULL.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_binary_create(tiletc_binary_t *bin,
                                     tiletc_compiler_context_t ctx,
                                     tiletc_bundle_format_t format,
                                     size_t data_size,
                                     const uint8_t *data,
                                     tiletc_core_feature_flags_t core_features);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_binary_retain(tiletc_binary_t bin);

/// Drops a reference and frees the binary with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_binary_release(tiletc_binary_t bin);

/// Gets the context, without a new reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_binary_get_compiler_context(const_tiletc_binary_t bin,
                                                   tiletc_compiler_context_t *ctx);

/// Gets the format and the bytes, which are valid while the binary lives.
///
/// Threads: any; nobody may free the object while what is stored is read.
TILETC_EXPORT
tiletc_status_t tiletc_binary_get_raw(const_tiletc_binary_t bin,
                                      tiletc_bundle_format_t *format,
                                      size_t *data_size,
                                      const uint8_t **data);

/// Gets the core features that the binary was compiled for.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_binary_get_core_features(const_tiletc_binary_t bin,
                                                tiletc_core_feature_flags_t *core_features);

/// Makes the recipe of a batch of small matrix products: for each i below `howmany`,
/// C_i := alpha * opA(A_i) * opB(B_i) + beta * C_i. All matrices are column-major; entry (m, n) of X_i lies
/// `m + n * ldX + i * strideX` elements behind the start.
///
/// `number_ty` is the type of all numbers; its context gets the messages. `tA` and `tB` say whether A_i is
/// stored K x M instead of M x K, and B_i N x K instead of K x N. The leading dimensions are those of the
/// stored matrices. A stride of 0 shares one matrix over the batch. `recipe` gets one reference.
///
/// Errors: ir_expected_number for the type, invalid_arguments for a dynamic size, ir_invalid_shape for one
/// that is not positive, and whatever compiling for the device gives.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_small_gemm_batched_create(tiletc_recipe_t *recipe,
                                                        const_tiletc_core_info_t info,
                                                        tiletc_type_t number_ty,
                                                        tiletc_transpose_t tA,
                                                        tiletc_transpose_t tB,
                                                        int64_t M,
                                                        int64_t N,
                                                        int64_t K,
                                                        int64_t ldA,
                                                        int64_t strideA,
                                                        int64_t ldB,
                                                        int64_t strideB,
                                                        int64_t ldC,
                                                        int64_t strideC);

/// Makes the recipe of C := alpha * A * B + beta * C where A is M x K and C is M x N with many rows, and B is
/// K x N; all are column-major. M and the leading dimensions are said at launch.
///
/// A work-group computes `M_block_size` rows; 0 stands for what
/// tiletc_recipe_tall_and_skinny_suggest_block_size says. Otherwise like
/// tiletc_recipe_tall_and_skinny_create_specialized.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_tall_and_skinny_create(tiletc_recipe_t *recipe,
                                                     const_tiletc_core_info_t info,
                                                     tiletc_type_t number_ty,
                                                     int64_t N,
                                                     int64_t K,
                                                     int32_t M_block_size);

/// The same with more known: each of `M`, `ldA`, `ldB` and `ldC` is a number or TILETC_DYNAMIC, and the
/// matrices lie at multiples of `alignA`, `alignB` and `alignC` bytes, where 0 stands for the device's default
/// alignment. `recipe` gets one reference.
///
/// Errors: ir_expected_number for the type, invalid_arguments for a dynamic N or K, ir_invalid_shape for a
/// size that is not positive, ir_insufficient_alignment for an alignment that no number has, and whatever
/// compiling for the device gives.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_tall_and_skinny_create_specialized(tiletc_recipe_t *recipe,
                                                                 const_tiletc_core_info_t info,
                                                                 tiletc_type_t number_ty,
                                                                 int64_t M,
                                                                 int64_t N,
                                                                 int64_t K,
                                                                 int64_t ldA,
                                                                 int64_t ldB,
                                                                 int64_t ldC,
                                                                 int32_t alignA,
                                                                 int32_t alignB,
                                                                 int32_t alignC,
                                                                 int32_t M_block_size);

/// Gets the number of rows per work-group that suits a device: 128, or the largest work-group that every
/// subgroup size admits, if that is less.
///
/// Errors: invalid_core_info if the device admits no work-group.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_tall_and_skinny_suggest_block_size(const_tiletc_core_info_t info,
                                                                 int32_t *M_block_size);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_retain(tiletc_recipe_t obj);

/// Drops a reference and frees the recipe with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_release(tiletc_recipe_t obj);

/// Gets the compiled, hence lowered, program without a new reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_get_prog(const_tiletc_recipe_t recipe, tiletc_prog_t *prg);

/// Gets the binary without a new reference. Its kernels are `gemm`, and `gemm_beta0` for a beta of 0.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_get_binary(const_tiletc_recipe_t recipe, tiletc_binary_t *bin);

/// Sets what the next launch computes: `howmany` products, in at most as many work-groups.
///
/// `alpha_value` and `beta_value` point to numbers of the recipe's type, which are copied. With a beta of 0
/// (or -0) C is only written. `A_value`, `B_value` and `C_value` are addresses or buffer objects, as the type
/// says; they are not retained. With `howmany` 0 there is nothing to launch, and submitting succeeds.
///
/// Errors: invalid_arguments for a handler of another kind of recipe, invalid_kernel_arguments for a number
/// of another size, a negative `howmany` or results that overlap, launch_argument_contract for an address that
/// is less aligned than the recipe was compiled for, unavailable_extension where the platform has no unified
/// shared memory. After an error there is nothing to submit until arguments are set again.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_small_gemm_batched_set_args(tiletc_recipe_handler_t handler,
                                                          int64_t howmany,
                                                          size_t alpha_size,
                                                          const void *alpha_value,
                                                          tiletc_mem_type_t A_type,
                                                          const void *A_value,
                                                          tiletc_mem_type_t B_type,
                                                          const void *B_value,
                                                          size_t beta_size,
                                                          const void *beta_value,
                                                          tiletc_mem_type_t C_type,
                                                          const void *C_value);

/// Sets what the next launch computes: a product of `M` rows.
///
/// `M`, `ldA`, `ldB` and `ldC` are always given; where the recipe was made for a known leading dimension, that
/// one counts. Otherwise like tiletc_recipe_small_gemm_batched_set_args.
///
/// Errors: those, and invalid_kernel_arguments for an `M` that is negative or not the one that the recipe was
/// made for, or a leading dimension less than the rows of its matrix.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_tall_and_skinny_set_args(tiletc_recipe_handler_t handler,
                                                       int64_t M,
                                                       size_t alpha_size,
                                                       const void *alpha_value,
                                                       tiletc_mem_type_t A_type,
                                                       const void *A_value,
                                                       int64_t ldA,
                                                       tiletc_mem_type_t B_type,
                                                       const void *B_value,
                                                       int64_t ldB,
                                                       size_t beta_size,
                                                       const void *beta_value,
                                                       tiletc_mem_type_t C_type,
                                                       const void *C_value,
                                                       int64_t ldC);

/// Adds a reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_handler_retain(tiletc_recipe_handler_t obj);

/// Drops a reference and frees the handler with its kernels with the last one.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_recipe_handler_release(tiletc_recipe_handler_t obj);

/// Gets the recipe without a new reference.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_handler_get_recipe(const_tiletc_recipe_handler_t handler,
                                                 tiletc_recipe_t *recipe);

/// Makes a handler for a runtime that this library does not know: the set_args functions call back.
///
/// `callbacks` is copied, with the name of the runtime. `user_data` is handed to every callback; `destroy`
/// gets it when the last reference to the handler is gone. If this function fails it stays the caller's.
/// `handler` gets one reference and keeps the recipe alive.
///
/// Errors: invalid_arguments if a callback or the name is NULL.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_handler_create_with_callbacks(tiletc_recipe_handler_t *handler,
                                                            tiletc_recipe_t recipe,
                                                            const tiletc_recipe_handler_callbacks_t *callbacks,
                                                            void *user_data);

/// Gets the user data of a handler that was made with callbacks for a runtime of this name.
///
/// Errors: invalid_arguments for any other handler.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_recipe_handler_get_user_data(const_tiletc_recipe_handler_t handler,
                                                    const char *runtime,
                                                    void **user_data);

/// Makes a tuner for a kernel of a program in text form, the only one if `kernel` is NULL, on a device. The configs that may be tried are
/// those that the compiler takes into consideration, unless tiletc_tuner_add_config names others.
///
/// A tuner knows what to try and what came of it; the program builds configs, runs and times them. In C++ with SYCL,
/// `tiletc::autotune` does all that.
///
/// Errors: as for tiletc_parse_string; invalid_arguments if the program has no such kernel.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_create(tiletc_tuner_t *tuner,
                                    size_t source_size,
                                    const char *source,
                                    const char *kernel,
                                    const_tiletc_core_info_t info);

/// Adds a reference.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_tuner_retain(tiletc_tuner_t tuner);

/// Drops a reference; with the last one the tuner ends.
///
/// Threads: any; a call of another thread with the handle goes on to its end, or is refused.
TILETC_EXPORT tiletc_status_t tiletc_tuner_release(tiletc_tuner_t tuner);

/// Gets the name of the kernel, which belongs to the tuner.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_tuner_get_kernel_name(const char **name, tiletc_tuner_t tuner);

/// Adds a config of `size` names with their values, in place of the compiler's own. Names that begin with `$` are the program's, and
/// their values take the place of its definitions; the others are attributes of the function, such as `subgroup_size` with `16` or
/// `work_group_size` with `[64,2]`. Cases of arguments that have come up before do not know the config.
///
/// Errors: as for tiletc_parse_string, for the program with the config; invalid_arguments if the kernel then takes other arguments, or
/// there is no such attribute.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_add_config(tiletc_tuner_t tuner,
                                        size_t size,
                                        const char *const *names,
                                        const char *const *values);

/// Names the parameters whose numbers tell cases apart: an integer, or a memref whose type leaves sizes or strides open. Types, layouts
/// and the device always do. Cases that have come up before stay as they are.
///
/// Errors: invalid_arguments if the kernel has no parameter of a name, or one that no integers come with.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_set_key(tiletc_tuner_t tuner,
                                     size_t size,
                                     const char *const *names);

/// Gets the number of the case that arguments are, which counts from 0 in the order in which cases come up, the number of its configs,
/// and how many of them wait to be tried: none unless `TILETC_TUNE=on` stands in the environment, and none if the kernel writes memory of
/// which nobody knows how much it is.
///
/// Errors: invalid_kernel_arguments as at a launch; as for tiletc_prog_compile_to_spirv if the device cannot run the kernel.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_find_case(size_t *number,
                                       size_t *configs,
                                       size_t *waiting,
                                       tiletc_tuner_t tuner,
                                       uint32_t num_args,
                                       const tiletc_kernel_arg_t *args);

/// Gets the bytes of the memory behind an argument, if the kernel writes it, otherwise 0: whoever tries configs gives each a copy. The
/// arguments are the last ones of the case that tiletc_tuner_find_case was asked about.
///
/// Errors: out_of_range if there is no such case or argument, or none of its configs waits.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_get_written_size(size_t *bytes,
                                              tiletc_tuner_t tuner,
                                              size_t case_number,
                                              uint32_t arg);

/// Gets the program of a config, or NULL if the config has been tried. It is compiled like any other, without regard to what
/// tables say.
///
/// Errors: out_of_range if there is no such case or config.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_get_config(tiletc_prog_t *prg,
                                        tiletc_tuner_t tuner,
                                        size_t case_number,
                                        size_t config);

/// Compares what a config has left in the memory of an argument with what the first one did that was asked about. A config that differs
/// is out of the question. `tolerance` is the largest difference, relative to the largest number; with 0 results must be the same bit
/// for bit. `data` are as many bytes as tiletc_tuner_get_written_size says.
///
/// Errors: out_of_range if there is no such case, config or argument, or the size is another one; invalid_arguments if the tolerance is
/// negative, infinite or no number.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_compare(tiletc_bool_t *agrees,
                                     tiletc_tuner_t tuner,
                                     size_t case_number,
                                     size_t config,
                                     uint32_t arg,
                                     size_t size,
                                     const void *data,
                                     double tolerance);

/// Tells the median of the times of a config in seconds, the bounds of its 95 % interval, and the device with its driver.
///
/// Errors: out_of_range if there is no such case or config; invalid_arguments if a time is no positive number, or the lower bound is
/// above the upper one.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_record(tiletc_tuner_t tuner,
                                    size_t case_number,
                                    size_t config,
                                    double median,
                                    double lower,
                                    double upper,
                                    const char *on);

/// Tells why a config is out of the question.
///
/// Errors: out_of_range if there is no such case or config.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_fail(tiletc_tuner_t tuner,
                                  size_t case_number,
                                  size_t config,
                                  const char *reason);

/// Gets the program of the best config: by what was measured, else by what a table estimates, else the first one. What has been
/// recorded goes to the table that the compiler consults, and to the file `table`, with NULL to the one that the environment variable
/// `TILETC_TUNING_TABLE` names. A file that cannot be written is told to the log and is no error.
///
/// Errors: out_of_range if there is no such case.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_finish(tiletc_prog_t *prg,
                                    tiletc_tuner_t tuner,
                                    size_t case_number,
                                    const char *table);

/// Gets a text with a line for each config of a case, the best first: what is known of it and its names with their values. The caller
/// frees it with tiletc_string_destroy.
///
/// Errors: out_of_range if there is no such case.
///
/// Threads: any, at any time.
TILETC_EXPORT
tiletc_status_t tiletc_tuner_report(char **report,
                                    tiletc_tuner_t tuner,
                                    size_t case_number);

/// A truth value.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_boolean(tiletc_inst_t *instr,
    tiletc_bool_t value, tiletc_type_t ty, const tiletc_location_t *loc);

/// A complex number, or a cooperative matrix of it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_complex(tiletc_inst_t *instr,
    double value_re, double value_im, tiletc_type_t ty, const tiletc_location_t *loc);

/// A floating-point number, or a cooperative matrix of it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_float(tiletc_inst_t *instr, double value,
    tiletc_type_t ty, const tiletc_location_t *loc);

/// An integer, or a cooperative matrix of it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_int(tiletc_inst_t *instr, int64_t value,
    tiletc_type_t ty, const tiletc_location_t *loc);

/// The one of a type: true, a number, or a cooperative matrix of ones.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_one(tiletc_inst_t *instr,
    tiletc_type_t ty, const tiletc_location_t *loc);

/// The zero of a type: false, a number, or a cooperative matrix of zeros.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_constant_inst_create_zero(tiletc_inst_t *instr,
    tiletc_type_t ty, const tiletc_location_t *loc);

/// Conversion between number types, or of a cooperative matrix.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cast_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// a + b.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_add_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a - b.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_sub_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a · b.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_mul_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a / b; integers truncate toward zero.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_div_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Remainder of a / b with the sign of a.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_rem_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a / b of integers, rounded up.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cdiv_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a shifted left by b bits.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_shl_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// a shifted right by b bits, filled with its sign.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_shr_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Bit-wise or logical and.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_and_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Bit-wise or logical or.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_or_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Bit-wise or logical exclusive or.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_xor_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// The smaller of a and b; the other one if exactly one is NaN.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_min_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// The larger of a and b; the other one if exactly one is NaN.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_max_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Magnitude; real if a is complex.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_abs_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// -a.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_neg_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Bit-wise or logical complement.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_not_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Complex conjugate.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_conj_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Imaginary part.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_im_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Real part.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_re_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a = b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_equal_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a ≠ b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_not_equal_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a > b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_greater_than_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a ≥ b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_greater_than_equal_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a < b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_less_than_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether a ≤ b; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_less_than_equal_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Cosine.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cos_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Sine.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_sin_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// e to the power of a.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_exp_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// 2 to the power of a.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_exp2_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Natural logarithm.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_log_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Logarithm to base 2.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_log2_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Square root.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_sqrt_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Reciprocal of the square root.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_rsqrt_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Hyperbolic tangent.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tanh_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Error function.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_erf_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Cosine, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_cos_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Sine, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_sin_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// e to the power of a, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_exp_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// 2 to the power of a, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_exp2_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Natural logarithm, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_log_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Logarithm to base 2, as accurate as the device makes it.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_native_log2_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// a if the condition, a boolean, holds, b otherwise; booleans or numbers of one type. For tiles the condition is a
/// tile of i8, which holds where it is not 0.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_select_inst_create(tiletc_inst_t *instr,
    tiletc_value_t condition, tiletc_value_t a, tiletc_value_t b, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The place of the work-group in the grid; an index.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_group_id_inst_create(tiletc_inst_t *instr,
    tiletc_comp3_t mode, tiletc_type_t result, const tiletc_location_t *loc);

/// The extent of the grid in work-groups; an index.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_num_groups_inst_create(tiletc_inst_t *instr,
    tiletc_comp3_t mode, tiletc_type_t result, const tiletc_location_t *loc);

/// The number of subgroups of the work-group in a direction; an i32.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_num_subgroups_inst_create(tiletc_inst_t *instr,
    tiletc_comp3_t mode, tiletc_type_t result, const tiletc_location_t *loc);

/// The place of the subgroup in the work-group; an i32.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_id_inst_create(tiletc_inst_t *instr,
    tiletc_comp3_t mode, tiletc_type_t result, const tiletc_location_t *loc);

/// The number of work-items of a subgroup; an i32.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_size_inst_create(tiletc_inst_t *instr,
    tiletc_type_t result, const tiletc_location_t *loc);

/// The number of the subgroup in the work-group, x fastest; an i32.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_linear_id_inst_create(tiletc_inst_t *instr,
    tiletc_type_t result, const tiletc_location_t *loc);

/// The place of the work-item in its subgroup; an i32.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_local_id_inst_create(tiletc_inst_t *instr,
    tiletc_type_t result, const tiletc_location_t *loc);

/// An element of a memref, for which there is an index for each mode, or a member of a group, for
/// which there is one.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_load_inst_create(tiletc_inst_t *instr, tiletc_value_t operand,
    size_t index_list_size, const tiletc_value_t *index_list, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Writes an element of a memref; there is an index for each mode.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_store_inst_create(tiletc_inst_t *instr, tiletc_value_t val,
    tiletc_value_t operand, size_t index_list_size, const tiletc_value_t *index_list,
    const tiletc_location_t *loc);

/// The same as a load, atomically.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_atomic_load_inst_create(tiletc_inst_t *instr,
    tiletc_memory_scope_t scope, tiletc_memory_semantics_t semantics, tiletc_value_t operand,
    size_t index_list_size, const tiletc_value_t *index_list, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The same as a store, atomically.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_atomic_store_inst_create(tiletc_inst_t *instr,
    tiletc_memory_scope_t scope, tiletc_memory_semantics_t semantics, tiletc_value_t val,
    tiletc_value_t operand, size_t index_list_size, const tiletc_value_t *index_list,
    const tiletc_location_t *loc);

/// Adds a value to an element atomically; the result is the element before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_atomic_add_inst_create(tiletc_inst_t *instr,
    tiletc_memory_scope_t scope, tiletc_memory_semantics_t semantics, tiletc_value_t val,
    tiletc_value_t operand, size_t index_list_size, const tiletc_value_t *index_list,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Keeps the larger of an element and a value atomically; the result is the element before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_atomic_max_inst_create(tiletc_inst_t *instr,
    tiletc_memory_scope_t scope, tiletc_memory_semantics_t semantics, tiletc_value_t val,
    tiletc_value_t operand, size_t index_list_size, const tiletc_value_t *index_list,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Keeps the smaller of an element and a value atomically; the result is the element before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_atomic_min_inst_create(tiletc_inst_t *instr,
    tiletc_memory_scope_t scope, tiletc_memory_semantics_t semantics, tiletc_value_t val,
    tiletc_value_t operand, size_t index_list_size, const tiletc_value_t *index_list,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether the base pointer of a memref or group is not null; the result is a boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_associated_inst_create(tiletc_inst_t *instr,
    tiletc_value_t operand, tiletc_type_t result, const tiletc_location_t *loc);

/// Tests whether 2D block messages take a matrix in memory: address, sizes and strides; the result is a
/// boolean.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_is_surface_inst_create(tiletc_inst_t *instr,
    tiletc_value_t operand, tiletc_type_t result, const tiletc_location_t *loc);

/// The same matrix, which is known to pass is_surface.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_as_surface_inst_create(tiletc_inst_t *instr,
    tiletc_value_t operand, tiletc_type_t result, const tiletc_location_t *loc);

/// The same memory as a memref of another type: sizes and strides that only one of the types fixes are known to
/// have the values of the other one. With .t, the modes of a matrix change places.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_memref_cast_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_value_t operand, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The size of a mode of a memref, counted from 0, or for mode 0 the number of members of a group; an
/// index.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_size_inst_create(tiletc_inst_t *instr, int64_t mode,
    tiletc_value_t operand, tiletc_type_t result, const tiletc_location_t *loc);

/// Part of a memref: an offset and a size for each mode, whose stride stays. Entries of the static
/// offsets and sizes that are TILETC_DYNAMIC take the next of the offsets and sizes, an index; a
/// static size of 0 drops the mode.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subview_inst_create(tiletc_inst_t *instr,
    size_t static_offsets_size, const int64_t *static_offsets, size_t static_sizes_size,
    const int64_t *static_sizes, tiletc_value_t operand, size_t offsets_size,
    const tiletc_value_t *offsets, size_t sizes_size, const tiletc_value_t *sizes,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Splits a mode of a memref, counted from 0, into two or more, whose sizes are the static shape, the
/// first one fastest; the size of the mode is their product. Entries that are TILETC_DYNAMIC take the
/// next of the shape, an index.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_expand_inst_create(tiletc_inst_t *instr,
    int64_t expanded_mode, size_t static_expand_shape_size, const int64_t *static_expand_shape,
    tiletc_value_t operand, size_t expand_shape_size, const tiletc_value_t *expand_shape,
    tiletc_type_t result, const tiletc_location_t *loc);

/// Joins the modes from ... to of a memref, counted from 0 and both included, into one, whose size is
/// the product of theirs. They must be contiguous in memory.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_fuse_inst_create(tiletc_inst_t *instr, int64_t from,
    int64_t to, tiletc_value_t operand, tiletc_type_t result, const tiletc_location_t *loc);

/// Waits until all work-items of the work-group are here, and orders accesses to the address spaces
/// given, a set of tiletc_address_space_t bits.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_barrier_inst_create(tiletc_inst_t *instr,
    tiletc_address_spaces_t fence_flags, const tiletc_location_t *loc);

/// Tells the others of the work-group that a work-item is here, and goes on: the first half of a barrier that
/// orders accesses to local memory.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_barrier_arrive_inst_create(tiletc_inst_t *instr,
    const tiletc_location_t *loc);

/// Waits until all work-items of the work-group have come to barrier_arrive: the second half.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_barrier_wait_inst_create(tiletc_inst_t *instr,
    const tiletc_location_t *loc);

/// Shared local memory of the work-group; the result is a memref of static shape in the local address
/// space.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_alloca_inst_create(tiletc_inst_t *instr, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The point after which an allocation is dead.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_lifetime_stop_inst_create(tiletc_inst_t *instr,
    tiletc_value_t object, const tiletc_location_t *loc);

/// A counted loop over [from, to), three integers of one type; step may be NULL, which stands for 1.
/// Each result is a boolean, a number, a cooperative matrix or a tile, and has an initial value of its type.
/// The parameters of the region are the loop variable, of the type of from, and one for each result;
/// it ends with a yield of the next values.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_for_inst_create(tiletc_inst_t *instr, tiletc_value_t from,
    tiletc_value_t to, tiletc_value_t step, size_t iter_init_size, const tiletc_value_t *iter_init,
    size_t results_size, const tiletc_type_t *results, const tiletc_location_t *loc);

/// A branch on a boolean. Region 0 is taken if it holds, region 1 otherwise. Each result is a
/// boolean, a number, a cooperative matrix or a tile; if there are any, both regions end with a
/// yield of them.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_if_inst_create(tiletc_inst_t *instr, tiletc_value_t condition,
    size_t results_size, const tiletc_type_t *results, const tiletc_location_t *loc);

/// Ends a region that returns values.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_yield_inst_create(tiletc_inst_t *instr,
    size_t yielded_vals_size, const tiletc_value_t *yielded_vals, const tiletc_location_t *loc);

/// Leaves the loop whose body it stands in if a boolean holds, which in collective code must be the same for the
/// work-group. The results of the loop are then what it carried when the iteration began.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_break_if_inst_create(tiletc_inst_t *instr,
    tiletc_value_t condition, const tiletc_location_t *loc);

/// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
/// share at the end of the region.
///
/// Threads: any, at any time.
TILETC_EXPORT tiletc_status_t tiletc_parallel_inst_create(tiletc_inst_t *instr,
    const tiletc_location_t *loc);

/// Runs its region by every work-item of the work-group. Each result is a tile, of which every subgroup yields its own
/// share at the end of the region.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_parallel_with_results_inst_create(tiletc_inst_t *instr,
    size_t results_size, const tiletc_type_t *results, const tiletc_location_t *loc);

/// Runs its region for each point of a range, spread over the work-items. In each mode from and to
/// are integers of one type. The parameters of the region are the point.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_foreach_inst_create(tiletc_inst_t *instr, size_t from_size,
    const tiletc_value_t *from, size_t to_size, const tiletc_value_t *to,
    const tiletc_location_t *loc);

/// Runs its region for each tile of a range, each by one subgroup. In each mode from and to are
/// integers of one type, and there is a largest size. The parameters of the region are the first
/// point of the tile and its sizes.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_foreach_tile_inst_create(tiletc_inst_t *instr,
    size_t tile_shape_size, const int64_t *tile_shape, size_t from_size,
    const tiletc_value_t *from, size_t to_size, const tiletc_value_t *to,
    const tiletc_location_t *loc);

/// The value of the work-item idx, an i32, in all of its subgroup.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_broadcast_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t idx, tiletc_type_t result, const tiletc_location_t *loc);

/// Sum of the work-items before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_exclusive_scan_add_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Largest value of the work-items before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_exclusive_scan_max_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Smallest value of the work-items before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_exclusive_scan_min_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Sum up to and with the work-item.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_inclusive_scan_add_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Largest value up to and with the work-item.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_inclusive_scan_max_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Smallest value up to and with the work-item.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_inclusive_scan_min_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Sum of all work-items of the subgroup.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_reduce_add_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Largest value of all work-items of the subgroup.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_reduce_max_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// Smallest value of all work-items of the subgroup.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_subgroup_reduce_min_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// B := alpha·op(A) + beta·B. op(A) and B are two scalars, two vectors of N elements or two M x N
/// matrices; tA only matters for matrices.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_axpby_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_transpose_t tA, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t beta,
    tiletc_value_t B, const tiletc_location_t *loc);

/// B := alpha·(running sums of A along a mode, counted from 0) + beta·B. A and B have the same shape,
/// of order 1 or more.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cumsum_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    int64_t mode, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t beta, tiletc_value_t B,
    const tiletc_location_t *loc);

/// B := alpha·(sums of the rows of op(A), or the sum of a vector) + beta·B. op(A) is M x N and B has
/// M elements, or A has N elements and B is a memref of order 0.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_sum_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_transpose_t tA, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t beta,
    tiletc_value_t B, const tiletc_location_t *loc);

/// C := alpha·op(A)·B + beta·C. op(A) is M x N, the vector B has N elements, the vector C has M.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_gemv_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_transpose_t tA, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t B,
    tiletc_value_t beta, tiletc_value_t C, const tiletc_location_t *loc);

/// C := alpha·A·B^T + beta·C. The vector A has M elements, the vector B has N, C is M x N.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_ger_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t B, tiletc_value_t beta,
    tiletc_value_t C, const tiletc_location_t *loc);

/// C := alpha·A∘B + beta·C, entry by entry. A, B and C are vectors of N elements or M x N matrices.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_hadamard_inst_create(tiletc_inst_t *instr,
    tiletc_bool_t atomic, tiletc_value_t alpha, tiletc_value_t A, tiletc_value_t B,
    tiletc_value_t beta, tiletc_value_t C, const tiletc_location_t *loc);

/// C := alpha·op(A)·op(B) + beta·C. op(A) is M x K, op(B) is K x N, C is M x N.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_gemm_inst_create(tiletc_inst_t *instr, tiletc_bool_t atomic,
    tiletc_transpose_t tA, tiletc_transpose_t tB, tiletc_value_t alpha, tiletc_value_t A,
    tiletc_value_t B, tiletc_value_t beta, tiletc_value_t C, const tiletc_location_t *loc);

/// Reads a matrix from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or
/// with a transpose at (pos0 + j, pos1 + i); entries that fail a check are 0.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_load_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_value_t operand,
    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result, const tiletc_location_t *loc);

/// Writes a matrix to a matrix in memory, with every entry where a load takes it from; entries that
/// fail a check are skipped.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_store_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_value_t val,
    tiletc_value_t operand, tiletc_value_t pos0, tiletc_value_t pos1, const tiletc_location_t *loc);

/// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_mul_add_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t b, tiletc_value_t c, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The number a, of the component type, times every entry of the matrix b; the result has the type of
/// b.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_scale_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// A matrix with a number, of its component type, in every entry.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_construct_inst_create(tiletc_inst_t *instr,
    tiletc_value_t number, tiletc_type_t result, const tiletc_location_t *loc);

/// A component of the work-item's share of a matrix, counted from 0.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_extract_inst_create(tiletc_inst_t *instr,
    int64_t index, tiletc_value_t mat, tiletc_type_t result, const tiletc_location_t *loc);

/// The matrix with one component of the work-item's share, counted from 0, replaced.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_insert_inst_create(tiletc_inst_t *instr,
    int64_t index, tiletc_value_t val, tiletc_value_t mat, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The part of a matrix that begins at a row and a column, counted from 0, with as many rows and columns as
/// the type of the result has.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_slice_inst_create(tiletc_inst_t *instr,
    int64_t row, int64_t col, tiletc_value_t mat, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Computes every entry: the parameters of the region are row and column, of type i32, and the entry,
/// and it yields the new entry.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_apply_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// The same as a load, with an atomic access for each entry.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_atomic_load_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_memory_scope_t scope,
    tiletc_memory_semantics_t semantics, tiletc_value_t operand, tiletc_value_t pos0,
    tiletc_value_t pos1, tiletc_type_t result, const tiletc_location_t *loc);

/// The same as a store, with an atomic access for each entry.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_atomic_store_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_memory_scope_t scope,
    tiletc_memory_semantics_t semantics, tiletc_value_t val, tiletc_value_t operand,
    tiletc_value_t pos0, tiletc_value_t pos1, const tiletc_location_t *loc);

/// Adds the entries of a matrix to memory atomically; the result holds the entries
/// before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_atomic_add_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_memory_scope_t scope,
    tiletc_memory_semantics_t semantics, tiletc_value_t val, tiletc_value_t operand,
    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result, const tiletc_location_t *loc);

/// Keeps the larger entries of a matrix and of memory atomically; the result holds the entries
/// before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_atomic_max_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_memory_scope_t scope,
    tiletc_memory_semantics_t semantics, tiletc_value_t val, tiletc_value_t operand,
    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result, const tiletc_location_t *loc);

/// Keeps the smaller entries of a matrix and of memory atomically; the result holds the entries
/// before.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_atomic_min_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_checked_flag_t checked, tiletc_memory_scope_t scope,
    tiletc_memory_semantics_t semantics, tiletc_value_t val, tiletc_value_t operand,
    tiletc_value_t pos0, tiletc_value_t pos1, tiletc_type_t result, const tiletc_location_t *loc);

/// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_reduce_add_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_reduce_max_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a matrix.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_reduce_min_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
/// core.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_prefetch_inst_create(tiletc_inst_t *instr,
    int32_t cache_level, int32_t rows, int32_t cols, tiletc_value_t operand, tiletc_value_t pos0,
    tiletc_value_t pos1, const tiletc_location_t *loc);

/// Computes every entry from the entries of matrices of one use, whose shape is that of the result, a row or a
/// column of it, or a single entry: the parameters of the region
/// are row and column, of type i32, and the entry of each matrix, and it yields the entry of the result.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_cooperative_matrix_map_inst_create(tiletc_inst_t *instr,
    size_t matrices_size, const tiletc_value_t *matrices, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The tile of a matrix of rows x cols tiles, two indices, that a work-group takes: a bijection
/// from [0, rows·cols), and (rows, cols) beyond. The results are the indices of its row and column. The
/// number of the work-group is linear if there is one, or else group_id.x + num_groups.x·group_id.y.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_order_inst_create(tiletc_inst_t *instr,
    tiletc_tile_order_t order, tiletc_value_t num_rows, tiletc_value_t num_cols,
    tiletc_value_t linear, size_t results_size, const tiletc_type_t *results,
    const tiletc_location_t *loc);

/// Reads a tile from a matrix in memory. Entry (i, j) is at (pos0 + i, pos1 + j) of the operand, or with a
/// transpose at (pos0 + j, pos1 + i). Entries outside are what the boundary says; of those, and of those
/// for which the region, the mask, does not yield true, no memory is touched, and they are other, or 0
/// without it. The parameters of the region are the row and the column of the operand.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_load_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_boundary_t boundary, tiletc_value_t operand, tiletc_value_t pos0,
    tiletc_value_t pos1, tiletc_value_t other, tiletc_type_t result, const tiletc_location_t *loc);

/// Writes a tile to a matrix in memory, with every entry where a load takes it from. Entries outside, and
/// those for which the region, the mask, does not yield true, are not written.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_store_inst_create(tiletc_inst_t *instr,
    tiletc_bool_t atomic_add, tiletc_transpose_t t, tiletc_bool_t unchecked, tiletc_value_t val,
    tiletc_value_t operand, tiletc_value_t pos0, tiletc_value_t pos1, const tiletc_location_t *loc);

/// Copies a part of a matrix in global memory, as large as a matrix in local memory, into the latter, for all of the work-group.
/// Entry (i, j) of the copy is at (pos0 + i, pos1 + j) of the operand, or with a transpose at (pos0 + j, pos1 + i). What is
/// outside of the operand is copied as the boundary says. Numbers are promoted to those of the copy. A copy of order 3 is of panels: (i, j) is at (i mod d, j, i/d) there,
/// for d the size of its first mode.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_copy_inst_create(tiletc_inst_t *instr,
    tiletc_transpose_t t, tiletc_boundary_t boundary, tiletc_value_t operand, tiletc_value_t pos0,
    tiletc_value_t pos1, tiletc_value_t copy, const tiletc_location_t *loc);

/// A hint to bring rows x cols entries of a matrix in memory into a cache; level 0 is nearest to the
/// core.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_prefetch_inst_create(tiletc_inst_t *instr,
    int32_t cache_level, int32_t rows, int32_t cols, tiletc_value_t operand, tiletc_value_t pos0,
    tiletc_value_t pos1, const tiletc_location_t *loc);

/// a·b + c. a is an M x K matrix_a, b a K x N matrix_b, c and the result are M x N of matrix_acc.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_dot_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_value_t c, tiletc_type_t result, const tiletc_location_t *loc);

/// Computes every entry from the entries of tiles of one use, whose shape is that of the result, a row or a column
/// of it, or a single entry: the parameters of the region are row and column, of type i32, and the entry of each
/// tile, and it yields the entry of the result.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_apply_inst_create(tiletc_inst_t *instr,
    size_t tiles_size, const tiletc_value_t *tiles, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The number a, of the component type, times every entry of the tile b; the result has the type of b.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_scale_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_value_t b, tiletc_type_t result, const tiletc_location_t *loc);

/// Sums along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_reduce_add_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_bool_t share, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Largest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_reduce_max_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_bool_t share, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Smallest entries along the rows (M x N to M x 1) or the columns (M x N to 1 x N) of a tile.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_reduce_min_inst_create(tiletc_inst_t *instr,
    tiletc_reduce_mode_t mode, tiletc_bool_t share, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// The tile with rows and columns exchanged: R x C of matrix_acc becomes C x R.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_transpose_inst_create(tiletc_inst_t *instr,
    tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// A block of the subgroup's own share of a tile: the cooperative matrix, of r x c, in row row and column col of the r x c blocks
/// of the share. All blocks of tiles of one size and use have one shape.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_fragment_inst_create(tiletc_inst_t *instr, int64_t row,
    int64_t col, tiletc_value_t a, tiletc_type_t result, const tiletc_location_t *loc);

/// The tile a with a block of the subgroup's own share replaced by the cooperative matrix fragment; it has the type of a.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_with_fragment_inst_create(tiletc_inst_t *instr,
    int64_t row, int64_t col, tiletc_value_t fragment, tiletc_value_t a, tiletc_type_t result,
    const tiletc_location_t *loc);

/// Returns whether an entry of a tile of integers is greater than 0, as the 1 of comparisons is.
///
/// Threads: any; a handle that another thread frees meanwhile is good for the whole call, or refused.
TILETC_EXPORT tiletc_status_t tiletc_tile_any_inst_create(tiletc_inst_t *instr, tiletc_value_t a,
    tiletc_type_t result, const tiletc_location_t *loc);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TILETC_TILETC_H */
