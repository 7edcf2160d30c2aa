/* SPDX-License-Identifier: BSD-3-Clause */

#include <tiletc/tiletc.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    char const text[] = "func @f(%a: i32) {\n}\n";
    tiletc_prog_t prog = NULL;
    if (tiletc_parse_string(&prog, strlen(text), text, NULL) != tiletc_status_success) {
        return 1;
    }
    char *printed = NULL;
    tiletc_status_t const status = tiletc_prog_print_to_string(prog, &printed);
    if (status == tiletc_status_success) {
        fputs(printed, stdout);
        tiletc_string_destroy(printed);
    }
    tiletc_prog_release(prog);
    return status == tiletc_status_success ? 0 : 1;
}
