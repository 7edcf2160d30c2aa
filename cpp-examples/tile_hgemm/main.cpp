// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B for row-major matrices of half precision, summed in single precision: blocks of
/// 128x128x32, fetched into the caches ahead or staged in local memory, and on request what the
/// compiler makes of the kernel, stage by stage.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <cstdio>
#include <string>
#include <tuple>

namespace {

using matrix = tile_matrix<tiletc::half>;
constexpr auto blocks = product_sizes{128, 128, 32};

/// The place where an iteration finds its factors.
struct pipeline {
    char const *name, *order, *buffers, *copies, *a, *b, *attributes;
};

/// In global memory, of which the caches have got what two iterations later need.
constexpr auto fetched = pipeline{
    "3 stages", "linear_n", "", "", "%A[%k, %m]", "%B[%n, %k]", "num_stages=3"};

/// In local memory, which all subgroups have filled an iteration before: by a copy, and by a loop
/// over elements, which is the same to the compiler.
constexpr auto staged = pipeline{"2 stages in local memory",
                                 "panel_m",
                                 R"(
  %As = alloca : memref<f16 x $bk x $bm, swizzle<8, 1, 4>, local>
  %Bs = alloca : memref<f16 x $bn x $bk, swizzle<8, 1, 8>, local>)",
                                 R"(
    tile_copy %A[%k, %m], %As
    foreach (%i, %j) = (0, 0), ($bn, $bk) {
      %row = add %n, %i  %in_rows = less_than %row, $N : bool
      %col = add %k, %j  %in_cols = less_than %col, $K : bool
      %inside = and %in_rows, %in_cols : bool
      %x = if %inside -> (f16) { %y = load %B[%row, %col]  yield (%y) } else { yield (0.0) }
      store %x, %Bs[%i, %j]
    })",
                                 "%As[0, 0]",
                                 "%Bs[0, 0]",
                                 "num_stages=2, pipeline=\"slm\""};

/// Row-major matrices are column-major ones seen as their transposes: the modes of the types are
/// swapped, and `.t` swaps them back.
auto kernel_text(product_sizes const &size, pipeline const &form) -> std::string {
    return blocks.definitions() + "$M = " + std::to_string(size.m) +
           " $N = " + std::to_string(size.n) + " $K = " + std::to_string(size.k) + R"(
func @hgemm(%A: memref<f16 x $K x $M> $align, %B: memref<f16 x $N x $K> $align,
            %C: memref<f16 x $N x $M> $align) {)" +
           form.buffers + R"(
  %nm = cdiv $M, $bm : index
  %nn = cdiv $N, $bn : index
  %tm, %tn = tile_order.)" +
           form.order + R"( %nm, %nn
  %m = mul %tm, $bm
  %n = mul %tn, $bn
  %acc = for %k = 0, $K, $bk init(%d = 0.0) -> (tile<f32 x $bm x $bn, matrix_acc>) {)" +
           form.copies + "\n    %a = tile_load.t " + form.a +
           " : $bm x $bk\n    %b = tile_load.t " + form.b + R"( : $bk x $bn
    %e = tile_dot %a, %b, %d
    yield (%e)
  } attributes{)" +
           form.attributes + R"(}
  %c = cast %acc : tile<f16 x $bm x $bn, matrix_acc>
  tile_store.t %c, %C[%n, %m]
}
)";
}

/// Prints the kernel after each pass that concerns tiles, and at last as SPIR-V.
void print_stages(std::string const &text, sycl::device const &dev) {
    auto const print = [](char const *stage, tiletc::unique_handle<char *> const &what) {
        std::printf("---- %s ----\n%s\n", stage, what.get());
    };
    auto const prog = tiletc::parse_string(text);
    auto const info = tiletc::create_core_info(dev);
    print("text", tiletc::print_to_string(prog.get()));
    for (auto const *pass :
         {"tile-order", "constant-propagation", "dead-code-elimination", "foreach-copies",
          "tile-stages", "insert-barrier", "tile-orient", "work-group-size", "tile-copy",
          "tile-bounds", "tile-pipeline", "lower-tile", "lower-swizzle", "lower-coopmatrix"}) {
        tiletc::run_function_pass(pass, prog.get(), info.get());
        print(pass, tiletc::print_to_string(prog.get()));
    }
    auto const module = tiletc::compile_to_spirv(prog.get(), info.get());
    print("SPIR-V", tiletc::print_to_string(module.get()));
}

auto compute(product_request const &request, pipeline const &form, bool prints) -> bool {
    auto const &size = request.size;
    auto session = tile_session{};
    check_device<tiletc::half>(session.queue().get_device(), 0.0);
    auto const text = request.alignment<tiletc::half>() + kernel_text(size, form);
    if (prints) {
        print_stages(text, session.queue().get_device());
    }
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return matrix{rows, cols, matrix_order::row_major, 0, request.offset(), session.queue()};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n), C = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    auto const made = session.compile(text, "hgemm");
    auto const time = session.launch(made, blocks.cols_of(size), blocks.rows_of(size),
                                     std::tuple{A.get(), B.get(), C.get()});
    session.report(size.to_string() + " f16, by rows, " + form.name, time,
                   worst_product_error(A, B, C, 0, no_epilogue));
    return session.finish();
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto prints = false, stages = false;
        auto const request = read_request(
            argc, argv,
            "tile_hgemm [--size M N K] [--misaligned] [--staged] [--stages]\n\n"
            "--staged keeps the blocks of two iterations in local memory, in the order of panels.\n"
            "--stages prints the kernel after each pass of the compiler that concerns tiles.",
            {1024, 1024, 1024}, [&](command_line const &line) {
                prints = prints || line.is("--stages");
                stages = stages || line.is("--staged");
                return line.is("--stages") || line.is("--staged");
            });
        return compute(request, stages ? staged : fetched, prints);
    });
}
