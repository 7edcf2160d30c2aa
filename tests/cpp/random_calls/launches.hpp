// SPDX-License-Identifier: BSD-3-Clause

// Launches of a recipe and of a program's kernel. A kernel uses the memory that it is told to, so what is launched is made
// with care; random handlers and kernels are given nothing to run on.

#ifndef TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP
#define TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP

#include "arguments.hpp"

#include <cstdio>
#include <cstdlib>

/// C := A * B, where A and C have up to `rows` rows, and B has `columns` of both.
class product {
  public:
    static constexpr std::int64_t rows = 40, columns = 4;

    product() = default;
    product(product const &) = delete;
    auto operator=(product const &) -> product & = delete;
    ~product() { tiletc_recipe_handler_release(handler_); }

    /// Returns whether there is a handler now: `create_info` and `create_handler` are a runtime's, `allocate` gets memory for so
    /// many bytes.
    template <typename Info, typename Handler, typename Allocate>
    auto make(Info &&create_info, Handler &&create_handler, Allocate &&allocate) -> bool {
        if (handler_ != nullptr) {
            return true;
        }
        tiletc_core_info_t info = nullptr;
        tiletc_compiler_context_t context = nullptr;
        tiletc_type_t f32 = nullptr;
        tiletc_recipe_t recipe = nullptr;
        auto const made =
            create_info(&info) == tiletc_status_success &&
            tiletc_compiler_context_create(&context) == tiletc_status_success &&
            tiletc_f32_type_get(&f32, context) == tiletc_status_success &&
            tiletc_recipe_tall_and_skinny_create(&recipe, info, f32, columns, columns, 0) ==
                tiletc_status_success &&
            create_handler(&handler_, recipe) == tiletc_status_success;
        tiletc_recipe_release(recipe);
        tiletc_compiler_context_release(context);
        tiletc_core_info_release(info);
        if (made && memory_ == nullptr) {
            memory_ = static_cast<float *>(allocate(3 * size * sizeof(float)));
            std::fill_n(memory_, 3 * size, 1.0f);
        }
        return made;
    }

    /// A handler with what it is to compute.
    auto prepared(source &from, tiletc_mem_type_t of_memory) -> tiletc_recipe_handler_t {
        auto const m = static_cast<std::int64_t>(from.below(rows + 1));
        float const alpha = 1.0f, beta = static_cast<float>(from.below(2));
        tiletc_recipe_tall_and_skinny_set_args(handler_, m, sizeof(alpha), &alpha, of_memory, memory_,
                                               rows, of_memory, memory_ + size, columns,
                                               sizeof(beta), &beta, of_memory, memory_ + 2 * size,
                                               rows);
        return handler_;
    }

  private:
    static constexpr std::size_t size = rows * columns;

    tiletc_recipe_handler_t handler_ = nullptr;
    float *memory_ = nullptr;
};

inline auto call(tiletc_status_t (*submit)(tiletc_recipe_handler_t, cl_command_queue, cl_uint,
                                           cl_event const *, cl_event *),
                 source &from) -> bool {
    thread_local auto work = product{};
    auto const &cl = runtimes::get().cl;
    auto const queue = from.objects().queue;
    if (queue == nullptr || from.below(2) == 0 ||
        !work.make([&](auto *info) { return tiletc_cl_core_info_create(info, cl.device); },
                   [&](auto *handler, auto recipe) {
                       return tiletc_cl_recipe_handler_create(handler, cl.context, cl.device, recipe);
                   },
                   [&](std::size_t size) { return cl.allocate(size); })) {
        auto const handler = from.handle(recipe_handler);
        return submit(static_cast<tiletc_recipe_handler_t>(handler), nullptr, 0, nullptr, nullptr) ==
               tiletc_status_success;
    }
    cl_event event = nullptr;
    auto const handler = work.prepared(from, tiletc_mem_type_svm_pointer);
    auto const status = submit(handler, queue, 0, nullptr, from.below(2) == 0 ? &event : nullptr);
    cl.finish(queue);
    if (event != nullptr) {
        cl.release_event(event);
    }
    return status == tiletc_status_success;
}

inline auto call(tiletc_status_t (*submit)(tiletc_recipe_handler_t, ze_command_list_handle_t,
                                           ze_event_handle_t, std::uint32_t, ze_event_handle_t *),
                 source &from) -> bool {
    thread_local auto work = product{};
    auto const &ze = runtimes::get().ze;
    auto const list = from.objects().list;
    if (list == nullptr || from.below(2) == 0 ||
        !work.make([&](auto *info) { return tiletc_ze_core_info_create(info, ze.device); },
                   [&](auto *handler, auto recipe) {
                       return tiletc_ze_recipe_handler_create(handler, ze.context, ze.device, recipe);
                   },
                   [&](std::size_t size) { return ze.allocate(size); })) {
        auto const handler = from.handle(recipe_handler);
        return submit(static_cast<tiletc_recipe_handler_t>(handler), nullptr, nullptr, 0, nullptr) ==
               tiletc_status_success;
    }
    auto const handler = work.prepared(from, tiletc_mem_type_usm_pointer);
    return submit(handler, list, nullptr, 0, nullptr) == tiletc_status_success;
}

/// A[i] := x for the elements of a vector, with arguments that are right, or wrong in one place: then nothing may run.
class filling {
  public:
    static constexpr std::size_t most = 64;

    /// The program, or null.
    static auto program() -> tiletc_prog_t {
        constexpr char text[] = "func @fill(%x: f32, %A: memref<f32x?>) {\n  %begin = constant 0 : index\n"
                                "  %end = size %A[0] : index\n  foreach (%i)=(%begin),(%end) {\n"
                                "    store %x, %A[%i]\n  }\n}";
        tiletc_compiler_context_t context = nullptr;
        tiletc_prog_t program = nullptr;
        if (tiletc_compiler_context_create(&context) == tiletc_status_success) {
            tiletc_parse_string(&program, sizeof(text) - 1, text, context);
        }
        tiletc_compiler_context_release(context);
        return program;
    }

    filling(source &from, float *memory, tiletc_arg_kind_t of_memory)
        : size_{static_cast<std::int64_t>(from.below(most + 1))} {
        values_[0] = {tiletc_arg_kind_floating, sizeof(x_), &x_};
        values_[1] = {of_memory, 0, memory};
        values_[2] = {tiletc_arg_kind_integer, sizeof(size_), &size_};
        auto &number = values_[2 * from.below(2)];
        auto const mistake = from.below(16);
        is_right_ = mistake > 7;
        switch (mistake) {
        case 0: count_ = static_cast<std::uint32_t>(from.below(3)); break;
        case 1: count_ = static_cast<std::uint32_t>(4 + from.below(array_size - 3)); break;
        case 2: is_null_ = true; break;
        case 3: number.size = (number.size + 1 + from.below(15)) % 16; break;
        case 4: number.value = nullptr; break;
        case 5: std::swap(values_[0].kind, values_[2].kind); break;
        case 6: number.kind = of_memory; break;
        case 7: values_[1].kind = static_cast<tiletc_arg_kind_t>(1 + from.below(3)); break;
        default: break;
        }
    }

    auto count() const -> std::uint32_t { return count_; }
    auto arguments() const -> tiletc_kernel_arg_t const * { return is_null_ ? nullptr : values_.data(); }

    /// Ends the program if wrong arguments were accepted.
    auto judge(char const *function, tiletc_status_t status) const -> bool {
        auto const is_success = status == tiletc_status_success;
        if (is_success && !is_right_) {
            std::printf("%s accepts wrong arguments: %u, kinds %d %d %d, sizes %zu %zu\n", function, count_,
                        values_[0].kind, values_[1].kind, values_[2].kind, values_[0].size, values_[2].size);
            std::fflush(stdout);
            std::abort();
        }
        return is_success;
    }

  private:
    float x_ = 2.0f;
    std::int64_t size_;
    std::array<tiletc_kernel_arg_t, array_size> values_ = {};
    std::uint32_t count_ = 3;
    bool is_null_ = false, is_right_ = true;
};

using cl_submit = tiletc_status_t(cl_kernel, cl_command_queue, std::size_t const *, std::uint32_t,
                                  tiletc_kernel_arg_t const *, cl_uint, cl_event const *, cl_event *);

inline auto call(cl_submit *submit, source &from) -> bool {
    auto const &cl = runtimes::get().cl;
    auto const queue = from.objects().queue;
    if (queue == nullptr || from.below(2) == 0) {
        return call<>(submit, from);
    }
    thread_local cl_kernel const kernel = [&] {
        auto const program = filling::program();
        cl_program bundle = nullptr;
        cl_kernel kernel = nullptr;
        if (tiletc_cl_kernel_bundle_create_with_program(&bundle, cl.context, cl.device, program, 0) ==
            tiletc_status_success) {
            tiletc_cl_kernel_create(&kernel, bundle, "fill");
        }
        tiletc_prog_release(program);
        return kernel;
    }();
    thread_local auto *const memory = static_cast<float *>(cl.allocate(filling::most * sizeof(float)));
    auto const work = filling{from, memory, tiletc_arg_kind_svm_pointer};
    std::size_t const groups[] = {from.below(2), 1, 1};
    auto const status = submit(kernel, queue, groups, work.count(), work.arguments(), 0, nullptr, nullptr);
    cl.finish(queue);
    return work.judge("tiletc_cl_submit", status);
}

using ze_submit = tiletc_status_t(ze_kernel_handle_t, ze_command_list_handle_t, std::uint32_t const *,
                                  std::uint32_t, tiletc_kernel_arg_t const *, ze_event_handle_t,
                                  std::uint32_t, ze_event_handle_t *);

inline auto call(ze_submit *submit, source &from) -> bool {
    auto const &ze = runtimes::get().ze;
    auto const list = from.objects().list;
    if (list == nullptr || from.below(2) == 0) {
        return call<>(submit, from);
    }
    thread_local ze_kernel_handle_t const kernel = [&] {
        auto const program = filling::program();
        ze_module_handle_t bundle = nullptr;
        ze_kernel_handle_t kernel = nullptr;
        if (tiletc_ze_kernel_bundle_create_with_program(&bundle, ze.context, ze.device, program, 0) ==
            tiletc_status_success) {
            tiletc_ze_kernel_create(&kernel, bundle, "fill");
        }
        tiletc_prog_release(program);
        return kernel;
    }();
    thread_local auto *const memory = static_cast<float *>(ze.allocate(filling::most * sizeof(float)));
    auto const work = filling{from, memory, tiletc_arg_kind_usm_pointer};
    std::uint32_t const groups[] = {static_cast<std::uint32_t>(from.below(2)), 1, 1};
    auto const status =
        submit(kernel, list, groups, work.count(), work.arguments(), nullptr, 0, nullptr);
    return work.judge("tiletc_ze_submit", status);
}

#endif // TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP
