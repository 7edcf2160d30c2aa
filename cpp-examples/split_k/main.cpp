// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B with few tiles of C and a long K, whose parts are computed by different work-groups and
/// added by a second kernel.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <cstdint>
#include <string>
#include <tuple>

namespace {

constexpr auto blocks = product_sizes{64, 64, 64};

/// Choices of the command line besides sizes.
struct options {
    std::int64_t parts = 16;
    std::string kernel_file = beside_program("split_k.ir");
};

/// Multiplies matrices of numbers of type T twice.
template <typename T>
void multiply(tile_session &session, product_request const &request, options const &opts) {
    check_device<T>(session.queue().get_device(), 0.0);
    auto const &size = request.size;
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows,           cols, matrix_order::column_major, 0, request.offset(),
                              session.queue()};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n);
    auto const C = make(size.m, size.n), again = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    // A matrix of size M x N for each part, one beside the other
    auto const P = tile_matrix<float>{size.m, size.n * opts.parts, matrix_order::column_major, 0,
                                      0,      session.queue()};
    auto const definitions =
        request.alignment<T>() + blocks.definitions() + "$elem = " + type_name<T>();
    auto const parts = session.compile_file(opts.kernel_file, definitions, "parts");
    auto const total = compiled_kernel{parts.bundle, tiletc::create_kernel(parts.bundle, "total")};
    auto const compute = [&](tile_matrix<T> const &to) {
        P.poison();
        to.poison();
        auto const of_P = std::tuple{P.get(), size.m, size.n, opts.parts, size.m, size.m * size.n};
        auto const tiles = blocks.rows_of(size) * blocks.cols_of(size);
        auto const time =
            session.launch(parts, tiles, opts.parts,
                           std::tuple_cat(A.column_arguments(), B.column_arguments(), of_P));
        return time + session.launch(total, tiles, 1, std::tuple_cat(of_P, to.column_arguments()));
    };
    auto const name =
        size.to_string() + ' ' + type_name<T>() + " in " + std::to_string(opts.parts) + " parts";
    auto time = compute(C);
    // A sum goes through an addition for each part besides those of its products.
    auto const error = worst_product_error(A, B, C, opts.parts, no_epilogue);
    session.report(name, time, error);
    time = compute(again);
    session.report(name + ": the same bits", time, error,
                   again.has_bits_of(C) && again.is_guard_intact() && P.is_guard_intact());
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto opts = options{};
        auto const request = read_request(argc, argv,
                                          "split_k [--size M N K] [--parts P] [--misaligned] "
                                          "[--kernel FILE]\n\nP is 16 by default.",
                                          {256, 256, 8192}, [&](command_line &line) {
                                              if (line.is("-p", "--parts")) {
                                                  opts.parts = line.number(1, 64);
                                              } else if (line.is("--kernel")) {
                                                  opts.kernel_file = line.value();
                                              } else {
                                                  return false;
                                              }
                                              return true;
                                          });
        auto session = tile_session{};
        multiply<float>(session, request, opts);
        multiply<tiletc::half>(session, request, opts);
        multiply<tiletc::bfloat16>(session, request, opts);
        return session.finish();
    });
}
