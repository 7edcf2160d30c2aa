/* SPDX-License-Identifier: BSD-3-Clause */

/* The headers of both in C: their types are the same. */

#include <tiletc/tiletc.h>
#include <tinytc/tinytc.h>

int is_valid_in_c(struct tinytc_prog *prog);

int is_valid_in_c(struct tinytc_prog *prog) {
    tiletc_prog_t const ours = prog;
    tinytc_compiler_context_t context = NULL;
    tiletc_status_t status = tinytc_prog_get_compiler_context(ours, &context);
    tiletc_compiler_context_t same = NULL;
    if (status == tinytc_status_success) {
        status = tiletc_prog_get_compiler_context(prog, &same);
    }
    switch (status) {
    case tinytc_status_success:
        return context == same;
    case tiletc_status_invalid_arguments:
    default:
        return 0;
    }
}
