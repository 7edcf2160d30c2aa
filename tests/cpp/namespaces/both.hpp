// SPDX-License-Identifier: BSD-3-Clause

// What the two namespaces have is the same in each file, whatever it includes first.

#ifndef TILETC_TESTS_BOTH_HPP
#define TILETC_TESTS_BOTH_HPP

#include "../check.h"
#include "parts.hpp"

#include <cstring>
#include <exception>
#include <string>
#include <type_traits>

static_assert(std::is_enum_v<tinytc::status> && std::is_class_v<tiletc::status>);
static_assert(std::is_same_v<std::underlying_type_t<tinytc::status>, int>);
static_assert(!std::is_same_v<tinytc::shared_handle<tinytc_prog_t>, tiletc::shared_handle<tiletc_prog_t>>);
// The classes of C are shared.
static_assert(std::is_same_v<tinytc::location, tiletc::location>);

namespace {

/// A template of one is not specialised by a specialisation of the other's.
struct file_pointer;

} // namespace

template <> struct tiletc::auto_mem_type<file_pointer *> {
    constexpr static mem_type value = mem_type::svm_pointer;
};
template <> struct tinytc::auto_mem_type<file_pointer *> {
    constexpr static mem_type value = mem_type::buffer;
};
static_assert(tiletc::auto_mem_type_v<file_pointer *> == tiletc::mem_type::svm_pointer);
static_assert(tinytc::auto_mem_type_v<file_pointer *> == tinytc::mem_type::buffer);

namespace {

/// The handler that takes what the function throws.
template <typename F> auto handler_of(F &&f) -> std::string {
    try {
        f();
    } catch (tinytc::status st) {
        return "tinytc: " + tinytc::name_of(st);
    } catch (tiletc::status const &st) {
        return std::string{"tiletc: "} + to_string(st);
    }
    return "none";
}

/// Each throws what is its own, and a reporter that throws may be set by either for both.
auto both_throw_their_own() -> bool {
    auto const code = std::string{tinytc_status_to_string(tinytc_status_parse_error)};
    auto const ours = [](tiletc_compiler_context_t ctx) { tiletc::parse_string("?", ctx); };
    auto const theirs = [](tinytc_compiler_context_t ctx) { tinytc::parse_string("?", ctx); };
    CHECK(handler_of([&] { ours(nullptr); }) == "tiletc: " + code);
    CHECK(handler_of([&] { theirs(nullptr); }) == "tinytc: " + code);
    auto text = std::string{};
    try {
        ours(nullptr);
    } catch (std::exception const &e) {
        text = e.what();
    }
    CHECK(text.find("1.1: ") != std::string::npos);

    auto const ctx = tinytc::create_compiler_context();
    set_error_reporter(ctx, [](char const *, tinytc_location_t const *, void *) { throw 3; });
    for (auto const &call : {+ours, +theirs}) {
        try {
            call(ctx.get());
            CHECK(!"reached");
        } catch (int thrown) {
            CHECK(thrown == 3);
        }
    }
    return check_result() == 0;
}

} // namespace

#endif // TILETC_TESTS_BOTH_HPP
