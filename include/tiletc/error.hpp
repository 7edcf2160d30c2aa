// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Failures as exceptions. Functions that take a source location throw `builder_error`, all others
/// throw `status_error`, which is a `status`.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_ERROR_HPP) : !defined(TILETC_ERROR_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_ERROR_HPP
#else
#define TILETC_ERROR_HPP
#endif

#include <tiletc/enums.hpp>
#include <tiletc/tiletc.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#ifndef TILETC_INTERNAL_REPORTER_EXCEPTION
#define TILETC_INTERNAL_REPORTER_EXCEPTION
namespace tiletc_internal {
/// Exception that an error reporter has thrown on this thread, until the call that it heard of has returned. The
/// namespaces `tiletc` and `tinytc` share it, as they may share a context.
inline thread_local std::exception_ptr reporter_exception;
} // namespace tiletc_internal
#endif

#if !defined(TILETC_PLAIN_STATUS) && !defined(TILETC_IN_TINYTC)
/// Hash of an outcome.
template <> struct std::hash<TILETC_NAMESPACE::status> {
    /// The hash.
    auto operator()(TILETC_NAMESPACE::status val) const noexcept -> std::size_t {
        return std::hash<int>{}(static_cast<int>(val));
    }
};
#endif

namespace TILETC_NAMESPACE {

/// A place in a source text.
using position = ::tiletc_position_t;
/// A range in a source text.
using location = ::tiletc_location_t;

/// Stands for a size, stride or offset that is known at run time only (`?` in the text form).
constexpr static std::int64_t dynamic = TILETC_DYNAMIC;

/// Returns whether `i` stands for a value known at run time only.
inline auto is_dynamic_value(std::int64_t i) -> bool { return i == dynamic; }

#if !defined(TILETC_PLAIN_STATUS) && !defined(TILETC_IN_TINYTC)
/// A failure: a `status` that says what went wrong, too. `catch (status const &)` and
/// `catch (std::exception const &)` both take it.
class status_error : public std::runtime_error, public status {
  public:
    /// A failure `code` and its description.
    status_error(status code, std::string const &what) : std::runtime_error{what}, status{code} {}

    /// Status of what went wrong.
    auto code() const noexcept -> status { return *this; }
};
#endif

namespace internal {

using ::tiletc_internal::reporter_exception;

/// Throws what an error reporter has thrown, if it has.
inline void rethrow_from_reporter() {
    if (reporter_exception) {
        std::rethrow_exception(std::exchange(reporter_exception, nullptr));
    }
}

/// Throws a failure and its description; with none, the phrase of the status.
[[noreturn]] inline void fail(status code, std::string const &what = {}) {
#if defined(TILETC_PLAIN_STATUS) || defined(TILETC_IN_TINYTC)
    static_cast<void>(what);
    throw code;
#else
    throw status_error(code, what.empty() ? to_string(code) : what);
#endif
}

} // namespace internal

/// Throws what the error reporter has thrown during the call, else `code` as `status_error` unless it
/// is success.
inline void CHECK_STATUS(tiletc_status_t code) {
    internal::rethrow_from_reporter();
    if (code != tiletc_status_success) {
        internal::fail(static_cast<status>(code), tiletc_get_error_message(code));
    }
}

/// A failure with the place in the source it belongs to.
class builder_error : public std::runtime_error {
  public:
    /// A failure `code` at `loc`.
    builder_error(status code, location const &loc) : builder_error(code, loc, to_string(code)) {}
    /// A failure `code` at `loc`, and its description.
    builder_error(status code, location const &loc, std::string const &what)
        : std::runtime_error{what}, code_{code}, loc_{loc} {}

    /// Status of what went wrong.
    auto code() const noexcept -> status { return code_; }
    /// Place where it went wrong.
    auto loc() const noexcept -> location const & { return loc_; }

  private:
    status code_;
    location loc_;
};

/// Throws what the error reporter has thrown during the call, else `code` as `builder_error` at
/// `loc` unless it is success.
inline void CHECK_STATUS_LOC(tiletc_status_t code, location const &loc) {
    internal::rethrow_from_reporter();
    if (code != tiletc_status_success) {
        throw builder_error(static_cast<status>(code), loc, tiletc_get_error_message(code));
    }
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_ERROR_HPP
