// SPDX-License-Identifier: BSD-3-Clause

// Variants of kernels on Level Zero.

#include "../check.hpp"
#include "../variants.hpp"
#include "gpu.hpp"

#include <tiletc/tiletc.hpp>
#include <tiletc/tiletc_ze.hpp>

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>

namespace {

using strides = std::array<std::int64_t, 2>;

/// The variant of a kernel for matrices of these strides; null if there is none.
auto variant(ze_kernel_handle_t kernel, float *A, strides const &from, float *B, strides const &to)
    -> tiletc::unique_handle<ze_kernel_handle_t> {
    auto const args = tiletc::internal::make_args(A, copied_rows, copied_cols, from[0], from[1], B,
                                                  copied_rows, copied_cols, to[0], to[1]);
    ze_kernel_handle_t selected = nullptr;
    ze_module_handle_t module = nullptr;
    CHECK(tiletc_ze_prepare_launch(&selected, &module, nullptr, kernel, nullptr, args.size(),
                                   args.data()) == tiletc_status_success);
    CHECK((selected == nullptr) == (module == nullptr));
    return tiletc::unique_handle{selected};
}

} // namespace

int main() {
    gpu const on{2 * copied_numbers * sizeof(float)};
    auto *const A = static_cast<float *>(on.memory);
    auto *const B = A + copied_numbers;

    // A bundle for each round: variants go with it.
    for (int round = 0; round < 2; ++round) {
        auto const bundle =
            tiletc::create_kernel_bundle(on.context, on.device, tiletc::parse_string(copy_text));
        auto const kernel = tiletc::create_kernel(bundle.get(), "copy");
        copy_every_layout(
            A, B,
            [&](strides const &from, strides const &to) {
                tiletc::submit(on.list, kernel, {1, 1, 1}, A, copied_rows, copied_cols, from[0],
                               from[1], B, copied_rows, copied_cols, to[0], to[1]);
            },
            [&](strides const &from, strides const &to) {
                return variant(kernel.get(), A, from, B, to).get() != nullptr;
            });
    }
    return check_result();
}
