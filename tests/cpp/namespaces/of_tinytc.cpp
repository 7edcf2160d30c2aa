// SPDX-License-Identifier: BSD-3-Clause

// A file of a program that knows tinytc only, and opens the namespace before and after its headers.

namespace tinytc {
struct before {
    int number = 1;
};
} // namespace tinytc

#include <tinytc/core.hpp>

#include "parts.hpp"

#include <cstring>
#include <type_traits>

namespace tinytc {
struct after : before {
    transpose t = transpose::N;
};
} // namespace tinytc

struct of_tinytc_pointer;
template <> struct tinytc::auto_mem_type<of_tinytc_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
namespace tinytc {
template <typename T> struct auto_mem_type<T, std::enable_if_t<std::is_same_v<T, before *>>> {
    constexpr static mem_type value = mem_type::buffer;
};
} // namespace tinytc
static_assert(tinytc::auto_mem_type_v<of_tinytc_pointer *> == tinytc::mem_type::svm_pointer);
static_assert(tinytc::auto_mem_type_v<tinytc::before *> == tinytc::mem_type::buffer);

namespace {

/// The name of the other library is free.
struct tiletc {
    int tiletc = 3;
};
static_assert(sizeof(tiletc) == sizeof(int));

struct options {
    int tinytc = 3;
};

#define TEXT_OF(X) TEXT_OF_(X)
#define TEXT_OF_(X) #X

/// Identifiers of one's own are what they are, and so is what the build defines (FOLDER).
auto own_names() -> bool {
    auto const tinytc = options{};
    return tinytc.tinytc == 3 && std::strcmp(TEXT_OF(FOLDER), "/opt/tinytc/lib") == 0;
}

} // namespace

namespace of_tinytc {

auto print(tinytc_prog *prog) -> std::string {
    auto const is_own = own_names() && tinytc::after{}.number == 1;
    return is_own ? tinytc::print_to_string(prog).get() : "";
}

auto parse(char const *text) -> tinytc_prog * { return tinytc::parse_string(text).release(); }

} // namespace of_tinytc
