// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Times of kernels in SYCL programs, measured as `tiletc bench` does. Not part of
/// `tiletc_sycl.hpp`.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_BENCH_HPP) : !defined(TILETC_BENCH_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_BENCH_HPP
#else
#define TILETC_BENCH_HPP
#endif

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {

/// Clock that times come from.
enum class bench_clock : std::uint8_t {
    /// The device's: from the start of the first work-group to the end of the last.
    device,
    /// The host's: what a launch takes of the driver's time is part of it.
    host
};

/// Options of a measurement.
class bench_options {
  public:
    /// Caches that hold other data when a launch begins, which is the default, or with `false` what
    /// the launch before has left there.
    auto cold(bool on) -> bench_options & {
        is_cold_ = on;
        return *this;
    }
    /// Time after which the measurement ends, however wide the interval is; 5 seconds by default.
    template <typename Rep, typename Period>
    auto budget(std::chrono::duration<Rep, Period> const &most) -> bench_options & {
        budget_ = std::chrono::duration<double>{most};
        return *this;
    }
    /// Bytes of the last-level cache, of which twice as many are overwritten before launches with
    /// cold caches; by default what SYCL tells of the device, and of a CPU what Linux tells if that
    /// is more.
    auto cache_bytes(std::size_t bytes) -> bench_options & {
        cache_bytes_ = bytes;
        return *this;
    }
    /// Work-groups of a launch in the order z, y, x, for kernels whose program does not say how
    /// many.
    auto num_groups(sycl::range<3u> const &groups) -> bench_options & {
        num_groups_ = groups;
        return *this;
    }

    /// Returns whether caches are to be cold.
    auto is_cold() const -> bool { return is_cold_; }
    /// The budget in seconds.
    auto budget() const -> double { return budget_.count(); }
    /// Bytes of the last-level cache, if they were given.
    auto cache_bytes() const -> std::optional<std::size_t> { return cache_bytes_; }
    /// Work-groups, if they were given.
    auto num_groups() const -> std::optional<sycl::range<3u>> { return num_groups_; }

  private:
    bool is_cold_ = true;
    std::chrono::duration<double> budget_{5.0};
    std::optional<std::size_t> cache_bytes_;
    std::optional<sycl::range<3u>> num_groups_;
};

/// Times of a kernel in seconds.
struct bench_result {
    double median;    ///< Median.
    double lower;     ///< Lower end of the 95 % interval of the median; 0 below six samples.
    double upper;     ///< Upper end of the 95 % interval of the median; infinite below six samples.
    double minimum;   ///< The least.
    double deviation; ///< Median of the distances from the median.
    double spread;    ///< The range of the middle half of the samples as a share of the median.
    bool precise;     ///< True if there are 20 samples or more, and the interval is within 1 %.
    bench_clock clock;    ///< Clock that the times come from.
    std::size_t samples;  ///< Number of samples.
    std::size_t launches; ///< Launches of a sample, over which its time is shared out.
};

namespace internal {

/// Frees unified shared memory.
struct usm_deleter {
    sycl::context ctx;
    void operator()(std::int32_t *ptr) const { sycl::free(ptr, ctx); }
};

/// Seconds between the timestamps of a launch that is over.
inline auto device_seconds(sycl::event const &done) -> double {
    using namespace sycl::info::event_profiling;
    auto const start = done.get_profiling_info<command_start>();
    auto const end = done.get_profiling_info<command_end>();
    return end > start ? static_cast<double>(end - start) * 1e-9 : 0.0;
}

/// Seconds that a sample by the device's clock takes at least. 1 % of it is more than a step of the
/// clock, which is up to 0.1 µs.
constexpr double device_sample = 1e-5;

/// Times launches of a kernel. Everything it does is over when a function returns.
class bench_timer {
  public:
    using launch_function = std::function<sycl::event(std::vector<sycl::event> const &)>;

    bench_timer(sycl::queue q, bench_options const &options, launch_function launch)
        : q_{std::move(q)}, launch_{std::move(launch)}, budget_{options.budget()},
          clock_{has_timestamps() ? bench_clock::device : bench_clock::host} {
        if (options.is_cold()) {
            prepare_cache(options.cache_bytes().value_or(cache_bytes(q_.get_device())));
        }
    }

    auto measure() -> bench_result {
        auto const launch = [this](std::size_t launches, bool is_sample) {
            return time(launches, is_sample && cache_ != nullptr);
        };
        // By the clock of the host a launch with cold caches is a sample.
        auto const least = clock_ == bench_clock::device ? device_sample
                           : cache_ != nullptr           ? 0.0
                                                         : host_sample;
        auto const [summary, samples, launches] = measure_times(launch, least, budget_);
        return {summary.median,    summary.lower,  summary.upper,        summary.minimum,
                summary.deviation, summary.spread, summary.precise != 0, clock_,
                samples,           launches};
    }

  private:
    /// Seconds that a sample by the host's clock takes at least. 1 % of it is more than the call of
    /// a clock and a wait.
    static constexpr double host_sample = 1e-3;

    static auto now() -> double {
        auto const since = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration<double>{since}.count();
    }

    /// Launches once; true if that has a time by the device's clock.
    auto has_timestamps() -> bool {
        auto done = launch_({});
        done.wait_and_throw();
        return q_.has_property<sycl::property::queue::enable_profiling>() &&
               q_.get_device().has(sycl::aspect::queue_profiling) && device_seconds(done) > 0.0;
    }

    static auto cache_bytes(sycl::device const &dev) -> std::size_t {
        auto bytes = dev.get_info<sycl::info::device::global_mem_cache_size>();
        auto file = std::ifstream{"/sys/devices/system/cpu/cpu0/cache/index3/size"};
        auto kibibytes = std::uint64_t{};
        auto unit = char{};
        if (dev.is_cpu() && file >> kibibytes >> unit && unit == 'K') {
            bytes = std::max<decltype(bytes)>(bytes, kibibytes << 10);
        }
        return static_cast<std::size_t>(bytes);
    }

    /// Builds what overwrites the cache: a kernel, since memory may be filled by engines that have
    /// caches of their own, and on CPUs by stores that go past them.
    void prepare_cache(std::size_t bytes) {
        constexpr auto const *text = R"(
func @overwrite(%memory: memref<i32x16384x?>, %value: i32) {
    %group = group_id.x
    %first = constant 0 : index
    %count = constant 16384 : index
    foreach (%i)=(%first),(%count) {
        store %value, %memory[%i,%group]
    }
})";
        auto const prog = parse_string(text);
        auto const bundle = create_kernel_bundle(q_.get_context(), q_.get_device(), prog);
        overwrite_ = std::make_pair(bundle, create_kernel(bundle, "overwrite"));
        columns_ = static_cast<std::int64_t>(2 * bytes / (16384 * sizeof(std::int32_t)) + 1);
        auto const numbers = static_cast<std::size_t>(columns_) * 16384;
        cache_.reset(sycl::malloc_device<std::int32_t>(numbers, q_));
        if (cache_ == nullptr) {
            fail(status::bad_alloc,
                 "the device has no memory of twice its last-level cache left; set "
                 "bench_options::cache_bytes");
        }
        overwrite_cache();
    }

    void overwrite_cache() {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(columns_)};
        submit(q_, overwrite_->second, groups, cache_.get(), columns_, ++turn_).wait_and_throw();
    }

    /// Seconds of a launch by the clock at hand, as the mean of so many that follow each other.
    auto time(std::size_t launches, bool is_cold) -> double {
        auto seconds = 0.0;
        if (clock_ == bench_clock::device) {
            for (std::size_t i = 0; i < launches; ++i) {
                if (is_cold) {
                    overwrite_cache();
                }
                auto done = launch_({});
                done.wait_and_throw();
                seconds += device_seconds(done);
            }
        } else {
            if (is_cold) {
                overwrite_cache();
            }
            auto const start = now();
            auto done = launch_({});
            for (std::size_t i = 1; i < launches; ++i) {
                done = launch_({done});
            }
            done.wait_and_throw();
            seconds = now() - start;
        }
        return seconds / static_cast<double>(launches);
    }

    sycl::queue q_;
    launch_function launch_;
    double budget_;
    bench_clock clock_;
    std::optional<std::pair<executable_bundle, sycl::kernel>> overwrite_;
    std::unique_ptr<std::int32_t, usm_deleter> cache_{nullptr, {q_.get_context()}};
    std::int64_t columns_ = 0;
    std::int32_t turn_ = 0;
};

} // namespace internal

/// Launches a kernel with arguments as `submit` takes them until the 95 % interval of the median of
/// its time is within 1 %, or the budget is used up. Times are those of the device if the queue has
/// the property `enable_profiling` and the device a clock, else those of the host.
///
/// The kernel runs many times, and what it changes in memory changes with each. What a program
/// needs afterwards it has to copy before. The queue must not be recorded into a graph.
template <typename... T>
auto bench(sycl::queue q, sycl::kernel const &krnl, bench_options const &options,
           T const &...values) -> bench_result {
    if (internal::is_recorded(q)) {
        internal::fail(status::invalid_arguments,
                       "nothing can be timed in a queue that is recorded into a graph; time the "
                       "kernel in another");
    }
    auto const groups = options.num_groups();
    auto const launch = internal::prepare(krnl, true, groups ? &*groups : nullptr, values...);
    if (internal::is_empty(launch.num_groups)) {
        internal::fail(status::invalid_arguments,
                       "a launch of no work-groups takes no time; give larger arguments");
    }
    q.wait_and_throw();
    auto const submit_once = [&](std::vector<sycl::event> const &dep_events) {
        return internal::submit_sized(q, launch.selected.kernel, launch.selected.local_size,
                                      launch.num_groups, dep_events, values...);
    };
    return internal::bench_timer{q, options, submit_once}.measure();
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_BENCH_HPP
