/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

/** \file
 * tinytc's constructors of programs, and recipes.
 *
 * Functions and types are described under their names in tiletc (include/tiletc).
 */

#ifndef TINYTC_BUILDER_H
#define TINYTC_BUILDER_H

#include <tinytc/export.h>
#include <tinytc/types.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

TINYTC_EXPORT tinytc_status_t tinytc_void_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_boolean_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_i8_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_i16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_i32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_i64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_index_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_bf16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_f16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_f32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_f64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_c32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_c64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_memref_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty,
    size_t shape_size, const int64_t *shape, size_t stride_size, const int64_t *stride,
    tinytc_address_space_t addrspace);
TINYTC_EXPORT tinytc_status_t tinytc_group_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty,
    int64_t size, int64_t offset);
TINYTC_EXPORT tinytc_status_t tinytc_coopmatrix_type_get(tinytc_type_t *ty_,
    tinytc_type_t component_ty, int64_t rows, int64_t cols, tinytc_matrix_use_t use_);
TINYTC_EXPORT tinytc_status_t tinytc_type_get_compiler_context(const_tinytc_type_t ty,
    tinytc_compiler_context_t *ctx);
TINYTC_EXPORT tinytc_status_t tinytc_boolean_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, tinytc_bool_t value);
TINYTC_EXPORT tinytc_status_t tinytc_integer_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, int64_t value);
TINYTC_EXPORT tinytc_status_t tinytc_string_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t str_length, const char *str);
TINYTC_EXPORT tinytc_status_t tinytc_array_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t array_size, const tinytc_attr_t *array);
TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t items_size, tinytc_named_attr_t *items);
TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_get_with_sorted(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t items_size, const tinytc_named_attr_t *items);
TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_sort(size_t items_size,
    tinytc_named_attr_t *items);
TINYTC_EXPORT tinytc_status_t tinytc_value_set_name(tinytc_value_t vl, const char *name);
TINYTC_EXPORT tinytc_status_t tinytc_value_set_name_n(tinytc_value_t vl, size_t name_length,
    const char *name);
TINYTC_EXPORT tinytc_status_t tinytc_value_get_name(const_tinytc_value_t vl, const char **name);
TINYTC_EXPORT tinytc_status_t tinytc_value_get_type(const_tinytc_value_t vl, tinytc_type_t *ty);
TINYTC_EXPORT tinytc_status_t tinytc_inst_get_parent_region(tinytc_inst_t instr,
    tinytc_region_t *parent);
TINYTC_EXPORT tinytc_status_t tinytc_inst_get_regions(tinytc_inst_t instr,
    size_t *result_list_size, tinytc_region_t *result_list);
TINYTC_EXPORT tinytc_status_t tinytc_inst_get_values(tinytc_inst_t instr, size_t *result_list_size,
    tinytc_value_t *result_list);
TINYTC_EXPORT tinytc_status_t tinytc_inst_set_attr(tinytc_inst_t instr, tinytc_attr_t a);
TINYTC_EXPORT tinytc_status_t tinytc_region_append(tinytc_region_t reg, tinytc_inst_t instr);
TINYTC_EXPORT tinytc_status_t tinytc_region_insert(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator, tinytc_inst_t instr);
TINYTC_EXPORT tinytc_status_t tinytc_region_begin(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator);
TINYTC_EXPORT tinytc_status_t tinytc_region_end(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator);
TINYTC_EXPORT tinytc_status_t tinytc_region_erase(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator);
TINYTC_EXPORT tinytc_status_t tinytc_next_inst(tinytc_inst_iterator_t *iterator);
TINYTC_EXPORT tinytc_status_t tinytc_prev_inst(tinytc_inst_iterator_t *iterator);
TINYTC_EXPORT tinytc_status_t tinytc_region_get_parameters(tinytc_region_t reg,
    size_t *result_list_size, tinytc_value_t *result_list);
TINYTC_EXPORT tinytc_status_t tinytc_func_create(tinytc_func_t *fun, size_t name_length,
    const char *name, size_t num_params, const tinytc_type_t *param_type_list, tinytc_type_t ty,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_func_set_attr(tinytc_func_t fun, tinytc_attr_t a);
TINYTC_EXPORT tinytc_status_t tinytc_func_set_parameter_attr(tinytc_func_t fun, size_t param_no,
    tinytc_attr_t a);
TINYTC_EXPORT tinytc_status_t tinytc_func_get_body(tinytc_func_t fun, tinytc_region_t *body);
TINYTC_EXPORT tinytc_status_t tinytc_prog_create(tinytc_prog_t *prg, tinytc_compiler_context_t ctx,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_prog_add_function(tinytc_prog_t prg, tinytc_func_t fun);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_small_gemm_batched_create(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, tinytc_transpose_t tA,
    tinytc_transpose_t tB, int64_t M, int64_t N, int64_t K, int64_t ldA, int64_t strideA,
    int64_t ldB, int64_t strideB, int64_t ldC, int64_t strideC);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_create(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, int64_t N, int64_t K,
    int32_t M_block_size);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_create_specialized(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, int64_t M, int64_t N, int64_t K,
    int64_t ldA, int64_t ldB, int64_t ldC, int32_t alignA, int32_t alignB, int32_t alignC,
    int32_t M_block_size);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_suggest_block_size(const_tinytc_core_info_t info,
    int32_t *M_block_size);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_get_prog(const_tinytc_recipe_t recipe,
    tinytc_prog_t *prg);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_get_binary(const_tinytc_recipe_t recipe,
    tinytc_binary_t *bin);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_small_gemm_batched_set_args(tinytc_recipe_handler_t handler,
    int64_t howmany, size_t alpha_size, const void *alpha_value, tinytc_mem_type_t A_type,
    const void *A_value, tinytc_mem_type_t B_type, const void *B_value, size_t beta_size,
    const void *beta_value, tinytc_mem_type_t C_type, const void *C_value);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_set_args(tinytc_recipe_handler_t handler,
    int64_t M, size_t alpha_size, const void *alpha_value, tinytc_mem_type_t A_type,
    const void *A_value, int64_t ldA, tinytc_mem_type_t B_type, const void *B_value, int64_t ldB,
    size_t beta_size, const void *beta_value, tinytc_mem_type_t C_type, const void *C_value,
    int64_t ldC);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_get_recipe(const_tinytc_recipe_handler_t handler,
    tinytc_recipe_t *recipe);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_boolean(tinytc_inst_t *instr,
    tinytc_bool_t value, tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_complex(tinytc_inst_t *instr,
    double value_re, double value_im, tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_float(tinytc_inst_t *instr, double value,
    tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_int(tinytc_inst_t *instr, int64_t value,
    tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_one(tinytc_inst_t *instr,
    tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_zero(tinytc_inst_t *instr,
    tinytc_type_t ty, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cast_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_add_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_sub_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_mul_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_div_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_rem_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_shl_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_shr_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_and_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_or_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_xor_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_min_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_max_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_abs_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_neg_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_not_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_conj_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_im_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_re_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_not_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_greater_than_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_greater_than_equal_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_less_than_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_less_than_equal_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_exp2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_log2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_exp2_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_native_log2_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_group_id_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_num_groups_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_num_subgroups_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_id_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_size_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_linear_id_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_local_id_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_load_inst_create(tinytc_inst_t *instr, tinytc_value_t operand,
    size_t index_list_size, const tinytc_value_t *index_list, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_store_inst_create(tinytc_inst_t *instr, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_atomic_load_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t operand,
    size_t index_list_size, const tinytc_value_t *index_list, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_atomic_store_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_atomic_add_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_atomic_max_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_atomic_min_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_associated_inst_create(tinytc_inst_t *instr,
    tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_size_inst_create(tinytc_inst_t *instr, int64_t mode,
    tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subview_inst_create(tinytc_inst_t *instr,
    size_t static_offsets_size, const int64_t *static_offsets, size_t static_sizes_size,
    const int64_t *static_sizes, tinytc_value_t operand, size_t offsets_size,
    const tinytc_value_t *offsets, size_t sizes_size, const tinytc_value_t *sizes,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_expand_inst_create(tinytc_inst_t *instr,
    int64_t expanded_mode, size_t static_expand_shape_size, const int64_t *static_expand_shape,
    tinytc_value_t operand, size_t expand_shape_size, const tinytc_value_t *expand_shape,
    tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_fuse_inst_create(tinytc_inst_t *instr, int64_t from,
    int64_t to, tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_barrier_inst_create(tinytc_inst_t *instr,
    tinytc_address_spaces_t fence_flags, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_alloca_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_lifetime_stop_inst_create(tinytc_inst_t *instr,
    tinytc_value_t object, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_for_inst_create(tinytc_inst_t *instr, tinytc_value_t from,
    tinytc_value_t to, tinytc_value_t step, size_t iter_init_size, const tinytc_value_t *iter_init,
    size_t results_size, const tinytc_type_t *results, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_if_inst_create(tinytc_inst_t *instr, tinytc_value_t condition,
    size_t results_size, const tinytc_type_t *results, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_yield_inst_create(tinytc_inst_t *instr,
    size_t yielded_vals_size, const tinytc_value_t *yielded_vals, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_parallel_inst_create(tinytc_inst_t *instr,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_foreach_inst_create(tinytc_inst_t *instr, size_t from_size,
    const tinytc_value_t *from, size_t to_size, const tinytc_value_t *to,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_foreach_tile_inst_create(tinytc_inst_t *instr,
    size_t tile_shape_size, const int64_t *tile_shape, size_t from_size,
    const tinytc_value_t *from, size_t to_size, const tinytc_value_t *to,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_broadcast_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t idx, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_axpby_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta,
    tinytc_value_t B, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cumsum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    int64_t mode, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta, tinytc_value_t B,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_sum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta,
    tinytc_value_t B, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_gemv_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
    tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_ger_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B, tinytc_value_t beta,
    tinytc_value_t C, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_hadamard_inst_create(tinytc_inst_t *instr,
    tinytc_bool_t atomic, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
    tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_gemm_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_transpose_t tB, tinytc_value_t alpha, tinytc_value_t A,
    tinytc_value_t B, tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_load_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_store_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_mul_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_value_t c, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_scale_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_construct_inst_create(tinytc_inst_t *instr,
    tinytc_value_t number, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_extract_inst_create(tinytc_inst_t *instr,
    int64_t index, tinytc_value_t mat, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_insert_inst_create(tinytc_inst_t *instr,
    int64_t index, tinytc_value_t val, tinytc_value_t mat, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_apply_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_load_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t operand, tinytc_value_t pos0,
    tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_store_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_add_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_max_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_min_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_add_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_max_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_min_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc);
TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_prefetch_inst_create(tinytc_inst_t *instr,
    int32_t cache_level, int32_t rows, int32_t cols, tinytc_value_t operand, tinytc_value_t pos0,
    tinytc_value_t pos1, const tinytc_location_t *loc);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_BUILDER_H */
