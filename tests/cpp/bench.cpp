// SPDX-License-Identifier: BSD-3-Clause

// Times of kernels in SYCL programs: how they are counted, by which clock, and what they follow. How
// good they are is a matter of quiet machines and no test.

#include "check.hpp"
#include "on_default_device.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/bench.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace {

using namespace std::chrono_literals;
using tiletc::bench_clock;
using tiletc::bench_options;
using tiletc::bench_result;

// Adds 1 so many times to each number. Neither the compiler nor a driver may do that at once.
constexpr char const *text = R"(
func @work(%x: memref<f32x?>, %steps: index) {
    %c0   = constant 0 : index
    %c1   = constant 1.0 : f32
    %g    = group_id.x
    %from = load %x[%g]
    %to   = for %i=%c0,%steps init(%a=%from) -> (f32) {
        %b = add %a, %c1
        yield (%b)
    }
    store %to, %x[%g]
})";

/// The kernel and a few numbers, for a queue.
struct counters {
    static constexpr std::int64_t count = 4;
    sycl::queue q;
    usm_array<float> x;
    sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
    sycl::kernel kernel;

    explicit counters(sycl::queue const &queue)
        : q{queue}, x{count, q},
          bundle{tiletc::create_kernel_bundle(q.get_context(), q.get_device(),
                                              tiletc::parse_string(text))},
          kernel{tiletc::create_kernel(bundle, "work")} {
        std::fill_n(x.get(), count, 0.0f);
    }
    /// Measures so many additions to each number.
    auto measure(bench_options const &options, std::int64_t steps) const -> bench_result {
        return tiletc::bench(q, kernel, options, x.get(), count, steps);
    }
};

auto hot() -> bench_options { return bench_options{}.cold(false).budget(50ms); }

/// A cache that is overwritten in no time.
auto cold() -> bench_options { return bench_options{}.cache_bytes(1 << 16).budget(50ms); }

void check_sane(bench_result const &r) {
    CHECK(r.samples >= 1 && r.launches >= 1);
    CHECK(r.minimum > 0.0 && r.minimum <= r.median && r.median < 10.0);
    CHECK(r.lower <= r.median && r.median <= r.upper);
    CHECK(r.deviation >= 0.0 && r.spread >= 0.0);
    CHECK((r.samples < 6) == std::isinf(r.upper));
    CHECK(!r.precise || r.samples >= 20);
    CHECK(!r.precise || (r.upper <= 1.01 * r.median && r.lower >= 0.99 * r.median));
}

/// Each launch is one: what the kernel has changed tells how many there were.
void in_place_arguments_change(counters const &c, bool has_clock) {
    for (auto const &options : {hot(), cold()}) {
        std::fill_n(c.x.get(), c.count, 0.0f);
        auto const r = c.measure(options, 1);
        check_sane(r);
        CHECK((r.clock == bench_clock::device) == has_clock);
        auto const timed = static_cast<float>(r.samples * r.launches);
        for (int i = 0; i < c.count; ++i) {
            CHECK(c.x.get()[i] > timed && c.x.get()[i] == std::floor(c.x.get()[i]));
        }
        // By the clock of the host a cold launch is a sample.
        CHECK(has_clock || !options.is_cold() || r.launches == 1);
    }
}

/// Ten times the work takes longer. Other programs on the machine only add to a time, for a whole
/// measurement even, so that the least of several that alternate are compared.
void times_follow_the_work(counters const &c, std::int64_t steps) {
    auto less = std::numeric_limits<double>::infinity();
    auto more = less;
    for (int round = 0; round < 3; ++round) {
        for (auto [least, factor] : {std::pair{&less, 1}, std::pair{&more, 10}}) {
            auto const r = c.measure(hot(), factor * steps);
            check_sane(r);
            *least = std::min(*least, r.minimum);
        }
    }
    CHECK(more > 2.0 * less);
}

/// A short launch is repeated by the clock of the host, a long one is not; the budget is kept.
void samples_have_launches_enough(counters const &c, std::int64_t long_steps) {
    using clock = std::chrono::steady_clock;
    auto r = bench_result{};
    auto seconds = 0.0;
    auto start = clock::now();
    // A launch that another program delays is a long one, so that there are several attempts.
    for (int round = 0; round < 5 && r.launches < 2; ++round) {
        start = clock::now();
        r = c.measure(hot(), 1);
        seconds = std::chrono::duration<double>{clock::now() - start}.count();
    }
    CHECK(r.clock == bench_clock::host);
    CHECK(r.launches > 1);
    // What was timed is a part of all that was done.
    CHECK(r.minimum * static_cast<double>(r.samples * r.launches) < seconds);
    CHECK(c.measure(hot(), long_steps).launches == 1);
    start = clock::now();
    auto const one = c.measure(hot().budget(1ns), 1);
    CHECK(one.samples == 1 && !one.precise && one.lower == 0.0);
    CHECK(clock::now() - start < 10s);
}

/// As many work-groups as are asked for run, but not fewer than the program needs.
void work_groups_are_those_asked_for(counters const &c) {
    auto const groups = [&](std::size_t number, std::int64_t of) {
        auto const options = hot().num_groups({1, 1, number});
        return [&c, options, of] {
            tiletc::bench(c.q, c.kernel, options, c.x.get(), of, std::int64_t{1});
        };
    };
    std::fill_n(c.x.get(), c.count, 0.0f);
    CHECK(status_of(groups(2, 2)) == tiletc::status::success);
    CHECK(c.x.get()[1] > 0.0f && c.x.get()[2] == 0.0f);
    CHECK(status_of(groups(1, 2)) == tiletc::status::launch_grid_mismatch);
    CHECK(status_of(groups(0, 0)) == tiletc::status::invalid_arguments);
    auto const none = std::int64_t{0};
    CHECK(status_of([&] { tiletc::bench(c.q, c.kernel, hot(), c.x.get(), none, none); }) ==
          tiletc::status::invalid_arguments);
    CHECK(status_of([&] { tiletc::bench(c.q, c.kernel, hot(), c.x.get(), c.count); }) ==
          tiletc::status::invalid_kernel_arguments);
}

/// Finds memory that fits into a core's cache slower if that was overwritten.
void cold_caches_are_overwritten(sycl::queue const &q) {
    constexpr std::int64_t columns = 12;
    auto const bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(),
                                                     tiletc::parse_string(R"(
func @copy(%x: memref<f32x16384x?>, %y: memref<f32x16384x?>) {
    %g = group_id.x
    %a = subview %x[0:16384,%g]
    %b = subview %y[0:16384,%g]
    axpby 1.0, %a, 0.0, %b
})"));
    auto const kernel = tiletc::create_kernel(bundle, "copy");
    auto const x = usm_array<float>{16384 * columns, q}, y = usm_array<float>{16384 * columns, q};
    std::fill_n(x.get(), 16384 * columns, 1.0f);
    auto const measure = [&](bench_options const &options) {
        return tiletc::bench(q, kernel, options, x.get(), columns, y.get(), columns).minimum;
    };
    auto const of_hot = measure(hot());
    auto const of_cold = measure(bench_options{}.cache_bytes(64 << 20).budget(300ms));
    CHECK(of_cold > of_hot);
}

void recorded_queues_are_refused(counters const &c) {
    namespace experimental = sycl::ext::oneapi::experimental;
    auto const before = c.x.get()[0];
    auto q = c.q;
    auto graph = experimental::command_graph{q.get_context(), q.get_device()};
    graph.begin_recording(q);
    CHECK(status_of([&] { c.measure(hot(), 1); }) == tiletc::status::invalid_arguments);
    graph.end_recording(q);
    q.ext_oneapi_graph(graph.finalize()).wait();
    CHECK(c.x.get()[0] == before);
}

void test(sycl::device const &dev) {
    using namespace sycl::property::queue;
    auto const is_virtual = !dev.is_cpu();
    auto const timed = counters{sycl::queue{dev, sycl::property_list{enable_profiling{}}}};
    auto const untimed = counters{sycl::queue{dev, sycl::property_list{in_order{}}}};
    in_place_arguments_change(timed, true);
    in_place_arguments_change(untimed, false);
    auto const steps = std::int64_t{is_virtual ? 200 : 200'000};
    times_follow_the_work(timed, steps);
    times_follow_the_work(untimed, steps);
    samples_have_launches_enough(untimed, 50 * steps);
    work_groups_are_those_asked_for(timed);
    if (!is_virtual) {
        cold_caches_are_overwritten(timed.q);
    }
    if (dev.has(sycl::aspect::ext_oneapi_limited_graph)) {
        recorded_queues_are_refused(untimed);
    }
}

} // namespace

int main() { return on_default_device(test); }
