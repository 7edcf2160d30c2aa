/* SPDX-License-Identifier: BSD-3-Clause */

/* What programs have compiled in: the numbers of enumerators and macros, and the layout of structs.
 * It is checked while this file is compiled. */

#include "check.h"

#include <tiletc/tiletc.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ENUMERATION(name, NAME, number)                                                            \
    _Static_assert(TILETC_ENUM_NUM_##NAME == number, #name);                                       \
    _Static_assert(sizeof(tiletc_##name##_t) == sizeof(int), #name);
#define ENUMERATOR(name, case, value) _Static_assert(tiletc_##name##_##case == value, #name #case);
#include "enumerators.inc"
#undef ENUMERATION
#undef ENUMERATOR

#define MEMBER(name, member, at, size)                                                             \
    _Static_assert(offsetof(name##_t, member) == at, #name);                                       \
    _Static_assert(sizeof(((name##_t *)0)->member) == size, #name)
#define STRUCT(name, size) _Static_assert(sizeof(name##_t) == size, #name)

STRUCT(tiletc_position, 12);
MEMBER(tiletc_position, source_id, 0, 4);
MEMBER(tiletc_position, line, 4, 4);
MEMBER(tiletc_position, column, 8, 4);
STRUCT(tiletc_location, 24);
MEMBER(tiletc_location, begin, 0, 12);
MEMBER(tiletc_location, end, 12, 12);
STRUCT(tiletc_named_attr, 2 * sizeof(void *));
MEMBER(tiletc_named_attr, name, 0, sizeof(void *));
MEMBER(tiletc_named_attr, attr, sizeof(void *), sizeof(void *));

_Static_assert(TILETC_DYNAMIC == INT64_MIN, "dynamic");
_Static_assert(TILETC_INTEL_GPU_ARCHITECTURE_SUB_VERSION_BITS == 0xfff, "sub-version bits");
#define SAME(type, other) _Generic((type)0, other : 1, default : 0)
_Static_assert(SAME(tiletc_bool_t, uint8_t), "bool");
_Static_assert(SAME(tiletc_address_spaces_t, uint32_t), "address spaces");
_Static_assert(SAME(tiletc_core_feature_flags_t, uint32_t), "core features");
_Static_assert(SAME(tiletc_error_reporter_t,
                    void (*)(char const *, struct tinytc_location const *, void *)),
               "error reporter");

/* Every handle is a pointer to the struct of its name in tinytc; the read-only one points to const. */
#define HANDLE(name)                                                                               \
    _Static_assert(SAME(tiletc_##name##_t, struct tinytc_##name *), #name);                        \
    _Static_assert(SAME(const_tiletc_##name##_t, struct tinytc_##name const *), #name)
HANDLE(attr);
HANDLE(type);
HANDLE(value);
HANDLE(inst);
HANDLE(region);
HANDLE(func);
HANDLE(prog);
HANDLE(spv_mod);
HANDLE(core_info);
HANDLE(compiler_context);
HANDLE(binary);
HANDLE(recipe);
HANDLE(recipe_handler);
_Static_assert(SAME(tiletc_inst_iterator_t, struct tinytc_inst *), "iterator");

/* Numbers that are no enumerator are "unknown", enumerators are something else. */
int main(void) {
#define ENUMERATION(name, NAME, number)                                                            \
    CHECK(strcmp(tiletc_##name##_to_string((tiletc_##name##_t)12345), "unknown") == 0);
#define ENUMERATOR(name, case, value)                                                              \
    CHECK(strlen(tiletc_##name##_to_string(tiletc_##name##_##case)) > 0 &&                         \
          strcmp(tiletc_##name##_to_string(tiletc_##name##_##case), "unknown") != 0);
#include "enumerators.inc"
    return check_result();
}
