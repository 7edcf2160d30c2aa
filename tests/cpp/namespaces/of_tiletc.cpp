// SPDX-License-Identifier: BSD-3-Clause

// A file of a program that knows tiletc only: `tinytc` is no name of the headers.

#include <tiletc/tiletc.hpp>

namespace {
struct tinytc {
    int tinytc = 3;
};
} // namespace
static_assert(sizeof(tinytc) == sizeof(int));

namespace tiletc::mine {
auto flipped(transpose t) -> transpose { return t == transpose::N ? transpose::T : transpose::N; }
} // namespace tiletc::mine

struct of_tiletc_pointer;
template <> struct tiletc::auto_mem_type<of_tiletc_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
static_assert(tiletc::auto_mem_type_v<of_tiletc_pointer *> == tiletc::mem_type::svm_pointer);

namespace of_tiletc {

auto print(tiletc_prog_t prog) -> std::string {
    auto const is_flipped = tiletc::mine::flipped(tiletc::transpose::T) == tiletc::transpose::N;
    return is_flipped && tinytc{}.tinytc == 3 ? tiletc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tiletc_prog_t { return tiletc::parse_string(text).release(); }

} // namespace of_tiletc
