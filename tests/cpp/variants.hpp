// SPDX-License-Identifier: BSD-3-Clause

// A kernel that leaves strides open, launched on matrices of every layout: whichever variant it runs, the
// result is the same.

#ifndef VARIANTS_HPP
#define VARIANTS_HPP

#include "check.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

constexpr char const *copy_text =
    "func @copy(%A: memref<f32x?x?,strided<?,?>>, %B: memref<f32x?x?,strided<?,?>>) {\n"
    "    %o = constant 0 : index\n"
    "    %a = tile_load %A[%o,%o] : tile<f32x32x16,matrix_acc>\n"
    "    tile_store %a, %B[%o,%o]\n"
    "}\n";

constexpr std::int64_t copied_rows = 20, copied_cols = 16;
constexpr std::size_t copied_numbers = 2048;

/// Strides of a matrix: by columns, by rows, and with space between all numbers.
constexpr std::array<std::array<std::int64_t, 2>, 3> copied_strides = {{{1, 24}, {16, 1}, {2, 48}}};

/// Copies a matrix of each layout to one of each layout. `launch` runs the kernel on strides of A and of B;
/// `has_variant` tells whether there is one for them. There are four variants, which the first layouts get
/// that know anything.
template <typename Launch, typename HasVariant>
void copy_every_layout(float *A, float *B, Launch const &launch, HasVariant const &has_variant) {
    int open = 4;
    for (auto const &from : copied_strides) {
        for (auto const &to : copied_strides) {
            for (std::size_t i = 0; i < copied_numbers; ++i) {
                A[i] = static_cast<float>(i);
                B[i] = -1.0f;
            }
            auto const is_known = from[0] == 1 || from[1] == 1 || to[0] == 1 || to[1] == 1;
            auto const expected = is_known && open-- > 0;
            CHECK(has_variant(from, to) == expected);
            launch(from, to);
            CHECK(has_variant(from, to) == expected);
            auto copied = true;
            for (std::int64_t j = 0; j < copied_cols; ++j) {
                for (std::int64_t i = 0; i < copied_rows; ++i) {
                    auto &b = B[i * to[0] + j * to[1]];
                    copied = copied && b == A[i * from[0] + j * from[1]];
                    b = -1.0f;
                }
            }
            CHECK(copied);
            for (std::size_t i = 0; i < copied_numbers; ++i) {
                copied = copied && B[i] == -1.0f;
            }
            CHECK(copied);
        }
    }
}

#endif // VARIANTS_HPP
