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

/// Multiplies matrices of numbers of type T twice.
template <typename T>
void multiply(tile_session &session, product_request const &request,
              product_choices const &choices) {
    check_device<T>(session.queue().get_device(), 0.0);
    auto const &size = request.size;
    auto const num_parts = choices.number;
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows,           cols, matrix_order::column_major, 0, request.offset(),
                              session.queue()};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n);
    auto const C = make(size.m, size.n), again = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    // A matrix of size M x N for each part, one beside the other
    auto const P = tile_matrix<float>{size.m, size.n * num_parts, matrix_order::column_major, 0,
                                      0,      session.queue()};
    auto const definitions =
        request.alignment<T>() + blocks.definitions() + "$elem = " + type_name<T>();
    auto const parts = session.compile_file(choices.kernel_file, definitions, "parts");
    auto const total = compiled_kernel{parts.bundle, tiletc::create_kernel(parts.bundle, "total")};
    auto const compute = [&](tile_matrix<T> const &to) {
        P.poison();
        to.poison();
        auto const of_P = std::tuple{P.get(), size.m, size.n, num_parts, size.m, size.m * size.n};
        auto const tiles = blocks.rows_of(size) * blocks.cols_of(size);
        auto const time =
            session.launch(parts, tiles, num_parts,
                           std::tuple_cat(A.column_arguments(), B.column_arguments(), of_P));
        return time + session.launch(total, tiles, 1, std::tuple_cat(of_P, to.column_arguments()));
    };
    auto const name =
        size.to_string() + ' ' + type_name<T>() + " in " + std::to_string(num_parts) + " parts";
    auto time = compute(C);
    // A sum goes through an addition for each part besides those of its products.
    auto const error = worst_product_error(A, B, C, num_parts, no_epilogue);
    session.report(name, time, error);
    time = compute(again);
    session.report(name + ": the same bits", time, error,
                   again.has_bits_of(C) && again.is_guard_intact() && P.is_guard_intact());
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto choices = product_choices{16, beside_program("split_k.ir")};
        auto const request =
            read_request(argc, argv,
                         "split_k [--size M N K] [--parts P] [--misaligned] [--kernel FILE]\n\n"
                         "P is 16 by default.",
                         {256, 256, 8192}, choices.reader("-p", "--parts", 64));
        auto session = tile_session{};
        multiply<float>(session, request, choices);
        multiply<tiletc::half>(session, request, choices);
        multiply<tiletc::bfloat16>(session, request, choices);
        return session.finish();
    });
}
