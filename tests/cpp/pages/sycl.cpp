// SPDX-License-Identifier: BSD-3-Clause

// The program of the manual's page "SYCL".

#include <sycl/sycl.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>

// C_e <- C_e + A B_e: one work-group for each element e
constexpr char const *text = R"(
    func @multiply(%A: memref<f32x8x8>, %B: memref<f32x8x8x?>, %C: memref<f32x8x8x?>) {
        %e   = group_id.x : index
        %b   = subview %B[0:8,0:8,%e] : memref<f32x8x8>
        %c   = subview %C[0:8,0:8,%e] : memref<f32x8x8>
        %one = constant 1.0 : f32
        gemm %one, %A, %b, %one, %c
    }
)";

int main() try {
    auto q = sycl::queue{};

    // From the text to a kernel: once
    auto prog = tiletc::parse_string(text);
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "multiply");

    // Memory that host and device share, aligned to 128 bytes
    std::int64_t const elements = 1000;
    auto const numbers = static_cast<std::size_t>(64 * elements);
    auto *A = sycl::aligned_alloc_shared<float>(128, 64, q);
    auto *B = sycl::aligned_alloc_shared<float>(128, numbers, q);
    auto *C = sycl::aligned_alloc_shared<float>(128, numbers, q);
    for (std::size_t i = 0; i < 64; ++i) {
        A[i] = i % 9 == 0 ? 2.0f : 0.0f; // twice the identity
    }
    for (std::size_t i = 0; i < numbers; ++i) {
        B[i] = static_cast<float>(i % 1000);
        C[i] = 1.0f;
    }

    // Launch one work-group for each element: SYCL counts dimensions backwards, so x stands last.
    // Arguments are in the order of the kernel's; behind B and C stands what their `?` is
    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    tiletc::submit(q, kernel, groups, A, B, elements, C, elements).wait();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < numbers; ++i) {
        wrong += C[i] != 1.0f + 2.0f * B[i] ? 1 : 0;
    }
    std::printf("%zu numbers are wrong\n", wrong);
    for (auto *tensor : {A, B, C}) {
        sycl::free(tensor, q);
    }
    return wrong == 0 ? 0 : 1;
} catch (std::exception const &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
