// SPDX-License-Identifier: BSD-3-Clause

// Recipe handlers in SYCL, through the compatibility headers: launches that depend on each other and on
// the host, arguments that are set anew while launches wait, launches of nothing, and what is refused.

#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_sycl.hpp>

#include "check.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace {

// Programs say both; nothing may become ambiguous.
using namespace sycl;
using namespace tinytc;

using tinytc::status;

/// Memory that host and device share.
template <typename T> using array = std::unique_ptr<T, std::function<void(T *)>>;

template <typename T> auto shared(std::int64_t size, T value, sycl::queue const &q) -> array<T> {
    auto *ptr = sycl::aligned_alloc_shared<T>(128, static_cast<std::size_t>(size), q);
    CHECK(ptr != nullptr);
    std::fill_n(ptr, size, value);
    return {ptr, [ctx = q.get_context()](T *obj) { sycl::free(obj, ctx); }};
}

struct world {
    sycl::queue q;
    shared_handle<tinytc_compiler_context_t> ctx = tinytc::create_compiler_context();
    shared_handle<tinytc_core_info_t> info = tinytc::create_core_info(q.get_device());
    tinytc_type_t f32 = nullptr;

    explicit world(sycl::queue queue) : q{std::move(queue)} {
        set_error_reporter(ctx, [](char const *what, const tinytc_location *, void *) {
            std::fprintf(stderr, "%s\n", what);
        });
        CHECK(tinytc_f32_type_get(&f32, ctx.get()) == tinytc_status_success);
    }

    /// A batch of square matrices, one behind the other.
    auto square(std::int64_t size, tinytc_type_t number) const {
        auto const n = tinytc::transpose::N;
        return tinytc::create_small_gemm_batched(info.get(), number, n, n, size, size, size, size,
                                                 size * size, size, size * size, size, size * size);
    }
};

constexpr std::int64_t size = 8, howmany = 64, length = size * size * howmany;

/// Each launch multiplies by two and adds one, so the result is right for one order only, and each
/// needs the one before. With 1x1 blocks of ones: C := 2 C + 8.
void a_chain_keeps_its_order(world const &w) {
    auto const recipe = w.square(size, w.f32);
    auto const handler = tinytc::create_recipe_handler(w.q, recipe);
    auto q = sycl::queue{w.q.get_context(), w.q.get_device()}; // out of order
    auto const one = shared(length, 1.0f, q), C = shared(length, 1.0f, q);
    auto event = std::optional<sycl::event>{};
    auto expected = 1.0f;
    for (int step = 0; step < 12; ++step) {
        // Multiplication and addition in turns do not commute.
        auto const [alpha, beta] = step % 2 == 0 ? std::pair{0.0f, 2.0f} : std::pair{0.125f, 1.0f};
        expected = alpha * size + beta * expected;
        tinytc::set_small_gemm_batched_args(handler.get(), howmany, alpha, one.get(), one.get(),
                                            beta, C.get());
        event = event ? submit(handler.get(), q, *event) : submit(handler.get(), q);
    }
    event->wait();
    for (std::int64_t i = 0; i < length; ++i) {
        CHECK(C.get()[i] == expected);
    }
}

/// The launches wait for work on the host, while the handler is already told of the next ones.
void launches_keep_the_arguments_they_were_submitted_with(world const &w) {
    auto const handler = tinytc::create_recipe_handler(w.q, w.square(size, w.f32));
    auto q = sycl::queue{w.q.get_context(), w.q.get_device()};
    auto const A = shared(length, std::numeric_limits<float>::quiet_NaN(), q);
    auto const one = shared(length, 1.0f, q);
    auto const first = shared(length, 0.0f, q), second = shared(length, 0.0f, q),
               third = shared(length, 0.0f, q);
    auto is_open = std::atomic<bool>{false};
    auto const gate = q.submit([&](sycl::handler &h) {
        h.host_task([&is_open, ones = A.get()] {
            while (!is_open) {
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
            }
            std::fill_n(ones, length, 1.0f);
        });
    });
    auto events = std::vector<sycl::event>{};
    auto const launch = [&](float alpha, float *C, std::vector<sycl::event> const &after) {
        tinytc::set_small_gemm_batched_args(handler, howmany, alpha, A.get(), one.get(), 0.0f, C);
        return submit(handler, q, after);
    };
    events.push_back(launch(1.0f, first.get(), {gate}));
    events.push_back(launch(2.0f, second.get(), {gate, events[0]}));
    events.push_back(launch(3.0f, third.get(), {gate}));
    // Nothing to launch, but it comes after the others.
    tinytc::set_small_gemm_batched_args(handler, 0, 1.0f, A.get(), one.get(), 0.0f, first.get());
    auto nothing = submit(handler, q, events);
    CHECK(nothing.get_info<sycl::info::event::command_execution_status>() !=
          sycl::info::event_command_status::complete);
    is_open = true;
    nothing.wait();
    for (std::int64_t i = 0; i < length; ++i) {
        CHECK(first.get()[i] == 8.0f && second.get()[i] == 16.0f && third.get()[i] == 24.0f);
    }
}

void a_launch_is_the_action_of_a_command_group(world const &w) {
    auto q = w.q;
    auto const recipe = tinytc::create_tall_and_skinny(w.info.get(), w.f32, 4, 2, 32);
    auto const handler =
        tinytc::create_recipe_handler(q.get_context(), q.get_device(), recipe.get());
    CHECK(tinytc::get_recipe(handler.get()) == recipe);
    constexpr std::int64_t M = 77, ld = 80;
    auto const A = shared(ld * 2, 1.0f, q), B = shared(std::int64_t{8}, 2.0f, q);
    auto const C = shared(ld * 4, 5.0f, q);
    for (float beta : {0.0f, 3.0f}) {
        std::fill_n(C.get(), ld * 4, 5.0f);
        tinytc::set_tall_and_skinny_args(handler, M, 0.5f, A.get(), ld, B.get(), 2, beta, C.get(),
                                         ld);
        q.submit([&](sycl::handler &cgh) { tinytc::parallel_for(handler.get(), cgh); }).wait();
        for (std::int64_t i = 0; i < ld * 4; ++i) {
            CHECK(C.get()[i] == (i % ld < M ? 2.0f + 5.0f * beta : 5.0f));
        }
    }
    // No rows, nothing to do.
    tinytc::set_tall_and_skinny_args(handler, 0, 0.5f, A.get(), ld, B.get(), 2, 0.0f, C.get(), ld);
    q.submit([&](sycl::handler &cgh) { parallel_for(handler, cgh); }).wait();
    submit(handler, q).wait();
    CHECK(C.get()[0] == 17.0f);
}

/// Numbers of every width reach the kernel.
template <typename T> void numbers_of(world const &w, tinytc_type_t number, T factor) {
    auto q = w.q;
    auto const handler = tinytc::create_recipe_handler(q, w.square(size, number));
    auto const one = shared(length, T(1), q), C = shared(length, T(1), q);
    tinytc::set_small_gemm_batched_args(handler, howmany, factor, tinytc::mem(one.get(), mem_type::usm_pointer),
                                        tinytc::mem(one.get(), mem_type::usm_pointer), factor,
                                        tinytc::mem(C.get(), mem_type::usm_pointer));
    submit(handler, q).wait();
    CHECK(C.get()[0] == T(8) * factor + factor && C.get()[length - 1] == C.get()[0]);
}

void numbers_of_every_width(world const &w) {
    tinytc_type_t type = nullptr;
    auto *const ctx = w.ctx.get();
    CHECK(tinytc_i8_type_get(&type, ctx) == tinytc_status_success);
    numbers_of<std::int8_t>(w, type, 3);
    CHECK(tinytc_i64_type_get(&type, ctx) == tinytc_status_success);
    numbers_of<std::int64_t>(w, type, -3);
    CHECK(tinytc_bf16_type_get(&type, ctx) == tinytc_status_success);
    numbers_of<tinytc::bfloat16>(w, type, 3.0f);
    CHECK(tinytc_c32_type_get(&type, ctx) == tinytc_status_success);
    numbers_of<std::complex<float>>(w, type, {1.0f, 2.0f});
    if (w.q.get_device().has(sycl::aspect::fp16)) {
        CHECK(tinytc_f16_type_get(&type, ctx) == tinytc_status_success);
        numbers_of<tinytc::half>(w, type, 3.0f);
    }
    if (w.q.get_device().has(sycl::aspect::fp64)) {
        CHECK(tinytc_f64_type_get(&type, ctx) == tinytc_status_success);
        numbers_of<double>(w, type, 3.0);
        CHECK(tinytc_c64_type_get(&type, ctx) == tinytc_status_success);
        numbers_of<std::complex<double>>(w, type, {1.0, -2.0});
    }
}

/// On the OpenCL backend buffer objects can be arguments, too.
void buffers_are_arguments_on_opencl(world const &w) {
    if (w.q.get_backend() != sycl::backend::opencl) {
        return;
    }
    auto q = w.q;
    auto const handler = tinytc::create_recipe_handler(q, w.square(size, w.f32));
    auto const context =
        shared_handle{sycl::get_native<sycl::backend::opencl>(q.get_context())};
    auto ones = std::vector<float>(length, 1.0f);
    cl_int code = CL_SUCCESS;
    cl_mem A = clCreateBuffer(context.get(), CL_MEM_COPY_HOST_PTR, length * sizeof(float),
                              ones.data(), &code);
    CHECK(code == CL_SUCCESS);
    auto const C = shared(length, 0.0f, q);
    tinytc::set_small_gemm_batched_args(handler, howmany, 1.0f, A, A, 0.0f, C.get());
    submit(handler, q).wait();
    CHECK(C.get()[0] == 8.0f && C.get()[length - 1] == 8.0f);
    clReleaseMemObject(A);
}

void wrong_handlers_are_refused(world const &w) {
    auto q = w.q;
    auto const recipe = w.square(size, w.f32);
    auto const handler = tinytc::create_recipe_handler(q, recipe);
    CHECK(status_of<status>([&] { tinytc::create_recipe_handler(q, tinytc_recipe_t{}); }) ==
          status::invalid_arguments);
    CHECK(status_of<status>([&] { submit(handler, q); }) == status::invalid_arguments); // nothing is set
    CHECK(status_of<status>([&] {
              q.submit([&](sycl::handler &cgh) { tinytc::parallel_for(handler.get(), cgh); });
          }) == status::invalid_arguments);
    CHECK(status_of<status>([&] { tinytc::submit(tinytc_recipe_handler_t{}, q); }) == status::invalid_arguments);
    if (q.get_backend() != sycl::backend::opencl) {
        return;
    }
    // One for plain OpenCL is none for SYCL, and the other way round.
    auto const context = shared_handle{sycl::get_native<sycl::backend::opencl>(q.get_context())};
    auto const device = shared_handle{sycl::get_native<sycl::backend::opencl>(q.get_device())};
    auto const plain = tinytc::create_recipe_handler(context.get(), device.get(), recipe);
    float *const none = nullptr;
    tinytc::set_small_gemm_batched_args(plain, 0, 1.0f, none, none, 0.0f, none);
    tinytc::set_small_gemm_batched_args(handler, 0, 1.0f, none, none, 0.0f, none);
    CHECK(status_of<status>([&] { submit(plain, q); }) == status::invalid_arguments);
    CHECK(status_of<status>([&] {
              q.submit([&](sycl::handler &cgh) { tinytc::parallel_for(plain.get(), cgh); });
          }) == status::invalid_arguments);
    cl_int code = CL_SUCCESS;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context.get(), device.get(), nullptr, &code);
    CHECK(status_of<status>([&] { submit(handler, queue); }) == status::invalid_arguments);
    submit_no_event(plain, queue);
    clReleaseCommandQueue(queue);
}

} // namespace

int main() {
    auto q = std::optional<sycl::queue>{};
    try {
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    try {
        auto const w = world{*q};
        a_chain_keeps_its_order(w);
        launches_keep_the_arguments_they_were_submitted_with(w);
        a_launch_is_the_action_of_a_command_group(w);
        numbers_of_every_width(w);
        buffers_are_arguments_on_opencl(w);
        wrong_handlers_are_refused(w);
    } catch (tinytc::status const &st) {
        std::fprintf(stderr, "status %d: %s\n", static_cast<int>(st), tinytc::to_string(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
