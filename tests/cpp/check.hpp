// SPDX-License-Identifier: BSD-3-Clause

#ifndef TILETC_TESTS_CHECK_HPP
#define TILETC_TESTS_CHECK_HPP

#include "check.h"

#include <tiletc/tiletc.hpp>

#include <string>

/// The status that `call` throws, or success.
template <typename Status = tiletc::status, typename Call> auto status_of(Call &&call) -> Status {
    try {
        call();
    } catch (Status const &st) {
        return st;
    }
    return Status::success;
}

/// A program that is right, for the tests that need one.
inline auto small_program() -> std::string {
    return "func @copy(%A: memref<f32x16>, %B: memref<f32x16>) {\n"
           "    %c1 = constant 1.0 : f32\n"
           "    %c0 = constant 0.0 : f32\n"
           "    axpby.n %c1, %A, %c0, %B\n"
           "}\n";
}

#endif // TILETC_TESTS_CHECK_HPP
