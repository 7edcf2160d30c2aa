/* SPDX-License-Identifier: BSD-3-Clause */

/* Every function, type and macro of tinytc's C interface is there under its name. */

#include "check.h"

#include <tinytc/tinytc.h>
#ifdef WITH_OPENCL
#define CL_TARGET_OPENCL_VERSION 300
#include <tinytc/tinytc_cl.h>
#endif
#include <tinytc/tinytc_ze.h>

#include <stddef.h>
#include <string.h>

static void (*const functions[])(void) = {
#define FUNCTION(name) (void (*)(void))name,
#include "functions.inc"
};

static char const *const names[] = {
#define NAME_(name) #name
#undef FUNCTION
#define FUNCTION(name) NAME_(name),
#include "functions.inc"
};

/* Types as tag, handle and read-only handle. */
#define HANDLE(name) const_##name##_t name##_is_a_type(struct name *tag, name##_t handle);
HANDLE(tinytc_attr)
HANDLE(tinytc_type)
HANDLE(tinytc_value)
HANDLE(tinytc_inst)
HANDLE(tinytc_region)
HANDLE(tinytc_func)
HANDLE(tinytc_prog)
HANDLE(tinytc_spv_mod)
HANDLE(tinytc_core_info)
HANDLE(tinytc_compiler_context)
HANDLE(tinytc_binary)
HANDLE(tinytc_recipe)
HANDLE(tinytc_recipe_handler)

static tinytc_bool_t truth;
static tinytc_address_spaces_t spaces = tinytc_address_space_global | tinytc_address_space_local;
static tinytc_core_feature_flags_t flags = tinytc_core_feature_flag_large_register_file;
static struct tinytc_position position;
static tinytc_position_t *const typed_position = &position;
static struct tinytc_location location;
static tinytc_location_t *const typed_location = &location;
static struct tinytc_named_attr named;
static tinytc_named_attr_t *const typed_named = &named;
static tinytc_error_reporter_t reporter;
static tinytc_inst_iterator_t iterator;

TINYTC_EXPORT int tinytc_test_exported(void);
TINYTC_NO_EXPORT int tinytc_test_hidden(void);
TINYTC_DEPRECATED int tinytc_test_deprecated(void);
TINYTC_DEPRECATED_EXPORT int tinytc_test_deprecated_exported(void);
TINYTC_DEPRECATED_NO_EXPORT int tinytc_test_deprecated_hidden(void);

int main(void) {
    size_t const number = sizeof(functions) / sizeof(functions[0]);
    CHECK(number == NUMBER_OF_FUNCTIONS);
    for (size_t i = 0; i < number; ++i) {
        CHECK(functions[i] != NULL);
        /* A name is no macro for another one. */
        CHECK(strncmp(names[i], "tinytc_", 7) == 0);
    }
    CHECK(!truth && spaces == 3 && flags == 1 && !reporter && !iterator);
    CHECK(typed_position->line == 0 && typed_location->end.column == 0 && !typed_named->name);
    CHECK(TINYTC_DYNAMIC < 0 && TINYTC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS == 0xfff);
    CHECK(TINYTC_VERSION_NUMBER_OF_COMMITS_SINCE_RELEASE >= 0 && strlen(TINYTC_VERSION_HASH) > 0);
    return check_result();
}
