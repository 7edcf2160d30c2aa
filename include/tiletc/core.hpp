// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The compiler from C++: context, parser, programs, device description, passes, binaries. Each
/// function calls the C function of the same meaning and throws `status` if that fails.

#include <tiletc/namespace.hpp>

#if defined(TILETC_IN_TINYTC) ? !defined(TILETC_IN_TINYTC_CORE_HPP) : !defined(TILETC_CORE_HPP)
#ifdef TILETC_IN_TINYTC
#define TILETC_IN_TINYTC_CORE_HPP
#else
#define TILETC_CORE_HPP
#endif

#include <tiletc/array_view.hpp>
#include <tiletc/enums.hpp>
#include <tiletc/error.hpp>
#include <tiletc/half.hpp>
#include <tiletc/handles.hpp>
#include <tiletc/mem.hpp>
#include <tiletc/tiletc.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace TILETC_NAMESPACE {

////////////////////////////
//// Compiler context //////
////////////////////////////

/// A context with default settings: silent, optimisation level 2.
inline auto create_compiler_context() -> shared_handle<tiletc_compiler_context_t> {
    tiletc_compiler_context_t ctx = nullptr;
    CHECK_STATUS(tiletc_compiler_context_create(&ctx));
    return shared_handle{ctx};
}

/// The tutorial's name for `create_compiler_context`.
inline auto make_compiler_context() -> shared_handle<tiletc_compiler_context_t> {
    return create_compiler_context();
}

/// Makes a source text known for diagnostics; the result goes into `position::source_id`.
inline auto add_source(tiletc_compiler_context_t ctx, char const *name, char const *text)
    -> std::int32_t {
    std::int32_t source_id = 0;
    CHECK_STATUS(tiletc_compiler_context_add_source(ctx, name, text, &source_id));
    return source_id;
}

namespace internal {

/// An error reporter that may throw, which nothing that is called from C may.
class throwing_reporter {
  public:
    /// The one of a context. It stays where it is: the context may outlive all that is static.
    static auto of(tiletc_compiler_context_t ctx) -> throwing_reporter & {
        static auto &mutex = *new std::mutex;
        static auto &reporters = *new std::map<tiletc_compiler_context_t, throwing_reporter>;
        auto lock = std::lock_guard{mutex};
        return reporters[ctx];
    }

    /// Calls another function from now on.
    void set(tiletc_error_reporter_t reporter, void *user_data) {
        auto lock = std::lock_guard{mutex_};
        reporter_ = {reporter, user_data};
    }

    /// Calls the function, and keeps what it throws first until the call into C has returned. What
    /// it calls itself sees nothing of that.
    static void report(char const *what, tiletc_location_t const *loc, void *self) {
        auto thrown = std::exchange(reporter_exception, nullptr);
        try {
            auto const [reporter, user_data] = static_cast<throwing_reporter *>(self)->get();
            reporter(what, loc, user_data);
        } catch (...) {
            if (!thrown) {
                thrown = std::current_exception();
            }
        }
        reporter_exception = std::move(thrown);
    }

  private:
    using function_and_data = std::pair<tiletc_error_reporter_t, void *>;

    auto get() -> function_and_data {
        auto lock = std::lock_guard{mutex_};
        return reporter_;
    }

    std::mutex mutex_;
    function_and_data reporter_;
};

} // namespace internal

/// Has `reporter` called with every diagnostic; a null reporter is silent. What it throws is thrown
/// by the function of this interface that the diagnostic is from, in place of its status.
inline void set_error_reporter(tiletc_compiler_context_t ctx, tiletc_error_reporter_t reporter,
                               void *user_data = nullptr) {
    if (ctx == nullptr || reporter == nullptr) {
        CHECK_STATUS(tiletc_compiler_context_set_error_reporter(ctx, reporter, user_data));
        return;
    }
    auto &throwing = internal::throwing_reporter::of(ctx);
    throwing.set(reporter, user_data);
    CHECK_STATUS(tiletc_compiler_context_set_error_reporter(
        ctx, &internal::throwing_reporter::report, &throwing));
}

/// The same for a wrapped context; found without naming the namespace.
inline void set_error_reporter(shared_handle<tiletc_compiler_context_t> const &ctx,
                               tiletc_error_reporter_t reporter, void *user_data = nullptr) {
    set_error_reporter(ctx.get(), reporter, user_data);
}

/// Turns an optimisation on (1), off (0), or leaves it to the optimisation level (-1).
inline void set_optimization_flag(tiletc_compiler_context_t ctx, optflag flag, std::int32_t state) {
    CHECK_STATUS(tiletc_compiler_context_set_optimization_flag(
        ctx, static_cast<tiletc_optflag_t>(flag), state));
}

/// Sets the optimisation level; 0 switches optimisation off.
inline void set_optimization_level(tiletc_compiler_context_t ctx, std::int32_t level) {
    CHECK_STATUS(tiletc_compiler_context_set_optimization_level(ctx, level));
}

/// Sets the function that receives the log of the process up to a level, see
/// `tiletc_set_log_callback`; null for what TILETC_LOG in the environment says. It must not throw.
inline void set_log_callback(log_level level, tiletc_log_callback_t callback,
                             void *user_data = nullptr) {
    CHECK_STATUS(
        tiletc_set_log_callback(static_cast<tiletc_log_level_t>(level), callback, user_data));
}

/// Sets whether modules keep the names of functions and values.
inline void set_keep_names(tiletc_compiler_context_t ctx, bool state) {
    CHECK_STATUS(tiletc_compiler_context_set_keep_names(ctx, state ? 1 : 0));
}

/// Sets whether modules tell the lines of the text that instructions come from; they do by default.
inline void set_keep_lines(tiletc_compiler_context_t ctx, bool state) {
    CHECK_STATUS(tiletc_compiler_context_set_keep_lines(ctx, state ? 1 : 0));
}

/// Keeps native binaries in the folder `dir` for the next time a kernel bundle is created of the
/// same program; null for no folder. The files take at most `max_bytes`, 256 MiB for 0.
inline void set_cache(tiletc_compiler_context_t ctx, char const *dir, std::uint64_t max_bytes = 0) {
    CHECK_STATUS(tiletc_compiler_context_set_cache(ctx, dir, max_bytes));
}

/// The same for a wrapped context; found without naming the namespace.
inline void set_cache(shared_handle<tiletc_compiler_context_t> const &ctx, char const *dir,
                      std::uint64_t max_bytes = 0) {
    set_cache(ctx.get(), dir, max_bytes);
}

/// Reads a table that `tiletc tune` has written, for all contexts of the process: functions that
/// are compiled from now on have the attributes that it names for them, unless they say otherwise
/// themselves.
inline void load_tuning(char const *filename) { CHECK_STATUS(tiletc_tuning_load(filename)); }

/// The same from memory: the `size` bytes of a table at `data`.
inline void load_tuning(void const *data, std::size_t size) {
    CHECK_STATUS(tiletc_tuning_load_from_memory(size, data));
}

/// Times of a kernel in a few numbers, in seconds.
using bench_summary = tiletc_bench_summary_t;

/// Sums up the times of `count` launches of a kernel, in seconds and in any order. `bench.hpp`
/// measures them in SYCL programs.
inline auto summarize_times(std::size_t count, double const *seconds) -> bench_summary {
    bench_summary summary = {};
    CHECK_STATUS(tiletc_bench_summarize(count, seconds, &summary));
    return summary;
}

/// The same for any container whose elements follow each other.
template <typename T> auto summarize_times(T const &seconds) -> bench_summary {
    return summarize_times(seconds.size(), seconds.data());
}

/// Times of a kernel, with the number of samples and the launches of each.
struct bench_times {
    bench_summary summary; ///< Times of a launch in seconds.
    std::size_t samples;   ///< Number of samples.
    std::size_t launches;  ///< Launches of a sample, over which its time is shared out.
};

/// Measures how long a launch of a kernel takes, see `tiletc_bench`. `launch` gets a number of
/// launches, and whether they are a sample; it returns the seconds of one of them. What it throws
/// ends the measurement.
template <typename F> auto measure_times(F launch, double sample, double budget) -> bench_times {
    struct state {
        F &launch;
        std::exception_ptr thrown;
    };
    auto own = state{launch, nullptr};
    auto const call = [](double *seconds, std::size_t launches, tiletc_bool_t is_sample,
                         void *user_data) -> tiletc_status_t {
        auto &measured = *static_cast<state *>(user_data);
        try {
            *seconds = measured.launch(launches, is_sample != 0);
            return tiletc_status_success;
        } catch (...) {
            measured.thrown = std::current_exception();
            return tiletc_status_runtime_error;
        }
    };
    auto found = bench_times{};
    auto const code =
        tiletc_bench(&found.summary, &found.samples, &found.launches, call, &own, sample, budget);
    if (own.thrown) {
        std::rethrow_exception(own.thrown);
    }
    CHECK_STATUS(code);
    return found;
}

/// Outcomes for the native binaries that kernel bundles needed.
using cache_counters = tiletc_cache_counters_t;

/// Counters of the context's cache; zeros if there is none.
inline auto get_cache_counters(const_tiletc_compiler_context_t ctx) -> cache_counters {
    cache_counters counters = {};
    CHECK_STATUS(tiletc_compiler_context_get_cache_counters(ctx, &counters));
    return counters;
}

/// The same for a wrapped context; found without naming the namespace.
inline auto get_cache_counters(shared_handle<tiletc_compiler_context_t> const &ctx)
    -> cache_counters {
    return get_cache_counters(ctx.get());
}

/// Reports an error at `loc` through the context, with the source text around it.
inline void report_error(tiletc_compiler_context_t ctx, location const &loc, char const *what) {
    CHECK_STATUS(tiletc_compiler_context_report_error(ctx, &loc, what));
}

////////////////////////////
///////// Program //////////
////////////////////////////

/// Prints the program to the standard error stream.
inline void dump(tiletc_prog_t p) { CHECK_STATUS(tiletc_prog_dump(p)); }

/// The context the program lives in.
inline auto get_compiler_context(const_tiletc_prog_t p)
    -> shared_handle<tiletc_compiler_context_t> {
    tiletc_compiler_context_t ctx = nullptr;
    CHECK_STATUS(tiletc_prog_get_compiler_context(p, &ctx));
    return shared_handle{ctx, true};
}

/// Prints the program to a file.
inline void print_to_file(tiletc_prog_t p, char const *filename) {
    CHECK_STATUS(tiletc_prog_print_to_file(p, filename));
}

/// Prints the program to a string.
inline auto print_to_string(tiletc_prog_t p) -> unique_handle<char *> {
    char *str = nullptr;
    CHECK_STATUS(tiletc_prog_print_to_string(p, &str));
    return unique_handle{str};
}

////////////////////////////
/////// SPIR-V module //////
////////////////////////////

/// Prints the disassembled module to the standard error stream.
inline void dump(const_tiletc_spv_mod_t mod) { CHECK_STATUS(tiletc_spv_mod_dump(mod)); }

/// Prints the disassembled module to a file.
inline void print_to_file(const_tiletc_spv_mod_t mod, char const *filename) {
    CHECK_STATUS(tiletc_spv_mod_print_to_file(mod, filename));
}

/// Prints the disassembled module to a string.
inline auto print_to_string(const_tiletc_spv_mod_t mod) -> unique_handle<char *> {
    char *str = nullptr;
    CHECK_STATUS(tiletc_spv_mod_print_to_string(mod, &str));
    return unique_handle{str};
}

////////////////////////////
//////// Device info ///////
////////////////////////////

/// Describes a device by its register space in bytes, its largest work-group and the subgroup
/// sizes it offers.
inline auto create_core_info_generic(std::int32_t register_space, std::int32_t max_work_group_size,
                                     array_view<std::int32_t> sgs)
    -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_core_info_generic_create(&info, register_space, max_work_group_size,
                                                 sgs.size(), sgs.data()));
    return shared_handle{info};
}

/// Describes an Intel GPU by its architecture.
inline auto create_core_info_intel_from_arch(intel_gpu_architecture arch)
    -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_core_info_intel_create_from_arch(
        &info, static_cast<tiletc_intel_gpu_architecture_t>(arch)));
    return shared_handle{info};
}

/// Describes an Intel GPU by its architecture's name, for instance "pvc".
inline auto create_core_info_intel_from_name(char const *name)
    -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_core_info_intel_create_from_name(&info, name));
    return shared_handle{info};
}

/// Describes an Intel GPU by what its driver reports.
inline auto create_core_info_intel(std::uint32_t ip_version, std::int32_t num_eus_per_subslice,
                                   std::int32_t num_threads_per_eu, array_view<std::int32_t> sgs)
    -> shared_handle<tiletc_core_info_t> {
    tiletc_core_info_t info = nullptr;
    CHECK_STATUS(tiletc_core_info_intel_create(&info, ip_version, num_eus_per_subslice,
                                               num_threads_per_eu, sgs.size(), sgs.data()));
    return shared_handle{info};
}

/// The subgroup sizes of the device; a view into `info`.
inline auto get_subgroup_sizes(const_tiletc_core_info_t info) -> array_view<std::int32_t> {
    std::size_t sgs_size = 0;
    std::int32_t const *sgs = nullptr;
    CHECK_STATUS(tiletc_core_info_get_subgroup_sizes(info, &sgs_size, &sgs));
    return array_view(sgs, sgs_size);
}

/// Bytes of registers per subgroup.
inline auto get_register_space(const_tiletc_core_info_t info) -> std::int32_t {
    std::int32_t space = 0;
    CHECK_STATUS(tiletc_core_info_get_register_space(info, &space));
    return space;
}

/// Requests core features, a set of `core_feature_flag` bits.
inline void set_core_features(tiletc_core_info_t info, tiletc_core_feature_flags_t flags) {
    CHECK_STATUS(tiletc_core_info_set_core_features(info, flags));
}

/// The requested core features.
inline auto get_core_features(const_tiletc_core_info_t info) -> tiletc_core_feature_flags_t {
    tiletc_core_feature_flags_t flags = 0;
    CHECK_STATUS(tiletc_core_info_get_core_features(info, &flags));
    return flags;
}

/// Tells whether the device's SPIR-V consumer has a feature.
inline void set_spirv_feature(tiletc_core_info_t info, spirv_feature feature, bool available) {
    CHECK_STATUS(tiletc_core_info_set_spirv_feature(
        info, static_cast<tiletc_spirv_feature_t>(feature), available ? 1 : 0));
}

/// Returns whether the device's SPIR-V consumer has a feature.
inline auto have_spirv_feature(const_tiletc_core_info_t info, spirv_feature feature) -> bool {
    tiletc_bool_t available = 0;
    CHECK_STATUS(tiletc_core_info_have_spirv_feature(
        info, static_cast<tiletc_spirv_feature_t>(feature), &available));
    return available != 0;
}

/// The alignment in bytes assumed for base pointers.
inline auto get_default_alignment(const_tiletc_core_info_t info) -> std::int32_t {
    std::int32_t alignment = 0;
    CHECK_STATUS(tiletc_core_info_get_default_alignment(info, &alignment));
    return alignment;
}

/// Sets the alignment in bytes assumed for base pointers.
inline void set_default_alignment(tiletc_core_info_t info, std::int32_t alignment) {
    CHECK_STATUS(tiletc_core_info_set_default_alignment(info, alignment));
}

////////////////////////////
////////// Parser //////////
////////////////////////////

/// Parses a file. Diagnostics go to the reporter of `ctx`; without one, to nobody.
inline auto parse_file(char const *filename, tiletc_compiler_context_t ctx = {})
    -> shared_handle<tiletc_prog_t> {
    tiletc_prog_t prg = nullptr;
    CHECK_STATUS(tiletc_parse_file(&prg, filename, ctx));
    return shared_handle{prg};
}

/// Parses the standard input.
inline auto parse_stdin(tiletc_compiler_context_t ctx = {}) -> shared_handle<tiletc_prog_t> {
    tiletc_prog_t prg = nullptr;
    CHECK_STATUS(tiletc_parse_stdin(&prg, ctx));
    return shared_handle{prg};
}

/// Parses a text.
inline auto parse_string(std::string const &src, tiletc_compiler_context_t ctx = {})
    -> shared_handle<tiletc_prog_t> {
    tiletc_prog_t prg = nullptr;
    CHECK_STATUS(tiletc_parse_string(&prg, src.size(), src.c_str(), ctx));
    return shared_handle{prg};
}

////////////////////////////
///////// Compiler /////////
////////////////////////////

/// Runs a pass on every function of a program. Some passes need to know the device.
inline void run_function_pass(char const *pass_name, tiletc_prog_t prg,
                              const_tiletc_core_info_t info = {}) {
    CHECK_STATUS(tiletc_run_function_pass(pass_name, prg, info));
}

/// The names of all passes, a static array of static strings.
inline void list_function_passes(std::size_t &names_size, char const *const *&names) {
    CHECK_STATUS(tiletc_list_function_passes(&names_size, &names));
}

/// Compiles a program for a device.
inline auto compile_to_spirv(tiletc_prog_t prg, const_tiletc_core_info_t info)
    -> shared_handle<tiletc_spv_mod_t> {
    tiletc_spv_mod_t mod = nullptr;
    CHECK_STATUS(tiletc_prog_compile_to_spirv(&mod, prg, info));
    return shared_handle{mod};
}

/// Compiles a program for a device, down to the words of the module.
inline auto compile_to_spirv_and_assemble(tiletc_prog_t prg, const_tiletc_core_info_t info)
    -> shared_handle<tiletc_binary_t> {
    tiletc_binary_t bin = nullptr;
    CHECK_STATUS(tiletc_prog_compile_to_spirv_and_assemble(&bin, prg, info));
    return shared_handle{bin};
}

/// Encodes a module.
inline auto spirv_assemble(tiletc_spv_mod_t mod) -> shared_handle<tiletc_binary_t> {
    tiletc_binary_t bin = nullptr;
    CHECK_STATUS(tiletc_spirv_assemble(&bin, mod));
    return shared_handle{bin};
}

////////////////////////////
////////// Binary //////////
////////////////////////////

/// The content of a binary; `data` belongs to the binary.
struct raw_binary {
    /// Format of the bytes.
    bundle_format format;
    /// The number of bytes.
    std::size_t data_size;
    /// The bytes.
    std::uint8_t const *data;
};

/// The content of a binary, valid while the binary lives.
inline auto get_raw(tiletc_binary_t bin) -> raw_binary {
    tiletc_bundle_format_t format = {};
    raw_binary raw = {};
    CHECK_STATUS(tiletc_binary_get_raw(bin, &format, &raw.data_size, &raw.data));
    raw.format = static_cast<bundle_format>(format);
    return raw;
}

/// The context the binary was made in.
inline auto get_compiler_context(const_tiletc_binary_t bin)
    -> shared_handle<tiletc_compiler_context_t> {
    tiletc_compiler_context_t ctx = nullptr;
    CHECK_STATUS(tiletc_binary_get_compiler_context(bin, &ctx));
    return shared_handle{ctx, true};
}

/// The core features the binary was compiled for.
inline auto get_core_features(const_tiletc_binary_t bin) -> tiletc_core_feature_flags_t {
    tiletc_core_feature_flags_t flags = 0;
    CHECK_STATUS(tiletc_binary_get_core_features(bin, &flags));
    return flags;
}

/// Wraps a copy of existing code.
inline auto create_binary(tiletc_compiler_context_t ctx, bundle_format format,
                          std::size_t data_size, std::uint8_t const *data,
                          tiletc_core_feature_flags_t core_features)
    -> shared_handle<tiletc_binary_t> {
    tiletc_binary_t bin = nullptr;
    CHECK_STATUS(tiletc_binary_create(&bin, ctx, static_cast<tiletc_bundle_format_t>(format),
                                      data_size, data, core_features));
    return shared_handle{bin};
}

} // namespace TILETC_NAMESPACE

#endif // TILETC_CORE_HPP
