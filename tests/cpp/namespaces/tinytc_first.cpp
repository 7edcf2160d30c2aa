// SPDX-License-Identifier: BSD-3-Clause

// The headers of both, tinytc's first.

#include "parts.hpp"

#include <tinytc/tinytc.hpp>

#include <tiletc/tiletc.hpp>

#include "both.hpp"

namespace tinytc::cmd {
auto is_transposed(transpose t) -> bool { return t == transpose::T; }
} // namespace tinytc::cmd
namespace tiletc::mine {
auto is_flipped(transpose t) -> bool { return t == transpose::T; }
} // namespace tiletc::mine

namespace tinytc_first {

auto print(tinytc_prog *prog) -> std::string {
    auto const is_same = both_throw_their_own() && tinytc::cmd::is_transposed(tinytc::transpose::T) &&
                         tiletc::mine::is_flipped(tiletc::transpose::T);
    return is_same ? tiletc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace tinytc_first
