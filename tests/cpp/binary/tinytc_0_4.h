/* SPDX-License-Identifier: BSD-3-Clause */

/* The C interface of tinytc 0.4 but the runtimes, written down from the API specification.
 * Nothing of include/ is behind it, so that it stands for the headers that a program was once
 * compiled with.
 */

#ifndef TINYTC_0_4_H
#define TINYTC_0_4_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Headers that have the types can be compared with the functions. */
#ifndef TINYTC_0_4_FUNCTIONS_ONLY

typedef struct tinytc_attr *tinytc_attr_t;
typedef const struct tinytc_attr *const_tinytc_attr_t;
typedef struct tinytc_type *tinytc_type_t;
typedef const struct tinytc_type *const_tinytc_type_t;
typedef struct tinytc_value *tinytc_value_t;
typedef const struct tinytc_value *const_tinytc_value_t;
typedef struct tinytc_inst *tinytc_inst_t;
typedef const struct tinytc_inst *const_tinytc_inst_t;
typedef struct tinytc_region *tinytc_region_t;
typedef const struct tinytc_region *const_tinytc_region_t;
typedef struct tinytc_func *tinytc_func_t;
typedef const struct tinytc_func *const_tinytc_func_t;
typedef struct tinytc_prog *tinytc_prog_t;
typedef const struct tinytc_prog *const_tinytc_prog_t;
typedef struct tinytc_spv_mod *tinytc_spv_mod_t;
typedef const struct tinytc_spv_mod *const_tinytc_spv_mod_t;
typedef struct tinytc_core_info *tinytc_core_info_t;
typedef const struct tinytc_core_info *const_tinytc_core_info_t;
typedef struct tinytc_compiler_context *tinytc_compiler_context_t;
typedef const struct tinytc_compiler_context *const_tinytc_compiler_context_t;
typedef struct tinytc_binary *tinytc_binary_t;
typedef const struct tinytc_binary *const_tinytc_binary_t;
typedef struct tinytc_recipe *tinytc_recipe_t;
typedef const struct tinytc_recipe *const_tinytc_recipe_t;
typedef struct tinytc_recipe_handler *tinytc_recipe_handler_t;
typedef const struct tinytc_recipe_handler *const_tinytc_recipe_handler_t;
typedef struct tinytc_inst *tinytc_inst_iterator_t;

typedef uint8_t tinytc_bool_t;
typedef uint32_t tinytc_address_spaces_t;
typedef uint32_t tinytc_core_feature_flags_t;

typedef enum {
    tinytc_status_success = 0,
    tinytc_status_bad_alloc = 1,
    tinytc_status_invalid_arguments = 2,
    tinytc_status_out_of_range = 3,
    tinytc_status_runtime_error = 4,
    tinytc_status_internal_compiler_error = 5,
    tinytc_status_unsupported_subgroup_size = 6,
    tinytc_status_unsupported_work_group_size = 7,
    tinytc_status_compilation_error = 8,
    tinytc_status_file_io_error = 9,
    tinytc_status_parse_error = 10,
    tinytc_status_unavailable_extension = 11,
    tinytc_status_unsupported_backend = 12,
    tinytc_status_invalid_kernel_arguments = 13,
    tinytc_status_unsupported_device = 14,
    tinytc_status_invalid_core_info = 15,
    tinytc_status_unknown_pass_name = 16,
    tinytc_status_not_implemented = 17,
    tinytc_status_compute_runtime_error = 18,
    tinytc_status_ir_out_of_bounds = 0x100,
    tinytc_status_ir_invalid_shape = 0x101,
    tinytc_status_ir_incompatible_shapes = 0x102,
    tinytc_status_ir_shape_stride_mismatch = 0x103,
    tinytc_status_ir_number_mismatch = 0x104,
    tinytc_status_ir_invalid_number_of_indices = 0x105,
    tinytc_status_ir_expected_boolean = 0x106,
    tinytc_status_ir_expected_number = 0x107,
    tinytc_status_ir_expected_int = 0x108,
    tinytc_status_ir_expected_float = 0x109,
    tinytc_status_ir_expected_complex = 0x10a,
    tinytc_status_ir_expected_i32 = 0x10b,
    tinytc_status_ir_expected_index = 0x10c,
    tinytc_status_ir_expected_coopmatrix = 0x10d,
    tinytc_status_ir_expected_coopmatrix_or_number = 0x10e,
    tinytc_status_ir_expected_coopmatrix_number_or_boolean = 0x10f,
    tinytc_status_ir_expected_memref = 0x110,
    tinytc_status_ir_expected_memref_or_number = 0x111,
    tinytc_status_ir_expected_memref_or_group = 0x112,
    tinytc_status_ir_expected_memref_order_0 = 0x113,
    tinytc_status_ir_expected_memref_order_1 = 0x114,
    tinytc_status_ir_expected_memref_order_2 = 0x115,
    tinytc_status_ir_expected_memref_order_0_or_1 = 0x116,
    tinytc_status_ir_expected_memref_order_1_or_2 = 0x117,
    tinytc_status_ir_expected_memref_order_0_1_or_2 = 0x118,
    tinytc_status_ir_unexpected_yield = 0x119,
    tinytc_status_ir_yield_mismatch = 0x11a,
    tinytc_status_ir_subview_mismatch = 0x11b,
    tinytc_status_ir_invalid_slice = 0x11c,
    tinytc_status_ir_expand_shape_order_too_small = 0x11d,
    tinytc_status_ir_expand_shape_mismatch = 0x11e,
    tinytc_status_ir_collective_called_from_spmd = 0x11f,
    tinytc_status_ir_fp_unsupported = 0x120,
    tinytc_status_ir_spmd_called_from_collective = 0x121,
    tinytc_status_ir_expected_local_address_space = 0x122,
    tinytc_status_ir_expected_global_address_space = 0x123,
    tinytc_status_ir_address_space_mismatch = 0x124,
    tinytc_status_ir_invalid_offset = 0x125,
    tinytc_status_ir_int_unsupported = 0x126,
    tinytc_status_ir_boolean_unsupported = 0x127,
    tinytc_status_ir_complex_unsupported = 0x128,
    tinytc_status_ir_coopmatrix_unsupported = 0x129,
    tinytc_status_ir_forbidden_cast = 0x12a,
    tinytc_status_ir_invalid_beta = 0x12b,
    tinytc_status_ir_init_return_mismatch = 0x12c,
    tinytc_status_ir_invalid_matrix_use = 0x12d,
    tinytc_status_ir_unsupported_coopmatrix_shape = 0x12e,
    tinytc_status_ir_forbidden_promotion = 0x12f,
    tinytc_status_ir_constant_mismatch = 0x130,
    tinytc_status_ir_insufficient_alignment = 0x131,
    tinytc_status_ir_must_have_yield = 0x132,
    tinytc_status_ir_yield_in_else_branch_missing = 0x133,
    tinytc_status_ir_from_to_mismatch = 0x134,
    tinytc_status_ir_from_tile_shape_mismatch = 0x135,
    tinytc_status_ir_operand_type_must_match_return_type = 0x136,
    tinytc_status_ir_invalid_stride = 0x137,
    tinytc_status_ir_init_return_type_mismatch = 0x138,
    tinytc_status_ir_value_still_has_uses = 0x139,
    tinytc_status_ir_expected_array_attribute = 0x140,
    tinytc_status_ir_expected_boolean_attribute = 0x141,
    tinytc_status_ir_expected_dictionary_attribute = 0x142,
    tinytc_status_ir_expected_integer_attribute = 0x143,
    tinytc_status_ir_expected_string_attribute = 0x144,
    tinytc_status_ir_duplicate_key_in_dictionary = 0x145,
    tinytc_status_ir_unexpected_array_attribute_size = 0x146,
    tinytc_status_ir_expected_non_scalar_memref = 0x150,
    tinytc_status_ir_complex_number_type_unsupported = 0x151,
    tinytc_status_ir_tile_shape0_not_multiple_of_sgs = 0x152,
    tinytc_status_ir_division_by_zero = 0x153,
    tinytc_status_spirv_forbidden_forward_declaration = 0x1000,
    tinytc_status_spirv_undefined_value = 0x1001,
    tinytc_status_spirv_missing_dope_vector = 0x1002,
    tinytc_status_spirv_unsupported_atomic_data_type = 0x1003,
    tinytc_status_spirv_required_feature_unavailable = 0x1004,
    tinytc_status_unknown = 0x7fffffff,
} tinytc_status_t;
typedef enum {
    tinytc_comp3_x = 0,
    tinytc_comp3_y = 1,
    tinytc_comp3_z = 2,
} tinytc_comp3_t;
typedef enum {
    tinytc_reduce_mode_row = 0,
    tinytc_reduce_mode_column = 1,
} tinytc_reduce_mode_t;
typedef enum {
    tinytc_transpose_N = 0,
    tinytc_transpose_T = 1,
} tinytc_transpose_t;
typedef enum {
    tinytc_address_space_global = 1,
    tinytc_address_space_local = 2,
} tinytc_address_space_t;
typedef enum {
    tinytc_checked_flag_none = 0,
    tinytc_checked_flag_rows = 1,
    tinytc_checked_flag_cols = 2,
    tinytc_checked_flag_both = 3,
} tinytc_checked_flag_t;
typedef enum {
    tinytc_memory_scope_cross_device = 0,
    tinytc_memory_scope_device = 1,
    tinytc_memory_scope_work_group = 2,
    tinytc_memory_scope_subgroup = 3,
} tinytc_memory_scope_t;
typedef enum {
    tinytc_memory_semantics_relaxed = 0,
    tinytc_memory_semantics_acquire = 2,
    tinytc_memory_semantics_release = 4,
    tinytc_memory_semantics_acquire_release = 8,
    tinytc_memory_semantics_sequentially_consistent = 16,
} tinytc_memory_semantics_t;
typedef enum {
    tinytc_matrix_use_a = 0,
    tinytc_matrix_use_b = 1,
    tinytc_matrix_use_acc = 2,
} tinytc_matrix_use_t;
typedef enum {
    tinytc_spirv_feature_float16 = 0,
    tinytc_spirv_feature_float64 = 1,
    tinytc_spirv_feature_int64_atomics = 2,
    tinytc_spirv_feature_groups = 3,
    tinytc_spirv_feature_subgroup_dispatch = 4,
    tinytc_spirv_feature_atomic_float16_add_local = 5,
    tinytc_spirv_feature_atomic_float16_add_global = 6,
    tinytc_spirv_feature_atomic_float32_add_local = 7,
    tinytc_spirv_feature_atomic_float32_add_global = 8,
    tinytc_spirv_feature_atomic_float64_add_local = 9,
    tinytc_spirv_feature_atomic_float64_add_global = 10,
    tinytc_spirv_feature_atomic_float16_min_max_local = 11,
    tinytc_spirv_feature_atomic_float16_min_max_global = 12,
    tinytc_spirv_feature_atomic_float32_min_max_local = 13,
    tinytc_spirv_feature_atomic_float32_min_max_global = 14,
    tinytc_spirv_feature_atomic_float64_min_max_local = 15,
    tinytc_spirv_feature_atomic_float64_min_max_global = 16,
    tinytc_spirv_feature_bfloat16_conversion = 17,
    tinytc_spirv_feature_subgroup_buffer_block_io = 18,
} tinytc_spirv_feature_t;
typedef enum {
    tinytc_core_feature_flag_large_register_file = 1,
} tinytc_core_feature_flag_t;
typedef enum {
    tinytc_intel_gpu_architecture_tgl = 0x03000000,
    tinytc_intel_gpu_architecture_pvc = 0x030f0000,
    tinytc_intel_gpu_architecture_bmg = 0x05004000,
} tinytc_intel_gpu_architecture_t;
typedef enum {
    tinytc_bundle_format_spirv = 0,
    tinytc_bundle_format_native = 1,
} tinytc_bundle_format_t;
typedef enum {
    tinytc_optflag_unsafe_fp_math = 0,
} tinytc_optflag_t;
typedef enum {
    tinytc_mem_type_buffer = 0,
    tinytc_mem_type_usm_pointer = 1,
    tinytc_mem_type_svm_pointer = 2,
} tinytc_mem_type_t;
typedef enum {
    tinytc_support_level_none = 0,
    tinytc_support_level_basic = 1,
    tinytc_support_level_tuned = 2,
} tinytc_support_level_t;

typedef struct tinytc_position {
    int32_t source_id;
    int32_t line;
    int32_t column;
} tinytc_position_t;
typedef struct tinytc_location {
    tinytc_position_t begin;
    tinytc_position_t end;
} tinytc_location_t;
typedef struct tinytc_named_attr {
    tinytc_attr_t name;
    tinytc_attr_t attr;
} tinytc_named_attr_t;
typedef void (*tinytc_error_reporter_t)(char const *what, const tinytc_location_t *location,
                                        void *user_data);

#endif /* TINYTC_0_4_FUNCTIONS_ONLY */

tinytc_status_t tinytc_compiler_context_retain(tinytc_compiler_context_t obj);
tinytc_status_t tinytc_compiler_context_release(tinytc_compiler_context_t obj);
tinytc_status_t tinytc_prog_retain(tinytc_prog_t prg);
tinytc_status_t tinytc_prog_release(tinytc_prog_t prg);
tinytc_status_t tinytc_spv_mod_retain(tinytc_spv_mod_t mod);
tinytc_status_t tinytc_spv_mod_release(tinytc_spv_mod_t mod);
tinytc_status_t tinytc_binary_retain(tinytc_binary_t bin);
tinytc_status_t tinytc_binary_release(tinytc_binary_t bin);
tinytc_status_t tinytc_core_info_retain(tinytc_core_info_t obj);
tinytc_status_t tinytc_core_info_release(tinytc_core_info_t obj);
tinytc_status_t tinytc_recipe_retain(tinytc_recipe_t obj);
tinytc_status_t tinytc_recipe_release(tinytc_recipe_t obj);
tinytc_status_t tinytc_recipe_handler_retain(tinytc_recipe_handler_t obj);
tinytc_status_t tinytc_recipe_handler_release(tinytc_recipe_handler_t obj);
void tinytc_inst_destroy(tinytc_inst_t instr);
void tinytc_func_destroy(tinytc_func_t fun);
void tinytc_string_destroy(char *str);
char const *tinytc_status_to_string(tinytc_status_t val);
char const *tinytc_comp3_to_string(tinytc_comp3_t val);
char const *tinytc_reduce_mode_to_string(tinytc_reduce_mode_t val);
char const *tinytc_transpose_to_string(tinytc_transpose_t val);
char const *tinytc_address_space_to_string(tinytc_address_space_t val);
char const *tinytc_checked_flag_to_string(tinytc_checked_flag_t val);
char const *tinytc_memory_scope_to_string(tinytc_memory_scope_t val);
char const *tinytc_memory_semantics_to_string(tinytc_memory_semantics_t val);
char const *tinytc_matrix_use_to_string(tinytc_matrix_use_t val);
char const *tinytc_spirv_feature_to_string(tinytc_spirv_feature_t val);
char const *tinytc_core_feature_flag_to_string(tinytc_core_feature_flag_t val);
char const *tinytc_intel_gpu_architecture_to_string(tinytc_intel_gpu_architecture_t val);
char const *tinytc_bundle_format_to_string(tinytc_bundle_format_t val);
char const *tinytc_optflag_to_string(tinytc_optflag_t val);
char const *tinytc_mem_type_to_string(tinytc_mem_type_t val);
char const *tinytc_support_level_to_string(tinytc_support_level_t val);
uint16_t tinytc_f32_to_bf16_as_ui16(float x);
float tinytc_bf16_as_ui16_to_f32(uint16_t x);
uint16_t tinytc_f32_to_f16_as_ui16(float x);
float tinytc_f16_as_ui16_to_f32(uint16_t x);
tinytc_status_t tinytc_compiler_context_create(tinytc_compiler_context_t *ctx);
tinytc_status_t tinytc_compiler_context_add_source(tinytc_compiler_context_t ctx, char const *name,
                                                   char const *text, int32_t *source_id);
tinytc_status_t tinytc_compiler_context_set_error_reporter(tinytc_compiler_context_t ctx,
                                                           tinytc_error_reporter_t reporter,
                                                           void *user_data);
tinytc_status_t tinytc_compiler_context_set_optimization_flag(tinytc_compiler_context_t ctx,
                                                              tinytc_optflag_t flag, int32_t state);
tinytc_status_t tinytc_compiler_context_set_optimization_level(tinytc_compiler_context_t ctx,
                                                               int32_t level);
tinytc_status_t tinytc_compiler_context_report_error(tinytc_compiler_context_t ctx,
                                                     const tinytc_location_t *location,
                                                     char const *what);
tinytc_status_t tinytc_parse_file(tinytc_prog_t *prg, char const *filename,
                                  tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_parse_stdin(tinytc_prog_t *prg, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_parse_string(tinytc_prog_t *prg, size_t source_size, char const *source,
                                    tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_prog_create(tinytc_prog_t *prg, tinytc_compiler_context_t ctx,
                                   const tinytc_location_t *loc);
tinytc_status_t tinytc_prog_add_function(tinytc_prog_t prg, tinytc_func_t fun);
tinytc_status_t tinytc_prog_get_compiler_context(const_tinytc_prog_t prg,
                                                 tinytc_compiler_context_t *ctx);
tinytc_status_t tinytc_prog_dump(tinytc_prog_t prg);
tinytc_status_t tinytc_prog_print_to_file(tinytc_prog_t prg, char const *filename);
tinytc_status_t tinytc_prog_print_to_string(tinytc_prog_t prg, char **str);
tinytc_status_t tinytc_run_function_pass(char const *pass_name, tinytc_prog_t prg,
                                         const_tinytc_core_info_t info);
tinytc_status_t tinytc_list_function_passes(size_t *names_size, char const *const **names);
tinytc_status_t tinytc_prog_compile_to_spirv(tinytc_spv_mod_t *mod, tinytc_prog_t prg,
                                             const_tinytc_core_info_t info);
tinytc_status_t tinytc_prog_compile_to_spirv_and_assemble(tinytc_binary_t *bin, tinytc_prog_t prg,
                                                          const_tinytc_core_info_t info);
tinytc_status_t tinytc_spirv_assemble(tinytc_binary_t *bin, const_tinytc_spv_mod_t mod);
tinytc_status_t tinytc_spv_mod_dump(const_tinytc_spv_mod_t mod);
tinytc_status_t tinytc_spv_mod_print_to_file(const_tinytc_spv_mod_t mod, char const *filename);
tinytc_status_t tinytc_spv_mod_print_to_string(const_tinytc_spv_mod_t mod, char **str);
tinytc_status_t tinytc_binary_create(tinytc_binary_t *bin, tinytc_compiler_context_t ctx,
                                     tinytc_bundle_format_t format, size_t data_size,
                                     uint8_t const *data,
                                     tinytc_core_feature_flags_t core_features);
tinytc_status_t tinytc_binary_get_compiler_context(const_tinytc_binary_t bin,
                                                   tinytc_compiler_context_t *ctx);
tinytc_status_t tinytc_binary_get_raw(const_tinytc_binary_t bin, tinytc_bundle_format_t *format,
                                      size_t *data_size, uint8_t const **data);
tinytc_status_t tinytc_binary_get_core_features(const_tinytc_binary_t bin,
                                                tinytc_core_feature_flags_t *core_features);
tinytc_status_t tinytc_core_info_generic_create(tinytc_core_info_t *info, int32_t register_space,
                                                int32_t max_work_group_size, size_t sgs_size,
                                                int32_t const *sgs);
tinytc_status_t tinytc_core_info_intel_create_from_arch(tinytc_core_info_t *info,
                                                        tinytc_intel_gpu_architecture_t arch);
tinytc_status_t tinytc_core_info_intel_create_from_name(tinytc_core_info_t *info, char const *name);
tinytc_status_t tinytc_core_info_intel_create(tinytc_core_info_t *info, uint32_t ip_version,
                                              int32_t num_eus_per_subslice,
                                              int32_t num_threads_per_eu, size_t sgs_size,
                                              int32_t const *sgs);
tinytc_status_t tinytc_core_info_get_subgroup_sizes(const_tinytc_core_info_t info, size_t *sgs_size,
                                                    int32_t const **sgs);
tinytc_status_t tinytc_core_info_get_register_space(const_tinytc_core_info_t info, int32_t *space);
tinytc_status_t tinytc_core_info_set_core_features(tinytc_core_info_t info,
                                                   tinytc_core_feature_flags_t flags);
tinytc_status_t tinytc_core_info_get_core_features(const_tinytc_core_info_t info,
                                                   tinytc_core_feature_flags_t *flags);
tinytc_status_t tinytc_core_info_set_spirv_feature(tinytc_core_info_t info,
                                                   tinytc_spirv_feature_t feature,
                                                   tinytc_bool_t available);
tinytc_status_t tinytc_core_info_have_spirv_feature(const_tinytc_core_info_t info,
                                                    tinytc_spirv_feature_t feature,
                                                    tinytc_bool_t *available);
tinytc_status_t tinytc_core_info_get_default_alignment(const_tinytc_core_info_t info,
                                                       int32_t *alignment);
tinytc_status_t tinytc_core_info_set_default_alignment(tinytc_core_info_t info, int32_t alignment);
tinytc_status_t tinytc_array_attr_get(tinytc_attr_t *attr, tinytc_compiler_context_t ctx,
                                      size_t array_size, const tinytc_attr_t *array);
tinytc_status_t tinytc_boolean_attr_get(tinytc_attr_t *attr, tinytc_compiler_context_t ctx,
                                        tinytc_bool_t value);
tinytc_status_t tinytc_dictionary_attr_get(tinytc_attr_t *attr, tinytc_compiler_context_t ctx,
                                           size_t items_size, tinytc_named_attr_t *items);
tinytc_status_t tinytc_dictionary_attr_get_with_sorted(tinytc_attr_t *attr,
                                                       tinytc_compiler_context_t ctx,
                                                       size_t items_size,
                                                       const tinytc_named_attr_t *items);
tinytc_status_t tinytc_dictionary_attr_sort(size_t items_size, tinytc_named_attr_t *items);
tinytc_status_t tinytc_integer_attr_get(tinytc_attr_t *attr, tinytc_compiler_context_t ctx,
                                        int64_t value);
tinytc_status_t tinytc_string_attr_get(tinytc_attr_t *attr, tinytc_compiler_context_t ctx,
                                       size_t str_length, char const *str);
tinytc_status_t tinytc_boolean_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_i8_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_i16_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_i32_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_i64_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_index_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_bf16_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_f16_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_f32_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_f64_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_c32_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_c64_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_coopmatrix_type_get(tinytc_type_t *ty_, tinytc_type_t component_ty,
                                           int64_t rows, int64_t cols, tinytc_matrix_use_t use);
tinytc_status_t tinytc_group_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty, int64_t size,
                                      int64_t offset);
tinytc_status_t tinytc_memref_type_get(tinytc_type_t *ty_, tinytc_type_t element_ty,
                                       size_t shape_size, const int64_t *shape, size_t stride_size,
                                       const int64_t *stride, tinytc_address_space_t addrspace);
tinytc_status_t tinytc_void_type_get(tinytc_type_t *ty_, tinytc_compiler_context_t ctx);
tinytc_status_t tinytc_type_get_compiler_context(const_tinytc_type_t ty,
                                                 tinytc_compiler_context_t *ctx);
tinytc_status_t tinytc_value_set_name(tinytc_value_t vl, char const *name);
tinytc_status_t tinytc_value_set_name_n(tinytc_value_t vl, size_t name_length, char const *name);
tinytc_status_t tinytc_value_get_name(const_tinytc_value_t vl, char const **name);
tinytc_status_t tinytc_value_get_type(const_tinytc_value_t vl, tinytc_type_t *ty);
tinytc_status_t tinytc_constant_inst_create_boolean(tinytc_inst_t *instr, tinytc_bool_t value,
                                                    tinytc_type_t ty, const tinytc_location_t *loc);
tinytc_status_t tinytc_constant_inst_create_complex(tinytc_inst_t *instr, double value_re,
                                                    double value_im, tinytc_type_t ty,
                                                    const tinytc_location_t *loc);
tinytc_status_t tinytc_constant_inst_create_float(tinytc_inst_t *instr, double value,
                                                  tinytc_type_t ty, const tinytc_location_t *loc);
tinytc_status_t tinytc_constant_inst_create_int(tinytc_inst_t *instr, int64_t value,
                                                tinytc_type_t ty, const tinytc_location_t *loc);
tinytc_status_t tinytc_constant_inst_create_one(tinytc_inst_t *instr, tinytc_type_t ty,
                                                const tinytc_location_t *loc);
tinytc_status_t tinytc_constant_inst_create_zero(tinytc_inst_t *instr, tinytc_type_t ty,
                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_alloca_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
                                          const tinytc_location_t *loc);
tinytc_status_t tinytc_lifetime_stop_inst_create(tinytc_inst_t *instr, tinytc_value_t object,
                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_associated_inst_create(tinytc_inst_t *instr, tinytc_value_t operand,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_barrier_inst_create(tinytc_inst_t *instr,
                                           tinytc_address_spaces_t fence_flags,
                                           const tinytc_location_t *loc);
tinytc_status_t tinytc_cast_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_expand_inst_create(tinytc_inst_t *instr, int64_t expanded_mode,
                                          size_t static_expand_shape_size,
                                          const int64_t *static_expand_shape,
                                          tinytc_value_t operand, size_t expand_shape_size,
                                          const tinytc_value_t *expand_shape, tinytc_type_t result,
                                          const tinytc_location_t *loc);
tinytc_status_t tinytc_fuse_inst_create(tinytc_inst_t *instr, int64_t from, int64_t to,
                                        tinytc_value_t operand, tinytc_type_t result,
                                        const tinytc_location_t *loc);
tinytc_status_t tinytc_size_inst_create(tinytc_inst_t *instr, int64_t mode, tinytc_value_t operand,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_subview_inst_create(tinytc_inst_t *instr, size_t static_offsets_size,
                                           const int64_t *static_offsets, size_t static_sizes_size,
                                           const int64_t *static_sizes, tinytc_value_t operand,
                                           size_t offsets_size, const tinytc_value_t *offsets,
                                           size_t sizes_size, const tinytc_value_t *sizes,
                                           tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_load_inst_create(tinytc_inst_t *instr, tinytc_value_t operand,
                                        size_t index_list_size, const tinytc_value_t *index_list,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_store_inst_create(tinytc_inst_t *instr, tinytc_value_t val,
                                         tinytc_value_t operand, size_t index_list_size,
                                         const tinytc_value_t *index_list,
                                         const tinytc_location_t *loc);
tinytc_status_t tinytc_atomic_load_inst_create(tinytc_inst_t *instr, tinytc_memory_scope_t scope,
                                               tinytc_memory_semantics_t semantics,
                                               tinytc_value_t operand, size_t index_list_size,
                                               const tinytc_value_t *index_list,
                                               tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_atomic_store_inst_create(tinytc_inst_t *instr, tinytc_memory_scope_t scope,
                                                tinytc_memory_semantics_t semantics,
                                                tinytc_value_t val, tinytc_value_t operand,
                                                size_t index_list_size,
                                                const tinytc_value_t *index_list,
                                                const tinytc_location_t *loc);
tinytc_status_t tinytc_atomic_add_inst_create(tinytc_inst_t *instr, tinytc_memory_scope_t scope,
                                              tinytc_memory_semantics_t semantics,
                                              tinytc_value_t val, tinytc_value_t operand,
                                              size_t index_list_size,
                                              const tinytc_value_t *index_list,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_atomic_max_inst_create(tinytc_inst_t *instr, tinytc_memory_scope_t scope,
                                              tinytc_memory_semantics_t semantics,
                                              tinytc_value_t val, tinytc_value_t operand,
                                              size_t index_list_size,
                                              const tinytc_value_t *index_list,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_atomic_min_inst_create(tinytc_inst_t *instr, tinytc_memory_scope_t scope,
                                              tinytc_memory_semantics_t semantics,
                                              tinytc_value_t val, tinytc_value_t operand,
                                              size_t index_list_size,
                                              const tinytc_value_t *index_list,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_if_inst_create(tinytc_inst_t *instr, tinytc_value_t condition,
                                      size_t results_size, const tinytc_type_t *results,
                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_for_inst_create(tinytc_inst_t *instr, tinytc_value_t from, tinytc_value_t to,
                                       tinytc_value_t step, size_t iter_init_size,
                                       const tinytc_value_t *iter_init, size_t results_size,
                                       const tinytc_type_t *results, const tinytc_location_t *loc);
tinytc_status_t tinytc_foreach_inst_create(tinytc_inst_t *instr, size_t from_size,
                                           const tinytc_value_t *from, size_t to_size,
                                           const tinytc_value_t *to, const tinytc_location_t *loc);
tinytc_status_t tinytc_foreach_tile_inst_create(tinytc_inst_t *instr, size_t tile_shape_size,
                                                const int64_t *tile_shape, size_t from_size,
                                                const tinytc_value_t *from, size_t to_size,
                                                const tinytc_value_t *to,
                                                const tinytc_location_t *loc);
tinytc_status_t tinytc_parallel_inst_create(tinytc_inst_t *instr, const tinytc_location_t *loc);
tinytc_status_t tinytc_yield_inst_create(tinytc_inst_t *instr, size_t yielded_vals_size,
                                         const tinytc_value_t *yielded_vals,
                                         const tinytc_location_t *loc);
tinytc_status_t tinytc_add_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_sub_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_mul_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_div_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_rem_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_max_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_min_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_shl_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_shr_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_and_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_or_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                      tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_xor_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                       tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_neg_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_not_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_abs_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_conj_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_im_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_re_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_value_t b,
                                         tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_not_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                             tinytc_value_t b, tinytc_type_t result,
                                             const tinytc_location_t *loc);
tinytc_status_t tinytc_greater_than_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                tinytc_value_t b, tinytc_type_t result,
                                                const tinytc_location_t *loc);
tinytc_status_t tinytc_greater_than_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                      tinytc_value_t b, tinytc_type_t result,
                                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_less_than_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                             tinytc_value_t b, tinytc_type_t result,
                                             const tinytc_location_t *loc);
tinytc_status_t tinytc_less_than_equal_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                   tinytc_value_t b, tinytc_type_t result,
                                                   const tinytc_location_t *loc);
tinytc_status_t tinytc_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_exp2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a, tinytc_type_t result,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_log2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                        tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_cos_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_sin_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_exp_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_exp2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                               tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_log_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_native_log2_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                               tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_axpby_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                         tinytc_transpose_t tA, tinytc_value_t alpha,
                                         tinytc_value_t A, tinytc_value_t beta, tinytc_value_t B,
                                         const tinytc_location_t *loc);
tinytc_status_t tinytc_cumsum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic, int64_t mode,
                                          tinytc_value_t alpha, tinytc_value_t A,
                                          tinytc_value_t beta, tinytc_value_t B,
                                          const tinytc_location_t *loc);
tinytc_status_t tinytc_sum_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                       tinytc_transpose_t tA, tinytc_value_t alpha,
                                       tinytc_value_t A, tinytc_value_t beta, tinytc_value_t B,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_gemm_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                        tinytc_transpose_t tA, tinytc_transpose_t tB,
                                        tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
                                        tinytc_value_t beta, tinytc_value_t C,
                                        const tinytc_location_t *loc);
tinytc_status_t tinytc_gemv_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                        tinytc_transpose_t tA, tinytc_value_t alpha,
                                        tinytc_value_t A, tinytc_value_t B, tinytc_value_t beta,
                                        tinytc_value_t C, const tinytc_location_t *loc);
tinytc_status_t tinytc_ger_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                       tinytc_value_t alpha, tinytc_value_t A, tinytc_value_t B,
                                       tinytc_value_t beta, tinytc_value_t C,
                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_hadamard_inst_create(tinytc_inst_t *instr, tinytc_bool_t atomic,
                                            tinytc_value_t alpha, tinytc_value_t A,
                                            tinytc_value_t B, tinytc_value_t beta, tinytc_value_t C,
                                            const tinytc_location_t *loc);
tinytc_status_t tinytc_group_id_inst_create(tinytc_inst_t *instr, tinytc_comp3_t mode,
                                            tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_num_groups_inst_create(tinytc_inst_t *instr, tinytc_comp3_t mode,
                                              tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_num_subgroups_inst_create(tinytc_inst_t *instr, tinytc_comp3_t mode,
                                                 tinytc_type_t result,
                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_size_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_id_inst_create(tinytc_inst_t *instr, tinytc_comp3_t mode,
                                               tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_linear_id_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
                                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_local_id_inst_create(tinytc_inst_t *instr, tinytc_type_t result,
                                                     const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_broadcast_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                      tinytc_value_t idx, tinytc_type_t result,
                                                      const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_exclusive_scan_add_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_exclusive_scan_max_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_exclusive_scan_min_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_inclusive_scan_add_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_inclusive_scan_max_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_inclusive_scan_min_inst_create(tinytc_inst_t *instr,
                                                               tinytc_value_t a,
                                                               tinytc_type_t result,
                                                               const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_reduce_add_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                       tinytc_type_t result,
                                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_reduce_max_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                       tinytc_type_t result,
                                                       const tinytc_location_t *loc);
tinytc_status_t tinytc_subgroup_reduce_min_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                       tinytc_type_t result,
                                                       const tinytc_location_t *loc);
tinytc_status_t
tinytc_cooperative_matrix_load_inst_create(tinytc_inst_t *instr, tinytc_transpose_t t,
                                           tinytc_checked_flag_t checked, tinytc_value_t operand,
                                           tinytc_value_t pos0, tinytc_value_t pos1,
                                           tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_store_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_prefetch_inst_create(
    tinytc_inst_t *instr, int32_t cache_level, int32_t rows, int32_t cols, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_mul_add_inst_create(tinytc_inst_t *instr,
                                                              tinytc_value_t a, tinytc_value_t b,
                                                              tinytc_value_t c,
                                                              tinytc_type_t result,
                                                              const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_construct_inst_create(tinytc_inst_t *instr,
                                                                tinytc_value_t number,
                                                                tinytc_type_t result,
                                                                const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_extract_inst_create(tinytc_inst_t *instr, int64_t index,
                                                              tinytc_value_t mat,
                                                              tinytc_type_t result,
                                                              const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_insert_inst_create(tinytc_inst_t *instr, int64_t index,
                                                             tinytc_value_t val, tinytc_value_t mat,
                                                             tinytc_type_t result,
                                                             const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_apply_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                            tinytc_type_t result,
                                                            const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_scale_inst_create(tinytc_inst_t *instr, tinytc_value_t a,
                                                            tinytc_value_t b, tinytc_type_t result,
                                                            const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_reduce_add_inst_create(tinytc_inst_t *instr,
                                                                 tinytc_reduce_mode_t mode,
                                                                 tinytc_value_t a,
                                                                 tinytc_type_t result,
                                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_reduce_max_inst_create(tinytc_inst_t *instr,
                                                                 tinytc_reduce_mode_t mode,
                                                                 tinytc_value_t a,
                                                                 tinytc_type_t result,
                                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_reduce_min_inst_create(tinytc_inst_t *instr,
                                                                 tinytc_reduce_mode_t mode,
                                                                 tinytc_value_t a,
                                                                 tinytc_type_t result,
                                                                 const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_atomic_load_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t operand,
    tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result, const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_atomic_store_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_atomic_add_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result,
    const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_atomic_max_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result,
    const tinytc_location_t *loc);
tinytc_status_t tinytc_cooperative_matrix_atomic_min_inst_create(
    tinytc_inst_t *instr, tinytc_transpose_t t, tinytc_checked_flag_t checked,
    tinytc_memory_scope_t scope, tinytc_memory_semantics_t semantics, tinytc_value_t val,
    tinytc_value_t operand, tinytc_value_t pos0, tinytc_value_t pos1, tinytc_type_t result,
    const tinytc_location_t *loc);
tinytc_status_t tinytc_inst_get_parent_region(tinytc_inst_t instr, tinytc_region_t *parent);
tinytc_status_t tinytc_inst_get_regions(tinytc_inst_t instr, size_t *result_list_size,
                                        tinytc_region_t *result_list);
tinytc_status_t tinytc_inst_get_values(tinytc_inst_t instr, size_t *result_list_size,
                                       tinytc_value_t *result_list);
tinytc_status_t tinytc_inst_set_attr(tinytc_inst_t instr, tinytc_attr_t a);
tinytc_status_t tinytc_region_append(tinytc_region_t reg, tinytc_inst_t instr);
tinytc_status_t tinytc_region_begin(tinytc_region_t reg, tinytc_inst_iterator_t *iterator);
tinytc_status_t tinytc_region_end(tinytc_region_t reg, tinytc_inst_iterator_t *iterator);
tinytc_status_t tinytc_region_insert(tinytc_region_t reg, tinytc_inst_iterator_t *iterator,
                                     tinytc_inst_t instr);
tinytc_status_t tinytc_region_erase(tinytc_region_t reg, tinytc_inst_iterator_t *iterator);
tinytc_status_t tinytc_next_inst(tinytc_inst_iterator_t *iterator);
tinytc_status_t tinytc_prev_inst(tinytc_inst_iterator_t *iterator);
tinytc_status_t tinytc_region_get_parameters(tinytc_region_t reg, size_t *result_list_size,
                                             tinytc_value_t *result_list);
tinytc_status_t tinytc_func_create(tinytc_func_t *fun, size_t name_length, char const *name,
                                   size_t num_params, const tinytc_type_t *param_type_list,
                                   tinytc_type_t ty, const tinytc_location_t *loc);
tinytc_status_t tinytc_func_set_attr(tinytc_func_t fun, tinytc_attr_t a);
tinytc_status_t tinytc_func_set_parameter_attr(tinytc_func_t fun, size_t param_no, tinytc_attr_t a);
tinytc_status_t tinytc_func_get_body(tinytc_func_t fun, tinytc_region_t *body);
tinytc_status_t tinytc_recipe_get_prog(const_tinytc_recipe_t recipe, tinytc_prog_t *prg);
tinytc_status_t tinytc_recipe_get_binary(const_tinytc_recipe_t recipe, tinytc_binary_t *bin);
tinytc_status_t tinytc_recipe_handler_get_recipe(const_tinytc_recipe_handler_t handler,
                                                 tinytc_recipe_t *recipe);
tinytc_status_t tinytc_recipe_small_gemm_batched_create(
    tinytc_recipe_t *recipe, const_tinytc_core_info_t info, tinytc_type_t number_ty,
    tinytc_transpose_t tA, tinytc_transpose_t tB, int64_t M, int64_t N, int64_t K, int64_t ldA,
    int64_t strideA, int64_t ldB, int64_t strideB, int64_t ldC, int64_t strideC);
tinytc_status_t tinytc_recipe_small_gemm_batched_set_args(
    tinytc_recipe_handler_t handler, int64_t howmany, size_t alpha_size, const void *alpha_value,
    tinytc_mem_type_t A_type, const void *A_value, tinytc_mem_type_t B_type, const void *B_value,
    size_t beta_size, const void *beta_value, tinytc_mem_type_t C_type, const void *C_value);
tinytc_status_t tinytc_recipe_tall_and_skinny_create(tinytc_recipe_t *recipe,
                                                     const_tinytc_core_info_t info,
                                                     tinytc_type_t number_ty, int64_t N, int64_t K,
                                                     int32_t M_block_size);
tinytc_status_t tinytc_recipe_tall_and_skinny_create_specialized(
    tinytc_recipe_t *recipe, const_tinytc_core_info_t info, tinytc_type_t number_ty, int64_t M,
    int64_t N, int64_t K, int64_t ldA, int64_t ldB, int64_t ldC, int32_t alignA, int32_t alignB,
    int32_t alignC, int32_t M_block_size);
tinytc_status_t tinytc_recipe_tall_and_skinny_suggest_block_size(const_tinytc_core_info_t info,
                                                                 int32_t *M_block_size);
tinytc_status_t tinytc_recipe_tall_and_skinny_set_args(
    tinytc_recipe_handler_t handler, int64_t M, size_t alpha_size, const void *alpha_value,
    tinytc_mem_type_t A_type, const void *A_value, int64_t ldA, tinytc_mem_type_t B_type,
    const void *B_value, int64_t ldB, size_t beta_size, const void *beta_value,
    tinytc_mem_type_t C_type, const void *C_value, int64_t ldC);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_0_4_H */
