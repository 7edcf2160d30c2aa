// SPDX-License-Identifier: BSD-3-Clause

// A SYCL program that calls each of the 14 functions, runs a kernel and a recipe, and catches what
// they throw.

#include "tinytc_0_4_sycl.hpp"

#include "kernel.h"

#include <cstdint>
#include <exception>
#include <optional>

namespace {

using tinytc::shared_handle;

void kernel(sycl::queue q, tinytc_core_info_t info) {
    auto *const prog = parsed();
    tinytc_binary_t bin = nullptr;
    auto const of_prog = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    CHECK(tinytc_prog_compile_to_spirv_and_assemble(&bin, prog, info) == tinytc_status_success);
    auto const of_bin = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), bin);
    CHECK(tinytc_binary_release(bin) == tinytc_status_success);
    CHECK(tinytc_prog_release(prog) == tinytc_status_success);

    auto *const A = sycl::aligned_alloc_shared<float>(128, 64, q);
    auto *const B = sycl::aligned_alloc_shared<float>(128, numbers, q);
    auto *const C = sycl::aligned_alloc_shared<float>(128, numbers, q);
    for (auto const &bundle : {of_prog, of_bin}) {
        fill(A, B, C);
        auto const multiply = tinytc::create_kernel(bundle, "multiply");
        auto const groups = sycl::range<3u>{1, 1, elements};
        auto const range = tinytc::get_execution_range(multiply, groups);
        CHECK(range.get_local_range() == tinytc::get_group_size(multiply));
        CHECK(range.get_global_range() ==
              tinytc::get_global_size(groups, tinytc::get_group_size(multiply)));
        q.submit([&](sycl::handler &h) {
             h.set_args(A, B, std::int64_t{elements}, C, std::int64_t{elements});
             h.parallel_for(range, multiply);
         }).wait();
        CHECK(count_wrong(B, C) == 0);
    }
    for (auto *tensor : {A, B, C}) {
        sycl::free(tensor, q);
    }
}

void recipe(sycl::queue q, tinytc_core_info_t info) {
    tinytc_compiler_context_t ctx = nullptr;
    tinytc_type_t f32 = nullptr;
    tinytc_recipe_t gemm = nullptr;
    CHECK(tinytc_compiler_context_create(&ctx) == tinytc_status_success);
    CHECK(tinytc_f32_type_get(&f32, ctx) == tinytc_status_success);
    CHECK(tinytc_recipe_small_gemm_batched_create(&gemm, info, f32, tinytc_transpose_N,
                                                  tinytc_transpose_N, 8, 8, 8, 8, 0, 8, 64, 8,
                                                  64) == tinytc_status_success);
    auto *const A = sycl::aligned_alloc_shared<float>(128, 64, q);
    auto *const B = sycl::aligned_alloc_shared<float>(128, numbers, q);
    auto *const C = sycl::aligned_alloc_shared<float>(128, numbers, q);
    auto const run = tinytc::create_recipe_handler(q, gemm);
    auto const same = tinytc::create_recipe_handler(q.get_context(), q.get_device(), gemm);
    try {
        tinytc::submit(run.get(), q);
        CHECK(!"reached: no arguments are set");
    } catch (tinytc::status st) {
        CHECK(st == tinytc::status::invalid_arguments);
    }
    float const one = 1.0f;
    for (auto *handler : {run.get(), same.get()}) {
        CHECK(tinytc_recipe_small_gemm_batched_set_args(
                  handler, elements, sizeof(one), &one, tinytc_mem_type_usm_pointer, A,
                  tinytc_mem_type_usm_pointer, B, sizeof(one), &one, tinytc_mem_type_usm_pointer,
                  C) == tinytc_status_success);
    }
    // Every launch adds twice B.
    fill(A, B, C);
    auto const first = tinytc::submit(run.get(), q);
    auto const second = tinytc::submit(same.get(), q, first);
    auto const third = tinytc::submit(run.get(), q, std::vector<sycl::event>{first, second});
    q.submit([&](sycl::handler &h) {
         h.depends_on(third);
         tinytc::parallel_for(same.get(), h);
     }).wait();
    for (int i = 0; i < numbers; ++i) {
        C[i] = (C[i] - 1.0f) / 4.0f + 1.0f;
    }
    CHECK(count_wrong(B, C) == 0);
    for (auto *tensor : {A, B, C}) {
        sycl::free(tensor, q);
    }
    CHECK(tinytc_recipe_release(gemm) == tinytc_status_success);
    CHECK(tinytc_compiler_context_release(ctx) == tinytc_status_success);
}

} // namespace

int main() {
    auto q = std::optional<sycl::queue>{};
    try {
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    try {
        CHECK(tinytc::get_support_level(q->get_device()) != tinytc::support_level::none);
        auto const info = tinytc::create_core_info(q->get_device());
        kernel(*q, info.get());
        recipe(*q, info.get());
    } catch (tinytc::status st) {
        std::fprintf(stderr, "status %d\n", static_cast<int>(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
