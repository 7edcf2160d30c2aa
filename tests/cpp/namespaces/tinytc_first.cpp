// SPDX-License-Identifier: BSD-3-Clause

// The headers of both, tinytc's first: one namespace, and `tiletc` is its other name.

#include "parts.hpp"

#include <tinytc/types.hpp>

#include <tiletc/tiletc.hpp>
#include <tinytc/tinytc.hpp>

#include <type_traits>

static_assert(std::is_same_v<tinytc::status, tiletc::status>);
static_assert(
    std::is_same_v<tinytc::shared_handle<tinytc_prog_t>, tiletc::shared_handle<tiletc_prog_t>>);

struct tinytc_first_pointer;
template <> struct tiletc::auto_mem_type<tinytc_first_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
static_assert(tinytc::auto_mem_type_v<tinytc_first_pointer *> == tinytc::mem_type::svm_pointer);

namespace tinytc::cmd {
auto is_transposed(transpose t) -> bool { return t == tiletc::transpose::T; }
} // namespace tinytc::cmd

namespace tinytc_first {

auto print(tinytc_prog *prog) -> std::string {
    auto const is_same = tinytc::cmd::is_transposed(tiletc::transpose::T);
    return is_same ? tiletc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace tinytc_first
