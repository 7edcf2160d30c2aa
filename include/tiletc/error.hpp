// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Failures as exceptions. Functions that take a source location throw `builder_error`, all others
/// throw `status` by value.

#ifndef TILETC_ERROR_HPP
#define TILETC_ERROR_HPP

#include <tiletc/enums.hpp>
#include <tiletc/namespace.hpp>
#include <tiletc/tiletc.h>

#include <cstdint>
#include <exception>
#include <utility>

namespace TILETC_NAMESPACE {

/// A place in a source text.
using position = ::tiletc_position_t;
/// A range in a source text.
using location = ::tiletc_location_t;

/// Stands for a size, stride or offset that is known at run time only (`?` in the text form).
constexpr static std::int64_t dynamic = TILETC_DYNAMIC;

/// Returns whether `i` stands for a value known at run time only.
inline auto is_dynamic_value(std::int64_t i) -> bool { return i == dynamic; }

namespace internal {

/// Exception that an error reporter has thrown on this thread, until the call that it heard of has returned.
inline thread_local std::exception_ptr reporter_exception;

/// Throws what an error reporter has thrown, if it has.
inline void rethrow_from_reporter() {
    if (reporter_exception) {
        std::rethrow_exception(std::exchange(reporter_exception, nullptr));
    }
}

} // namespace internal

/// Throws what the error reporter has thrown during the call, else `code` as `status` unless it is
/// success.
inline void CHECK_STATUS(tiletc_status_t code) {
    internal::rethrow_from_reporter();
    if (code != tiletc_status_success) {
        throw static_cast<status>(code);
    }
}

/// A failure with the place in the source it belongs to.
class builder_error : public std::exception {
  public:
    /// A failure `code` at `loc`.
    builder_error(status code, location const &loc) : code_{code}, loc_{loc} {}

    /// Status of what went wrong.
    auto code() const noexcept -> status { return code_; }
    /// Place where it went wrong.
    auto loc() const noexcept -> location const & { return loc_; }
    /// Description of what went wrong.
    auto what() const noexcept -> char const * override { return to_string(code_); }

  private:
    status code_;
    location loc_;
};

/// Throws what the error reporter has thrown during the call, else `code` as `builder_error` at
/// `loc` unless it is success.
inline void CHECK_STATUS_LOC(tiletc_status_t code, location const &loc) {
    internal::rethrow_from_reporter();
    if (code != tiletc_status_success) {
        throw builder_error(static_cast<status>(code), loc);
    }
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_ERROR_HPP
