// SPDX-License-Identifier: BSD-3-Clause

// The enumerations of C++ have the names and numbers of those of C.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <cstring>
#include <type_traits>

/// The enumeration that `T` is, or that it stands for.
template <typename T> struct enumeration {
    using type = T;
};
#ifdef BEYOND_TINYTC
template <> struct enumeration<tiletc::status> {
    using type = tiletc::status_code;
};
#endif

#define ENUMERATION(name, NAME, number)                                                            \
    static_assert(                                                                                 \
        std::is_same_v<std::underlying_type_t<enumeration<tiletc::name>::type>, int>);             \
    static_assert(sizeof(tiletc::name) == sizeof(int));                                            \
    static_assert(TILETC_ENUM_NUM_##NAME == number);
#define ENUMERATOR(name, case, value)                                                              \
    static_assert(static_cast<int>(tiletc::name::case) == value);                                  \
    static_assert(static_cast<tiletc::name>(tiletc_##name##_##case) == tiletc::name::case);
#include "enumerators.inc"
#undef ENUMERATION
#undef ENUMERATOR

int main() {
#define ENUMERATION(name, NAME, number)
#define ENUMERATOR(name, case, value)                                                              \
    CHECK(std::strcmp(to_string(tiletc::name::case),                                               \
                      tiletc_##name##_to_string(tiletc_##name##_##case)) == 0);
#include "enumerators.inc"
    return check_result();
}
