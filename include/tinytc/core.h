/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by `cargo xtask headers` from the headers in include/tiletc.
 */

/** \file
 * tinytc's compiler: context, parser, program, device description, passes, binary.
 *
 * Functions and types are described under their names in tiletc (include/tiletc).
 */

#ifndef TINYTC_CORE_H
#define TINYTC_CORE_H

#include <tinytc/export.h>
#include <tinytc/types.h>
#include <tinytc/version.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

TINYTC_EXPORT uint16_t tinytc_f32_to_bf16_as_ui16(float x);
TINYTC_EXPORT float tinytc_bf16_as_ui16_to_f32(uint16_t x);
TINYTC_EXPORT uint16_t tinytc_f32_to_f16_as_ui16(float x);
TINYTC_EXPORT float tinytc_f16_as_ui16_to_f32(uint16_t x);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_create(tinytc_compiler_context_t *ctx);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_add_source(tinytc_compiler_context_t ctx,
    const char *name, const char *text, int32_t *source_id);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_error_reporter(tinytc_compiler_context_t ctx,
    tinytc_error_reporter_t reporter, void *user_data);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_optimization_flag(tinytc_compiler_context_t ctx,
    tinytc_optflag_t flag, int32_t state);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_set_optimization_level(tinytc_compiler_context_t ctx,
    int32_t level);
TINYTC_EXPORT tinytc_status_t tinytc_compiler_context_report_error(tinytc_compiler_context_t ctx,
    const tinytc_location_t *location, const char *what);
TINYTC_EXPORT tinytc_status_t tinytc_parse_file(tinytc_prog_t *prg, const char *filename,
    tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_parse_stdin(tinytc_prog_t *prg, tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_parse_string(tinytc_prog_t *prg, size_t source_size,
    const char *source, tinytc_compiler_context_t ctx);
TINYTC_EXPORT tinytc_status_t tinytc_prog_get_compiler_context(const_tinytc_prog_t prg,
    tinytc_compiler_context_t *ctx);
TINYTC_EXPORT tinytc_status_t tinytc_prog_dump(tinytc_prog_t prg);
TINYTC_EXPORT tinytc_status_t tinytc_prog_print_to_file(tinytc_prog_t prg, const char *filename);
TINYTC_EXPORT tinytc_status_t tinytc_prog_print_to_string(tinytc_prog_t prg, char **str);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_generic_create(tinytc_core_info_t *info,
    int32_t register_space, int32_t max_work_group_size, size_t sgs_size, const int32_t *sgs);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create_from_arch(tinytc_core_info_t *info,
    tinytc_intel_gpu_architecture_t arch);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create_from_name(tinytc_core_info_t *info,
    const char *name);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_intel_create(tinytc_core_info_t *info,
    uint32_t ip_version, int32_t num_eus_per_subslice, int32_t num_threads_per_eu, size_t sgs_size,
    const int32_t *sgs);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_subgroup_sizes(const_tinytc_core_info_t info,
    size_t *sgs_size, const int32_t **sgs);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_register_space(const_tinytc_core_info_t info,
    int32_t *space);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_core_features(tinytc_core_info_t info,
    tinytc_core_feature_flags_t flags);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_core_features(const_tinytc_core_info_t info,
    tinytc_core_feature_flags_t *flags);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_spirv_feature(tinytc_core_info_t info,
    tinytc_spirv_feature_t feature, tinytc_bool_t available);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_have_spirv_feature(const_tinytc_core_info_t info,
    tinytc_spirv_feature_t feature, tinytc_bool_t *available);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_get_default_alignment(const_tinytc_core_info_t info,
    int32_t *alignment);
TINYTC_EXPORT tinytc_status_t tinytc_core_info_set_default_alignment(tinytc_core_info_t info,
    int32_t alignment);
TINYTC_EXPORT tinytc_status_t tinytc_run_function_pass(const char *pass_name, tinytc_prog_t prg,
    const_tinytc_core_info_t info);
TINYTC_EXPORT tinytc_status_t tinytc_list_function_passes(size_t *names_size,
    const char *const **names);
TINYTC_EXPORT tinytc_status_t tinytc_prog_compile_to_spirv(tinytc_spv_mod_t *mod,
    tinytc_prog_t prg, const_tinytc_core_info_t info);
TINYTC_EXPORT tinytc_status_t tinytc_prog_compile_to_spirv_and_assemble(tinytc_binary_t *bin,
    tinytc_prog_t prg, const_tinytc_core_info_t info);
TINYTC_EXPORT tinytc_status_t tinytc_spirv_assemble(tinytc_binary_t *bin,
    const_tinytc_spv_mod_t mod);
TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_dump(const_tinytc_spv_mod_t mod);
TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_print_to_file(const_tinytc_spv_mod_t mod,
    const char *filename);
TINYTC_EXPORT tinytc_status_t tinytc_spv_mod_print_to_string(const_tinytc_spv_mod_t mod,
    char **str);
TINYTC_EXPORT tinytc_status_t tinytc_binary_create(tinytc_binary_t *bin,
    tinytc_compiler_context_t ctx, tinytc_bundle_format_t format, size_t data_size,
    const uint8_t *data, tinytc_core_feature_flags_t core_features);
TINYTC_EXPORT tinytc_status_t tinytc_binary_get_compiler_context(const_tinytc_binary_t bin,
    tinytc_compiler_context_t *ctx);
TINYTC_EXPORT tinytc_status_t tinytc_binary_get_raw(const_tinytc_binary_t bin,
    tinytc_bundle_format_t *format, size_t *data_size, const uint8_t **data);
TINYTC_EXPORT tinytc_status_t tinytc_binary_get_core_features(const_tinytc_binary_t bin,
    tinytc_core_feature_flags_t *core_features);

#ifdef __cplusplus
}
#endif

#endif /* TINYTC_CORE_H */
