// SPDX-License-Identifier: BSD-3-Clause

// The status of C++ programs written for tinytc: a true enumeration, declared before its header is there, and thrown
// as such.

#include <cstdint>

namespace tinytc {
enum class status;
} // namespace tinytc

namespace {

/// An outcome beside other fields, by a header that knows the name only.
struct record {
    tinytc::status code : 32;
    std::uint32_t attempts : 8;
};

} // namespace

auto describe(tinytc::status code) -> char const *;

#include <tinytc/tinytc.hpp>

#include "check.h"

#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>

// The enumeration that is declared above, of the C enumeration's type
static_assert(std::is_enum_v<tinytc::status>);
static_assert(std::is_same_v<std::underlying_type_t<tinytc::status>, int>);
static_assert(sizeof(record) == 8 && sizeof(tinytc::status) == sizeof(int));
static_assert(std::is_trivially_copyable_v<tinytc::status>);
static_assert(!std::is_convertible_v<tinytc::status, int>);

namespace {

/// A constant of the type as an argument of templates.
template <tinytc::status Code> struct failure : std::runtime_error {
    failure() : std::runtime_error{tinytc::to_string(Code)} {}
};
template <> struct failure<tinytc::status::success>;
using not_read = std::integral_constant<tinytc::status, tinytc::status::file_io_error>;
static_assert(not_read::value == static_cast<tinytc::status>(tinytc_status_file_io_error));

#ifdef __cpp_using_enum
auto is_memory(tinytc::status code) -> bool {
    using enum tinytc::status;
    return code == bad_alloc || code == out_of_range;
}
#else
auto is_memory(tinytc::status code) -> bool {
    return code == tinytc::status::bad_alloc || code == tinytc::status::out_of_range;
}
#endif

void is_used_as_an_enumeration() {
    auto entry = record{tinytc::status::parse_error, 3};
    CHECK(entry.code == tinytc::status::parse_error && entry.attempts == 3);
    entry.code = tinytc::status::bad_alloc;
    CHECK(is_memory(entry.code) && !is_memory(tinytc::status{}));
    CHECK(std::strcmp(describe(entry.code), "memory") == 0);
    CHECK(failure<tinytc::status::parse_error>{}.what() ==
          std::string{tinytc_status_to_string(tinytc_status_parse_error)});
    auto const known = std::unordered_set<tinytc::status>{tinytc::status::success, not_read::value};
    auto const ordered = std::map<tinytc::status, int>{{not_read::value, 1}, {tinytc::status::bad_alloc, 2}};
    CHECK(known.count(not_read::value) == 1 && ordered.begin()->second == 2);
}

constexpr char const *wrong = "func @f(%a: f32, %b: f64) {\n    %c = add %a, %b : f32\n}\n";

/// Name of the handler that takes what the function throws; that for exceptions stands first.
template <typename F> auto handler_of(F &&f) -> std::string {
    try {
        f();
    } catch (std::exception const &) {
        return "exception";
    } catch (tinytc::status) {
        return "status";
    }
    return "none";
}

void is_thrown_as_such() {
    // Functions without a location
    CHECK(handler_of([] { tinytc::parse_string(wrong); }) == "status");
    CHECK(handler_of([] { tinytc::CHECK_STATUS(tinytc_status_not_implemented); }) == "status");
    CHECK(handler_of([] { tinytc::CHECK_STATUS(tinytc_status_success); }) == "none");
    try {
        tinytc::parse_string(wrong);
        CHECK(!"reached");
    } catch (tinytc::status const &st) {
        CHECK(st == tinytc::status::parse_error);
        // No exception has room for it, but the thread has the whole report.
        auto const text = std::string{tiletc_get_error_message(static_cast<tiletc_status_t>(st))};
        CHECK(text.find("(%b is f64, the result f32)") != std::string::npos);
    }
    // A copy that is kept and thrown again
    auto kept = std::exception_ptr{};
    try {
        tinytc::create_core_info_intel_from_name("i486");
    } catch (...) {
        kept = std::current_exception();
    }
    CHECK(handler_of([&] { std::rethrow_exception(kept); }) == "status");

    // Functions with a location: an exception that has a status, as in tinytc
    auto const at = tinytc::location{{1, 2, 3}, {1, 2, 4}};
    auto const build = [&] { tinytc::create_func("f", {}, nullptr, at); };
    CHECK(handler_of(build) == "exception");
    try {
        build();
    } catch (tinytc::builder_error const &e) {
        CHECK(e.code() == tinytc::status::invalid_arguments && e.loc().begin.line == 2);
    }
}

} // namespace

auto describe(tinytc::status code) -> char const * {
    switch (code) {
    case tinytc::status::success:
        return "success";
    case tinytc::status::bad_alloc:
    case tinytc::status::out_of_range:
        return "memory";
    default:
        return tinytc::to_string(code);
    }
}

int main() {
    is_used_as_an_enumeration();
    is_thrown_as_such();
    return check_result();
}
