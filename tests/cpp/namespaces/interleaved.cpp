// SPDX-License-Identifier: BSD-3-Clause

// Parts of the headers of both in turn.

#include <tiletc/half.hpp>

#include <tinytc/types.hpp>

#include <tiletc/core.hpp>

#include <tinytc/builder.hpp>

#include <tiletc/recipe.hpp>

#include <tinytc/tinytc.hpp>

#include "both.hpp"

static_assert(!std::is_same_v<tinytc::half, tiletc::half>);

namespace interleaved {

auto print(tinytc_prog *prog) -> std::string {
    return both_throw_their_own() ? tinytc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tiletc::parse_string(text).release(); }

} // namespace interleaved
