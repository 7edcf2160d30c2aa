// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B by a fixed number of work-groups that take the same number of steps each, and a second
/// kernel for the tiles that were cut.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

namespace {

constexpr auto blocks = product_sizes{64, 64, 64};

/// Multiplies matrices of numbers of type T twice.
template <typename T>
void multiply(tile_session &session, product_request const &request,
              product_choices const &choices) {
    auto const &q = session.queue();
    check_device<T>(q.get_device(), 0.0);
    auto const &size = request.size;
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<T>{rows, cols, matrix_order::column_major, 0, request.offset(), q};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n);
    auto const C = make(size.m, size.n), again = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    auto const tiles = blocks.rows_of(size) * blocks.cols_of(size);
    auto const steps = std::max<std::int64_t>((size.k + blocks.k - 1) / blocks.k, 1);
    auto const groups = std::min(choices.number, tiles * steps);
    // Two tiles for each work-group
    auto const P =
        tile_matrix<float>{blocks.m, blocks.n * 2 * groups, matrix_order::column_major, 0, 0, q};

    auto const definitions =
        request.alignment<T>() + blocks.definitions() + "$elem = " + type_name<T>();
    auto const segments = session.compile_file(choices.kernel_file, definitions, "segments");
    auto const fixup =
        compiled_kernel{segments.bundle, tiletc::create_kernel(segments.bundle, "fixup")};
    auto const compute = [&](tile_matrix<T> const &to) {
        P.poison();
        to.poison();
        auto const of_P = std::tuple{P.get(), groups};
        auto const time = session.launch(segments, groups, 1,
                                         std::tuple_cat(A.column_arguments(), B.column_arguments(),
                                                        of_P, to.column_arguments()));
        return time + session.launch(
                          fixup, tiles, 1,
                          std::tuple_cat(std::tuple{groups, size.k}, of_P, to.column_arguments()));
    };
    auto const name =
        size.to_string() + ' ' + type_name<T>() + ", " + std::to_string(groups) + " work-groups";
    auto time = compute(C);
    // A tile has no more parts than steps, and the sum an addition for each of them.
    auto const error = worst_product_error(A, B, C, std::min(groups, steps), no_epilogue);
    session.report(name, time, error);
    time = compute(again);
    session.report(name + ": the same bits", time, error,
                   again.has_bits_of(C) && again.is_guard_intact() && P.is_guard_intact());
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto choices = product_choices{24, beside_program("stream_k.ir")};
        auto const request =
            read_request(argc, argv,
                         "stream_k [--size M N K] [--groups G] [--misaligned] [--kernel FILE]\n\n"
                         "G is 24 by default.",
                         {448, 320, 1024}, choices.reader("-g", "--groups", 4096));
        auto session = tile_session{};
        multiply<float>(session, request, choices);
        multiply<tiletc::half>(session, request, choices);
        multiply<tiletc::bfloat16>(session, request, choices);
        return session.finish();
    });
}
