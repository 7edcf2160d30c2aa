// SPDX-License-Identifier: BSD-3-Clause

// Recipe handlers on OpenCL: buffers, unified shared memory and shared virtual memory as arguments,
// events, launches of nothing, and what is refused.
//
// With the argument `svm`, what needs fine-grained shared virtual memory; without, the rest.

#include "check.hpp"
#include "opencl.hpp"

#include <tiletc/tiletc_cl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using tiletc::mem;
using tiletc::mem_type;
using tiletc::status;

constexpr std::int64_t M = 12, N = 5, K = 7, howmany = 4;
constexpr std::size_t size_A = M * K * howmany, size_B = K * N, size_C = M * N * howmany;

/// Numbers that all products and sums of a few are exact with.
auto number(std::size_t i) -> float { return static_cast<float>(i * 7 % 11) - 5.0f; }

auto filled(std::size_t size, std::size_t seed) -> std::vector<float> {
    auto result = std::vector<float>(size);
    for (std::size_t i = 0; i < size; ++i) {
        result[i] = number(seed + i);
    }
    return result;
}

/// Returns whether C is alpha A_i B + beta C_i.
auto is_right(std::vector<float> const &C, float alpha, float beta, std::vector<float> const &before)
    -> bool {
    for (std::size_t i = 0; i < size_C; ++i) {
        auto const m = i % M, n = i / M % N, matrix = i / (M * N);
        float sum = 0.0f;
        for (std::size_t k = 0; k < K; ++k) {
            sum += number(m + k * M + matrix * M * K) * number(1000 + k + n * K);
        }
        if (C[i] != alpha * sum + (beta == 0.0f ? 0.0f : beta * before[i])) {
            return false;
        }
    }
    return true;
}

struct world {
    opencl_setup const &cl;
    tiletc::shared_handle<tiletc_compiler_context_t> ctx = tiletc::create_compiler_context();
    tiletc::shared_handle<tiletc_core_info_t> info = tiletc::create_core_info(cl.device);
    tiletc_type_t f32 = nullptr;

    explicit world(opencl_setup const &setup) : cl{setup} {
        set_error_reporter(ctx, [](char const *what, const tiletc_location *, void *) {
            fprintf(stderr, "%s\n", what);
        });
        CHECK(tiletc_f32_type_get(&f32, ctx.get()) == tiletc_status_success);
    }

    auto batch() const {
        auto const n = tiletc::transpose::N;
        return tiletc::create_small_gemm_batched(info.get(), f32, n, n, M, N, K, M, M * K, K, 0, M,
                                                 M * N);
    }
};

/// Runs the batch with any beta, then with 0 over what is no number. `set` puts numbers where A, B or
/// C is, `get` fetches C.
template <typename Set, typename Get>
void both_kernels(opencl_setup const &cl, tiletc_recipe_handler_t handler, mem A, mem B, mem C,
                  Set const &set, Get const &get) {
    auto const before = filled(size_C, 2000);
    set('A', filled(size_A, 0));
    set('B', filled(size_B, 1000));
    set('C', before);
    tiletc::set_small_gemm_batched_args(handler, howmany, 2.0f, A, B, 3.0f, C);
    tiletc::submit(handler, cl.queue.get());
    CHECK(clFinish(cl.queue.get()) == CL_SUCCESS);
    CHECK(is_right(get(), 2.0f, 3.0f, before));
    for (float zero : {0.0f, -0.0f}) {
        set('C', std::vector<float>(size_C, std::numeric_limits<float>::quiet_NaN()));
        tiletc::set_small_gemm_batched_args(handler, howmany, -1.0f, A, B, zero, C);
        tiletc::submit_no_event(handler, cl.queue.get());
        CHECK(clFinish(cl.queue.get()) == CL_SUCCESS);
        CHECK(is_right(get(), -1.0f, 0.0f, before));
    }
}

void buffers(world const &w, tiletc_recipe_handler_t handler) {
    auto const create = [&](std::size_t size) {
        cl_int code = CL_SUCCESS;
        cl_mem buffer = clCreateBuffer(w.cl.context.get(), CL_MEM_READ_WRITE, size * sizeof(float),
                                       nullptr, &code);
        CHECK(code == CL_SUCCESS);
        return buffer;
    };
    cl_mem A = create(size_A), B = create(size_B), C = create(size_C);
    auto const set = [&](char which, std::vector<float> const &values) {
        cl_mem buffer = which == 'A' ? A : which == 'B' ? B : C;
        CHECK(clEnqueueWriteBuffer(w.cl.queue.get(), buffer, CL_TRUE, 0,
                                   values.size() * sizeof(float), values.data(), 0, nullptr,
                                   nullptr) == CL_SUCCESS);
    };
    auto const get = [&] {
        auto values = std::vector<float>(size_C);
        CHECK(clEnqueueReadBuffer(w.cl.queue.get(), C, CL_TRUE, 0, size_C * sizeof(float),
                                  values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        return values;
    };
    static_assert(tiletc::auto_mem_type_v<cl_mem> == mem_type::buffer);
    both_kernels(w.cl, handler, A, B, C, set, get);
    for (cl_mem buffer : {A, B, C}) {
        clReleaseMemObject(buffer);
    }
}

/// Memory that the host sees under the same address.
void pointers(world const &w, tiletc_recipe_handler_t handler, mem_type type, float *A, float *B,
              float *C) {
    auto const set = [&](char which, std::vector<float> const &values) {
        float *to = which == 'A' ? A : which == 'B' ? B : C;
        std::memcpy(to, values.data(), values.size() * sizeof(float));
    };
    auto const get = [&] { return std::vector<float>(C, C + size_C); };
    both_kernels(w.cl, handler, {A, type}, {B, type}, {C, type}, set, get);
}

void shared_virtual_memory(world const &w, tiletc_recipe_handler_t handler) {
    auto const A = w.cl.svm<float>(size_A), B = w.cl.svm<float>(size_B), C = w.cl.svm<float>(size_C);
    pointers(w, handler, mem_type::svm_pointer, A.get(), B.get(), C.get());
}

void unified_shared_memory(world const &w, tiletc_recipe_handler_t handler) {
    if (!w.cl.has_usm()) {
        // Without the extension the arguments are refused.
        float *const none = nullptr;
        CHECK(status_of([&] {
                  tiletc::set_small_gemm_batched_args(handler, howmany, 1.0f, none, none, 0.0f,
                                                      none);
              }) == status::unavailable_extension);
        return;
    }
    auto const A = w.cl.usm<float>(size_A), B = w.cl.usm<float>(size_B), C = w.cl.usm<float>(size_C);
    pointers(w, handler, mem_type::usm_pointer, A.get(), B.get(), C.get());
    // As most programs say it.
    tiletc::set_small_gemm_batched_args(handler, howmany, 1.0f, A.get(), B.get(), 0.0f, C.get());
}

/// The second launch needs the first one's result, and both wait for the host.
void launches_wait_for_events(world const &w, tiletc::shared_handle<tiletc_recipe_handler_t> h) {
    cl_int code = CL_SUCCESS;
    cl_command_queue_properties const properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(w.cl.context.get(), w.cl.device, properties, &code);
    CHECK(code == CL_SUCCESS);
    auto const A = w.cl.svm<float>(size_A), B = w.cl.svm<float>(size_B), C = w.cl.svm<float>(size_C);
    auto const svm = mem_type::svm_pointer;
    auto const fill = [](float *to, std::vector<float> const &values) {
        std::memcpy(to, values.data(), values.size() * sizeof(float));
    };
    fill(A.get(), filled(size_A, 0));
    fill(C.get(), std::vector<float>(size_C, std::numeric_limits<float>::quiet_NaN()));

    cl_event gate = clCreateUserEvent(w.cl.context.get(), &code);
    CHECK(code == CL_SUCCESS);
    tiletc::set_small_gemm_batched_args(h, howmany, 2.0f, mem(A.get(), svm), mem(B.get(), svm), 0.0f,
                                        mem(C.get(), svm));
    auto const first = submit(h, queue, 1, &gate);
    // The driver has taken the arguments of the first.
    tiletc::set_small_gemm_batched_args(h, howmany, 1.0f, mem(A.get(), svm), mem(B.get(), svm), 3.0f,
                                        mem(C.get(), svm));
    cl_event const wait_for = first.get();
    auto const second = submit(h, queue, 1, const_cast<cl_event *>(&wait_for));
    // Nothing to launch: over when what it waits for is.
    tiletc::set_small_gemm_batched_args(h, 0, 1.0f, mem(A.get(), svm), mem(B.get(), svm), 3.0f,
                                        mem(C.get(), svm));
    cl_event const wait_for_second = second.get();
    auto const nothing = submit(h, queue, 1, const_cast<cl_event *>(&wait_for_second));
    CHECK(clFlush(queue) == CL_SUCCESS);
    auto const is_complete = [](cl_event event) {
        cl_int state = CL_QUEUED;
        CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state,
                             nullptr) == CL_SUCCESS);
        return state == CL_COMPLETE;
    };
    CHECK(!is_complete(first.get()) && !is_complete(second.get()) && !is_complete(nothing.get()));
    // Only now is there something to multiply with.
    fill(B.get(), filled(size_B, 1000));
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    cl_event const last = nothing.get();
    CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
    CHECK(is_complete(second.get()));
    // A B + 3 (2 A B)
    CHECK(is_right(std::vector<float>(C.get(), C.get() + size_C), 7.0f, 0.0f, {}));
    submit_no_event(h, queue);
    CHECK(clFinish(queue) == CL_SUCCESS);
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
}

void tall_and_skinny(world const &w) {
    constexpr std::int64_t rows = 150, ld = 160, columns = 6, inner = 3;
    auto const recipe =
        tiletc::create_tall_and_skinny_specialized(w.info.get(), w.f32, tiletc::dynamic, columns,
                                                   inner, ld, inner, tiletc::dynamic, 4, 4, 4, 64);
    auto const handler =
        tiletc::create_recipe_handler(w.cl.context.get(), w.cl.device, recipe);
    CHECK(tiletc::get_recipe(handler.get()) == recipe);
    auto const A = w.cl.svm<float>(ld * inner), B = w.cl.svm<float>(inner * columns),
               C = w.cl.svm<float>(ld * columns);
    for (std::int64_t i = 0; i < ld * columns; ++i) {
        C.get()[i] = 100.0f;
    }
    for (std::int64_t i = 0; i < ld * inner; ++i) {
        A.get()[i] = number(static_cast<std::size_t>(i));
    }
    for (std::int64_t i = 0; i < inner * columns; ++i) {
        B.get()[i] = number(static_cast<std::size_t>(1000 + i));
    }
    auto const svm = mem_type::svm_pointer;
    tiletc::set_tall_and_skinny_args(handler, rows, 1.0f, mem(A.get(), svm), ld, mem(B.get(), svm),
                                     inner, 2.0f, mem(C.get(), svm), ld);
    submit_no_event(handler, w.cl.queue.get());
    CHECK(clFinish(w.cl.queue.get()) == CL_SUCCESS);
    bool right = true;
    for (std::int64_t n = 0; n < columns; ++n) {
        for (std::int64_t m = 0; m < ld; ++m) {
            float expected = m < rows ? 200.0f : 100.0f;
            for (std::int64_t k = 0; m < rows && k < inner; ++k) {
                expected += A.get()[m + k * ld] * B.get()[k + n * inner];
            }
            right = right && C.get()[m + n * ld] == expected;
        }
    }
    CHECK(right);
}

void wrong_calls_are_refused(world const &w) {
    auto const recipe = w.batch();
    auto *const context = w.cl.context.get();
    CHECK(status_of([&] { tiletc::create_recipe_handler(nullptr, w.cl.device, recipe); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] { tiletc::create_recipe_handler(context, nullptr, recipe); }) ==
          status::invalid_arguments);
    CHECK(status_of([&] {
              tiletc::create_recipe_handler(context, w.cl.device, tiletc_recipe_t{});
          }) == status::invalid_arguments);

    auto const handler = tiletc::create_recipe_handler(context, w.cl.device, recipe.get());
    auto *const queue = w.cl.queue.get();
    // Nothing is set.
    CHECK(status_of([&] { submit(handler, queue); }) == status::invalid_arguments);
    auto const none = mem(cl_mem{}, mem_type::buffer);
    tiletc::set_small_gemm_batched_args(handler, 0, 1.0f, none, none, 0.0f, none);
    submit_no_event(handler, queue);
    CHECK(status_of([&] { submit(handler, queue, 1, nullptr); }) == status::invalid_arguments);
    CHECK(status_of([&] { submit(handler, cl_command_queue{}); }) == status::invalid_arguments);
    CHECK(status_of([&] { tiletc::submit(tiletc_recipe_handler_t{}, queue); }) ==
          status::invalid_arguments);
    // What was set is void once something else is refused by the driver, not if it never got there.
    CHECK(status_of([&] {
              tiletc::set_small_gemm_batched_args(handler, -1, 1.0f, none, none, 0.0f, none);
          }) == status::invalid_kernel_arguments);
    CHECK(status_of([&] {
              tiletc::set_tall_and_skinny_args(handler, 1, 1.0f, none, 1, none, 1, 0.0f, none, 1);
          }) == status::invalid_arguments);
    // More than a device can count.
    tiletc::set_small_gemm_batched_args(handler, INT64_MAX, 1.0f, none, none, 0.0f, none);
    CHECK(status_of([&] { submit_no_event(handler, queue); }) != status::success);
}

} // namespace

int main(int argc, char **argv) {
    auto const cl = opencl_setup::first();
    if (!cl) {
        return skip("there is no OpenCL device");
    }
    bool const with_svm = argc == 2 && std::strcmp(argv[1], "svm") == 0;
    if (with_svm && !cl->has_fine_grained_svm()) {
        return skip("the device has no fine-grained shared virtual memory");
    }
    try {
        auto handler = tiletc::shared_handle<tiletc_recipe_handler_t>{};
        auto const w = world{*cl};
        handler = tiletc::create_recipe_handler(cl->context.get(), cl->device, w.batch());
        if (with_svm) {
            shared_virtual_memory(w, handler.get());
            launches_wait_for_events(w, handler);
            tall_and_skinny(w);
        } else {
            buffers(w, handler.get());
            unified_shared_memory(w, handler.get());
            wrong_calls_are_refused(w);
        }
    } catch (tiletc::status const &st) {
        fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    }
    return check_result();
}
