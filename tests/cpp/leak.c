/* SPDX-License-Identifier: BSD-3-Clause */

/* Loses a context, so that the test of leaks has one to find. */

#include <tiletc/tiletc.h>

int main(void) {
    tiletc_compiler_context_t volatile ctx = NULL;
    tiletc_compiler_context_t made = NULL;
    tiletc_status_t const status = tiletc_compiler_context_create(&made);
    ctx = made;
    made = NULL;
    ctx = NULL;
    return ctx == NULL ? (int)status : 1;
}
