// SPDX-License-Identifier: BSD-3-Clause

// The headers of both, tiletc's first: two namespaces, of which tinytc's sees what tiletc's has.

#include "parts.hpp"

#include <tiletc/tiletc.hpp>
#include <tinytc/tinytc.hpp>

#include <type_traits>

static_assert(std::is_same_v<tinytc::status, tiletc::status>);
static_assert(
    std::is_same_v<tinytc::shared_handle<tinytc_prog_t>, tiletc::shared_handle<tiletc_prog_t>>);

// A template is specialised by the name of its own namespace.
struct tiletc_first_pointer;
template <> struct tiletc::auto_mem_type<tiletc_first_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
static_assert(tinytc::auto_mem_type_v<tiletc_first_pointer *> == tinytc::mem_type::svm_pointer);

namespace tinytc::cmd {
class arg_parser; // declared in the other files, too
auto is_tiletc_first(transpose t) -> bool { return t == transpose::T; }
} // namespace tinytc::cmd
namespace tiletc::mine {
using tinytc::cmd::is_tiletc_first;
} // namespace tiletc::mine

namespace tiletc_first {

auto print(tinytc_prog *prog) -> std::string {
    using namespace tinytc;
    auto const is_same =
        tiletc::mine::is_tiletc_first(transpose::T) && text_of(cmd::parser()) == "t";
    return is_same ? tinytc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace tiletc_first
