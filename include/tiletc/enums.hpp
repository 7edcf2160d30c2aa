// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// The enumerations of the C interface for C++: `status::success` for `tiletc_status_success`.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_ENUMS_HPP) : !defined(TILETC_ENUMS_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_ENUMS_HPP
#else
#define TILETC_ENUMS_HPP
#endif

#include <tiletc/tiletc.h>

#include <type_traits>

namespace TILETC_NAMESPACE {

/// The numbers of outcomes.
#if defined(TILETC_PLAIN_STATUS) || defined(TILETC_IN_TINYTC)
enum class status : int {
#else
enum class status_code : int {
#endif
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
    ir_unexpected_break = 0x154, ///< break_if outside of the body of a loop
    ir_expected_tile = 0x160, ///< expected a tile
    ir_tile_shape_mismatch = 0x161, ///< shapes of tiles do not fit together
    ir_tile_use_mismatch = 0x162, ///< wrong use of a tile
    ir_tile_type_unsupported = 0x163, ///< product of tiles not supported
    ir_tile_uncovered = 0x164, ///< subgroups cannot share the tile equally
    ir_tile_rows_not_multiple_of_sgs = 0x165, ///< rows of a tile are not a multiple of the subgroup size
    ir_tile_unchecked_remainder = 0x166, ///< unchecked loads may reach beyond the end along K
    ir_tile_pipeline_dependence = 0x167, ///< the loop cannot have stages
    ir_tile_slm_exceeded = 0x168, ///< stages exceed the local memory
    ir_tile_registers_exceeded = 0x169, ///< tile exceeds the registers
    ir_tile_fragment_shape = 0x16a, ///< fragments do not make up the share of a tile
    ir_tile_swizzle_shape = 0x16b, ///< swizzle does not fit
    ir_tile_order_group = 0x16c, ///< invalid group of an order of tiles
    ir_tile_side_effect = 0x16d, ///< side effect in the region of a tile instruction
    ir_tile_unsupported = 0x16e, ///< tile not supported here
    ir_packed_shape = 0x16f, ///< numbers that share bytes need even sizes and distances
    ir_packed_read_only = 0x170, ///< numbers that share bytes are only read
    spirv_forbidden_forward_declaration = 0x1000, ///< SPIR-V id used before it may be
    spirv_undefined_value = 0x1001, ///< value has no SPIR-V counterpart
    spirv_missing_dope_vector = 0x1002, ///< run-time sizes of a tensor are unknown
    spirv_unsupported_atomic_data_type = 0x1003, ///< no atomic operations for this type
    spirv_required_feature_unavailable = 0x1004, ///< the device lacks a required feature
    launch_argument_contract = 0x2000, ///< an argument is not what an attribute promises
    launch_grid_mismatch = 0x2001, ///< a launch has fewer work-groups than it needs
    unknown = 0x7fffffff, ///< unknown error
};

#if !defined(TILETC_PLAIN_STATUS) && !defined(TILETC_IN_TINYTC)
/// Outcome of a call. It is used like an enumeration: compared, switched over, and converted from and to
/// its number by static_cast. What is thrown is a `status_error`, which is a `status` as well as a
/// `std::exception`. In the namespace `tinytc` it is a true enumeration, and exceptions are nothing else.
/// So it is here if all files of a program define TILETC_PLAIN_STATUS in front of all headers.
class status {
  public:
    static status const success; ///< success
    static status const bad_alloc; ///< out of memory
    static status const invalid_arguments; ///< invalid arguments
    static status const out_of_range; ///< index or count out of range
    static status const runtime_error; ///< runtime error
    static status const internal_compiler_error; ///< internal compiler error (please report it)
    static status const unsupported_subgroup_size; ///< subgroup size not available on the device
    static status const unsupported_work_group_size; ///< work-group size not available on the device
    static status const compilation_error; ///< compilation failed
    static status const file_io_error; ///< file could not be read or written
    static status const parse_error; ///< program text was refused
    static status const unavailable_extension; ///< a required driver extension is missing
    static status const unsupported_backend; ///< unsupported compute runtime
    static status const invalid_kernel_arguments; ///< invalid kernel arguments
    static status const unsupported_device; ///< unsupported device
    static status const invalid_core_info; ///< unusable device description
    static status const unknown_pass_name; ///< no pass of that name
    static status const not_implemented; ///< not implemented
    static status const compute_runtime_error; ///< compute runtime returned an error
    static status const ir_out_of_bounds; ///< mode, component or index number out of bounds
    static status const ir_invalid_shape; ///< invalid shape
    static status const ir_incompatible_shapes; ///< operand shapes do not fit together
    static status const ir_shape_stride_mismatch; ///< shape and stride differ in length
    static status const ir_number_mismatch; ///< number types differ
    static status const ir_invalid_number_of_indices; ///< wrong number of indices
    static status const ir_expected_boolean; ///< expected bool
    static status const ir_expected_number; ///< expected a number type
    static status const ir_expected_int; ///< expected an integer type
    static status const ir_expected_float; ///< expected a floating-point type
    static status const ir_expected_complex; ///< expected a complex type
    static status const ir_expected_i32; ///< expected i32
    static status const ir_expected_index; ///< expected index
    static status const ir_expected_coopmatrix; ///< expected a coopmatrix
    static status const ir_expected_coopmatrix_or_number; ///< expected a coopmatrix or a number
    static status const ir_expected_coopmatrix_number_or_boolean; ///< expected a coopmatrix, a number or bool
    static status const ir_expected_memref; ///< expected a memref
    static status const ir_expected_memref_or_number; ///< expected a memref or a number
    static status const ir_expected_memref_or_group; ///< expected a memref or a group
    static status const ir_expected_memref_order_0; ///< expected a memref of order 0
    static status const ir_expected_memref_order_1; ///< expected a memref of order 1
    static status const ir_expected_memref_order_2; ///< expected a memref of order 2
    static status const ir_expected_memref_order_0_or_1; ///< expected a memref of order 0 or 1
    static status const ir_expected_memref_order_1_or_2; ///< expected a memref of order 1 or 2
    static status const ir_expected_memref_order_0_1_or_2; ///< expected a memref of order 0, 1 or 2
    static status const ir_unexpected_yield; ///< yield in a region that returns nothing
    static status const ir_yield_mismatch; ///< yielded values do not match the results
    static status const ir_subview_mismatch; ///< wrong number of dynamic subview operands
    static status const ir_invalid_slice; ///< negative offset or size in a slice
    static status const ir_expand_shape_order_too_small; ///< expand needs at least two sizes
    static status const ir_expand_shape_mismatch; ///< wrong number of dynamic expand operands
    static status const ir_collective_called_from_spmd; ///< collective instruction in an SPMD region
    static status const ir_fp_unsupported; ///< floating-point type not supported here
    static status const ir_spmd_called_from_collective; ///< SPMD instruction in a collective region
    static status const ir_expected_local_address_space; ///< expected a memref in local memory
    static status const ir_expected_global_address_space; ///< expected a memref in global memory
    static status const ir_address_space_mismatch; ///< address spaces differ
    static status const ir_invalid_offset; ///< negative group offset
    static status const ir_int_unsupported; ///< integer type not supported here
    static status const ir_boolean_unsupported; ///< bool not supported here
    static status const ir_complex_unsupported; ///< complex type not supported here
    static status const ir_coopmatrix_unsupported; ///< coopmatrix not supported here
    static status const ir_forbidden_cast; ///< no such cast
    static status const ir_invalid_beta; ///< beta of an atomic operation must be the constant 0 or 1
    static status const ir_init_return_mismatch; ///< initial values do not match the results
    static status const ir_invalid_matrix_use; ///< wrong coopmatrix use
    static status const ir_unsupported_coopmatrix_shape; ///< unsupported coopmatrix shape
    static status const ir_forbidden_promotion; ///< number types cannot be promoted as needed
    static status const ir_constant_mismatch; ///< constant does not fit the type
    static status const ir_insufficient_alignment; ///< insufficient alignment
    static status const ir_must_have_yield; ///< region must end in yield
    static status const ir_yield_in_else_branch_missing; ///< else branch must end in yield
    static status const ir_from_to_mismatch; ///< lower and upper bounds differ in number
    static status const ir_from_tile_shape_mismatch; ///< bounds and tile shape differ in number
    static status const ir_operand_type_must_match_return_type; ///< operand type must match the result type
    static status const ir_invalid_stride; ///< invalid stride
    static status const ir_init_return_type_mismatch; ///< initial values do not match the result types
    static status const ir_value_still_has_uses; ///< value still has uses
    static status const ir_expected_array_attribute; ///< expected an array attribute
    static status const ir_expected_boolean_attribute; ///< expected a boolean attribute
    static status const ir_expected_dictionary_attribute; ///< expected a dictionary attribute
    static status const ir_expected_integer_attribute; ///< expected an integer attribute
    static status const ir_expected_string_attribute; ///< expected a string attribute
    static status const ir_duplicate_key_in_dictionary; ///< duplicate key in dictionary
    static status const ir_unexpected_array_attribute_size; ///< array attribute of the wrong length
    static status const ir_expected_non_scalar_memref; ///< expected a memref of order 1 or more
    static status const ir_complex_number_type_unsupported; ///< complex number type not supported here
    static status const ir_tile_shape0_not_multiple_of_sgs; ///< first tile size is not a multiple of the subgroup size
    static status const ir_division_by_zero; ///< division by zero
    static status const ir_unexpected_break; ///< break_if outside of the body of a loop
    static status const ir_expected_tile; ///< expected a tile
    static status const ir_tile_shape_mismatch; ///< shapes of tiles do not fit together
    static status const ir_tile_use_mismatch; ///< wrong use of a tile
    static status const ir_tile_type_unsupported; ///< product of tiles not supported
    static status const ir_tile_uncovered; ///< subgroups cannot share the tile equally
    static status const ir_tile_rows_not_multiple_of_sgs; ///< rows of a tile are not a multiple of the subgroup size
    static status const ir_tile_unchecked_remainder; ///< unchecked loads may reach beyond the end along K
    static status const ir_tile_pipeline_dependence; ///< the loop cannot have stages
    static status const ir_tile_slm_exceeded; ///< stages exceed the local memory
    static status const ir_tile_registers_exceeded; ///< tile exceeds the registers
    static status const ir_tile_fragment_shape; ///< fragments do not make up the share of a tile
    static status const ir_tile_swizzle_shape; ///< swizzle does not fit
    static status const ir_tile_order_group; ///< invalid group of an order of tiles
    static status const ir_tile_side_effect; ///< side effect in the region of a tile instruction
    static status const ir_tile_unsupported; ///< tile not supported here
    static status const ir_packed_shape; ///< numbers that share bytes need even sizes and distances
    static status const ir_packed_read_only; ///< numbers that share bytes are only read
    static status const spirv_forbidden_forward_declaration; ///< SPIR-V id used before it may be
    static status const spirv_undefined_value; ///< value has no SPIR-V counterpart
    static status const spirv_missing_dope_vector; ///< run-time sizes of a tensor are unknown
    static status const spirv_unsupported_atomic_data_type; ///< no atomic operations for this type
    static status const spirv_required_feature_unavailable; ///< the device lacks a required feature
    static status const launch_argument_contract; ///< an argument is not what an attribute promises
    static status const launch_grid_mismatch; ///< a launch has fewer work-groups than it needs
    static status const unknown; ///< unknown error

    /// Success.
    constexpr status() noexcept = default;
    /// Outcome of a number.
    constexpr status(status_code code) noexcept : code_{code} {}
    /// Outcome of a number, which need not be one of the above.
    template <typename T, std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int> = 0>
    constexpr explicit status(T number) noexcept : code_{static_cast<status_code>(number)} {}
    /// The number, for comparisons and `switch`.
    constexpr operator status_code() const noexcept { return code_; }
    /// The number in another type.
    template <typename T,
              std::enable_if_t<std::is_arithmetic_v<T> ||
                                   (std::is_enum_v<T> && !std::is_same_v<T, status_code>),
                               int> = 0>
    constexpr explicit operator T() const noexcept {
        return static_cast<T>(code_);
    }

  private:
    status_code code_ = status_code::success;
};
inline constexpr status status::success{status_code::success};
inline constexpr status status::bad_alloc{status_code::bad_alloc};
inline constexpr status status::invalid_arguments{status_code::invalid_arguments};
inline constexpr status status::out_of_range{status_code::out_of_range};
inline constexpr status status::runtime_error{status_code::runtime_error};
inline constexpr status status::internal_compiler_error{status_code::internal_compiler_error};
inline constexpr status status::unsupported_subgroup_size{status_code::unsupported_subgroup_size};
inline constexpr status status::unsupported_work_group_size{status_code::unsupported_work_group_size};
inline constexpr status status::compilation_error{status_code::compilation_error};
inline constexpr status status::file_io_error{status_code::file_io_error};
inline constexpr status status::parse_error{status_code::parse_error};
inline constexpr status status::unavailable_extension{status_code::unavailable_extension};
inline constexpr status status::unsupported_backend{status_code::unsupported_backend};
inline constexpr status status::invalid_kernel_arguments{status_code::invalid_kernel_arguments};
inline constexpr status status::unsupported_device{status_code::unsupported_device};
inline constexpr status status::invalid_core_info{status_code::invalid_core_info};
inline constexpr status status::unknown_pass_name{status_code::unknown_pass_name};
inline constexpr status status::not_implemented{status_code::not_implemented};
inline constexpr status status::compute_runtime_error{status_code::compute_runtime_error};
inline constexpr status status::ir_out_of_bounds{status_code::ir_out_of_bounds};
inline constexpr status status::ir_invalid_shape{status_code::ir_invalid_shape};
inline constexpr status status::ir_incompatible_shapes{status_code::ir_incompatible_shapes};
inline constexpr status status::ir_shape_stride_mismatch{status_code::ir_shape_stride_mismatch};
inline constexpr status status::ir_number_mismatch{status_code::ir_number_mismatch};
inline constexpr status status::ir_invalid_number_of_indices{status_code::ir_invalid_number_of_indices};
inline constexpr status status::ir_expected_boolean{status_code::ir_expected_boolean};
inline constexpr status status::ir_expected_number{status_code::ir_expected_number};
inline constexpr status status::ir_expected_int{status_code::ir_expected_int};
inline constexpr status status::ir_expected_float{status_code::ir_expected_float};
inline constexpr status status::ir_expected_complex{status_code::ir_expected_complex};
inline constexpr status status::ir_expected_i32{status_code::ir_expected_i32};
inline constexpr status status::ir_expected_index{status_code::ir_expected_index};
inline constexpr status status::ir_expected_coopmatrix{status_code::ir_expected_coopmatrix};
inline constexpr status status::ir_expected_coopmatrix_or_number{status_code::ir_expected_coopmatrix_or_number};
inline constexpr status status::ir_expected_coopmatrix_number_or_boolean{status_code::ir_expected_coopmatrix_number_or_boolean};
inline constexpr status status::ir_expected_memref{status_code::ir_expected_memref};
inline constexpr status status::ir_expected_memref_or_number{status_code::ir_expected_memref_or_number};
inline constexpr status status::ir_expected_memref_or_group{status_code::ir_expected_memref_or_group};
inline constexpr status status::ir_expected_memref_order_0{status_code::ir_expected_memref_order_0};
inline constexpr status status::ir_expected_memref_order_1{status_code::ir_expected_memref_order_1};
inline constexpr status status::ir_expected_memref_order_2{status_code::ir_expected_memref_order_2};
inline constexpr status status::ir_expected_memref_order_0_or_1{status_code::ir_expected_memref_order_0_or_1};
inline constexpr status status::ir_expected_memref_order_1_or_2{status_code::ir_expected_memref_order_1_or_2};
inline constexpr status status::ir_expected_memref_order_0_1_or_2{status_code::ir_expected_memref_order_0_1_or_2};
inline constexpr status status::ir_unexpected_yield{status_code::ir_unexpected_yield};
inline constexpr status status::ir_yield_mismatch{status_code::ir_yield_mismatch};
inline constexpr status status::ir_subview_mismatch{status_code::ir_subview_mismatch};
inline constexpr status status::ir_invalid_slice{status_code::ir_invalid_slice};
inline constexpr status status::ir_expand_shape_order_too_small{status_code::ir_expand_shape_order_too_small};
inline constexpr status status::ir_expand_shape_mismatch{status_code::ir_expand_shape_mismatch};
inline constexpr status status::ir_collective_called_from_spmd{status_code::ir_collective_called_from_spmd};
inline constexpr status status::ir_fp_unsupported{status_code::ir_fp_unsupported};
inline constexpr status status::ir_spmd_called_from_collective{status_code::ir_spmd_called_from_collective};
inline constexpr status status::ir_expected_local_address_space{status_code::ir_expected_local_address_space};
inline constexpr status status::ir_expected_global_address_space{status_code::ir_expected_global_address_space};
inline constexpr status status::ir_address_space_mismatch{status_code::ir_address_space_mismatch};
inline constexpr status status::ir_invalid_offset{status_code::ir_invalid_offset};
inline constexpr status status::ir_int_unsupported{status_code::ir_int_unsupported};
inline constexpr status status::ir_boolean_unsupported{status_code::ir_boolean_unsupported};
inline constexpr status status::ir_complex_unsupported{status_code::ir_complex_unsupported};
inline constexpr status status::ir_coopmatrix_unsupported{status_code::ir_coopmatrix_unsupported};
inline constexpr status status::ir_forbidden_cast{status_code::ir_forbidden_cast};
inline constexpr status status::ir_invalid_beta{status_code::ir_invalid_beta};
inline constexpr status status::ir_init_return_mismatch{status_code::ir_init_return_mismatch};
inline constexpr status status::ir_invalid_matrix_use{status_code::ir_invalid_matrix_use};
inline constexpr status status::ir_unsupported_coopmatrix_shape{status_code::ir_unsupported_coopmatrix_shape};
inline constexpr status status::ir_forbidden_promotion{status_code::ir_forbidden_promotion};
inline constexpr status status::ir_constant_mismatch{status_code::ir_constant_mismatch};
inline constexpr status status::ir_insufficient_alignment{status_code::ir_insufficient_alignment};
inline constexpr status status::ir_must_have_yield{status_code::ir_must_have_yield};
inline constexpr status status::ir_yield_in_else_branch_missing{status_code::ir_yield_in_else_branch_missing};
inline constexpr status status::ir_from_to_mismatch{status_code::ir_from_to_mismatch};
inline constexpr status status::ir_from_tile_shape_mismatch{status_code::ir_from_tile_shape_mismatch};
inline constexpr status status::ir_operand_type_must_match_return_type{status_code::ir_operand_type_must_match_return_type};
inline constexpr status status::ir_invalid_stride{status_code::ir_invalid_stride};
inline constexpr status status::ir_init_return_type_mismatch{status_code::ir_init_return_type_mismatch};
inline constexpr status status::ir_value_still_has_uses{status_code::ir_value_still_has_uses};
inline constexpr status status::ir_expected_array_attribute{status_code::ir_expected_array_attribute};
inline constexpr status status::ir_expected_boolean_attribute{status_code::ir_expected_boolean_attribute};
inline constexpr status status::ir_expected_dictionary_attribute{status_code::ir_expected_dictionary_attribute};
inline constexpr status status::ir_expected_integer_attribute{status_code::ir_expected_integer_attribute};
inline constexpr status status::ir_expected_string_attribute{status_code::ir_expected_string_attribute};
inline constexpr status status::ir_duplicate_key_in_dictionary{status_code::ir_duplicate_key_in_dictionary};
inline constexpr status status::ir_unexpected_array_attribute_size{status_code::ir_unexpected_array_attribute_size};
inline constexpr status status::ir_expected_non_scalar_memref{status_code::ir_expected_non_scalar_memref};
inline constexpr status status::ir_complex_number_type_unsupported{status_code::ir_complex_number_type_unsupported};
inline constexpr status status::ir_tile_shape0_not_multiple_of_sgs{status_code::ir_tile_shape0_not_multiple_of_sgs};
inline constexpr status status::ir_division_by_zero{status_code::ir_division_by_zero};
inline constexpr status status::ir_unexpected_break{status_code::ir_unexpected_break};
inline constexpr status status::ir_expected_tile{status_code::ir_expected_tile};
inline constexpr status status::ir_tile_shape_mismatch{status_code::ir_tile_shape_mismatch};
inline constexpr status status::ir_tile_use_mismatch{status_code::ir_tile_use_mismatch};
inline constexpr status status::ir_tile_type_unsupported{status_code::ir_tile_type_unsupported};
inline constexpr status status::ir_tile_uncovered{status_code::ir_tile_uncovered};
inline constexpr status status::ir_tile_rows_not_multiple_of_sgs{status_code::ir_tile_rows_not_multiple_of_sgs};
inline constexpr status status::ir_tile_unchecked_remainder{status_code::ir_tile_unchecked_remainder};
inline constexpr status status::ir_tile_pipeline_dependence{status_code::ir_tile_pipeline_dependence};
inline constexpr status status::ir_tile_slm_exceeded{status_code::ir_tile_slm_exceeded};
inline constexpr status status::ir_tile_registers_exceeded{status_code::ir_tile_registers_exceeded};
inline constexpr status status::ir_tile_fragment_shape{status_code::ir_tile_fragment_shape};
inline constexpr status status::ir_tile_swizzle_shape{status_code::ir_tile_swizzle_shape};
inline constexpr status status::ir_tile_order_group{status_code::ir_tile_order_group};
inline constexpr status status::ir_tile_side_effect{status_code::ir_tile_side_effect};
inline constexpr status status::ir_tile_unsupported{status_code::ir_tile_unsupported};
inline constexpr status status::ir_packed_shape{status_code::ir_packed_shape};
inline constexpr status status::ir_packed_read_only{status_code::ir_packed_read_only};
inline constexpr status status::spirv_forbidden_forward_declaration{status_code::spirv_forbidden_forward_declaration};
inline constexpr status status::spirv_undefined_value{status_code::spirv_undefined_value};
inline constexpr status status::spirv_missing_dope_vector{status_code::spirv_missing_dope_vector};
inline constexpr status status::spirv_unsupported_atomic_data_type{status_code::spirv_unsupported_atomic_data_type};
inline constexpr status status::spirv_required_feature_unavailable{status_code::spirv_required_feature_unavailable};
inline constexpr status status::launch_argument_contract{status_code::launch_argument_contract};
inline constexpr status status::launch_grid_mismatch{status_code::launch_grid_mismatch};
inline constexpr status status::unknown{status_code::unknown};
#endif
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

/// Value of what a tile load finds outside of the memref.
enum class boundary : int {
    zero = 0, ///< 0, or another number that the load names
    wrap = 1, ///< the element at the coordinates modulo the sizes
    unchecked = 2, ///< undefined; there must be nothing outside
    undefined = 3, ///< undefined, whatever is there; the mode is not empty
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(boundary val) -> char const * {
    return ::tiletc_boundary_to_string(static_cast<::tiletc_boundary_t>(val));
}

/// Order in which work-groups take the tiles of a matrix.
enum class tile_order : int {
    linear_n = 0, ///< row after row
    linear_m = 1, ///< column after column
    grouped = 2, ///< column after column within groups of rows
    panel_m = 3, ///< the same, every other group backwards
    panel_n = 4, ///< the same for groups of columns
    morton = 5, ///< along a z-curve within blocks
    hilbert = 6, ///< along a Hilbert curve within blocks
    diagonal = 7, ///< row after row, each begun one column later
    any = 8, ///< what the function's attribute says, or else column after column within groups of rows
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(tile_order val) -> char const * {
    return ::tiletc_tile_order_to_string(static_cast<::tiletc_tile_order_t>(val));
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
    tf32 = 0x2000, ///< rounding of the factors of products from f32 to tf32 in functions that name no precision
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

/// Kind of an argument of a kernel.
enum class arg_kind : int {
    bytes = 0, ///< object of which only the size is known
    integer = 1, ///< integer
    floating = 2, ///< floating-point number
    complex = 3, ///< complex number
    buffer = 4, ///< buffer object
    usm_pointer = 5, ///< unified shared memory
    svm_pointer = 6, ///< shared virtual memory
    typed_usm_pointer = 7, ///< unified shared memory of which is known what it holds
    foreign_pointer = 8, ///< address that is no unified shared memory of the kernel's context
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(arg_kind val) -> char const * {
    return ::tiletc_arg_kind_to_string(static_cast<::tiletc_arg_kind_t>(val));
}

/// Operation of a step of the plan of a launch.
enum class launch_op : int {
    number = 0, ///< pushes the step's value
    argument = 1, ///< pushes the address or integer of the argument of that number
    add = 2, ///< replaces a and b, which is on top, by a + b
    sub = 3, ///< by a - b
    mul = 4, ///< by a * b
    div = 5, ///< by a / b, rounded toward zero
    cdiv = 6, ///< by a / b, rounded up
    min = 7, ///< by the smaller one
    max = 8, ///< by the larger one
    multiple_of = 9, ///< pops what has to be a multiple of the value, both without a sign
    is = 10, ///< pops what has to be the value
    groups = 11, ///< pops the number of work-groups along x (0), y (1) or z (2); a negative one is 0
    ask = 12, ///< says that no plan can tell
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(launch_op val) -> char const * {
    return ::tiletc_launch_op_to_string(static_cast<::tiletc_launch_op_t>(val));
}

/// Kind of an OpenCL object.
enum class cl_object : int {
    context = 0, ///< cl_context
    device = 1, ///< cl_device_id
    program = 2, ///< cl_program
    kernel = 3, ///< cl_kernel
    event = 4, ///< cl_event
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(cl_object val) -> char const * {
    return ::tiletc_cl_object_to_string(static_cast<::tiletc_cl_object_t>(val));
}

/// Weight of a message of the log.
enum class log_level : int {
    off = 0, ///< no messages
    error = 1, ///< what has failed
    warn = 2, ///< what may not be meant
    info = 3, ///< steps, with times and sizes
    debug = 4, ///< every pass and decision
};
/// The name of an enumerator, "unknown" for any other number.
inline auto to_string(log_level val) -> char const * {
    return ::tiletc_log_level_to_string(static_cast<::tiletc_log_level_t>(val));
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
