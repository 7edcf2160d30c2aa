// SPDX-License-Identifier: BSD-3-Clause

// Launches of a recipe. A kernel uses the memory that it is told to, so what is launched is made with care; random handlers
// are given nothing to run on.

#ifndef TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP
#define TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP

#include "arguments.hpp"

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

#endif // TILETC_TESTS_RANDOM_CALLS_LAUNCHES_HPP
