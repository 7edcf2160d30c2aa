// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Kernels that look up the config they run best with, or find it by trying, in SYCL programs.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_AUTOTUNE_HPP) : !defined(TILETC_AUTOTUNE_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_AUTOTUNE_HPP
#else
#define TILETC_AUTOTUNE_HPP
#endif

#include <tiletc/bench.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace TILETC_NAMESPACE {

/// Names with their values: those that begin with `$` are the program's, the others are attributes of the function, such as
/// `{"subgroup_size", "16"}`.
using tuning_config = std::vector<std::pair<std::string, std::string>>;

namespace internal {

template <> struct shared_handle_traits<tiletc_tuner_t> {
    static auto retain(tiletc_tuner_t obj) -> tiletc_status_t { return tiletc_tuner_retain(obj); }
    static auto release(tiletc_tuner_t obj) -> tiletc_status_t { return tiletc_tuner_release(obj); }
};

/// Pointers to the characters of texts.
inline auto c_strings(std::vector<std::string> const &texts) -> std::vector<char const *> {
    std::vector<char const *> pointers;
    for (auto const &text : texts) {
        pointers.push_back(text.c_str());
    }
    return pointers;
}

/// A kernel for one case of its arguments.
struct tuned_case {
    /// The kernel that runs.
    sycl::kernel kernel;
    /// False if configs are yet to be tried.
    bool is_final;
};

/// Memory in place of what the kernel writes.
class scratch_memory {
  public:
    scratch_memory(sycl::queue q, std::uint32_t arg, void const *original, std::size_t size)
        : queue_{std::move(q)}, arg_{arg}, original_{original}, size_{size},
          // As aligned as any kernel may rely on
          memory_{sycl::aligned_alloc_device(4096, size, queue_)} {
        if (memory_ == nullptr) {
            throw std::bad_alloc{};
        }
    }
    ~scratch_memory() { sycl::free(memory_, queue_); }
    scratch_memory(scratch_memory const &) = delete;
    auto operator=(scratch_memory const &) -> scratch_memory & = delete;

    auto arg() const -> std::uint32_t { return arg_; }
    auto get() const -> void * { return memory_; }

    /// Brings back what was in the original.
    void restore() { queue_.memcpy(memory_, original_, size_).wait_and_throw(); }

    auto content() -> std::vector<unsigned char> {
        std::vector<unsigned char> bytes(size_);
        queue_.memcpy(bytes.data(), memory_, size_).wait_and_throw();
        return bytes;
    }

  private:
    sycl::queue queue_;
    std::uint32_t arg_;
    void const *original_;
    std::size_t size_;
    void *memory_;
};

using scratch_memories = std::vector<std::unique_ptr<scratch_memory>>;

/// The argument, or the scratch memory in its place.
template <typename T>
auto instead_of(T const &value, std::size_t arg, scratch_memories const &scratch) {
    std::decay_t<T const> result = value;
    if constexpr (std::is_pointer_v<std::decay_t<T const>>) {
        for (auto const &memory : scratch) {
            if (memory->arg() == arg) {
                result = static_cast<decltype(result)>(memory->get());
            }
        }
    }
    return result;
}

/// A config that is timed.
struct timed_config {
    std::size_t number;
    sycl::kernel kernel;
    std::vector<double> seconds;
    bool is_hopeless;
};

/// State that copies of an autotuned kernel share.
class tuning_state {
  public:
    tuning_state(sycl::queue q, std::string const &source, char const *kernel)
        : queue_{std::move(q)}, timed_{queue_.get_context(), queue_.get_device(), timed_properties()} {
        tiletc_tuner_t tuner = nullptr;
        CHECK_STATUS(tiletc_tuner_create(&tuner, source.size(), source.c_str(), kernel,
                                         create_core_info(queue_.get_device()).get()));
        tuner_ = shared_handle{tuner};
    }

    void add(tuning_config const &config) {
        std::vector<std::string> names, values;
        for (auto const &[name, value] : config) {
            names.push_back(name);
            values.push_back(value);
        }
        auto const lock = std::lock_guard{mutex_};
        CHECK_STATUS(tiletc_tuner_add_config(tuner_.get(), names.size(), c_strings(names).data(),
                                             c_strings(values).data()));
    }

    void set_key(std::vector<std::string> const &names) {
        auto const lock = std::lock_guard{mutex_};
        CHECK_STATUS(tiletc_tuner_set_key(tuner_.get(), names.size(), c_strings(names).data()));
    }

    void set_budget(std::chrono::duration<double> budget) {
        if (!(budget.count() >= 0.0)) {
            internal::fail(status::invalid_arguments, "a budget is a number of seconds from 0 on");
        }
        budget_ = budget;
    }
    void set_tolerance(double tolerance) {
        if (!std::isfinite(tolerance) || tolerance < 0.0) {
            internal::fail(status::invalid_arguments, "a tolerance is a number from 0 on");
        }
        tolerance_ = tolerance;
    }
    void set_table(std::string file) {
        table_ = std::move(file);
        // A file that is not there yet, or no table, costs tuning and nothing else.
        tiletc_tuning_load(table_->c_str());
    }

    auto queue() const -> sycl::queue const & { return queue_; }

    template <typename... T> auto kernel_for(T const &...values) -> sycl::kernel {
        auto const lock = std::lock_guard{mutex_};
        auto const [number, configs, waiting] = find(values...);
        if (cases_.size() <= number) {
            cases_.resize(number + 1);
        }
        auto &found = cases_[number];
        auto const may_try =
            waiting > 0 && !is_recorded(queue_) && !lacks_output(number, values...);
        if (!found || (!found->is_final && may_try)) {
            auto const is_tried = may_try && try_configs(number, configs, values...);
            found = tuned_case{build(finish(number)), waiting == 0 || is_tried};
        }
        return found->kernel;
    }

    template <typename... T> auto report(T const &...values) -> std::string {
        auto const lock = std::lock_guard{mutex_};
        char *text = nullptr;
        CHECK_STATUS(tiletc_tuner_report(&text, tuner_.get(), std::get<0>(find(values...))));
        return unique_handle{text}.get();
    }

  private:
    static auto timed_properties() -> sycl::property_list {
        return {sycl::property::queue::in_order{}, sycl::property::queue::enable_profiling{}};
    }

    /// Number of the case, its configs, and those of them that wait to be tried.
    template <typename... T> auto find(T const &...values) {
        auto const args = make_args(values...);
        std::size_t number = 0, configs = 0, waiting = 0;
        CHECK_STATUS(tiletc_tuner_find_case(&number, &configs, &waiting, tuner_.get(),
                                            static_cast<std::uint32_t>(args.size()), args.data()));
        return std::tuple{number, configs, waiting};
    }

    auto finish(std::size_t number) -> shared_handle<tiletc_prog_t> {
        tiletc_prog_t prog = nullptr;
        CHECK_STATUS(tiletc_tuner_finish(&prog, tuner_.get(), number,
                                         table_ ? table_->c_str() : nullptr));
        return shared_handle{prog};
    }

    auto build(shared_handle<tiletc_prog_t> const &prog) const -> sycl::kernel {
        char const *name = nullptr;
        CHECK_STATUS(tiletc_tuner_get_kernel_name(&name, tuner_.get()));
        return create_kernel(
            create_kernel_bundle(queue_.get_context(), queue_.get_device(), prog), name);
    }

    void fail(std::size_t number, std::size_t config, char const *why) {
        CHECK_STATUS(tiletc_tuner_fail(tuner_.get(), number, config, why));
    }

    /// Bytes behind an argument that the kernel writes.
    auto written_size(std::size_t number, std::uint32_t arg) const -> std::size_t {
        std::size_t size = 0;
        CHECK_STATUS(tiletc_tuner_get_written_size(&size, tuner_.get(), number, arg));
        return size;
    }

    /// Returns whether a pointer is null that the kernel would write through, as for an optional result. Such a launch
    /// tells nothing of others.
    template <typename... T> auto lacks_output(std::size_t number, T const &...values) const -> bool {
        std::uint32_t arg = 0;
        auto const is_missing = [&](auto const &value) {
            using type = std::decay_t<decltype(value)>;
            auto const place = arg++;
            if constexpr (std::is_pointer_v<type> || std::is_null_pointer_v<type>) {
                type const pointer = value;
                return pointer == nullptr && written_size(number, place) > 0;
            } else {
                return false;
            }
        };
        return (is_missing(values) || ...);
    }

    /// Memory in place of what the kernel writes. What is written must be behind a pointer.
    template <typename... T>
    auto scratch_for(std::size_t number, T const &...values) -> scratch_memories {
        scratch_memories memories;
        std::uint32_t arg = 0;
        auto const add = [&](auto const &value) {
            auto const size = written_size(number, arg);
            if constexpr (std::is_pointer_v<std::decay_t<decltype(value)>>) {
                if (size > 0) {
                    memories.push_back(std::make_unique<scratch_memory>(timed_, arg, value, size));
                }
            } else if (size > 0) {
                internal::fail(status::invalid_arguments,
                               "configs are tried with pointers to unified shared memory only");
            }
            ++arg;
        };
        (add(values), ...);
        return memories;
    }

    /// Brings back what the kernel finds in memory that it writes.
    static void restore(scratch_memories const &scratch) {
        for (auto const &memory : scratch) {
            memory->restore();
        }
    }

    /// Launches a kernel with scratch memory in place of what it writes.
    template <typename... T>
    auto launch(sycl::kernel const &kernel, scratch_memories const &scratch, T const &...values)
        -> sycl::event {
        return launch_with(std::index_sequence_for<T...>{}, kernel, scratch, values...);
    }

    template <std::size_t... Args, typename... T>
    auto launch_with(std::index_sequence<Args...>, sycl::kernel const &kernel,
                     scratch_memories const &scratch, T const &...values) -> sycl::event {
        return submit_groups(timed_, kernel, nullptr, std::vector<sycl::event>{},
                             instead_of(values, Args, scratch)...);
    }

    /// Builds, compares and times the configs of a case that have not been tried, each with memory of its own. A launch of no
    /// work-groups tells nothing: then nothing is tried, and the result is false. Nothing is tried, either, if there is no memory
    /// for copies, and that is final.
    template <typename... T>
    auto try_configs(std::size_t number, std::size_t configs, T const &...values) -> bool {
        // What was submitted before may still write what is copied.
        queue_.wait_and_throw();
        scratch_memories scratch;
        try {
            scratch = scratch_for(number, values...);
        } catch (std::bad_alloc const &) {
            return true;
        }
        std::vector<timed_config> timed;
        for (std::size_t config = 0; config < configs; ++config) {
            try {
                tiletc_prog_t prog = nullptr;
                CHECK_STATUS(tiletc_tuner_get_config(&prog, tuner_.get(), number, config));
                if (prog == nullptr) {
                    continue;
                }
                auto kernel = build(shared_handle{prog});
                if (is_empty(prepare(kernel, true, nullptr, values...).num_groups)) {
                    return false;
                }
                restore(scratch);
                launch(kernel, scratch, values...).wait_and_throw();
                if (agrees(number, config, scratch)) {
                    timed.push_back({config, std::move(kernel), {}, false});
                }
            } catch (std::exception const &why) {
                fail(number, config, why.what());
            } catch (status const &code) {
                // What fails throws the bare enumeration in the namespace of tinytc.
                fail(number, config, to_string(code));
            }
        }
        time_in_rounds(number, timed, scratch, values...);
        return true;
    }

    auto agrees(std::size_t number, std::size_t config, scratch_memories const &scratch) -> bool {
        bool all = true;
        for (auto const &memory : scratch) {
            auto const content = memory->content();
            tiletc_bool_t agrees = 0;
            CHECK_STATUS(tiletc_tuner_compare(&agrees, tuner_.get(), number, config, memory->arg(),
                                              content.size(), content.data(), tolerance_));
            all = all && agrees != 0;
        }
        return all;
    }

    /// Times configs in rounds, each of which begins with another one or goes the other way, until all medians are known well or the
    /// budget ends. What takes twice as long as the best is not timed any longer.
    template <typename... T>
    void time_in_rounds(std::size_t number, std::vector<timed_config> &configs,
                        scratch_memories const &scratch, T const &...values) {
        auto const begin = std::chrono::steady_clock::now();
        constexpr int first_rounds = 3;
        auto const is_over = [&] { return std::chrono::steady_clock::now() - begin >= budget_; };
        for (int round = 0; round < first_rounds || !is_over(); ++round) {
            bool is_known = true;
            double leader = std::numeric_limits<double>::infinity();
            for (auto &config : configs) {
                if (config.is_hopeless) {
                    continue;
                }
                config.seconds.push_back(sample(config.kernel, scratch, values...));
                auto const summary = summarize_times(config.seconds);
                is_known = is_known && summary.precise != 0;
                leader = std::min(leader, summary.median);
            }
            if (is_known) {
                break;
            }
            for (auto &config : configs) {
                config.is_hopeless =
                    config.is_hopeless || (round >= first_rounds - 1 &&
                                           summarize_times(config.seconds).median > 2.0 * leader);
            }
            std::reverse(configs.begin(), configs.end());
            if (round % 2 == 1) {
                std::rotate(configs.begin(), configs.begin() + 1, configs.end());
            }
        }
        auto const device = queue_.get_device();
        auto const on = device.get_info<sycl::info::device::name>() + ", " +
                        device.get_info<sycl::info::device::driver_version>();
        for (auto const &config : configs) {
            auto const summary = summarize_times(config.seconds);
            // Too few times for an interval make one of the least and the greatest.
            auto const [least, greatest] =
                std::minmax_element(config.seconds.begin(), config.seconds.end());
            CHECK_STATUS(tiletc_tuner_record(tuner_.get(), number, config.number, summary.median,
                                             std::max(summary.lower, *least),
                                             std::min(summary.upper, *greatest), on.c_str()));
        }
    }

    /// Seconds of a launch, as the mean of so many that the clock tells them well.
    template <typename... T>
    auto sample(sycl::kernel const &kernel, scratch_memories const &scratch, T const &...values)
        -> double {
        constexpr int most = 100;
        double seconds = 0.0;
        int launches = 0;
        while (launches < 1 || (seconds < device_sample && launches < most)) {
            seconds += seconds_of_a_launch(kernel, scratch, values...);
            ++launches;
        }
        return seconds / launches;
    }

    template <typename... T>
    auto seconds_of_a_launch(sycl::kernel const &kernel, scratch_memories const &scratch,
                             T const &...values) -> double {
        restore(scratch);
        auto const begin = std::chrono::steady_clock::now();
        sycl::event event = launch(kernel, scratch, values...);
        event.wait_and_throw();
        if (!timed_.get_device().has(sycl::aspect::queue_profiling)) {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
        // No launch takes no time, whatever the steps of the clock.
        return std::max(device_seconds(event), 1e-9);
    }

    sycl::queue queue_;
    /// In this one configs are tried.
    sycl::queue timed_;
    shared_handle<tiletc_tuner_t> tuner_;
    std::mutex mutex_;
    std::vector<std::optional<tuned_case>> cases_;
    std::chrono::duration<double> budget_{1.0};
    double tolerance_ = 0.0;
    std::optional<std::string> table_;
};

} // namespace internal

/// A kernel that is called with its arguments. For each case of them it looks up the config that tuning has found best, as
/// the compiler does. With `TILETC_TUNE=on` in the environment the first call with arguments of a case tries configs that nobody has
/// tried on the device: it waits for the queue, gives every config copies of the memory that the kernel writes, compares results, times,
/// and keeps what it finds. Nothing is tried while the queue is recorded into a graph, or where a pointer is null that the kernel
/// would write through.
///
/// Copies share what they know. Any thread may call them.
class autotuned_kernel {
  public:
    /// A kernel for the context and device of a queue, see `autotune`.
    autotuned_kernel(sycl::queue const &q, std::string const &source, char const *kernel)
        : state_{std::make_shared<internal::tuning_state>(q, source, kernel)} {}

    /// Names configs to be tried in place of the compiler's own.
    auto configs(std::vector<tuning_config> const &list) -> autotuned_kernel & {
        for (auto const &config : list) {
            state_->add(config);
        }
        return *this;
    }

    /// Names the parameters whose numbers tell cases apart: integers, and memrefs whose type leaves sizes or strides open. Types,
    /// layouts and the device always do.
    auto key(std::vector<std::string> const &parameters) -> autotuned_kernel & {
        state_->set_key(parameters);
        return *this;
    }

    /// Limits the time that the configs of a case are timed for; one second unless it is called.
    auto budget(std::chrono::duration<double> seconds) -> autotuned_kernel & {
        state_->set_budget(seconds);
        return *this;
    }

    /// Allows results of configs to differ, by a share of the largest number; without it they must be the same bit for bit.
    auto tolerance(double share) -> autotuned_kernel & {
        state_->set_tolerance(share);
        return *this;
    }

    /// Names the file that keeps what is found, and loads what it holds; without it that is the one that `TILETC_TUNING_TABLE` names,
    /// if any.
    auto table(std::string file) -> autotuned_kernel & {
        state_->set_table(std::move(file));
        return *this;
    }

    /// Submits a launch to the queue, like `submit` of as many work-groups as the kernel's grid has.
    template <typename... T> auto operator()(T const &...values) const -> sycl::event {
        return submit(state_->queue(), get_kernel(values...), values...);
    }

    /// The kernel that runs with such arguments, for `submit` with other queues, events or work-groups.
    template <typename... T> auto get_kernel(T const &...values) const -> sycl::kernel {
        return state_->kernel_for(values...);
    }

    /// A line for each config of the case that arguments are, the best first, with its time or why it has none.
    template <typename... T> auto report(T const &...values) const -> std::string {
        return state_->report(values...);
    }

  private:
    std::shared_ptr<internal::tuning_state> state_;
};

/// A kernel of a program in text form, the only one unless it is named, that runs with the config that is best for its arguments.
/// Its number of work-groups is told by the program, since configs may differ in it.
inline auto autotune(sycl::queue const &q, std::string const &source, char const *kernel = nullptr)
    -> autotuned_kernel {
    return {q, source, kernel};
}

/// The same for a program that was parsed or built.
inline auto autotune(sycl::queue const &q, shared_handle<tiletc_prog_t> const &prog,
                     char const *kernel = nullptr) -> autotuned_kernel {
    char *text = nullptr;
    CHECK_STATUS(tiletc_prog_print_to_string(prog.get(), &text));
    return {q, unique_handle{text}.get(), kernel};
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_AUTOTUNE_HPP
