// SPDX-License-Identifier: BSD-3-Clause

// What a launch takes of the host's time: SYCL's own calls with a range that was made before, the same with
// arguments that are compared, `submit`, and the function of a kernel that is a part of the program; and what a
// step of four launches takes as a graph. Medians of the time until the calls return, in turns, of a kernel that
// does next to nothing.

#include "kernels.hpp"
#include "timing.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

constexpr int runs = 3000;
/// Launches that are not counted.
constexpr int warm_up = 100;
/// Launches of a step.
constexpr int step_launches = 4;

/// Microseconds that a call takes until it returns; what it launches ends before the next one.
template <typename F> auto time(sycl::queue q, F &&launch) -> double {
    auto const start = clock_type::now();
    launch();
    auto const passed = milliseconds_since(start) * 1e3;
    q.wait();
    return passed;
}

/// Medians of what calls take, in turns.
template <typename... F> auto medians(sycl::queue const &q, F &&...calls) {
    auto times = std::array<std::vector<double>, sizeof...(F)>{};
    for (int run = -warm_up; run < runs; ++run) {
        auto const passed = std::array{time(q, calls)...};
        for (std::size_t i = 0; run >= 0 && i < passed.size(); ++i) {
            times[i].push_back(passed[i]);
        }
    }
    auto result = std::array<double, sizeof...(F)>{};
    std::transform(times.begin(), times.end(), result.begin(),
                   [](auto const &measured) { return median(measured); });
    return result;
}

void measure(sycl::queue q) {
    auto const kernel = kernels::embedded_kernels::program0().kernel(q, 0);
    auto const groups = sycl::range<3u>{1, 1, 1};
    auto const range = tiletc::get_execution_range(kernel, groups);
    std::int64_t const cols = 1;
    auto *const memory = sycl::malloc_shared<float>(256, q);
    std::fill_n(memory, 256, 0.0f);
    auto *const A = memory, *const P = memory + 64, *const Q = memory + 128;

    auto const submit = [&] { tiletc::submit(q, kernel, groups, 0.5f, A, P, cols, Q, cols); };
    auto const [plain, compared, submitted, typed] = medians(
        q,
        [&] {
            q.submit([&](sycl::handler &h) {
                h.set_args(0.5f, A, P, cols, Q, cols);
                h.parallel_for(range, kernel);
            });
        },
        [&] {
            q.submit([&](sycl::handler &h) {
                tiletc::set_args(h, kernel, 0.5f, A, P, cols, Q, cols);
                h.parallel_for(range, kernel);
            });
        },
        submit, [&] { kernels::add(q, 0.5f, A, P, cols, Q, cols); });
    std::printf("a launch of six arguments, for %s:\n",
                q.get_device().get_info<sycl::info::device::name>().c_str());
    std::printf("  SYCL's calls %.2f us, with tiletc::set_args %.2f us (%+.2f), tiletc::submit %.2f us "
                "(%+.2f), a function of `tiletc embed` %.2f us (%+.2f)\n",
                plain, compared, compared - plain, submitted, submitted - plain, typed, typed - plain);

    if (q.get_device().has(sycl::aspect::ext_oneapi_limited_graph)) {
        auto const step = [&] {
            for (int launch = 0; launch < step_launches; ++launch) {
                submit();
            }
        };
        namespace experimental = sycl::ext::oneapi::experimental;
        auto graph = experimental::command_graph{q.get_context(), q.get_device()};
        graph.begin_recording(q);
        step();
        graph.end_recording(q);
        auto const recorded = graph.finalize();
        auto const [launched, replayed] = medians(q, step, [&] { q.ext_oneapi_graph(recorded); });
        std::printf("  %d launches by tiletc::submit %.2f us, as a graph %.2f us (%.2f of it)\n",
                    step_launches, launched, replayed, replayed / launched);
    }
    sycl::free(memory, q);
}

} // namespace

int main() {
    try {
        measure(sycl::queue{sycl::property::queue::in_order{}});
    } catch (sycl::exception const &e) {
        std::printf("SKIPPED: times of launches (%s)\n", e.what());
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
