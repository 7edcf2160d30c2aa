/* SPDX-License-Identifier: BSD-3-Clause */

/* The C interface from C11: values and layouts, and a status instead of a crash for every handle
 * and pointer that is NULL. */

#include "check.h"

#include <tiletc/tiletc.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(tiletc_position_t) == 12, "position");
_Static_assert(offsetof(tiletc_position_t, line) == 4, "position");
_Static_assert(offsetof(tiletc_position_t, column) == 8, "position");
_Static_assert(sizeof(tiletc_location_t) == 24, "location");
_Static_assert(offsetof(tiletc_location_t, end) == 12, "location");
_Static_assert(sizeof(tiletc_named_attr_t) == 2 * sizeof(void *), "named_attr");
_Static_assert(sizeof(tiletc_bool_t) == 1, "bool");
_Static_assert(sizeof(tiletc_status_t) == sizeof(int), "status");
_Static_assert(TILETC_DYNAMIC == INT64_MIN, "dynamic");
_Static_assert(TILETC_ENUM_NUM_STATUS >= 94, "status");
_Static_assert(TILETC_ENUM_NUM_SPIRV_FEATURE == 19, "spirv_feature");
_Static_assert(tiletc_status_success == 0, "status");
_Static_assert(tiletc_status_invalid_arguments == 2, "status");
_Static_assert(tiletc_status_file_io_error == 9, "status");
_Static_assert(tiletc_status_parse_error == 10, "status");
_Static_assert(tiletc_status_compute_runtime_error == 18, "status");
_Static_assert(tiletc_status_ir_out_of_bounds == 0x100, "status");
_Static_assert(tiletc_status_ir_division_by_zero == 0x153, "status");
_Static_assert(tiletc_status_spirv_required_feature_unavailable == 0x1004, "status");
_Static_assert(tiletc_status_unknown == 0x7fffffff, "status");
_Static_assert(tiletc_address_space_local == 2, "address_space");
_Static_assert(tiletc_memory_semantics_sequentially_consistent == 16, "memory_semantics");
_Static_assert(tiletc_intel_gpu_architecture_pvc == 0x030f0000, "intel_gpu_architecture");
_Static_assert(tiletc_mem_type_svm_pointer == 2, "mem_type");

#define REFUSES(CALL) CHECK((CALL) == tiletc_status_invalid_arguments)

static void null_is_refused(void) {
    REFUSES(tiletc_compiler_context_create(NULL));
    REFUSES(tiletc_compiler_context_retain(NULL));
    REFUSES(tiletc_compiler_context_release(NULL));
    REFUSES(tiletc_compiler_context_add_source(NULL, "name", "text", NULL));
    REFUSES(tiletc_compiler_context_set_error_reporter(NULL, NULL, NULL));
    REFUSES(tiletc_compiler_context_set_optimization_flag(NULL, tiletc_optflag_unsafe_fp_math, 1));
    REFUSES(tiletc_compiler_context_set_optimization_level(NULL, 2));
    REFUSES(tiletc_compiler_context_report_error(NULL, NULL, "what"));

    REFUSES(tiletc_prog_retain(NULL));
    REFUSES(tiletc_prog_release(NULL));
    REFUSES(tiletc_prog_get_compiler_context(NULL, NULL));
    REFUSES(tiletc_prog_dump(NULL));
    REFUSES(tiletc_prog_print_to_file(NULL, "unused"));
    REFUSES(tiletc_prog_print_to_string(NULL, NULL));

    REFUSES(tiletc_parse_file(NULL, "unused", NULL));
    REFUSES(tiletc_parse_stdin(NULL, NULL));
    REFUSES(tiletc_parse_string(NULL, 4, "text", NULL));

    REFUSES(tiletc_run_function_pass(NULL, NULL, NULL));
    REFUSES(tiletc_list_function_passes(NULL, NULL));
    REFUSES(tiletc_prog_compile_to_spirv(NULL, NULL, NULL));
    REFUSES(tiletc_prog_compile_to_spirv_and_assemble(NULL, NULL, NULL));
    REFUSES(tiletc_spirv_assemble(NULL, NULL));

    REFUSES(tiletc_spv_mod_retain(NULL));
    REFUSES(tiletc_spv_mod_release(NULL));
    REFUSES(tiletc_spv_mod_dump(NULL));
    REFUSES(tiletc_spv_mod_print_to_file(NULL, "unused"));
    REFUSES(tiletc_spv_mod_print_to_string(NULL, NULL));

    REFUSES(tiletc_binary_create(NULL, NULL, tiletc_bundle_format_spirv, 0, NULL, 0));
    REFUSES(tiletc_binary_retain(NULL));
    REFUSES(tiletc_binary_release(NULL));
    REFUSES(tiletc_binary_get_compiler_context(NULL, NULL));
    REFUSES(tiletc_binary_get_raw(NULL, NULL, NULL, NULL));
    REFUSES(tiletc_binary_get_core_features(NULL, NULL));

    REFUSES(tiletc_core_info_generic_create(NULL, 1024, 1024, 0, NULL));
    REFUSES(tiletc_core_info_intel_create_from_arch(NULL, tiletc_intel_gpu_architecture_pvc));
    REFUSES(tiletc_core_info_intel_create_from_name(NULL, "pvc"));
    REFUSES(tiletc_core_info_intel_create(NULL, 0, 8, 8, 0, NULL));
    REFUSES(tiletc_core_info_retain(NULL));
    REFUSES(tiletc_core_info_release(NULL));
    REFUSES(tiletc_core_info_get_subgroup_sizes(NULL, NULL, NULL));
    REFUSES(tiletc_core_info_get_register_space(NULL, NULL));
    REFUSES(tiletc_core_info_set_core_features(NULL, 0));
    REFUSES(tiletc_core_info_get_core_features(NULL, NULL));
    REFUSES(tiletc_core_info_set_spirv_feature(NULL, tiletc_spirv_feature_float16, 1));
    REFUSES(tiletc_core_info_have_spirv_feature(NULL, tiletc_spirv_feature_float16, NULL));
    REFUSES(tiletc_core_info_get_default_alignment(NULL, NULL));
    REFUSES(tiletc_core_info_set_default_alignment(NULL, 64));

    tiletc_string_destroy(NULL);
}

static void null_outputs_and_texts_are_refused(void) {
    tiletc_compiler_context_t ctx = NULL;
    CHECK(tiletc_compiler_context_create(&ctx) == tiletc_status_success);
    int32_t id = -7;
    REFUSES(tiletc_compiler_context_add_source(ctx, NULL, "text", &id));
    REFUSES(tiletc_compiler_context_add_source(ctx, "name", NULL, &id));
    CHECK(id == -7);
    CHECK(tiletc_compiler_context_add_source(ctx, "name", "text", &id) == tiletc_status_success);
    CHECK(id >= 1);
    CHECK(tiletc_compiler_context_set_error_reporter(ctx, NULL, NULL) == tiletc_status_success);

    tiletc_prog_t prog = NULL;
    REFUSES(tiletc_parse_file(&prog, NULL, ctx));
    REFUSES(tiletc_parse_string(&prog, 1, NULL, ctx));
    REFUSES(tiletc_parse_string(&prog, 0, "", ctx));
    CHECK(prog == NULL);

    tiletc_binary_t bin = NULL;
    REFUSES(tiletc_binary_create(&bin, ctx, tiletc_bundle_format_spirv, 0, NULL, 0));
    CHECK(bin == NULL);

    CHECK(tiletc_compiler_context_release(ctx) == tiletc_status_success);
}

static void unknown_devices_are_refused(void) {
    tiletc_core_info_t info = NULL;
    REFUSES(tiletc_core_info_intel_create_from_name(&info, "no such device"));
    CHECK(info == NULL);
    REFUSES(tiletc_core_info_intel_create_from_name(&info, "PVC"));
    REFUSES(tiletc_core_info_intel_create_from_name(&info, NULL));
    REFUSES(tiletc_core_info_intel_create_from_arch(&info, (tiletc_intel_gpu_architecture_t)1));
    CHECK(info == NULL);

    CHECK(tiletc_core_info_intel_create_from_name(&info, "pvc") == tiletc_status_success);
    tiletc_bool_t have = 7;
    REFUSES(tiletc_core_info_have_spirv_feature(info, (tiletc_spirv_feature_t)99, &have));
    REFUSES(tiletc_core_info_set_spirv_feature(info, (tiletc_spirv_feature_t)99, 1));
    REFUSES(tiletc_core_info_have_spirv_feature(info, tiletc_spirv_feature_float64, NULL));
    CHECK(have == 7);
    CHECK(tiletc_core_info_release(info) == tiletc_status_success);
}

static void every_number_has_a_name(void) {
    CHECK(strcmp(tiletc_status_to_string((tiletc_status_t)12345), "unknown") == 0);
    CHECK(strcmp(tiletc_status_to_string(tiletc_status_success), "unknown") != 0);
    CHECK(strcmp(tiletc_transpose_to_string(tiletc_transpose_N), "n") == 0);
    CHECK(strcmp(tiletc_matrix_use_to_string(tiletc_matrix_use_acc), "matrix_acc") == 0);
    CHECK(strcmp(tiletc_support_level_to_string(tiletc_support_level_tuned), "tuned") == 0);
}

int main(void) {
    null_is_refused();
    null_outputs_and_texts_are_refused();
    unknown_devices_are_refused();
    every_number_has_a_name();
    return check_result();
}
