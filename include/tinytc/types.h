/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

/** \file
 * tinytc's types, enumerations, and what frees them.
 *
 * Functions and types are described under their names in tiletc (include/tiletc).
 */

#ifndef TINYTC_TYPES_H
#define TINYTC_TYPES_H

#include <tinytc/export.h>

#include <stdint.h>

typedef tiletc_compiler_context_t tinytc_compiler_context_t;
typedef tiletc_position_t tinytc_position_t;
typedef tiletc_location_t tinytc_location_t;
typedef tiletc_error_reporter_t tinytc_error_reporter_t;
typedef const_tiletc_compiler_context_t const_tinytc_compiler_context_t;
typedef tiletc_bool_t tinytc_bool_t;
typedef tiletc_type_t tinytc_type_t;
typedef const_tiletc_type_t const_tinytc_type_t;
typedef tiletc_attr_t tinytc_attr_t;
typedef tiletc_named_attr_t tinytc_named_attr_t;
typedef tiletc_value_t tinytc_value_t;
typedef const_tiletc_value_t const_tinytc_value_t;
typedef tiletc_inst_t tinytc_inst_t;
typedef tiletc_region_t tinytc_region_t;
typedef tiletc_inst_iterator_t tinytc_inst_iterator_t;
typedef tiletc_func_t tinytc_func_t;
typedef tiletc_prog_t tinytc_prog_t;
typedef const_tiletc_prog_t const_tinytc_prog_t;
typedef tiletc_core_info_t tinytc_core_info_t;
typedef const_tiletc_core_info_t const_tinytc_core_info_t;
typedef tiletc_core_feature_flags_t tinytc_core_feature_flags_t;
typedef tiletc_spv_mod_t tinytc_spv_mod_t;
typedef tiletc_binary_t tinytc_binary_t;
typedef const_tiletc_spv_mod_t const_tinytc_spv_mod_t;
typedef const_tiletc_binary_t const_tinytc_binary_t;
typedef tiletc_recipe_t tinytc_recipe_t;
typedef const_tiletc_recipe_t const_tinytc_recipe_t;
typedef tiletc_recipe_handler_t tinytc_recipe_handler_t;
typedef const_tiletc_recipe_handler_t const_tinytc_recipe_handler_t;
typedef tiletc_address_spaces_t tinytc_address_spaces_t;
typedef const_tiletc_attr_t const_tinytc_attr_t;
typedef const_tiletc_inst_t const_tinytc_inst_t;
typedef const_tiletc_region_t const_tinytc_region_t;
typedef const_tiletc_func_t const_tinytc_func_t;

#define TINYTC_DYNAMIC TILETC_DYNAMIC
#define TINYTC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS TILETC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS
#define TINYTC_CHECK_STATUS TILETC_CHECK_STATUS
#define TINYTC_ENUM_NUM_STATUS 94
#define TINYTC_ENUM_NUM_COMP3 TILETC_ENUM_NUM_COMP3
#define TINYTC_ENUM_NUM_REDUCE_MODE TILETC_ENUM_NUM_REDUCE_MODE
#define TINYTC_ENUM_NUM_TRANSPOSE TILETC_ENUM_NUM_TRANSPOSE
#define TINYTC_ENUM_NUM_ADDRESS_SPACE TILETC_ENUM_NUM_ADDRESS_SPACE
#define TINYTC_ENUM_NUM_CHECKED_FLAG TILETC_ENUM_NUM_CHECKED_FLAG
#define TINYTC_ENUM_NUM_MEMORY_SCOPE TILETC_ENUM_NUM_MEMORY_SCOPE
#define TINYTC_ENUM_NUM_MEMORY_SEMANTICS TILETC_ENUM_NUM_MEMORY_SEMANTICS
#define TINYTC_ENUM_NUM_MATRIX_USE TILETC_ENUM_NUM_MATRIX_USE
#define TINYTC_ENUM_NUM_BOUNDARY TILETC_ENUM_NUM_BOUNDARY
#define TINYTC_ENUM_NUM_TILE_ORDER TILETC_ENUM_NUM_TILE_ORDER
#define TINYTC_ENUM_NUM_SPIRV_FEATURE TILETC_ENUM_NUM_SPIRV_FEATURE
#define TINYTC_ENUM_NUM_CORE_FEATURE_FLAG TILETC_ENUM_NUM_CORE_FEATURE_FLAG
#define TINYTC_ENUM_NUM_INTEL_GPU_ARCHITECTURE TILETC_ENUM_NUM_INTEL_GPU_ARCHITECTURE
#define TINYTC_ENUM_NUM_BUNDLE_FORMAT TILETC_ENUM_NUM_BUNDLE_FORMAT
#define TINYTC_ENUM_NUM_OPTFLAG 1
#define TINYTC_ENUM_NUM_MEM_TYPE TILETC_ENUM_NUM_MEM_TYPE
#define TINYTC_ENUM_NUM_ARG_KIND TILETC_ENUM_NUM_ARG_KIND
#define TINYTC_ENUM_NUM_LAUNCH_OP TILETC_ENUM_NUM_LAUNCH_OP
#define TINYTC_ENUM_NUM_CL_OBJECT TILETC_ENUM_NUM_CL_OBJECT
#define TINYTC_ENUM_NUM_LOG_LEVEL TILETC_ENUM_NUM_LOG_LEVEL
#define TINYTC_ENUM_NUM_SUPPORT_LEVEL TILETC_ENUM_NUM_SUPPORT_LEVEL

#ifdef __cplusplus
extern "C" {
#endif

TINYTC_EXPORT const char *tinytc_status_to_string(tinytc_status_t val);
TINYTC_EXPORT const char *tinytc_comp3_to_string(tinytc_comp3_t val);
TINYTC_EXPORT const char *tinytc_reduce_mode_to_string(tinytc_reduce_mode_t val);
TINYTC_EXPORT const char *tinytc_transpose_to_string(tinytc_transpose_t val);
TINYTC_EXPORT const char *tinytc_address_space_to_string(tinytc_address_space_t val);
TINYTC_EXPORT const char *tinytc_checked_flag_to_string(tinytc_checked_flag_t val);
TINYTC_EXPORT const char *tinytc_memory_scope_to_string(tinytc_memory_scope_t val);
TINYTC_EXPORT const char *tinytc_memory_semantics_to_string(tinytc_memory_semantics_t val);
TINYTC_EXPORT const char *tinytc_matrix_use_to_string(tinytc_matrix_use_t val);
TINYTC_EXPORT const char *tinytc_spirv_feature_to_string(tinytc_spirv_feature_t val);
TINYTC_EXPORT const char *tinytc_core_feature_flag_to_string(tinytc_core_feature_flag_t val);
TINYTC_EXPORT const char *tinytc_intel_gpu_architecture_to_string(tinytc_intel_gpu_architecture_t val);
TINYTC_EXPORT const char *tinytc_bundle_format_to_string(tinytc_bundle_format_t val);
TINYTC_EXPORT const char *tinytc_optflag_to_string(tinytc_optflag_t val);
TINYTC_EXPORT const char *tinytc_mem_type_to_string(tinytc_mem_type_t val);
TINYTC_EXPORT const char *tinytc_support_level_to_string(tinytc_support_level_t val);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_retain(tinytc_compiler_context_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_release(tinytc_compiler_context_t obj);
TINYTC_EXPORT void tinytc_inst_destroy(tinytc_inst_t instr);
TINYTC_EXPORT void tinytc_func_destroy(tinytc_func_t fun);
TINYTC_EXPORT tinytc_status_t tinytc_prog_retain(tinytc_prog_t prg);
TINYTC_EXPORT tinytc_status_t tinytc_prog_release(tinytc_prog_t prg);
TINYTC_EXPORT void tinytc_string_destroy(char *str);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_retain(tinytc_core_info_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_release(tinytc_core_info_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_retain(tinytc_spv_mod_t mod);
TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_release(tinytc_spv_mod_t mod);
TINYTC_EXPORT tinytc_status_t tinytc_binary_retain(tinytc_binary_t bin);
TINYTC_EXPORT tinytc_status_t tinytc_binary_release(tinytc_binary_t bin);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_retain(tinytc_recipe_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_release(tinytc_recipe_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_retain(tinytc_recipe_handler_t obj);
TINYTC_EXPORT tinytc_status_t tinytc_recipe_handler_release(tinytc_recipe_handler_t obj);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_TYPES_H */
