// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B on tiles in single precision, for any sizes and any two strides of each matrix: the
/// matrix product that tutorials of tile languages begin with, and its exercises.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <cmath>
#include <string>
#include <tuple>

namespace {

using matrix = tile_matrix<float>;

/// Variants: a bias for each row; A stored as its transpose; the mask along K as it is printed in a
/// tutorial, where it moves with the loop twice.
enum class variant { plain, bias, transposed, printed };

auto kernel_text(product_sizes const &blocks, variant kind) -> std::string {
    auto const transposed = kind == variant::transposed;
    auto const load_a = transposed ? ".t %A[%k, %m]" : " %A[%m, %k]";
    auto const wrap_a = transposed ? R"("zero", "wrap")" : R"("wrap", "zero")";
    auto const epilogue = R"(
  %sum = tile_apply (%i, %j, %x) = (%acc) -> tile<f32 x $bm x $bn, matrix_acc> {
    %inner = cast %i : index
    %row = add %m, %inner
    %entry = load %bias[%row]
    %y = add %x, %entry
    yield (%y)
  }
  tile_store %sum)";
    return blocks.definitions() + R"($matrix = memref<f32x?x?,strided<?,?>>
func @sgemm(%A: $matrix $align, %B: $matrix $align, %C: $matrix $align, %bias: memref<f32x?> $align) {
  %M = size %C[0]  %N = size %C[1]  %K = size %B[0]
  %nm = cdiv %M, $bm
  %nn = cdiv %N, $bn
  %tm, %tn = tile_order.grouped %nm, %nn {group=8}
  %m = mul %tm, $bm
  %n = mul %tn, $bn
  %acc = for %k = 0, %K, $bk init(%d = 0.0) -> (tile<f32 x $bm x $bn, matrix_acc>) {
    %end = sub %K, )" + (kind == variant::printed ? "%k" : "0") + R"(
    %a = tile_load)" + load_a + R"( mask (%r, %c) {
      %ok = less_than )" + (transposed ? "%r" : "%c") + R"(, %end
      yield (%ok)
    } {boundary=[)" + wrap_a + R"(]} : $bm x $bk
    %b = tile_load %B[%k, %n] mask (%r, %c) {
      %ok = less_than %r, %end
      yield (%ok)
    } {boundary=["zero", "wrap"]} : $bk x $bn
    %e = tile_dot %a, %b, %d
    yield (%e)
  })" + (kind == variant::bias ? epilogue : "\n  tile_store %acc") + R"(, %C[%m, %n] mask (%r, %c) {
    %in_rows = less_than %r, %M
    %in_cols = less_than %c, %N
    %ok = and %in_rows, %in_cols
    yield (%ok)
  }
})";
}

auto order_of(int orders, int bit) -> matrix_order {
    return orders >> bit & 1 ? matrix_order::row_major : matrix_order::column_major;
}

/// A kernel with the blocks that it computes in.
struct sgemm {
    sgemm(tile_session &on, product_request const &request, product_sizes const &blocks,
          variant kind = variant::plain)
        : session{on}, offset{request.offset()}, blocks{blocks}, kind{kind},
          made{on.compile(request.alignment<float>() + kernel_text(blocks, kind), "sgemm")} {}

    /// Computes a product and reports it. Bits of `orders` are set where A, B, and C are row-major.
    void run(std::string const &name, product_sizes const &size, int orders = 7,
             std::int64_t padding = 0) const {
        auto const make = [&](std::int64_t rows, std::int64_t cols, int bit) {
            return matrix{rows, cols, order_of(orders, bit), padding, offset, session.queue()};
        };
        auto const A = make(size.m, size.k, 0), B = make(size.k, size.n, 1);
        auto const C = make(size.m, size.n, 2), bias = make(size.m, 1, 3);
        A.fill(0), B.fill(1), bias.fill(2);
        auto const groups = blocks.rows_of(size) * blocks.cols_of(size);
        auto const a = A.arguments(kind == variant::transposed);
        auto const others = std::tuple{bias.get(), bias.rows()};
        auto const arguments = std::tuple_cat(a, B.arguments(), C.arguments(), others);
        auto const time = session.launch(made, groups, 1, arguments);
        auto const error = worst_product_error(A, B, C, 1, [&](auto i, auto, exact_entry sum) {
            double const added = kind == variant::bias ? bias(i, 0) : 0.0;
            return exact_entry{sum.value + added, sum.magnitude + std::fabs(added)};
        });
        // The check has to notice what the printed kernel leaves out.
        auto const is_wrong = error > 1.0 && std::isfinite(error);
        session.report(name, time, error, kind == variant::printed ? is_wrong : error <= 1.0);
    }

    tile_session &session;
    std::int64_t offset;
    product_sizes blocks;
    variant kind;
    compiled_kernel made;
};

auto compute(product_request const &request) -> bool {
    auto const &large = request.size;
    auto session = tile_session{};
    auto const small = product_sizes{65, 77, 53};
    auto const first = sgemm{session, request, {128, 256, 64}};
    for (auto const &size : {large, small, product_sizes{1, 1, 1}}) {
        first.run(size.to_string(), size);
    }
    for (int orders = 0; orders < 8; ++orders) {
        auto name = small.to_string() + ", padded, A B C by";
        for (int bit = 0; bit < 3; ++bit) {
            name += orders >> bit & 1 ? " rows" : " columns";
        }
        first.run(name, small, orders, 3);
    }
    sgemm{session, request, {64, 64, 32}, variant::bias}.run("bias", small);
    sgemm{session, request, {64, 64, 32}, variant::transposed}.run("transposed A", small);
    sgemm{session, request, {64, 64, 64}, variant::printed}.run(
        "mask moved twice: has to be wrong", {64, 64, 256});
    // Which blocks are the fastest does not depend on where matrices begin, and to build a kernel takes some seconds.
    if (request.offset() == 0) {
        for (auto const &blocks :
             {product_sizes{32, 32, 32}, {64, 64, 32}, {128, 64, 32}, {128, 128, 32}}) {
            sgemm{session, request, blocks}.run(large.to_string() + ", blocks " + blocks.to_string(), large);
        }
    }
    return session.finish();
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        return compute(
            read_request(argc, argv, "tile_sgemm [--size M N K] [--misaligned]", {512, 512, 256}));
    });
}
