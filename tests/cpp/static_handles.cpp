// SPDX-License-Identifier: BSD-3-Clause

// Handles in static variables and in those of threads are released when the variables of their thread are gone,
// which the library takes like any other call. A failure has been described before.

#include "check.hpp"

#include <tiletc/tiletc.hpp>

#include <cstdlib>
#include <thread>

namespace {

tiletc_compiler_context_t of_exit = nullptr;

void release_at_exit() {
    CHECK(tiletc_compiler_context_release(of_exit) == tiletc_status_success);
    CHECK(tiletc_compiler_context_release(nullptr) != tiletc_status_success);
    CHECK(*tiletc_get_error_message(tiletc_status_invalid_arguments) != '\0');
}

/// Calls from the destructor of a static object fail and succeed as everywhere.
struct calls_at_end {
    ~calls_at_end() {
        CHECK(status_of([] { tiletc::parse_string("func @f( {"); }) != tiletc::status::success);
        CHECK(status_of([] { tiletc::parse_string("func @f(%x: f32) {}"); }) == tiletc::status::success);
    }
};

struct of_thread {
    tiletc::shared_handle<tiletc_compiler_context_t> context;
};

} // namespace

int main() {
    // Registered first, it runs last.
    CHECK(std::atexit([] { std::_Exit(check_result()); }) == 0);
    static auto const last = calls_at_end{};
    static auto const context = tiletc::make_compiler_context();
    static auto const program = tiletc::parse_string("func @f(%x: f32) {}", context.get());
    static auto const info = tiletc::create_core_info_intel_from_arch(tiletc::intel_gpu_architecture::pvc);
    static auto const recipe = tiletc::create_small_gemm_batched(
        info.get(), tiletc::get<tiletc::f32_type>(context.get()), tiletc::transpose::N,
        tiletc::transpose::N, 4, 4, 4, 4, 16, 4, 16, 4, 16);
    CHECK(tiletc_compiler_context_create(&of_exit) == tiletc_status_success);
    CHECK(std::atexit(release_at_exit) == 0);
    CHECK(status_of([] { tiletc::parse_string("func @f( {", context.get()); }) !=
          tiletc::status::success);
    std::thread([] {
        thread_local of_thread mine;
        mine.context = tiletc::make_compiler_context();
    }).join();
}
