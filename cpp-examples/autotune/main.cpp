// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = max(A B, 0) on tiles whose sizes are tuned when the program first meets a size of matrices, and
/// looked up from then on.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <tiletc/autotune.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

namespace {

/// A tile of so many rows and columns, and steps of so many columns of A.
auto tiles(char const *rows, char const *cols, char const *depth) -> tiletc::tuning_config {
    return {{"$bm", rows}, {"$bn", cols}, {"$bk", depth}};
}

void multiply(tile_session &session, product_request const &request, std::string const &kernel_file,
              std::string const &table) {
    auto const &size = request.size;
    auto const make = [&](std::int64_t rows, std::int64_t cols) {
        return tile_matrix<float>{rows, cols, matrix_order::column_major, 0, request.offset(),
                                  session.queue()};
    };
    auto const A = make(size.m, size.k), B = make(size.k, size.n), C = make(size.m, size.n);
    A.fill(0);
    B.fill(1);
    C.poison();

    auto gemm_relu =
        tiletc::autotune(session.queue(), read_template(kernel_file, request.alignment<float>()))
            .configs({tiles("16", "32", "16"), tiles("32", "32", "16"), tiles("32", "64", "16"),
                      tiles("64", "32", "16")})
            .key({"A", "C"})
            .budget(std::chrono::seconds{2});
    if (!table.empty()) {
        gemm_relu.table(table);
    }
    auto const arguments =
        std::tuple_cat(A.column_arguments(), B.column_arguments(), C.column_arguments());
    auto const call = [&] {
        auto const start = clock_type::now();
        std::apply(gemm_relu, arguments).wait_and_throw();
        return milliseconds_since(start);
    };
    auto const name = size.to_string() + " f32, with ReLU";
    auto const relu = [](auto, auto, exact_entry sum) {
        return exact_entry{std::max(sum.value, 0.0), sum.magnitude};
    };
    auto time = call();
    auto const error = worst_product_error(A, B, C, 0, relu);
    session.report(name + ", the first time", time, error, error <= 1.0 && C.is_guard_intact());
    time = call();
    session.report(name + ", the second time", time, error);
    auto const report = [&](auto const &...values) { return gemm_relu.report(values...); };
    std::printf("%s", std::apply(report, arguments).c_str());
}

} // namespace

auto main(int argc, char **argv) -> int {
    // Whoever says nothing else wants to see something tried.
    setenv("TILETC_TUNE", "on", 0);
    return run([&] {
        auto kernel_file = beside_program("autotune.ir");
        std::string table;
        auto const read_option = [&](command_line &line) {
            if (line.is("--kernel")) {
                kernel_file = line.value();
            } else if (line.is("--table")) {
                table = line.value();
            } else {
                return false;
            }
            return true;
        };
        auto const request =
            read_request(argc, argv,
                         "autotune [--size M N K] [--table FILE] [--misaligned] [--kernel FILE]\n\n"
                         "FILE keeps what is found, for the next run.",
                         {256, 256, 256}, read_option);
        auto session = tile_session{};
        multiply(session, request, kernel_file, table);
        return session.finish();
    });
}
