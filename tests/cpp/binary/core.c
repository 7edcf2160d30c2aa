/* SPDX-License-Identifier: BSD-3-Clause */

/* A program of the compiler alone: text, builder, passes, device descriptions, module, recipe. */

#include "kernel.h"

static uint32_t first_word(tinytc_binary_t bin) {
    tinytc_bundle_format_t format = tinytc_bundle_format_native;
    size_t size = 0;
    uint8_t const *data = NULL;
    CHECK(tinytc_binary_get_raw(bin, &format, &size, &data) == tinytc_status_success);
    CHECK(format == tinytc_bundle_format_spirv && size % 4 == 0);
    uint32_t word = 0;
    if (size >= sizeof(word)) {
        memcpy(&word, data, sizeof(word));
    }
    return word;
}

static void from_text(tinytc_core_info_t info) {
    tinytc_prog_t prog = parsed();
    tinytc_binary_t bin = NULL;
    CHECK(tinytc_run_function_pass("check-ir", prog, NULL) == tinytc_status_success);
    CHECK(tinytc_run_function_pass("no-pass", prog, NULL) == tinytc_status_unknown_pass_name);
    CHECK(tinytc_prog_compile_to_spirv_and_assemble(&bin, prog, info) == tinytc_status_success);
    CHECK(first_word(bin) == 0x07230203);
    CHECK(tinytc_binary_release(bin) == tinytc_status_success);
    CHECK(tinytc_prog_release(prog) == tinytc_status_success);
    CHECK(tinytc_prog_release(NULL) == tinytc_status_invalid_arguments);
}

/* What is no program reaches the reporter. */
static void from_nonsense(tinytc_compiler_context_t ctx) {
    int count = 0;
    tinytc_prog_t prog = NULL;
    CHECK(tinytc_compiler_context_set_error_reporter(ctx, report, &count) == tinytc_status_success);
    CHECK(tinytc_parse_string(&prog, 8, "nonsense", ctx) == tinytc_status_parse_error);
    CHECK(prog == NULL && count > 0);
}

static void from_builder(tinytc_compiler_context_t ctx) {
    tinytc_type_t f32 = NULL, void_type = NULL, vector = NULL;
    int64_t const shape[] = {16};
    CHECK(tinytc_f32_type_get(&f32, ctx) == tinytc_status_success);
    CHECK(tinytc_void_type_get(&void_type, ctx) == tinytc_status_success);
    CHECK(tinytc_memref_type_get(&vector, f32, 1, shape, 0, NULL, tinytc_address_space_global) ==
          tinytc_status_success);

    tinytc_func_t func = NULL;
    tinytc_region_t body = NULL;
    CHECK(tinytc_func_create(&func, 1, "f", 1, &vector, void_type, NULL) == tinytc_status_success);
    CHECK(tinytc_func_get_body(func, &body) == tinytc_status_success);
    tinytc_value_t x = NULL, one = NULL;
    size_t count = 1;
    CHECK(tinytc_region_get_parameters(body, &count, &x) == tinytc_status_success && count == 1);
    CHECK(tinytc_value_set_name(x, "x") == tinytc_status_success);

    tinytc_inst_t inst = NULL;
    CHECK(tinytc_constant_inst_create_float(&inst, 0.5, f32, NULL) == tinytc_status_success);
    CHECK(tinytc_inst_get_values(inst, &count, &one) == tinytc_status_success && count == 1);
    CHECK(tinytc_region_append(body, inst) == tinytc_status_success);
    CHECK(tinytc_axpby_inst_create(&inst, 0, tinytc_transpose_N, one, x, one, x, NULL) ==
          tinytc_status_success);
    CHECK(tinytc_region_append(body, inst) == tinytc_status_success);

    tinytc_prog_t prog = NULL;
    char *printed = NULL;
    CHECK(tinytc_prog_create(&prog, ctx, NULL) == tinytc_status_success);
    CHECK(tinytc_prog_add_function(prog, func) == tinytc_status_success);
    CHECK(tinytc_prog_print_to_string(prog, &printed) == tinytc_status_success);
    CHECK(strstr(printed, "func @f(%x: memref<f32x16>)") && strstr(printed, "axpby %0, %x"));
    tinytc_string_destroy(printed);
    CHECK(tinytc_prog_release(prog) == tinytc_status_success);
}

static void from_recipe(tinytc_compiler_context_t ctx, tinytc_core_info_t info) {
    tinytc_type_t f64 = NULL;
    tinytc_recipe_t recipe = NULL;
    tinytc_binary_t bin = NULL;
    CHECK(tinytc_f64_type_get(&f64, ctx) == tinytc_status_success);
    CHECK(tinytc_recipe_small_gemm_batched_create(&recipe, info, f64, tinytc_transpose_N,
                                                  tinytc_transpose_T, 4, 5, 6, 4, 24, 5, 30, 4,
                                                  20) == tinytc_status_success);
    CHECK(tinytc_recipe_get_binary(recipe, &bin) == tinytc_status_success);
    CHECK(first_word(bin) == 0x07230203);
    CHECK(tinytc_recipe_release(recipe) == tinytc_status_success);
}

int main(void) {
    tinytc_compiler_context_t ctx = NULL;
    tinytc_core_info_t info = NULL;
    CHECK(tinytc_compiler_context_create(&ctx) == tinytc_status_success);
    CHECK(tinytc_core_info_intel_create_from_name(&info, "pvc") == tinytc_status_success);
    if (!ctx || !info) {
        return check_result();
    }
    CHECK(strcmp(tinytc_spirv_feature_to_string(tinytc_spirv_feature_float64), "float64") == 0);
    CHECK(tinytc_f32_to_f16_as_ui16(0.5f) == 0x3800 && tinytc_f16_as_ui16_to_f32(0x3800) == 0.5f);
    from_text(info);
    from_nonsense(ctx);
    from_builder(ctx);
    from_recipe(ctx, info);
    CHECK(tinytc_core_info_release(info) == tinytc_status_success);
    CHECK(tinytc_compiler_context_release(ctx) == tinytc_status_success);
    return check_result();
}
