// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B and C = max(A B, 0) on tiles with a 2-D grid of work-groups, whose order is the kernel's
/// choice: in linear, grouped, and Morton order the same bits come out.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

namespace {

constexpr auto blocks = product_sizes{128, 128, 64};

auto kernel_text(std::string const &type, std::string const &order, bool relu) -> std::string {
    auto const epilogue = R"(
  %out = tile_apply (%i, %j, %x) = (%acc) -> tile<f32 x $bm x $bn, matrix_acc> {
    %y = max %x, 0.0
    yield (%y)
  }
  %c = cast %out)";
    return blocks.definitions() + "$ty = " + type + R"( $matrix = memref<$ty x ? x ?>
func @gemm(%A: $matrix $align, %B: $matrix $align, %C: $matrix $align) {
  %M = size %C[0]  %N = size %C[1]  %K = size %A[1]
  %nm = cdiv %M, $bm
  %nn = cdiv %N, $bn
  %tm, %tn = tile_order.)" + order + R"( %nm, %nn
  %m = mul %tm, $bm
  %n = mul %tn, $bn
  %acc = for %k = 0, %K, $bk init(%d = 0.0) -> (tile<f32 x $bm x $bn, matrix_acc>) {
    %a = tile_load %A[%m, %k] : $bm x $bk
    %b = tile_load %B[%k, %n] : $bk x $bn
    %e = tile_dot %a, %b, %d
    yield (%e)
  })" + (relu ? epilogue : "\n  %c = cast %acc") + R"( : tile<$ty x $bm x $bn, matrix_acc>
  tile_store %c, %C[%m, %n]
})";
}

/// Multiplies matrices of numbers of type T in all orders.
template <typename T> void multiply(tile_session &session, product_request const &request) {
    auto const &size = request.size;
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows, cols, matrix_order::column_major, 0, request.offset(),
                              session.queue()};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n);
    auto const C = make(size.m, size.n), again = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    auto const compute = [&](tile_matrix<T> const &to, std::string const &order, bool relu) {
        auto const made = session.compile(
            request.alignment<T>() + kernel_text(type_name<T>(), order, relu), "gemm");
        to.poison();
        return session.launch(made, blocks.cols_of(size), blocks.rows_of(size),
                              std::tuple_cat(A.column_arguments(), B.column_arguments(),
                                             to.column_arguments()));
    };
    auto const name = size.to_string() + ' ' + type_name<T>();
    auto time = compute(C, "linear_n", false);
    auto const error = worst_product_error(A, B, C, 0, no_epilogue);
    session.report(name + ", linear", time, error);
    for (auto const *order : {"grouped", "morton"}) {
        time = compute(again, order, false);
        session.report(name + ", " + order + ": the same bits", time, error,
                       again.has_bits_of(C) && again.is_guard_intact());
    }
    time = compute(again, "linear_n", true);
    auto const relu = [](auto, auto, exact_entry sum) {
        return exact_entry{std::max(sum.value, 0.0), sum.magnitude};
    };
    session.report(name + ", with ReLU", time, worst_product_error(A, B, again, 0, relu));
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto const request =
            read_request(argc, argv, "tile_gemm [--size M N K] [--misaligned]", {1024, 1024, 1024});
        auto session = tile_session{};
        multiply<float>(session, request);
        multiply<tiletc::bfloat16>(session, request);
        return session.finish();
    });
}
