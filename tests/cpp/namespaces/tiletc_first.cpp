// SPDX-License-Identifier: BSD-3-Clause

// The headers of both, tiletc's first.

#include "parts.hpp"

#include <tiletc/tiletc.hpp>
#include <tinytc/tinytc.hpp>

#include "both.hpp"

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
        both_throw_their_own() && tiletc::mine::is_tiletc_first(transpose::T) && text_of(cmd::parser()) == "t";
    return is_same ? tinytc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace tiletc_first
