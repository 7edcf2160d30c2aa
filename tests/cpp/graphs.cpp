// SPDX-License-Identifier: BSD-3-Clause

// Graphs of SYCL: launches that are recorded from one queue and from two, replayed, and updated.

#include "check.hpp"
#include "usm_array.hpp"
#include "variants.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using recording = experimental::command_graph<experimental::graph_state::modifiable>;

// For each column: B <- factor * A + B
constexpr char const *text = R"(
func @add(%factor: f32, %A: memref<f32x4x?>, %B: memref<f32x4x?>) {
    %one = constant 1.0 : f32
    %g   = group_id.x
    %a   = subview %A[0:4,%g]
    %b   = subview %B[0:4,%g]
    axpby %factor, %a, %one, %b
}
)";

/// A kernel and columns of four numbers, all of which are 1 at first.
class columns {
  public:
    static constexpr std::int64_t count = 10;
    sycl::queue q;
    usm_array<float> A, B, C;

    explicit columns(sycl::queue const &queue)
        : q{queue}, A{4 * count, q}, B{4 * count, q}, C{4 * count, q},
          bundle_{tiletc::create_kernel_bundle(q.get_context(), q.get_device(),
                                               tiletc::parse_string(text).get())},
          kernel_{tiletc::create_kernel(bundle_, "add")} {
        begin();
    }
    void begin() const {
        for (auto const *array : {&A, &B, &C}) {
            std::fill_n(array->get(), 4 * count, 1.0f);
        }
    }
    auto kernel() const -> sycl::kernel const & { return kernel_; }
    auto record() const -> recording { return {q.get_context(), q.get_device()}; }
    /// to <- factor * from + to, in the first columns
    auto add(sycl::queue queue, std::vector<sycl::event> const &after, float factor,
             usm_array<float> const &from, usm_array<float> const &to,
             std::int64_t number = count) const -> sycl::event {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(number)};
        return tiletc::submit(queue, kernel_, groups, after, factor, from.get(), number, to.get(),
                              number);
    }
    /// Returns whether the first columns are all one number and the rest are 1.
    static auto are(usm_array<float> const &array, float number, std::int64_t first = count)
        -> bool {
        auto const *const begin = array.get();
        auto const *const end = begin + 4 * count;
        return std::count(begin, begin + 4 * first, number) == 4 * first &&
               std::count(begin + 4 * first, end, 1.0f) == 4 * (count - first);
    }

  private:
    sycl::kernel_bundle<sycl::bundle_state::executable> bundle_;
    sycl::kernel kernel_;
};

/// Replays follow each other without a wait between them, and none is lost.
void replay(columns &c) {
    auto graph = c.record();
    graph.begin_recording(c.q);
    for (int i = 0; i < 5; ++i) {
        c.add(c.q, {}, 1.0f, c.A, c.A);
    }
    graph.end_recording(c.q);
    auto const recorded = graph.finalize();
    CHECK(c.are(c.A, 1.0f));
    for (int replays = 1; replays <= 10; ++replays) {
        c.begin();
        for (int i = 0; i < replays; ++i) {
            c.q.ext_oneapi_graph(recorded);
        }
        c.q.wait();
        CHECK(c.are(c.A, std::ldexp(1.0f, 5 * replays)));
    }
    // Launches and other graphs beside it keep their order.
    c.begin();
    c.add(c.q, {}, 1.0f, c.A, c.A);
    c.q.ext_oneapi_graph(recorded);
    c.add(c.q, {}, 1.0f, c.A, c.B);
    c.q.wait();
    CHECK(c.are(c.A, 64.0f) && c.are(c.B, 65.0f));
}

/// Two queues that fork and join by events.
void two_queues(columns &c) {
    auto other =
        sycl::queue{c.q.get_context(), c.q.get_device(), sycl::property::queue::in_order{}};
    auto graph = c.record();
    graph.begin_recording({c.q, other});
    auto const doubled = c.add(c.q, {}, 1.0f, c.A, c.A);
    auto const added = c.add(other, {doubled}, 1.0f, c.A, c.B);
    c.add(c.q, {}, 2.0f, c.A, c.C);
    c.add(c.q, {added}, 1.0f, c.B, c.C);
    graph.end_recording();
    auto const recorded = graph.finalize();
    float A = 1.0f, B = 1.0f, C = 1.0f;
    c.begin();
    for (int i = 0; i < 5; ++i) {
        c.q.ext_oneapi_graph(recorded);
        A += A;
        B += A;
        C += 2.0f * A;
        C += B;
    }
    c.q.wait();
    CHECK(c.are(c.A, A) && c.are(c.B, B) && c.are(c.C, C));
}

auto node_of(sycl::event const &event) -> experimental::node_type {
    return experimental::node::get_node_from_event(event).get_type();
}

/// Launches of no work-groups, and of a recipe's, keep the order of what they stand between, and may be the last of a queue.
void launches_of_nothing(columns &c) {
    auto const ctx = c.q.get_context();
    auto const dev = c.q.get_device();
    auto second = sycl::queue{ctx, dev, sycl::property::queue::in_order{}};
    auto third = sycl::queue{ctx, dev, sycl::property::queue::in_order{}};
    auto const types = tiletc::create_compiler_context();
    auto const recipe = tiletc::create_small_gemm_batched(
        tiletc::create_core_info(dev).get(), tiletc::get<tiletc::f32_type>(types.get()),
        tiletc::transpose::N, tiletc::transpose::N, 4, 4, 4, 4, 16, 4, 16, 4, 16);
    auto const handler = tiletc::create_recipe_handler(ctx, dev, recipe);
    tiletc::set_small_gemm_batched_args(handler.get(), 0, 1.0f, c.A.get(), c.A.get(), 0.0f,
                                        c.B.get());
    auto graph = c.record();
    graph.begin_recording({c.q, second, third});
    auto const doubled = c.add(c.q, {}, 1.0f, c.A, c.A);
    auto const nothing = c.add(second, {doubled}, 1.0f, c.A, c.B, 0);
    auto const of_recipe = tiletc::submit(handler, second, {nothing});
    c.add(third, {of_recipe}, 1.0f, c.A, c.C);
    c.add(second, {}, 1.0f, c.A, c.B, 0);
    c.add(c.q, {doubled}, 1.0f, c.A, c.B);
    graph.end_recording();
    CHECK(node_of(nothing) == experimental::node_type::empty);
    CHECK(node_of(of_recipe) == experimental::node_type::empty);
    auto const recorded = graph.finalize();
    c.begin();
    for (int i = 0; i < 2; ++i) {
        c.q.ext_oneapi_graph(recorded);
    }
    c.q.wait();
    CHECK(c.are(c.A, 4.0f) && c.are(c.B, 7.0f) && c.are(c.C, 7.0f));
    // Not nothing, though the product of the numbers is 0 in 64 bits. It is not run.
    auto many = c.record();
    many.begin_recording(c.q);
    auto const half = std::size_t{1} << 31;
    std::int64_t const count = columns::count;
    auto const all = tiletc::submit(c.q, c.kernel(), sycl::range<3u>{4, half, half}, 1.0f,
                                    c.A.get(), count, c.B.get(), count);
    many.end_recording();
    CHECK(node_of(all) == experimental::node_type::kernel);
}

/// A graph takes the arguments and ranges of another.
void update_by_recording(columns &c) {
    auto const record = [&](float factor, usm_array<float> const &to, std::int64_t number) {
        auto graph = c.record();
        graph.begin_recording(c.q);
        c.add(c.q, {}, factor, c.A, to, number);
        c.add(c.q, {}, 1.0f, to, to, number);
        graph.end_recording(c.q);
        return graph;
    };
    auto recorded =
        record(2.0f, c.B, columns::count).finalize(experimental::property::graph::updatable{});
    c.begin();
    c.q.ext_oneapi_graph(recorded);
    recorded.update(record(3.0f, c.C, 4));
    c.q.ext_oneapi_graph(recorded);
    c.q.ext_oneapi_graph(recorded);
    c.q.wait();
    CHECK(c.are(c.B, 6.0f) && c.are(c.C, 22.0f, 4));
}

/// Single arguments and the range of a launch change.
void update_by_parameters(columns &c) {
    auto const range = [&](std::size_t number) {
        return tiletc::get_execution_range(c.kernel(), sycl::range<3u>{1, 1, number});
    };
    auto factor = experimental::dynamic_parameter<float>{2.0f};
    auto to = experimental::dynamic_parameter<float *>{c.B.get()};
    std::int64_t const count = columns::count;
    auto graph = c.record();
    auto node = graph.add([&](sycl::handler &h) {
        h.set_args(factor, c.A.get(), count, to, count);
        h.parallel_for(range(columns::count), c.kernel());
    });
    auto recorded = graph.finalize(experimental::property::graph::updatable{});
    c.begin();
    c.q.ext_oneapi_graph(recorded);
    factor.update(5.0f);
    to.update(c.C.get());
    node.update_nd_range(range(3));
    recorded.update(node);
    c.q.ext_oneapi_graph(recorded);
    c.q.ext_oneapi_graph(recorded);
    c.q.wait();
    CHECK(c.are(c.B, 3.0f) && c.are(c.C, 11.0f, 3));
}

/// A kernel with variants stays the same if its variant has been chosen before.
void update_of_variant(columns &c) {
    auto const memory = usm_array<float>{3 * copied_numbers, c.q};
    auto *const from = memory.get(), *const first = from + copied_numbers,
                *const second = first + copied_numbers;
    for (std::size_t i = 0; i < 3 * copied_numbers; ++i) {
        from[i] = i < copied_numbers ? static_cast<float>(i) : -1.0f;
    }
    auto const [one, pitch] = copied_strides[0];
    auto const bundle = tiletc::create_kernel_bundle(c.q.get_context(), c.q.get_device(),
                                                     tiletc::parse_string(copy_text).get());
    auto const general = tiletc::create_kernel(bundle, "copy");
    auto const variant = tiletc::select_variant(general, from, copied_rows, copied_cols, one, pitch,
                                                first, copied_rows, copied_cols, one, pitch);
    CHECK(variant != general);
    auto const record = [&, one = one, pitch = pitch](float *to) {
        auto graph = c.record();
        graph.begin_recording(c.q);
        tiletc::submit(c.q, variant, sycl::range<3u>{1, 1, 1}, from, copied_rows, copied_cols, one,
                       pitch, to, copied_rows, copied_cols, one, pitch);
        graph.end_recording(c.q);
        return graph;
    };
    auto recorded = record(first).finalize(experimental::property::graph::updatable{});
    recorded.update(record(second));
    c.q.ext_oneapi_graph(recorded);
    c.q.wait();
    CHECK(first[1] == -1.0f && second[1] == 1.0f);
}

void test(sycl::queue const &q) {
    auto c = columns{q};
    replay(c);
    two_queues(c);
    launches_of_nothing(c);
    if (q.get_device().has(sycl::aspect::ext_oneapi_graph)) {
        update_by_recording(c);
        update_by_parameters(c);
        update_of_variant(c);
    } else {
        CHECK(q.get_backend() == sycl::backend::opencl);
    }
}

} // namespace

int main() {
    auto q = std::optional<sycl::queue>{};
    try {
        q.emplace(sycl::property::queue::in_order{});
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(sycl::aspect::ext_oneapi_limited_graph)) {
        return skip("the device has no graphs");
    }
    try {
        test(*q);
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
