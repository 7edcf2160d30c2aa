/* SPDX-License-Identifier: BSD-3-Clause */

/* The kernel of the programs that run one, and its program in a context that prints what is wrong.
 */

#ifndef TILETC_TESTS_KERNEL_H
#define TILETC_TESTS_KERNEL_H

#include "../check.h"
#include "tinytc_0_4.h"

#include <string.h>

enum { elements = 20, numbers = 64 * elements };

static char const text[] = "func @multiply(%A: memref<f32x8x8>, %B: memref<f32x8x8x?>,\n"
                           "               %C: memref<f32x8x8x?>) {\n"
                           "    %c1 = constant 1.0 : f32\n"
                           "    %gid = group_id.x : index\n"
                           "    %b = subview %B[0:8,0:8,%gid] : memref<f32x8x8>\n"
                           "    %c = subview %C[0:8,0:8,%gid] : memref<f32x8x8>\n"
                           "    gemm.n.n %c1, %A, %b, %c1, %c\n"
                           "}\n";

static void report(char const *what, const tinytc_location_t *location, void *count) {
    if (count) {
        ++*(int *)count;
    } else {
        fprintf(stderr, "%d.%d: %s\n", location->begin.line, location->begin.column, what);
    }
}

/* A program with a reference for the caller, or NULL */
static inline tinytc_prog_t parsed(void) {
    tinytc_compiler_context_t ctx = NULL;
    tinytc_prog_t prog = NULL;
    CHECK(tinytc_compiler_context_create(&ctx) == tinytc_status_success);
    CHECK(tinytc_compiler_context_set_error_reporter(ctx, report, NULL) == tinytc_status_success);
    CHECK(tinytc_parse_string(&prog, sizeof(text), text, ctx) == tinytc_status_success);
    CHECK(tinytc_compiler_context_release(ctx) == tinytc_status_success);
    return prog;
}

/* A is twice the identity. */
static inline void fill(float *A, float *B, float *C) {
    for (int i = 0; i < 64; ++i) {
        A[i] = i % 9 == 0 ? 2.0f : 0.0f;
    }
    for (int i = 0; i < numbers; ++i) {
        B[i] = (float)(i % 1000);
        C[i] = 1.0f;
    }
}

static inline int count_wrong(float const *B, float const *C) {
    int wrong = 0;
    for (int i = 0; i < numbers; ++i) {
        wrong += C[i] != 1.0f + 2.0f * B[i];
    }
    return wrong;
}

#endif /* TILETC_TESTS_KERNEL_H */
