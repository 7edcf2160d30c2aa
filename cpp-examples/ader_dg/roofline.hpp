// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_ROOFLINE_HPP
#define ADER_DG_ROOFLINE_HPP

#include "costs.hpp"
#include "device.hpp"
#include "kernel.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "timing.hpp"
#include "usm_array.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

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
    auto const compiled =
        compile_template(beside_program("roofline.ir"), std::string("$real = ") + type_name<T>(),
                         "copy", q, status_line);
    auto const multiply_add = tiletc::create_kernel(compiled.bundle, "multiply_add");
    if (opts.bandwidth == 0) {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(columns)};
        auto const time = fastest(
            [&] { tiletc::submit(q, compiled.kernel, groups, x, columns, y, columns).wait(); });
        result.bytes = 2e3 * static_cast<double>(rows * columns) * sizeof(T) / time;
    }
    if (opts.peak == 0) {
        constexpr std::int64_t size = 32 * 32, operations = 2 * 32 * size * 32;
        constexpr auto products = rows * columns / size;
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(products)};
        std::fill_n(from.get(), 2 * size, T(0));
        auto const time = fastest(
            [&] { tiletc::submit(q, multiply_add, groups, x, x + size, y, products).wait(); });
        result.operations = 1e3 * static_cast<double>(operations * products) / time;
    }
    return result;
}

#endif // ADER_DG_ROOFLINE_HPP
