// SPDX-License-Identifier: BSD-3-Clause

// The headers of tiletc first, but the namespace chosen by hand: it is tinytc's.

#define TILETC_USE_TINYTC_NAMESPACE
#include <tiletc/tiletc.hpp>

#include "parts.hpp"

#include <tinytc/tinytc.hpp>

#include <type_traits>

static_assert(std::is_same_v<tinytc::status, tiletc::status> && std::is_enum_v<tiletc::status>);

struct selected_pointer;
template <> struct tinytc::auto_mem_type<selected_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
static_assert(tiletc::auto_mem_type_v<selected_pointer *> == tinytc::mem_type::svm_pointer);

namespace selected {

auto print(tinytc_prog *prog) -> std::string { return tiletc::print_to_string(prog).get(); }

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace selected
