/* SPDX-License-Identifier: BSD-3-Clause */

/* A host that lets floating-point exceptions kill it, rounds in another direction, or has no subnormal
 * numbers: everything works as ever, the same text gives the same bytes, and the environment is the
 * host's again afterwards. */

/* Before all other headers, since it asks the C library for more than the standard has. */
#include "float_environment.h"

#include "check.h"

#include <tiletc/tiletc.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef TILETC_CAN_TRAP

int main(void) { return skip("this C library has no traps to enable"); }

#else

/* Constants to be read and folded: inexact, infinite, invalid, too large, too small. */
static char const folded[] =
    "func @fold(%D: memref<f64x?>, %F: memref<f32x?>, %H: memref<f16x?>, %B: memref<bf16x?>, "
    "%Z: memref<c32x?>, %i: index) {\n"
    "    %zero = constant 0.0 : f64\n"
    "    %tenth = constant 0.1 : f64\n"
    "    %third = constant 0.3 : f64\n"
    "    %huge = constant 1e308 : f64\n"
    "    %tiny = constant 0x1p-1074 : f64\n"
    "    %nan = constant nan : f64\n"
    "    %a = add %tenth, %third : f64 store %a, %D[%i]\n"
    "    %b = div %tenth, %third : f64 store %b, %D[%i]\n"
    "    %c = div %tenth, %zero : f64 store %c, %D[%i]\n"
    "    %d = div %zero, %zero : f64 store %d, %D[%i]\n"
    "    %e = mul %huge, %huge : f64 store %e, %D[%i]\n"
    "    %f = mul %tiny, %tenth : f64 store %f, %D[%i]\n"
    "    %g = add %tiny, %tiny : f64 store %g, %D[%i]\n"
    "    %h = max %nan, %tenth : f64 store %h, %D[%i]\n"
    "    %j = cast %tenth : f32 store %j, %F[%i]\n"
    "    %k = cast %huge : f32 store %k, %F[%i]\n"
    "    %l = cast %tenth : f16 store %l, %H[%i]\n"
    "    %m = cast %third : bf16 store %m, %B[%i]\n"
    "    %x = constant 0x1p-149 : f32\n"
    "    %y = constant 3.3e38 : f32\n"
    "    %n = mul %y, %y : f32 store %n, %F[%i]\n"
    "    %o = add %x, %x : f32 store %o, %F[%i]\n"
    "    %p = constant [0.1, -0.7] : c32\n"
    "    %q = constant [0.0, 0.0] : c32\n"
    "    %r = mul %p, %p : c32 store %r, %Z[%i]\n"
    "    %s = div %p, %q : c32 store %s, %Z[%i]\n"
    "    %big = constant 9007199254740993 : i64\n"
    "    %t = cast %big : f32 store %t, %F[%i]\n"
    "    %u = constant 0.1 : f16\n"
    "    %v = mul %u, %u : f16 store %v, %H[%i]\n"
    "}\n"
    "func @gemm(%alpha: f32, %A: memref<f32x13x7>, %B: memref<f32x7x9>, %C: memref<f32x13x9>) {\n"
    "    %beta = constant 0.1 : f32\n"
    "    gemm %alpha, %A, %B, %beta, %C\n"
    "}\n";

enum { MESSAGE_SIZE = 1000 };

static char const too_large[] = "func @f() {\n    %a = constant 1e400 : f64\n}\n";

static void keep(char const *what, const tiletc_location_t *location, void *message) {
    (void)location;
    strncpy(message, what, MESSAGE_SIZE - 1);
}

/** The module of the text for a device, or NULL; the caller frees it. */
static uint8_t *compile(tiletc_compiler_context_t ctx, char const *device, size_t *size) {
    tiletc_prog_t prg = NULL;
    tiletc_core_info_t info = NULL;
    tiletc_binary_t bin = NULL;
    tiletc_bundle_format_t format = tiletc_bundle_format_native;
    uint8_t const *data = NULL;
    uint8_t *copy = NULL;
    CHECK(tiletc_parse_string(&prg, sizeof folded, folded, ctx) == tiletc_status_success);
    CHECK(tiletc_core_info_intel_create_from_name(&info, device) == tiletc_status_success);
    CHECK(tiletc_core_info_set_spirv_feature(info, tiletc_spirv_feature_float64, 1) ==
          tiletc_status_success);
    CHECK(tiletc_prog_compile_to_spirv_and_assemble(&bin, prg, info) == tiletc_status_success);
    if (tiletc_binary_get_raw(bin, &format, size, &data) == tiletc_status_success) {
        copy = malloc(*size);
        if (copy) {
            memcpy(copy, data, *size);
        }
    }
    CHECK(tiletc_binary_release(bin) == tiletc_status_success);
    CHECK(tiletc_core_info_release(info) == tiletc_status_success);
    CHECK(tiletc_prog_release(prg) == tiletc_status_success);
    return copy;
}

static void numbers_are_converted(void) {
    static uint32_t const bits[] = {0x3dcccccd, 0x00000001, 0x7f7fffff, 0x7f800001, 0x3f801001};
    static uint16_t const f16[] = {0x2e66, 0x0000, 0x7c00, 0x7c01, 0x3c01};
    static uint16_t const bf16[] = {0x3dcd, 0x0000, 0x7f80, 0x7f81, 0x3f80};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; ++i) {
        float x;
        memcpy(&x, &bits[i], sizeof x);
        CHECK(tiletc_f32_to_f16_as_ui16(x) == f16[i]);
        CHECK(tiletc_f32_to_bf16_as_ui16(x) == bf16[i]);
    }
    float const smallest = tiletc_f16_as_ui16_to_f32(1);
    uint32_t widened;
    memcpy(&widened, &smallest, sizeof widened);
    CHECK(widened == 0x33800000);
}

int main(void) {
    static char const *const devices[] = {"pvc", "bmg", "dg2"};
    char message[MESSAGE_SIZE] = {0};
    tiletc_compiler_context_t ctx = NULL;
    CHECK(tiletc_compiler_context_create(&ctx) == tiletc_status_success);
    CHECK(tiletc_compiler_context_set_error_reporter(ctx, keep, message) ==
          tiletc_status_success);
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; ++d) {
        leave();
        size_t size = 0;
        uint8_t *const expected = compile(ctx, devices[d], &size);
        CHECK(expected != NULL && size > 20);
        if (!expected) {
            fputs(message, stderr);
        }
        for (int e = 0; expected && e < num_float_environments; ++e) {
            struct float_environment const *const env = &float_environments[e];
            enter(env);
            size_t found_size = 0;
            uint8_t *const found = compile(ctx, devices[d], &found_size);
            CHECK(is_in(env));
            int const same = found && found_size == size && memcmp(found, expected, size) == 0;
            free(found);
            tiletc_prog_t prg = NULL;
            message[0] = 0;
            CHECK(tiletc_parse_string(&prg, sizeof too_large, too_large, ctx) ==
                  tiletc_status_parse_error);
            CHECK(message[0] != 0 && prg == NULL);
            CHECK(is_in(env));
            numbers_are_converted();
            CHECK(is_in(env));
            leave();
            if (!same) {
                fprintf(stderr, "other bytes for %s in the environment \"%s\"\n", devices[d],
                        env->name);
            }
            CHECK(same);
        }
        free(expected);
    }
    CHECK(tiletc_compiler_context_release(ctx) == tiletc_status_success);
    return check_result();
}

#endif
