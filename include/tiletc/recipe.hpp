// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Recipes from C++: ready-made kernels, and the arguments they are launched with. The runtimes'
/// headers make handlers of recipes and submit them.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_RECIPE_HPP) : !defined(TILETC_RECIPE_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_RECIPE_HPP
#else
#define TILETC_RECIPE_HPP
#endif

#include <tiletc/enums.hpp>
#include <tiletc/error.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/mem.hpp>
#include <tiletc/tiletc.h>

#include <cstdint>

namespace TILETC_NAMESPACE {

/// The compiled, hence lowered, program of a recipe.
inline auto get_prog(const_tiletc_recipe_t recipe) -> shared_handle<tiletc_prog_t> {
    tiletc_prog_t prg = nullptr;
    CHECK_STATUS(tiletc_recipe_get_prog(recipe, &prg));
    return shared_handle{prg, true};
}

/// The binary of a recipe, with the kernels `gemm` and `gemm_beta0`.
inline auto get_binary(const_tiletc_recipe_t recipe) -> shared_handle<tiletc_binary_t> {
    tiletc_binary_t bin = nullptr;
    CHECK_STATUS(tiletc_recipe_get_binary(recipe, &bin));
    return shared_handle{bin, true};
}

/// The recipe that a handler was made of.
inline auto get_recipe(const_tiletc_recipe_handler_t handler) -> shared_handle<tiletc_recipe_t> {
    tiletc_recipe_t recipe = nullptr;
    CHECK_STATUS(tiletc_recipe_handler_get_recipe(handler, &recipe));
    return shared_handle{recipe, true};
}

////////////////////////////
//// Small batched GEMM ////
////////////////////////////

/// The recipe of C_i := alpha opA(A_i) opB(B_i) + beta C_i for all i of a batch. Matrices are
/// column-major; entry (m, n) of X_i lies at `m + n * ldX + i * strideX`, and a stride of 0 shares
/// one matrix over the batch. Sizes, leading dimensions and strides count numbers.
inline auto create_small_gemm_batched(tiletc_core_info_t info, tiletc_type_t number_ty,
                                      transpose tA, transpose tB, std::int64_t M, std::int64_t N,
                                      std::int64_t K, std::int64_t ldA, std::int64_t strideA,
                                      std::int64_t ldB, std::int64_t strideB, std::int64_t ldC,
                                      std::int64_t strideC) -> shared_handle<tiletc_recipe_t> {
    tiletc_recipe_t recipe = nullptr;
    CHECK_STATUS(tiletc_recipe_small_gemm_batched_create(
        &recipe, info, number_ty, static_cast<tiletc_transpose_t>(tA),
        static_cast<tiletc_transpose_t>(tB), M, N, K, ldA, strideA, ldB, strideB, ldC, strideC));
    return shared_handle{recipe};
}

/// Sets what the next launch of the handler computes: `howmany` products. `T` is the recipe's number
/// type. If beta is 0, C is only written.
template <typename T>
void set_small_gemm_batched_args(tiletc_recipe_handler_t handler, std::int64_t howmany, T alpha,
                                 mem A, mem B, T beta, mem C) {
    CHECK_STATUS(tiletc_recipe_small_gemm_batched_set_args(
        handler, howmany, sizeof(T), &alpha, static_cast<tiletc_mem_type_t>(A.type), A.value,
        static_cast<tiletc_mem_type_t>(B.type), B.value, sizeof(T), &beta,
        static_cast<tiletc_mem_type_t>(C.type), C.value));
}

/// The same for a wrapped handler.
template <typename T>
void set_small_gemm_batched_args(shared_handle<tiletc_recipe_handler_t> const &handler,
                                 std::int64_t howmany, T alpha, mem A, mem B, T beta, mem C) {
    set_small_gemm_batched_args(handler.get(), howmany, alpha, A, B, beta, C);
}

////////////////////////////
/// Tall and skinny GEMM ///
////////////////////////////

/// The recipe of C := alpha A B + beta C with A M x K, B K x N and C M x N, column-major, where M is
/// large and known at launch only, like the leading dimensions. A work-group computes `M_block_size`
/// rows; 0 leaves that to the compiler.
inline auto create_tall_and_skinny(tiletc_core_info_t info, tiletc_type_t number_ty, std::int64_t N,
                                   std::int64_t K, std::int32_t M_block_size = 0)
    -> shared_handle<tiletc_recipe_t> {
    tiletc_recipe_t recipe = nullptr;
    CHECK_STATUS(
        tiletc_recipe_tall_and_skinny_create(&recipe, info, number_ty, N, K, M_block_size));
    return shared_handle{recipe};
}

/// The same with more known: each of M, ldA, ldB and ldC is a number or `dynamic`; the matrices lie at
/// multiples of alignA, alignB and alignC bytes, where 0 is the device's default.
inline auto create_tall_and_skinny_specialized(
    tiletc_core_info_t info, tiletc_type_t number_ty, std::int64_t M, std::int64_t N,
    std::int64_t K, std::int64_t ldA, std::int64_t ldB, std::int64_t ldC, std::int32_t alignA,
    std::int32_t alignB, std::int32_t alignC, std::int32_t M_block_size = 0)
    -> shared_handle<tiletc_recipe_t> {
    tiletc_recipe_t recipe = nullptr;
    CHECK_STATUS(tiletc_recipe_tall_and_skinny_create_specialized(&recipe, info, number_ty, M, N, K,
                                                                  ldA, ldB, ldC, alignA, alignB,
                                                                  alignC, M_block_size));
    return shared_handle{recipe};
}

/// Sets what the next launch of the handler computes: a product of M rows. All sizes are given,
/// whether the recipe knows them or not. `T` is the recipe's number type. If beta is 0, C is only
/// written.
template <typename T>
void set_tall_and_skinny_args(tiletc_recipe_handler_t handler, std::int64_t M, T alpha, mem A,
                              std::int64_t ldA, mem B, std::int64_t ldB, T beta, mem C,
                              std::int64_t ldC) {
    CHECK_STATUS(tiletc_recipe_tall_and_skinny_set_args(
        handler, M, sizeof(T), &alpha, static_cast<tiletc_mem_type_t>(A.type), A.value, ldA,
        static_cast<tiletc_mem_type_t>(B.type), B.value, ldB, sizeof(T), &beta,
        static_cast<tiletc_mem_type_t>(C.type), C.value, ldC));
}

/// The same for a wrapped handler.
template <typename T>
void set_tall_and_skinny_args(shared_handle<tiletc_recipe_handler_t> const &handler, std::int64_t M,
                              T alpha, mem A, std::int64_t ldA, mem B, std::int64_t ldB, T beta,
                              mem C, std::int64_t ldC) {
    set_tall_and_skinny_args(handler.get(), M, alpha, A, ldA, B, ldB, beta, C, ldC);
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_RECIPE_HPP
