/* SPDX-License-Identifier: BSD-3-Clause */

/* C programs written for tinytc: tags as well as typedefs, enumerators as constants and in
 * switches, macros. */

#include "check.h"

#include <tinytc/builder.h>
#include <tinytc/core.h>
#include <tinytc/export.h>
#include <tinytc/tinytc.h>
#include <tinytc/types.h>
#include <tinytc/version.h>

#include <string.h>

_Static_assert(TINYTC_VERSION_MAJOR == 0 && TINYTC_VERSION_MINOR == 4 && TINYTC_VERSION_PATCH == 0,
               "version");
_Static_assert(TINYTC_ENUM_NUM_STATUS == 94 && TINYTC_DYNAMIC == INT64_MIN, "macros");
_Static_assert(sizeof(struct tinytc_location) == sizeof(tinytc_location_t), "tags");

/* Enumerators are constants of their type, and the types are tiletc's. */
_Static_assert(sizeof(char[tinytc_status_parse_error]) == 10, "array");
_Static_assert(_Generic((tinytc_prog_t)0, tiletc_prog_t: 1, default: 0), "handles");
_Static_assert(_Generic((tinytc_status_t)0, tiletc_status_t: 1, default: 0), "enumerations");
_Static_assert(_Generic((tinytc_location_t *)0, tiletc_location_t *: 1, default: 0), "structures");

static struct tinytc_compiler_context *created_context;

static char const *kind_of(tinytc_status_t status) {
    switch (status) {
    case tinytc_status_success:
        return "success";
    case tinytc_status_parse_error:
        return "parse error";
    default:
        return "something else";
    }
}

static int called = 0;

static void reporter(char const *what, const struct tinytc_location *location, void *user_data) {
    CHECK(what != NULL && location != NULL);
    ++*(int *)user_data;
}

TINYTC_NO_EXPORT tinytc_status_t parse(char const *text, size_t size) {
    tinytc_status_t status = tinytc_status_success;
    tinytc_prog_t prog = NULL;
    status = tinytc_parse_string(&prog, size, text, created_context);
    /* Cleaning up does not ask whether anything was made. */
    tinytc_status_t const released = tinytc_prog_release(prog);
    TINYTC_CHECK_STATUS(status);
    return released;
}

int main(void) {
    CHECK(tinytc_compiler_context_create(&created_context) == tinytc_status_success);
    CHECK(tinytc_compiler_context_set_error_reporter(created_context, reporter, &called) ==
          tinytc_status_success);

    char const text[] = "func @f(%a: i32) {\n}\n";
    CHECK(strcmp(kind_of(parse(text, sizeof(text))), "success") == 0);
    CHECK(called == 0);
    CHECK(strcmp(kind_of(parse("nonsense", 8)), "parse error") == 0);
    CHECK(called > 0);

    struct tinytc_position position = {0, 1, 1};
    tinytc_location_t const location = {position, position};
    CHECK(tinytc_compiler_context_report_error(created_context, &location, "what") ==
          tinytc_status_success);
    CHECK(strncmp(TINYTC_VERSION_DESCRIPTION, "v0.4.0-", 7) == 0);
    CHECK(tinytc_compiler_context_release(created_context) == tinytc_status_success);
    return check_result();
}
