// SPDX-License-Identifier: BSD-3-Clause

// Random arguments for the functions of the C interface, by the types of their parameters. Handles are of all
// kinds, live or not, and shared by all threads, or half of the time of a scene; memory is as large as the function
// may take it for.

#ifndef TILETC_TESTS_RANDOM_CALLS_ARGUMENTS_HPP
#define TILETC_TESTS_RANDOM_CALLS_ARGUMENTS_HPP

#include "runtimes.hpp"
#include "scene.hpp"

#include <tiletc/tiletc.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>

/// Elements of every array; all sizes of arrays that are passed are at most that.
constexpr std::size_t array_size = 64;

/// Kinds of handles, and how each is given back.
enum kind { attr, type, value, inst, region, func, prog, spv_mod, core_info, binary, context, recipe,
            recipe_handler, tuner, kinds };
template <typename T> struct handle_kind;
#define TILETC_KIND(NAME, STRUCT)                                                                  \
    template <> struct handle_kind<STRUCT> {                                                       \
        static constexpr kind is = NAME;                                                           \
    };
TILETC_KIND(attr, tinytc_attr)
TILETC_KIND(type, tinytc_type)
TILETC_KIND(value, tinytc_value)
TILETC_KIND(inst, tinytc_inst)
TILETC_KIND(region, tinytc_region)
TILETC_KIND(func, tinytc_func)
TILETC_KIND(prog, tinytc_prog)
TILETC_KIND(spv_mod, tinytc_spv_mod)
TILETC_KIND(core_info, tinytc_core_info)
TILETC_KIND(binary, tinytc_binary)
TILETC_KIND(context, tinytc_compiler_context)
TILETC_KIND(recipe, tinytc_recipe)
TILETC_KIND(recipe_handler, tinytc_recipe_handler)
TILETC_KIND(tuner, tiletc_tuner)
#undef TILETC_KIND

template <typename T, typename = void> constexpr bool is_handle = false;
template <typename T>
constexpr bool is_handle<T, std::void_t<decltype(handle_kind<std::remove_const_t<T>>::is)>> = true;

/// Gives a handle back; those of what others own stay.
inline void give_back(kind of, void *handle) {
    switch (of) {
    case inst: tiletc_inst_destroy(static_cast<tiletc_inst_t>(handle)); break;
    case func: tiletc_func_destroy(static_cast<tiletc_func_t>(handle)); break;
    case prog: tiletc_prog_release(static_cast<tiletc_prog_t>(handle)); break;
    case spv_mod: tiletc_spv_mod_release(static_cast<tiletc_spv_mod_t>(handle)); break;
    case core_info: tiletc_core_info_release(static_cast<tiletc_core_info_t>(handle)); break;
    case binary: tiletc_binary_release(static_cast<tiletc_binary_t>(handle)); break;
    case context:
        tiletc_compiler_context_release(static_cast<tiletc_compiler_context_t>(handle));
        break;
    case recipe: tiletc_recipe_release(static_cast<tiletc_recipe_t>(handle)); break;
    case recipe_handler:
        tiletc_recipe_handler_release(static_cast<tiletc_recipe_handler_t>(handle));
        break;
    case tuner: tiletc_tuner_release(static_cast<tiletc_tuner_t>(handle)); break;
    default: break;
    }
}

/// The handles that all threads know. A new one takes the place of an old one, which is given back.
class handle_pool {
  public:
    auto get(kind of, std::size_t place) -> void * {
        auto lock = std::lock_guard{mutex_};
        return handles_[of][place % count(of)];
    }
    void put(kind of, std::size_t place, void *handle) {
        void *old = nullptr;
        {
            auto lock = std::lock_guard{mutex_};
            old = std::exchange(handles_[of][place % count(of)], handle);
        }
        give_back(of, old);
    }

  private:
    /// Few contexts, so that what an instruction is made of is often of one.
    static auto count(kind of) -> std::size_t { return of == context ? 2 : 48; }

    std::mutex mutex_;
    std::array<std::array<void *, 48>, kinds> handles_ = {};
};

/// Source of the random numbers of a thread.
class source {
  public:
    source(handle_pool &pool, std::uint64_t seed) : pool_{pool}, random_{seed} {}

    auto pool() -> handle_pool & { return pool_; }
    auto objects() -> runtime_objects & { return objects_; }
    auto below(std::size_t end) -> std::size_t { return random_() % end; }
    auto size() -> std::size_t {
        if (theme_ != nullptr) {
            return below(3);
        }
        switch (below(6)) {
        case 0: return below(array_size + 1);
        case 1: return std::size_t{1} << below(5);
        default: return below(4);
        }
    }

    /// Decides what the handles of the next call are from.
    void next_call() {
        if (calls_++ % calls_of_scene == 0) {
            scene_.emplace();
            // The other threads may use it, too, and find it gone.
            auto const context = scene_->context();
            tiletc_compiler_context_retain(context);
            pool_.put(::context, random_(), context);
            pool_.put(region, random_(), scene_->body());
            put_tuner();
            for (auto const &theme : scene_->themes()) {
                for (auto handle : theme.values) {
                    pool_.put(value, random_(), handle);
                }
                for (auto handle : theme.types) {
                    pool_.put(type, random_(), handle);
                }
            }
        }
        auto const &themes = scene_->themes();
        theme_ = below(2) == 0 ? nullptr : &themes[below(themes.size())];
    }

    /// A number, often one at an edge.
    auto number() -> std::int64_t {
        static constexpr std::int64_t edges[] = {
            -1, INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, 1 << 16, 255, 128, std::int64_t{1} << 32};
        return below(8) == 0 ? edges[below(std::size(edges))]
                             : static_cast<std::int64_t>(below(below(2) == 0 ? 4 : 33));
    }

    /// A handle: of the kind that is asked for, mostly.
    auto handle(kind of) -> void * {
        auto const dice = below(40);
        if (dice == 0) {
            return nullptr;
        }
        if (dice > 3 && theme_ != nullptr && of == value) {
            return theme_->values[below(theme_->values.size())];
        }
        if (dice > 3 && theme_ != nullptr && of == type) {
            return theme_->types[below(theme_->types.size())];
        }
        return pool_.get(dice < 3 ? static_cast<kind>(below(kinds)) : of, random_());
    }

    /// Names, programs, and what is neither. There is always room for an array behind it.
    auto text() -> char const * {
        struct buffer {
            char text[512];
        };
        static buffer const texts[] = {
            {""},
            {"pvc"},
            {"tgl"},
            {"x"},
            {"alignment"},
            {"check-ir"},
            {"insert-barrier"},
            {"dump-ir"},
            {"random"},
            {"subgroup_size"},
            {"16"},
            {"lower-linalg"},
            {"f"},
            {"\xff\xfe%\n"},
            {"func @f() {}"},
            {"func @f(%a: i32) { return }"},
            {"func @k(%A: memref<f32x4x4>) {\n %0 = constant 1.0 : f32\n}"},
            {"func @f(%A: memref<f32x8x8>, %B: memref<f32x8x8>) {\n  %0 = constant 1.0 : f32\n"
             "  %1 = constant 0.0 : f32\n  gemm.n.n %0, %A, %A, %1, %B\n}"},
            {"func @f(%n: index, %A: memref<f32x?>) {\n  %0 = constant 0 : index\n  %x = constant 2.0 : f32\n"
             "  foreach (%i)=(%0),(%n) {\n    store %x, %A[%i]\n  }\n}"}};
        return texts[below(std::size(texts))].text;
    }

  private:
    /// A tuner, which needs a whole program, whose size random calls seldom hit.
    void put_tuner() {
        static constexpr char text[] = "func @f() {}";
        tiletc_core_info_t info = nullptr;
        tiletc_tuner_t made = nullptr;
        tiletc_core_info_intel_create_from_name(&info, "pvc");
        tiletc_tuner_create(&made, sizeof(text) - 1, text, nullptr, info);
        tiletc_core_info_release(info);
        pool_.put(tuner, random_(), made);
    }

    static constexpr std::size_t calls_of_scene = 1024;

    handle_pool &pool_;
    std::mt19937_64 random_;
    std::size_t calls_ = 0;
    std::optional<scene> scene_;
    theme const *theme_ = nullptr;
    runtime_objects objects_;
};

/// Uses the library out of a callback, now and then; what that reports or logs is left at that.
inline void call_back() {
    thread_local unsigned calls = 0;
    thread_local bool is_inside = false;
    if (is_inside || ++calls % 64 != 0) {
        return;
    }
    is_inside = true;
    tiletc_compiler_context_t context = nullptr;
    tiletc_prog_t program = nullptr;
    constexpr char text[] = "func @f(%a: i32) { nonsense }";
    if (tiletc_compiler_context_create(&context) == tiletc_status_success) {
        tiletc_parse_string(&program, sizeof(text) - 1, text, context);
    }
    tiletc_prog_release(program);
    tiletc_compiler_context_release(context);
    tiletc_set_log_callback(tiletc_log_level_off, nullptr, nullptr);
    is_inside = false;
}

/// Answer of a callback that mostly does as it is told.
inline auto answer() -> tiletc_status_t {
    thread_local unsigned calls = 0;
    call_back();
    return ++calls % 32 == 0 ? tiletc_status_out_of_range : tiletc_status_success;
}

/// Listens to a message.
inline void hear(char const *, tiletc_location_t const *, void *) { call_back(); }

/// One argument of type `T`.
template <typename T, typename = void> struct argument;

template <typename T> struct argument<T, std::enable_if_t<std::is_integral_v<T>>> {
    T value;
    explicit argument(source &from)
        : value{std::is_unsigned_v<T> && sizeof(T) >= 4 ? static_cast<T>(from.size())
                                                         : static_cast<T>(from.number())} {}
    auto get() -> T { return value; }
    void take(source &) {}
};

template <typename T> struct argument<T, std::enable_if_t<std::is_enum_v<T>>> {
    T value;
    explicit argument(source &from)
        : value{static_cast<T>(from.below(from.below(2) == 0 ? 4 : 32))} {}
    auto get() -> T { return value; }
    void take(source &) {}
};

template <> struct argument<tiletc_intel_gpu_architecture_t> {
    tiletc_intel_gpu_architecture_t value;
    explicit argument(source &from) {
        static constexpr int values[] = {tiletc_intel_gpu_architecture_tgl,
                                         tiletc_intel_gpu_architecture_pvc,
                                         tiletc_intel_gpu_architecture_bmg, 0, 1, -1};
        value = static_cast<tiletc_intel_gpu_architecture_t>(values[from.below(std::size(values))]);
    }
    auto get() -> tiletc_intel_gpu_architecture_t { return value; }
    void take(source &) {}
};

template <typename T> struct argument<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    T value;
    explicit argument(source &from) : value{static_cast<T>(from.number()) / 2} {}
    auto get() -> T { return value; }
    void take(source &) {}
};

template <> struct argument<tiletc_error_reporter_t> {
    tiletc_error_reporter_t value;
    explicit argument(source &from) : value{from.below(2) == 0 ? &hear : nullptr} {}
    auto get() -> tiletc_error_reporter_t { return value; }
    void take(source &) {}
};

/// Strings that are passed in; what is passed to be freed is none.
template <> struct argument<char const *> {
    char const *value;
    explicit argument(source &from) : value{from.below(30) == 0 ? nullptr : from.text()} {}
    auto get() -> char const * { return value; }
    void take(source &) {}
};
template <> struct argument<char const *const *> {
    std::array<char const *, array_size> values;
    explicit argument(source &from) {
        for (auto &value : values) {
            value = from.below(100) == 0 ? nullptr : from.text();
        }
    }
    auto get() -> char const *const * { return values.data(); }
    void take(source &) {}
};
template <> struct argument<char *> {
    explicit argument(source &) {}
    auto get() -> char * { return nullptr; }
    void take(source &) {}
};

/// A string that is stored and has to be freed.
template <> struct argument<char **> {
    char *value = nullptr;
    explicit argument(source &) {}
    auto get() -> char ** { return &value; }
    void take(source &) { tiletc_string_destroy(value); }
};

/// Memory whose content means nothing.
template <typename T> struct argument<T *, std::enable_if_t<std::is_void_v<T>>> {
    alignas(16) std::array<unsigned char, 16 * array_size> memory = {};
    explicit argument(source &from) { memory[from.below(8)] = 1; }
    auto get() -> T * { return memory.data(); }
    void take(source &) {}
};

/// Handles.
template <typename T> struct argument<T *, std::enable_if_t<is_handle<T>>> {
    T *value;
    explicit argument(source &from)
        : value{static_cast<T *>(from.handle(handle_kind<std::remove_const_t<T>>::is))} {}
    auto get() -> T * { return value; }
    void take(source &) {}
};

/// Object of a runtime, or null. A context seldom is one: drivers take long to build a kernel.
template <typename T> struct of_runtime {
    T value;
    of_runtime(source &from, T object, std::size_t times)
        : value{from.below(times) == 0 ? object : nullptr} {}
    auto get() -> T { return value; }
    void take(source &) {}
};
constexpr std::size_t builds_of_contexts = 64, uses_of_objects = 2;
#define TILETC_OF_RUNTIME(TYPE, OBJECT, TIMES)                                                     \
    template <> struct argument<TYPE> : of_runtime<TYPE> {                                         \
        explicit argument(source &from) : of_runtime{from, OBJECT, TIMES} {}                       \
    };
TILETC_OF_RUNTIME(cl_device_id, runtimes::get().cl.device, uses_of_objects)
TILETC_OF_RUNTIME(cl_context, runtimes::get().cl.context, builds_of_contexts)
TILETC_OF_RUNTIME(cl_program, from.objects().program(), uses_of_objects)
TILETC_OF_RUNTIME(cl_kernel, from.objects().kernel(), uses_of_objects)
// Launches have arguments of their own; with any others nothing may run.
TILETC_OF_RUNTIME(cl_command_queue, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(ze_command_list_handle_t, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(ze_event_handle_t, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(cl_event const *, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(cl_event *, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(ze_event_handle_t *, nullptr, uses_of_objects)
TILETC_OF_RUNTIME(ze_device_handle_t, runtimes::get().ze.device, uses_of_objects)
TILETC_OF_RUNTIME(ze_context_handle_t, runtimes::get().ze.context, builds_of_contexts)
TILETC_OF_RUNTIME(ze_module_handle_t, from.objects().module(), uses_of_objects)
TILETC_OF_RUNTIME(ze_kernel_handle_t, from.objects().native_kernel(), uses_of_objects)
#undef TILETC_OF_RUNTIME

/// Objects that a runtime has made for this thread.
template <typename T> struct from_runtime {
    T value = nullptr;
    explicit from_runtime(source &) {}
    auto get() -> T * { return &value; }
    void take(source &from) { from.objects().put(value); }
};
template <> struct argument<cl_program *> : from_runtime<cl_program> {
    using from_runtime::from_runtime;
};
template <> struct argument<cl_kernel *> : from_runtime<cl_kernel> {
    using from_runtime::from_runtime;
};
template <> struct argument<ze_module_handle_t *> : from_runtime<ze_module_handle_t> {
    using from_runtime::from_runtime;
};
template <> struct argument<ze_kernel_handle_t *> : from_runtime<ze_kernel_handle_t> {
    using from_runtime::from_runtime;
};

/// Handles that are stored, or an array of them that is passed in. What is stored may be passed in as well: a cursor in
/// the instructions of a region.
template <typename T>
struct argument<T **, std::enable_if_t<is_handle<T> && !std::is_const_v<T>>> {
    std::array<T *, array_size> values = {};
    bool is_null;
    explicit argument(source &from) : is_null{from.below(30) == 0} {
        if (handle_kind<T>::is == inst && from.below(2) == 0) {
            values[0] = static_cast<T *>(from.handle(inst));
        }
    }
    auto get() -> T ** { return is_null ? nullptr : values.data(); }
    void take(source &from) {
        for (auto value : values) {
            if (value != nullptr) {
                from.pool().put(handle_kind<T>::is, from.below(1 << 20), value);
            }
        }
    }
};
template <typename T>
struct argument<T *const *, std::enable_if_t<is_handle<T>>> {
    std::array<T *, array_size> values;
    explicit argument(source &from) {
        for (auto &value : values) {
            value = static_cast<T *>(from.handle(handle_kind<std::remove_const_t<T>>::is));
        }
    }
    auto get() -> T *const * { return values.data(); }
    void take(source &) {}
};

/// Arrays of numbers, passed in or stored; what may be the size of an array is small.
template <typename T>
struct argument<T *, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
    using number = std::remove_const_t<T>;
    std::array<number, array_size> values;
    bool is_null;
    explicit argument(source &from) : is_null{from.below(12) == 0} {
        for (auto &value : values) {
            value = argument<number>{from}.get();
        }
    }
    auto get() -> T * { return is_null ? nullptr : values.data(); }
    void take(source &) {}
};

/// Pointers into objects that are stored.
template <typename T>
struct argument<T const **, std::enable_if_t<!is_handle<T>>> {
    std::array<T const *, array_size> values = {};
    explicit argument(source &) {}
    auto get() -> T const ** { return values.data(); }
    void take(source &) {}
};
template <> struct argument<char const *const **> {
    char const *const *value = nullptr;
    explicit argument(source &) {}
    auto get() -> char const *const ** { return &value; }
    void take(source &) {}
};
template <> struct argument<void **> {
    void *value = nullptr;
    explicit argument(source &) {}
    auto get() -> void ** { return &value; }
    void take(source &) {}
};

template <> struct argument<tiletc_location_t const *> {
    tiletc_location_t value = {};
    bool is_null;
    explicit argument(source &from) : is_null{from.below(2) == 0} {
        for (auto position : {&value.begin, &value.end}) {
            position->source_id = static_cast<std::int32_t>(from.below(4));
            position->line = static_cast<std::int32_t>(from.number());
            position->column = static_cast<std::int32_t>(from.number());
        }
    }
    auto get() -> tiletc_location_t const * { return is_null ? nullptr : &value; }
    void take(source &) {}
};
template <> struct argument<tiletc_location_t *> {
    tiletc_location_t value = {};
    explicit argument(source &) {}
    auto get() -> tiletc_location_t * { return &value; }
    void take(source &) {}
};
template <> struct argument<tiletc_cache_counters_t *> {
    tiletc_cache_counters_t value = {};
    explicit argument(source &) {}
    auto get() -> tiletc_cache_counters_t * { return &value; }
    void take(source &) {}
};
template <> struct argument<tiletc_launch_plan_t *> {
    tiletc_launch_plan_t value = {};
    explicit argument(source &) {}
    auto get() -> tiletc_launch_plan_t * { return &value; }
    void take(source &) {}
};
template <> struct argument<tiletc_bench_summary_t *> {
    tiletc_bench_summary_t value = {};
    explicit argument(source &) {}
    auto get() -> tiletc_bench_summary_t * { return &value; }
    void take(source &) {}
};
/// Entries of a dictionary.
template <typename T>
struct argument<T *, std::enable_if_t<std::is_same_v<std::remove_const_t<T>, tiletc_named_attr_t>>> {
    std::array<tiletc_named_attr_t, array_size> values;
    explicit argument(source &from) {
        for (auto &value : values) {
            value.name = static_cast<tiletc_attr_t>(from.handle(attr));
            value.attr = static_cast<tiletc_attr_t>(from.handle(attr));
        }
    }
    auto get() -> T * { return values.data(); }
    void take(source &) {}
};

/// Arguments of kernels. Drivers look behind the handle of a buffer, so that there are none.
template <> struct argument<tiletc_kernel_arg_t const *> {
    std::array<unsigned char, 16> memory = {};
    std::array<tiletc_kernel_arg_t, array_size> values;
    bool is_null;
    explicit argument(source &from) : is_null{from.below(12) == 0} {
        for (auto &value : values) {
            auto const kind = from.below(8);
            value.kind = static_cast<tiletc_arg_kind_t>(kind == tiletc_arg_kind_buffer ? 7 : kind);
            value.size = std::size_t{1} << from.below(5);
            value.value = from.below(12) == 0 ? nullptr : memory.data();
        }
    }
    auto get() -> tiletc_kernel_arg_t const * {
        for (auto &value : values) {
            value.value = value.value == nullptr ? nullptr : memory.data();
        }
        return is_null ? nullptr : values.data();
    }
    void take(source &) {}
};

/// A listener.
template <> struct argument<tiletc_log_callback_t> {
    bool is_null;
    explicit argument(source &from) : is_null{from.below(2) == 0} {}
    auto get() -> tiletc_log_callback_t {
        return is_null ? nullptr : +[](tiletc_log_level_t, char const *, void *) { call_back(); };
    }
    void take(source &) {}
};

/// Launches of one time, so that there are soon enough.
template <> struct argument<tiletc_bench_launch_t> {
    bool is_null;
    explicit argument(source &from) : is_null{from.below(5) == 0} {}
    auto get() -> tiletc_bench_launch_t {
        return is_null ? nullptr : +[](double *seconds, std::size_t, tiletc_bool_t, void *) {
            *seconds = 1.0;
            return answer();
        };
    }
    void take(source &) {}
};

/// A runtime of the program's own.
template <> struct argument<tiletc_recipe_handler_callbacks_t const *> {
    tiletc_recipe_handler_callbacks_t value = {
        "random",
        [](void *, std::size_t) { return answer(); },
        [](void *, std::uint32_t, std::size_t, void const *) { return answer(); },
        [](void *, std::uint32_t, tiletc_mem_type_t, void const *) { return answer(); },
        [](void *, std::int64_t) { return answer(); },
        [](void *) { call_back(); }};
    bool is_null;
    explicit argument(source &from) : is_null{from.below(10) == 0} {}
    auto get() -> tiletc_recipe_handler_callbacks_t const * { return is_null ? nullptr : &value; }
    void take(source &) {}
};

/// Calls a function with random arguments; whether it succeeded.
template <typename R, typename... T> auto call(R (*function)(T...), source &from) -> bool {
    auto arguments = std::tuple<argument<T>...>{argument<T>{from}...};
    return std::apply(
        [&](auto &...each) {
            if constexpr (std::is_same_v<R, tiletc_status_t>) {
                if (function(each.get()...) != tiletc_status_success) {
                    return false;
                }
            } else {
                static_cast<void>(function(each.get()...));
            }
            (each.take(from), ...);
            return true;
        },
        arguments);
}

// Objects of Level Zero are gone when they are destroyed; any other use would be the caller's mistake.
inline auto call(tiletc_status_t (*destroy)(ze_module_handle_t), source &from) -> bool {
    return destroy(from.objects().take_module()) == tiletc_status_success;
}
inline auto call(tiletc_status_t (*destroy)(ze_kernel_handle_t), source &from) -> bool {
    return destroy(from.objects().take_kernel()) == tiletc_status_success;
}

// Nobody gives back a reference that is not theirs.
inline auto call(tiletc_status_t (*)(tiletc_cl_object_t, void *), source &from) -> bool {
    auto const &cl = runtimes::get().cl;
    std::array<void *, 5> const objects = {cl.context, cl.device, from.objects().program(),
                                           from.objects().kernel(), nullptr};
    auto const number = from.below(objects.size() + 1);
    auto const kind = static_cast<tiletc_cl_object_t>(number);
    auto *const object = objects[number % objects.size()];
    return tiletc_cl_retain(kind, object) == tiletc_status_success &&
           tiletc_cl_release(kind, object) == tiletc_status_success;
}

#endif // TILETC_TESTS_RANDOM_CALLS_ARGUMENTS_HPP
