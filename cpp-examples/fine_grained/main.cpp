// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// C = A B by a kernel that says what each subgroup loads from local memory and multiplies.

#include "run.hpp"
#include "tile_matrix.hpp"
#include "tile_session.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr std::int64_t block = 128; ///< Rows and columns of a tile of C.
constexpr std::int64_t panels = 2;  ///< Panels of a step along K.

/// Rows and columns of a subgroup's share of a tile, and attributes of the function that make it so.
auto schedule_for(sycl::device const &dev) -> std::string {
    auto const sizes = dev.get_info<sycl::info::device::sub_group_sizes>();
    auto const lanes = dev.is_gpu() ? *std::min_element(sizes.begin(), sizes.end()) : 16;
    // 64x32 sums fill half of 256 registers of 64 bytes, those of subgroups of 16.
    auto const is_wide = dev.is_gpu() && lanes == 16;
    std::int64_t const rows = is_wide ? 64 : 32, cols = is_wide ? 32 : 16;
    auto const size = static_cast<std::int64_t>(lanes);
    return "$wm = " + std::to_string(rows) + " $wn = " + std::to_string(cols) +
           " $schedule = {subgroup_size=" + std::to_string(size) + ", work_group_size=[" +
           std::to_string(size * (block / rows)) + ',' + std::to_string(block / cols) + ']' +
           (is_wide ? ", grf_size=256} " : "} ");
}

/// 0 if every entry is the sum of its products, infinity otherwise.
auto worst_error(tile_matrix<std::int8_t> const &A, tile_matrix<std::int8_t> const &B,
                 tile_matrix<std::int32_t> const &C) -> double {
    constexpr auto wrong = std::numeric_limits<double>::infinity();
    return C.is_guard_intact() ? parallel_max(C.cols(), [&](std::int64_t j) {
        auto sums = std::vector<std::int64_t>(static_cast<std::size_t>(C.rows()));
        for (std::int64_t k = 0; k < A.cols(); ++k) {
            for (std::int64_t i = 0; i < C.rows(); ++i) {
                sums[static_cast<std::size_t>(i)] += std::int64_t{A(i, k)} * B(k, j);
            }
        }
        auto right = true;
        for (std::int64_t i = 0; i < C.rows(); ++i) {
            right = right && C(i, j) == sums[static_cast<std::size_t>(i)];
        }
        return right ? 0.0 : wrong;
    }) : wrong;
}
auto worst_error(tile_matrix<tiletc::half> const &A, tile_matrix<tiletc::half> const &B,
                 tile_matrix<float> const &C) -> double {
    return worst_product_error(A, B, C, 0, no_epilogue);
}

void fill(tile_matrix<tiletc::half> const &matrix, std::uint8_t tensor) { matrix.fill(tensor); }
void fill(tile_matrix<std::int8_t> const &matrix, std::uint8_t tensor) {
    for (std::int64_t at = 0; at < matrix.rows() * matrix.cols(); ++at) {
        matrix(at % matrix.rows(), at / matrix.rows()) =
            static_cast<std::int8_t>(std::lrint(random_number(tensor, at, 127.0)));
    }
}

/// Multiplies matrices of numbers of type T, which the language calls `name`, whose sums are of type
/// Sum, which `sums` defines there.
template <typename T, typename Sum>
void multiply(tile_session &session, product_request const &request, std::string const &file,
              std::string const &name, std::string const &sums) {
    auto const &size = request.size;
    auto const &q = session.queue();
    auto const order = matrix_order::column_major;
    auto const A = tile_matrix<T>{size.m, size.k, order, 0, request.offset(), q};
    auto const B = tile_matrix<T>{size.k, size.n, order, 0, request.offset(), q};
    auto const C = tile_matrix<Sum>{size.m, size.n, order, 0, request.offset(), q};
    fill(A, 0);
    fill(B, 1);
    // An instruction of a matrix engine takes 32 bytes along K.
    constexpr auto panel = static_cast<std::int64_t>(32 / sizeof(T));
    auto const blocks = product_sizes{block, block, panel * panels};
    auto const definitions = request.alignment<T>() + request.alignment<Sum>("$of_sums") +
                             blocks.definitions() + "$elem = " + name + ' ' + sums +
                             " $panel = " + std::to_string(panel) +
                             " $panels = " + std::to_string(panels) + ' ' +
                             schedule_for(q.get_device());
    auto const made = session.compile_file(file, definitions, "fine_grained");
    auto const time = session.launch(
        made, blocks.rows_of(size) * blocks.cols_of(size), 1,
        std::tuple_cat(A.column_arguments(), B.column_arguments(), C.column_arguments()));
    session.report(size.to_string() + ' ' + name, time, worst_error(A, B, C));
}

} // namespace

auto main(int argc, char **argv) -> int {
    return run([&] {
        auto file = beside_program("fine_grained.ir");
        auto const request = read_request(
            argc, argv, "fine_grained [--size M N K] [--misaligned] [--kernel FILE]",
            {512, 512, 512}, [&](command_line &line) {
                auto const is_kernel = line.is("--kernel");
                if (is_kernel) {
                    file = line.value();
                }
                return is_kernel;
            });
        auto session = tile_session{};
        check_device<tiletc::half>(session.queue().get_device(), 0.0);
        multiply<tiletc::half, float>(session, request, file, "f16", "$sum = f32 $zero = 0.0");
        multiply<std::int8_t, std::int32_t>(session, request, file, "i8", "$sum = i32 $zero = 0");
        return session.finish();
    });
}
