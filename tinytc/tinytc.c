/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

#include <tinytc/tinytc.h>

TINYTC_EXPORT const char *tinytc_status_to_string(tinytc_status_t val) {
    return tiletc_status_to_string(val);
}

TINYTC_EXPORT const char *tinytc_comp3_to_string(tinytc_comp3_t val) {
    return tiletc_comp3_to_string(val);
}

TINYTC_EXPORT const char *tinytc_reduce_mode_to_string(tinytc_reduce_mode_t val) {
    return tiletc_reduce_mode_to_string(val);
}

TINYTC_EXPORT const char *tinytc_transpose_to_string(tinytc_transpose_t val) {
    return tiletc_transpose_to_string(val);
}

TINYTC_EXPORT const char *tinytc_address_space_to_string(tinytc_address_space_t val) {
    return tiletc_address_space_to_string(val);
}

TINYTC_EXPORT const char *tinytc_checked_flag_to_string(tinytc_checked_flag_t val) {
    return tiletc_checked_flag_to_string(val);
}

TINYTC_EXPORT const char *tinytc_memory_scope_to_string(tinytc_memory_scope_t val) {
    return tiletc_memory_scope_to_string(val);
}

TINYTC_EXPORT const char *tinytc_memory_semantics_to_string(tinytc_memory_semantics_t val) {
    return tiletc_memory_semantics_to_string(val);
}

TINYTC_EXPORT const char *tinytc_matrix_use_to_string(tinytc_matrix_use_t val) {
    return tiletc_matrix_use_to_string(val);
}

TINYTC_EXPORT const char *tinytc_spirv_feature_to_string(tinytc_spirv_feature_t val) {
    return tiletc_spirv_feature_to_string(val);
}

TINYTC_EXPORT const char *tinytc_core_feature_flag_to_string(tinytc_core_feature_flag_t val) {
    return tiletc_core_feature_flag_to_string(val);
}

TINYTC_EXPORT const char *tinytc_intel_gpu_architecture_to_string(tinytc_intel_gpu_architecture_t val) {
    return tiletc_intel_gpu_architecture_to_string(val);
}

TINYTC_EXPORT const char *tinytc_bundle_format_to_string(tinytc_bundle_format_t val) {
    return tiletc_bundle_format_to_string(val);
}

TINYTC_EXPORT const char *tinytc_optflag_to_string(tinytc_optflag_t val) {
    return tiletc_optflag_to_string(val);
}

TINYTC_EXPORT const char *tinytc_mem_type_to_string(tinytc_mem_type_t val) {
    return tiletc_mem_type_to_string(val);
}

TINYTC_EXPORT const char *tinytc_support_level_to_string(tinytc_support_level_t val) {
    return tiletc_support_level_to_string(val);
}

TINYTC_EXPORT uint16_t tinytc_f32_to_bf16_as_ui16(float x) {
    return tiletc_f32_to_bf16_as_ui16(x);
}

TINYTC_EXPORT float tinytc_bf16_as_ui16_to_f32(uint16_t x) {
    return tiletc_bf16_as_ui16_to_f32(x);
}

TINYTC_EXPORT uint16_t tinytc_f32_to_f16_as_ui16(float x) {
    return tiletc_f32_to_f16_as_ui16(x);
}

TINYTC_EXPORT float tinytc_f16_as_ui16_to_f32(uint16_t x) {
    return tiletc_f16_as_ui16_to_f32(x);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_create(tinytc_compiler_context_t *ctx) {
    return tiletc_compiler_context_create(ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_retain(tinytc_compiler_context_t obj) {
    return tiletc_compiler_context_retain(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_release(tinytc_compiler_context_t obj) {
    return tiletc_compiler_context_release(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_add_source(tinytc_compiler_context_t ctx,
    const char *name, const char *text, int32_t *source_id) {
    return tiletc_compiler_context_add_source(ctx, name, text, source_id);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_error_reporter(tinytc_compiler_context_t ctx,
    tinytc_error_reporter_t reporter, void *user_data) {
    return tiletc_compiler_context_set_error_reporter(ctx, reporter, user_data);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_optimization_flag(tinytc_compiler_context_t ctx,
    tinytc_optflag_t flag, int32_t state) {
    return tiletc_compiler_context_set_optimization_flag(ctx, flag, state);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_optimization_level(tinytc_compiler_context_t ctx,
    int32_t level) {
    return tiletc_compiler_context_set_optimization_level(ctx, level);
}

TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_report_error(tinytc_compiler_context_t ctx,
    const tinytc_location_t *location, const char *what) {
    return tiletc_compiler_context_report_error(ctx, location, what);
}

TINYTC_EXPORT tinytc_status_t tinytc_void_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_void_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_boolean_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_boolean_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_i8_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx) {
    return tiletc_i8_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_i16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_i16_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_i32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_i32_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_i64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_i64_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_index_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_index_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_bf16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_bf16_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_f16_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_f16_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_f32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_f32_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_f64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_f64_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_c32_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_c32_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_c64_type_get(tinytc_type_t *ty_,
    tinytc_compiler_context_t ctx) {
    return tiletc_c64_type_get(ty_, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_memref_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty,
    size_t shape_size, const int64_t *shape, size_t stride_size, const int64_t *stride,
    tinytc_address_space_t addrspace) {
    return tiletc_memref_type_get(ty_, element_ty, shape_size, shape, stride_size, stride, addrspace);
}

TINYTC_EXPORT tinytc_status_t tinytc_group_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty,
    int64_t size, int64_t offset) {
    return tiletc_group_type_get(ty_, element_ty, size, offset);
}

TINYTC_EXPORT tinytc_status_t tinytc_coopmatrix_type_get(tinytc_type_t *ty_,
    tinytc_type_t component_ty, int64_t rows, int64_t cols, tinytc_matrix_use_t use_) {
    return tiletc_coopmatrix_type_get(ty_, component_ty, rows, cols, use_);
}

TINYTC_EXPORT tinytc_status_t tinytc_type_get_compiler_context(const_tinytc_type_t ty,
    tinytc_compiler_context_t *ctx) {
    return tiletc_type_get_compiler_context(ty, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_boolean_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, tinytc_bool_t value) {
    return tiletc_boolean_attr_get(attr, ctx, value);
}

TINYTC_EXPORT tinytc_status_t tinytc_integer_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, int64_t value) {
    return tiletc_integer_attr_get(attr, ctx, value);
}

TINYTC_EXPORT tinytc_status_t tinytc_string_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t str_length, const char *str) {
    return tiletc_string_attr_get(attr, ctx, str_length, str);
}

TINYTC_EXPORT tinytc_status_t tinytc_array_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t array_size, const tinytc_attr_t *array) {
    return tiletc_array_attr_get(attr, ctx, array_size, array);
}

TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_get(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t items_size, tinytc_named_attr_t *items) {
    return tiletc_dictionary_attr_get(attr, ctx, items_size, items);
}

TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_get_with_sorted(tinytc_attr_t *attr,
    tinytc_compiler_context_t ctx, size_t items_size, const tinytc_named_attr_t *items) {
    return tiletc_dictionary_attr_get_with_sorted(attr, ctx, items_size, items);
}

TINYTC_EXPORT tinytc_status_t tinytc_dictionary_attr_sort(size_t items_size,
    tinytc_named_attr_t *items) {
    return tiletc_dictionary_attr_sort(items_size, items);
}

TINYTC_EXPORT tinytc_status_t tinytc_value_set_name(tinytc_value_t vl, const char *name) {
    return tiletc_value_set_name(vl, name);
}

TINYTC_EXPORT tinytc_status_t tinytc_value_set_name_n(tinytc_value_t vl, size_t name_length,
    const char *name) {
    return tiletc_value_set_name_n(vl, name_length, name);
}

TINYTC_EXPORT tinytc_status_t tinytc_value_get_name(const_tinytc_value_t vl, const char **name) {
    return tiletc_value_get_name(vl, name);
}

TINYTC_EXPORT tinytc_status_t tinytc_value_get_type(const_tinytc_value_t vl, tinytc_type_t *ty) {
    return tiletc_value_get_type(vl, ty);
}

TINYTC_EXPORT void tinytc_inst_destroy(tinytc_inst_t instr) {
    tiletc_inst_destroy(instr);
}

TINYTC_EXPORT tinytc_status_t tinytc_inst_get_parent_region(tinytc_inst_t instr,
    tinytc_region_t *parent) {
    return tiletc_inst_get_parent_region(instr, parent);
}

TINYTC_EXPORT tinytc_status_t tinytc_inst_get_regions(tinytc_inst_t instr,
    size_t *result_list_size, tinytc_region_t *result_list) {
    return tiletc_inst_get_regions(instr, result_list_size, result_list);
}

TINYTC_EXPORT tinytc_status_t tinytc_inst_get_values(tinytc_inst_t instr, size_t *result_list_size,
    tinytc_value_t *result_list) {
    return tiletc_inst_get_values(instr, result_list_size, result_list);
}

TINYTC_EXPORT tinytc_status_t tinytc_inst_set_attr(tinytc_inst_t instr, tinytc_attr_t a) {
    return tiletc_inst_set_attr(instr, a);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_append(tinytc_region_t reg, tinytc_inst_t instr) {
    return tiletc_region_append(reg, instr);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_insert(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator, tinytc_inst_t instr) {
    return tiletc_region_insert(reg, iterator, instr);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_begin(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator) {
    return tiletc_region_begin(reg, iterator);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_end(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator) {
    return tiletc_region_end(reg, iterator);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_erase(tinytc_region_t reg,
    tinytc_inst_iterator_t *iterator) {
    return tiletc_region_erase(reg, iterator);
}

TINYTC_EXPORT tinytc_status_t tinytc_next_inst(tinytc_inst_iterator_t *iterator) {
    return tiletc_next_inst(iterator);
}

TINYTC_EXPORT tinytc_status_t tinytc_prev_inst(tinytc_inst_iterator_t *iterator) {
    return tiletc_prev_inst(iterator);
}

TINYTC_EXPORT tinytc_status_t tinytc_region_get_parameters(tinytc_region_t reg,
    size_t *result_list_size, tinytc_value_t *result_list) {
    return tiletc_region_get_parameters(reg, result_list_size, result_list);
}

TINYTC_EXPORT tinytc_status_t tinytc_func_create(tinytc_func_t *fun, size_t name_length,
    const char *name, size_t num_params, const tinytc_type_t *param_type_list, tinytc_type_t ty,
    const tinytc_location_t *loc) {
    return tiletc_func_create(fun, name_length, name, num_params, param_type_list, ty, loc);
}

TINYTC_EXPORT void tinytc_func_destroy(tinytc_func_t fun) {
    tiletc_func_destroy(fun);
}

TINYTC_EXPORT tinytc_status_t tinytc_func_set_attr(tinytc_func_t fun, tinytc_attr_t a) {
    return tiletc_func_set_attr(fun, a);
}

TINYTC_EXPORT tinytc_status_t tinytc_func_set_parameter_attr(tinytc_func_t fun, size_t param_no,
    tinytc_attr_t a) {
    return tiletc_func_set_parameter_attr(fun, param_no, a);
}

TINYTC_EXPORT tinytc_status_t tinytc_func_get_body(tinytc_func_t fun, tinytc_region_t *body) {
    return tiletc_func_get_body(fun, body);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_create(tinytc_prog_t *prg, tinytc_compiler_context_t ctx,
    const tinytc_location_t *loc) {
    return tiletc_prog_create(prg, ctx, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_add_function(tinytc_prog_t prg, tinytc_func_t fun) {
    return tiletc_prog_add_function(prg, fun);
}

TINYTC_EXPORT tinytc_status_t tinytc_parse_file(tinytc_prog_t *prg, const char *filename,
    tinytc_compiler_context_t ctx) {
    return tiletc_parse_file(prg, filename, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_parse_stdin(tinytc_prog_t *prg, tinytc_compiler_context_t ctx) {
    return tiletc_parse_stdin(prg, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_parse_string(tinytc_prog_t *prg, size_t source_size,
    const char *source, tinytc_compiler_context_t ctx) {
    return tiletc_parse_string(prg, source_size, source, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_retain(tinytc_prog_t prg) {
    return tiletc_prog_retain(prg);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_release(tinytc_prog_t prg) {
    return tiletc_prog_release(prg);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_get_compiler_context(const_tinytc_prog_t prg,
    tinytc_compiler_context_t *ctx) {
    return tiletc_prog_get_compiler_context(prg, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_dump(tinytc_prog_t prg) {
    return tiletc_prog_dump(prg);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_print_to_file(tinytc_prog_t prg, const char *filename) {
    return tiletc_prog_print_to_file(prg, filename);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_print_to_string(tinytc_prog_t prg, char **str) {
    return tiletc_prog_print_to_string(prg, str);
}

TINYTC_EXPORT void tinytc_string_destroy(char *str) {
    tiletc_string_destroy(str);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_generic_create(tinytc_core_info_t *info,
    int32_t register_space, int32_t max_work_group_size, size_t sgs_size, const int32_t *sgs) {
    return tiletc_core_info_generic_create(info, register_space, max_work_group_size, sgs_size, sgs);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create_from_arch(tinytc_core_info_t *info,
    tinytc_intel_gpu_architecture_t arch) {
    return tiletc_core_info_intel_create_from_arch(info, arch);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create_from_name(tinytc_core_info_t *info,
    const char *name) {
    return tiletc_core_info_intel_create_from_name(info, name);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create(tinytc_core_info_t *info,
    uint32_t ip_version, int32_t num_eus_per_subslice, int32_t num_threads_per_eu, size_t sgs_size,
    const int32_t *sgs) {
    return tiletc_core_info_intel_create(info, ip_version, num_eus_per_subslice, num_threads_per_eu, sgs_size, sgs);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_retain(tinytc_core_info_t obj) {
    return tiletc_core_info_retain(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_release(tinytc_core_info_t obj) {
    return tiletc_core_info_release(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_subgroup_sizes(const_tinytc_core_info_t info,
    size_t *sgs_size, const int32_t **sgs) {
    return tiletc_core_info_get_subgroup_sizes(info, sgs_size, sgs);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_register_space(const_tinytc_core_info_t info,
    int32_t *space) {
    return tiletc_core_info_get_register_space(info, space);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_core_features(tinytc_core_info_t info,
    tinytc_core_feature_flags_t flags) {
    return tiletc_core_info_set_core_features(info, flags);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_core_features(const_tinytc_core_info_t info,
    tinytc_core_feature_flags_t *flags) {
    return tiletc_core_info_get_core_features(info, flags);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_spirv_feature(tinytc_core_info_t info,
    tinytc_spirv_feature_t feature, tinytc_bool_t available) {
    return tiletc_core_info_set_spirv_feature(info, feature, available);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_have_spirv_feature(const_tinytc_core_info_t info,
    tinytc_spirv_feature_t feature, tinytc_bool_t *available) {
    return tiletc_core_info_have_spirv_feature(info, feature, available);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_default_alignment(const_tinytc_core_info_t info,
    int32_t *alignment) {
    return tiletc_core_info_get_default_alignment(info, alignment);
}

TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_default_alignment(tinytc_core_info_t info,
    int32_t alignment) {
    return tiletc_core_info_set_default_alignment(info, alignment);
}

TINYTC_EXPORT tinytc_status_t tinytc_run_function_pass(const char *pass_name, tinytc_prog_t prg,
    const_tinytc_core_info_t info) {
    return tiletc_run_function_pass(pass_name, prg, info);
}

TINYTC_EXPORT tinytc_status_t tinytc_list_function_passes(size_t *names_size,
    const char *const **names) {
    return tiletc_list_function_passes(names_size, names);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_compile_to_spirv(tinytc_spv_mod_t *mod,
    tinytc_prog_t prg, const_tinytc_core_info_t info) {
    return tiletc_prog_compile_to_spirv(mod, prg, info);
}

TINYTC_EXPORT tinytc_status_t tinytc_prog_compile_to_spirv_and_assemble(tinytc_binary_t *bin,
    tinytc_prog_t prg, const_tinytc_core_info_t info) {
    return tiletc_prog_compile_to_spirv_and_assemble(bin, prg, info);
}

TINYTC_EXPORT tinytc_status_t tinytc_spirv_assemble(tinytc_binary_t *bin,
    const_tinytc_spv_mod_t mod) {
    return tiletc_spirv_assemble(bin, mod);
}

TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_retain(tinytc_spv_mod_t mod) {
    return tiletc_spv_mod_retain(mod);
}

TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_release(tinytc_spv_mod_t mod) {
    return tiletc_spv_mod_release(mod);
}

TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_dump(const_tinytc_spv_mod_t mod) {
    return tiletc_spv_mod_dump(mod);
}

TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_print_to_file(const_tinytc_spv_mod_t mod,
    const char *filename) {
    return tiletc_spv_mod_print_to_file(mod, filename);
}

TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_print_to_string(const_tinytc_spv_mod_t mod,
    char **str) {
    return tiletc_spv_mod_print_to_string(mod, str);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_create(tinytc_binary_t *bin,
    tinytc_compiler_context_t ctx, tinytc_bundle_format_t format, size_t data_size,
    const uint8_t *data, tinytc_core_feature_flags_t core_features) {
    return tiletc_binary_create(bin, ctx, format, data_size, data, core_features);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_retain(tinytc_binary_t bin) {
    return tiletc_binary_retain(bin);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_release(tinytc_binary_t bin) {
    return tiletc_binary_release(bin);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_get_compiler_context(const_tinytc_binary_t bin,
    tinytc_compiler_context_t *ctx) {
    return tiletc_binary_get_compiler_context(bin, ctx);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_get_raw(const_tinytc_binary_t bin,
    tinytc_bundle_format_t *format, size_t *data_size, const uint8_t **data) {
    return tiletc_binary_get_raw(bin, format, data_size, data);
}

TINYTC_EXPORT tinytc_status_t tinytc_binary_get_core_features(const_tinytc_binary_t bin,
    tinytc_core_feature_flags_t *core_features) {
    return tiletc_binary_get_core_features(bin, core_features);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_small_gemm_batched_create(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, tinytc_transpose_t tA,
    tinytc_transpose_t tB, int64_t M, int64_t N, int64_t K, int64_t ldA, int64_t strideA,
    int64_t ldB, int64_t strideB, int64_t ldC, int64_t strideC) {
    return tiletc_recipe_small_gemm_batched_create(recipe, info, number_ty, tA, tB, M, N, K, ldA, strideA, ldB, strideB, ldC, strideC);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_create(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, int64_t N, int64_t K,
    int32_t M_block_size) {
    return tiletc_recipe_tall_and_skinny_create(recipe, info, number_ty, N, K, M_block_size);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_create_specialized(tinytc_recipe_t *recipe,
    const_tinytc_core_info_t info, tinytc_type_t number_ty, int64_t M, int64_t N, int64_t K,
    int64_t ldA, int64_t ldB, int64_t ldC, int32_t alignA, int32_t alignB, int32_t alignC,
    int32_t M_block_size) {
    return tiletc_recipe_tall_and_skinny_create_specialized(recipe, info, number_ty, M, N, K, ldA, ldB, ldC, alignA, alignB, alignC, M_block_size);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_suggest_block_size(const_tinytc_core_info_t info,
    int32_t *M_block_size) {
    return tiletc_recipe_tall_and_skinny_suggest_block_size(info, M_block_size);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_retain(tinytc_recipe_t obj) {
    return tiletc_recipe_retain(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_release(tinytc_recipe_t obj) {
    return tiletc_recipe_release(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_get_prog(const_tinytc_recipe_t recipe,
    tinytc_prog_t *prg) {
    return tiletc_recipe_get_prog(recipe, prg);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_get_binary(const_tinytc_recipe_t recipe,
    tinytc_binary_t *bin) {
    return tiletc_recipe_get_binary(recipe, bin);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_small_gemm_batched_set_args(tinytc_recipe_handler_t handler,
    int64_t howmany, size_t alpha_size, const void *alpha_value, tinytc_mem_type_t A_type,
    const void *A_value, tinytc_mem_type_t B_type, const void *B_value, size_t beta_size,
    const void *beta_value, tinytc_mem_type_t C_type, const void *C_value) {
    return tiletc_recipe_small_gemm_batched_set_args(handler, howmany, alpha_size, alpha_value, A_type, A_value, B_type, B_value, beta_size, beta_value, C_type, C_value);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_tall_and_skinny_set_args(tinytc_recipe_handler_t handler,
    int64_t M, size_t alpha_size, const void *alpha_value, tinytc_mem_type_t A_type,
    const void *A_value, int64_t ldA, tinytc_mem_type_t B_type, const void *B_value, int64_t ldB,
    size_t beta_size, const void *beta_value, tinytc_mem_type_t C_type, const void *C_value,
    int64_t ldC) {
    return tiletc_recipe_tall_and_skinny_set_args(handler, M, alpha_size, alpha_value, A_type, A_value, ldA, B_type, B_value, ldB, beta_size, beta_value, C_type, C_value, ldC);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_retain(tinytc_recipe_handler_t obj) {
    return tiletc_recipe_handler_retain(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_release(tinytc_recipe_handler_t obj) {
    return tiletc_recipe_handler_release(obj);
}

TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_get_recipe(const_tinytc_recipe_handler_t handler,
    tinytc_recipe_t *recipe) {
    return tiletc_recipe_handler_get_recipe(handler, recipe);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_boolean(tinytc_inst_t *instr,
    tinytc_bool_t value, tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_boolean(instr, value, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_complex(tinytc_inst_t *instr,
    double value_re, double value_im, tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_complex(instr, value_re, value_im, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_float(tinytc_inst_t *instr, double value,
    tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_float(instr, value, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_int(tinytc_inst_t *instr, int64_t value,
    tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_int(instr, value, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_one(tinytc_inst_t *instr,
    tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_one(instr, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_constant_inst_create_zero(tinytc_inst_t *instr,
    tinytc_type_t ty, const tinytc_location_t *loc) {
    return tiletc_constant_inst_create_zero(instr, ty, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cast_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cast_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_add_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_add_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_sub_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_sub_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_mul_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_mul_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_div_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_div_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_rem_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_rem_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_shl_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_shl_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_shr_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_shr_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_and_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_and_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_or_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_or_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_xor_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_xor_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_min_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_min_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_max_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_max_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_abs_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_abs_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_neg_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_neg_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_not_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_not_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_conj_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_conj_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_im_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_im_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_re_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_re_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_equal_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_not_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_not_equal_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_greater_than_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_greater_than_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_greater_than_equal_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_greater_than_equal_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_less_than_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_less_than_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_less_than_equal_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_less_than_equal_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cos_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_sin_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_exp_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_exp2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_exp2_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_log_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_log2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_log2_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_cos_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_sin_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_exp_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_exp2_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_exp2_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_log_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_native_log2_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_native_log2_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_group_id_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_group_id_inst_create(instr, mode, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_num_groups_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_num_groups_inst_create(instr, mode, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_num_subgroups_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_num_subgroups_inst_create(instr, mode, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_id_inst_create(tinytc_inst_t *instr,
    tinytc_comp3_t mode, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_id_inst_create(instr, mode, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_size_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_size_inst_create(instr, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_linear_id_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_linear_id_inst_create(instr, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_local_id_inst_create(tinytc_inst_t *instr,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_local_id_inst_create(instr, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_load_inst_create(tinytc_inst_t *instr, tinytc_value_t operand,
    size_t index_list_size, const tinytc_value_t *index_list, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_load_inst_create(instr, operand, index_list_size, index_list, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_store_inst_create(tinytc_inst_t *instr, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    const tinytc_location_t *loc) {
    return tiletc_store_inst_create(instr, val, operand, index_list_size, index_list, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_atomic_load_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t operand,
    size_t index_list_size, const tinytc_value_t *index_list, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_atomic_load_inst_create(instr, scope, semantics, operand, index_list_size, index_list, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_atomic_store_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    const tinytc_location_t *loc) {
    return tiletc_atomic_store_inst_create(instr, scope, semantics, val, operand, index_list_size, index_list, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_atomic_add_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_atomic_add_inst_create(instr, scope, semantics, val, operand, index_list_size, index_list, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_atomic_max_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_atomic_max_inst_create(instr, scope, semantics, val, operand, index_list_size, index_list, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_atomic_min_inst_create(tinytc_inst_t *instr,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, size_t index_list_size, const tinytc_value_t *index_list,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_atomic_min_inst_create(instr, scope, semantics, val, operand, index_list_size, index_list, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_associated_inst_create(tinytc_inst_t *instr,
    tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_associated_inst_create(instr, operand, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_size_inst_create(tinytc_inst_t *instr, int64_t mode,
    tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_size_inst_create(instr, mode, operand, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subview_inst_create(tinytc_inst_t *instr,
    size_t static_offsets_size, const int64_t *static_offsets, size_t static_sizes_size,
    const int64_t *static_sizes, tinytc_value_t operand, size_t offsets_size,
    const tinytc_value_t *offsets, size_t sizes_size, const tinytc_value_t *sizes,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subview_inst_create(instr, static_offsets_size, static_offsets, static_sizes_size, static_sizes, operand, offsets_size, offsets, sizes_size, sizes, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_expand_inst_create(tinytc_inst_t *instr,
    int64_t expanded_mode, size_t static_expand_shape_size, const int64_t *static_expand_shape,
    tinytc_value_t operand, size_t expand_shape_size, const tinytc_value_t *expand_shape,
    tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_expand_inst_create(instr, expanded_mode, static_expand_shape_size, static_expand_shape, operand, expand_shape_size, expand_shape, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_fuse_inst_create(tinytc_inst_t *instr, int64_t from,
    int64_t to, tinytc_value_t operand, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_fuse_inst_create(instr, from, to, operand, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_barrier_inst_create(tinytc_inst_t *instr,
    tinytc_address_spaces_t fence_flags, const tinytc_location_t *loc) {
    return tiletc_barrier_inst_create(instr, fence_flags, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_alloca_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_alloca_inst_create(instr, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_lifetime_stop_inst_create(tinytc_inst_t *instr,
    tinytc_value_t object, const tinytc_location_t *loc) {
    return tiletc_lifetime_stop_inst_create(instr, object, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_for_inst_create(tinytc_inst_t *instr, tinytc_value_t from,
    tinytc_value_t to, tinytc_value_t step, size_t iter_init_size, const tinytc_value_t *iter_init,
    size_t results_size, const tinytc_type_t *results, const tinytc_location_t *loc) {
    return tiletc_for_inst_create(instr, from, to, step, iter_init_size, iter_init, results_size, results, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_if_inst_create(tinytc_inst_t *instr, tinytc_value_t condition,
    size_t results_size, const tinytc_type_t *results, const tinytc_location_t *loc) {
    return tiletc_if_inst_create(instr, condition, results_size, results, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_yield_inst_create(tinytc_inst_t *instr,
    size_t yielded_vals_size, const tinytc_value_t *yielded_vals, const tinytc_location_t *loc) {
    return tiletc_yield_inst_create(instr, yielded_vals_size, yielded_vals, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_parallel_inst_create(tinytc_inst_t *instr,
    const tinytc_location_t *loc) {
    return tiletc_parallel_inst_create(instr, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_foreach_inst_create(tinytc_inst_t *instr, size_t from_size,
    const tinytc_value_t *from, size_t to_size, const tinytc_value_t *to,
    const tinytc_location_t *loc) {
    return tiletc_foreach_inst_create(instr, from_size, from, to_size, to, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_foreach_tile_inst_create(tinytc_inst_t *instr,
    size_t tile_shape_size, const int64_t *tile_shape, size_t from_size,
    const tinytc_value_t *from, size_t to_size, const tinytc_value_t *to,
    const tinytc_location_t *loc) {
    return tiletc_foreach_tile_inst_create(instr, tile_shape_size, tile_shape, from_size, from, to_size, to, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_broadcast_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t idx, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_broadcast_inst_create(instr, a, idx, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_exclusive_scan_add_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_exclusive_scan_max_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_exclusive_scan_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_exclusive_scan_min_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_inclusive_scan_add_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_inclusive_scan_max_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_inclusive_scan_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_inclusive_scan_min_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_reduce_add_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_max_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_reduce_max_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_subgroup_reduce_min_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_subgroup_reduce_min_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_axpby_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta,
    tinytc_value_t B, const tinytc_location_t *loc) {
    return tiletc_axpby_inst_create(instr, atomic, tA, alpha, A, beta, B, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cumsum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    int64_t mode, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta, tinytc_value_t B,
    const tinytc_location_t *loc) {
    return tiletc_cumsum_inst_create(instr, atomic, mode, alpha, A, beta, B, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_sum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t beta,
    tinytc_value_t B, const tinytc_location_t *loc) {
    return tiletc_sum_inst_create(instr, atomic, tA, alpha, A, beta, B, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_gemv_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
    tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc) {
    return tiletc_gemv_inst_create(instr, atomic, tA, alpha, A, B, beta, C, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_ger_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B, tinytc_value_t beta,
    tinytc_value_t C, const tinytc_location_t *loc) {
    return tiletc_ger_inst_create(instr, atomic, alpha, A, B, beta, C, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_hadamard_inst_create(tinytc_inst_t *instr,
    tinytc_bool_t atomic, tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
    tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc) {
    return tiletc_hadamard_inst_create(instr, atomic, alpha, A, B, beta, C, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_gemm_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
    tinytc_transpose_t tA, tinytc_transpose_t tB, tinytc_value_t alpha, tinytc_value_t A,
    tinytc_value_t B, tinytc_value_t beta, tinytc_value_t C, const tinytc_location_t *loc) {
    return tiletc_gemm_inst_create(instr, atomic, tA, tB, alpha, A, B, beta, C, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_load_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_load_inst_create(instr, t, checked, operand, pos0, pos1, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_store_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_store_inst_create(instr, t, checked, val, operand, pos0, pos1, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_mul_add_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_value_t c, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_mul_add_inst_create(instr, a, b, c, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_scale_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_value_t b, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_scale_inst_create(instr, a, b, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_construct_inst_create(tinytc_inst_t *instr,
    tinytc_value_t number, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_construct_inst_create(instr, number, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_extract_inst_create(tinytc_inst_t *instr,
    int64_t index, tinytc_value_t mat, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_extract_inst_create(instr, index, mat, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_insert_inst_create(tinytc_inst_t *instr,
    int64_t index, tinytc_value_t val, tinytc_value_t mat, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_insert_inst_create(instr, index, val, mat, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_apply_inst_create(tinytc_inst_t *instr,
    tinytc_value_t a, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_apply_inst_create(instr, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_load_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t operand, tinytc_value_t pos0,
    tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_atomic_load_inst_create(instr, t, checked, scope, semantics, operand, pos0, pos1, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_store_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_atomic_store_inst_create(instr, t, checked, scope, semantics, val, operand, pos0, pos1, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_add_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_atomic_add_inst_create(instr, t, checked, scope, semantics, val, operand, pos0, pos1, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_max_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_atomic_max_inst_create(instr, t, checked, scope, semantics, val, operand, pos0, pos1, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_atomic_min_inst_create(tinytc_inst_t *instr,
    tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_memory_scope_t scope,
    tinytc_memory_semantics_t semantics, tinytc_value_t val, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_atomic_min_inst_create(instr, t, checked, scope, semantics, val, operand, pos0, pos1, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_add_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_reduce_add_inst_create(instr, mode, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_max_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_reduce_max_inst_create(instr, mode, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_reduce_min_inst_create(tinytc_inst_t *instr,
    tinytc_reduce_mode_t mode, tinytc_value_t a, tinytc_type_t result,
    const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_reduce_min_inst_create(instr, mode, a, result, loc);
}

TINYTC_EXPORT tinytc_status_t tinytc_cooperative_matrix_prefetch_inst_create(tinytc_inst_t *instr,
    int32_t cache_level, int32_t rows, int32_t cols, tinytc_value_t operand, tinytc_value_t pos0,
    tinytc_value_t pos1, const tinytc_location_t *loc) {
    return tiletc_cooperative_matrix_prefetch_inst_create(instr, cache_level, rows, cols, operand, pos0, pos1, loc);
}
