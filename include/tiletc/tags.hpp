// SPDX-License-Identifier: BSD-3-Clause
//
// Written by `cargo xtask headers`; change src/ffi or xtask/src/headers.rs instead.

/// \file
/// The classes that name attributes, types and instructions.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_TAGS_HPP) : !defined(TILETC_TAGS_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_TAGS_HPP
#else
#define TILETC_TAGS_HPP
#endif

namespace TILETC_NAMESPACE {

// Tags of `get` and `create`; there are no objects of these classes.
class abs_inst;
class add_inst;
class alloca_inst;
class and_inst;
class array_attr;
class as_surface_inst;
class associated_inst;
class atomic_add_inst;
class atomic_load_inst;
class atomic_max_inst;
class atomic_min_inst;
class atomic_store_inst;
class axpby_inst;
class barrier_arrive_inst;
class barrier_inst;
class barrier_wait_inst;
class bf16_type;
class boolean_attr;
class boolean_type;
class break_if_inst;
class c32_type;
class c64_type;
class cast_inst;
class cdiv_inst;
class conj_inst;
class constant_inst;
class cooperative_matrix_apply_inst;
class cooperative_matrix_atomic_add_inst;
class cooperative_matrix_atomic_load_inst;
class cooperative_matrix_atomic_max_inst;
class cooperative_matrix_atomic_min_inst;
class cooperative_matrix_atomic_store_inst;
class cooperative_matrix_construct_inst;
class cooperative_matrix_extract_inst;
class cooperative_matrix_insert_inst;
class cooperative_matrix_load_inst;
class cooperative_matrix_map_inst;
class cooperative_matrix_mul_add_inst;
class cooperative_matrix_prefetch_inst;
class cooperative_matrix_reduce_add_inst;
class cooperative_matrix_reduce_max_inst;
class cooperative_matrix_reduce_min_inst;
class cooperative_matrix_scale_inst;
class cooperative_matrix_slice_inst;
class cooperative_matrix_store_inst;
class coopmatrix_type;
class cos_inst;
class cumsum_inst;
class dictionary_attr;
class div_inst;
class equal_inst;
class erf_inst;
class exp2_inst;
class exp_inst;
class expand_inst;
class f16_type;
class f32_type;
class f64_type;
class f8e4m3_type;
class f8e5m2_type;
class for_inst;
class foreach_inst;
class foreach_tile_inst;
class fuse_inst;
class gemm_inst;
class gemv_inst;
class ger_inst;
class greater_than_equal_inst;
class greater_than_inst;
class group_id_inst;
class group_type;
class hadamard_inst;
class i16_type;
class i32_type;
class i4_type;
class i64_type;
class i8_type;
class if_inst;
class im_inst;
class index_type;
class integer_attr;
class is_surface_inst;
class less_than_equal_inst;
class less_than_inst;
class lifetime_stop_inst;
class load_inst;
class log2_inst;
class log_inst;
class max_inst;
class memref_cast_inst;
class memref_type;
class min_inst;
class mul_inst;
class native_cos_inst;
class native_exp2_inst;
class native_exp_inst;
class native_log2_inst;
class native_log_inst;
class native_sin_inst;
class neg_inst;
class not_equal_inst;
class not_inst;
class num_groups_inst;
class num_subgroups_inst;
class or_inst;
class parallel_inst;
class parallel_with_results_inst;
class re_inst;
class rem_inst;
class rsqrt_inst;
class select_inst;
class shl_inst;
class shr_inst;
class sin_inst;
class size_inst;
class sqrt_inst;
class store_inst;
class string_attr;
class sub_inst;
class subgroup_broadcast_inst;
class subgroup_exclusive_scan_add_inst;
class subgroup_exclusive_scan_max_inst;
class subgroup_exclusive_scan_min_inst;
class subgroup_id_inst;
class subgroup_inclusive_scan_add_inst;
class subgroup_inclusive_scan_max_inst;
class subgroup_inclusive_scan_min_inst;
class subgroup_linear_id_inst;
class subgroup_local_id_inst;
class subgroup_reduce_add_inst;
class subgroup_reduce_max_inst;
class subgroup_reduce_min_inst;
class subgroup_size_inst;
class subview_inst;
class sum_inst;
class swizzled_type;
class tanh_inst;
class tile_any_inst;
class tile_apply_inst;
class tile_copy_inst;
class tile_dot_inst;
class tile_fragment_inst;
class tile_load_inst;
class tile_order_inst;
class tile_prefetch_inst;
class tile_reduce_add_inst;
class tile_reduce_max_inst;
class tile_reduce_min_inst;
class tile_scale_inst;
class tile_store_inst;
class tile_transpose_inst;
class tile_type;
class tile_with_fragment_inst;
class void_type;
class xor_inst;
class yield_inst;

} // namespace TILETC_NAMESPACE

#endif // TILETC_TAGS_HPP
