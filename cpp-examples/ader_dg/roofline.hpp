// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_ROOFLINE_HPP
#define ADER_DG_ROOFLINE_HPP

#include "costs.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "roofline_f32.hpp"
#include "roofline_f64.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

/// Milliseconds of the fastest of some launches.
template <typename Launch> auto fastest(Launch const &launch) -> double {
    constexpr int launches = 5;
    launch();
    double best = 0.0;
    for (int i = 0; i < launches; ++i) {
        auto const start = clock_type::now();
        launch();
        auto const time = milliseconds_since(start);
        best = i == 0 ? time : std::min(best, time);
    }
    return best;
}

/// The functions of the kernels of roofline.ir.
template <typename T> auto roofline_kernels() {
    if constexpr (std::is_same_v<T, float>) {
        return std::pair{roofline_f32::copy, roofline_f32::multiply_add};
    } else {
        return std::pair{roofline_f64::copy, roofline_f64::multiply_add};
    }
}

/// Rates of the queue's device for numbers of type T: those that the user names, and for the others
/// what two kernels reach that do nothing else.
template <typename T>
auto find_machine(options const &opts, sycl::queue &q, progress &status_line) -> machine {
    auto result =
        machine{1e9 * static_cast<double>(opts.peak), 1e9 * static_cast<double>(opts.bandwidth)};
    if (opts.peak != 0 && opts.bandwidth != 0) {
        return result;
    }
    status_line.show("measuring the device");
    constexpr std::int64_t rows = 4096, columns = 2048;
    auto const from = usm_array<T>{rows * columns, q};
    auto const to = usm_array<T>{rows * columns, q};
    std::fill_n(from.get(), rows * columns, T(1));
    auto *const x = from.get();
    auto *const y = to.get();
    auto const [copy, multiply_add] = roofline_kernels<T>();
    if (opts.bandwidth == 0) {
        auto const time = fastest([&] { copy(q, x, columns, y, columns, {}).wait(); });
        result.bytes = 2e3 * static_cast<double>(rows * columns) * sizeof(T) / time;
    }
    if (opts.peak == 0) {
        constexpr std::int64_t size = 32 * 32, operations = 2 * 32 * size * 32;
        constexpr auto products = rows * columns / size;
        std::fill_n(from.get(), 2 * size, T(0));
        auto const time = fastest([&] { multiply_add(q, x, x + size, y, products, {}).wait(); });
        result.operations = 1e3 * static_cast<double>(operations * products) / time;
    }
    return result;
}

#endif // ADER_DG_ROOFLINE_HPP
