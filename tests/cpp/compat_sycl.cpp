// SPDX-License-Identifier: BSD-3-Clause

// A SYCL program written for tinytc that names everything without its namespace: the names of both
// libraries side by side, and what is found through wrappers.

#include <tinytc/tinytc_sycl.hpp>

#include "check.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

using namespace sycl;
using namespace tinytc;

namespace tinytc::mine {

// In the reopened namespace, tinytc's names are the nearer ones.
auto flipped(transpose t) -> transpose { return t == transpose::N ? transpose::T : transpose::N; }
auto number_of_elements(mem_type, status st, comp3) -> int { return static_cast<int>(st); }

} // namespace tinytc::mine

namespace {

/// SYCL's names, which ours must not hide.
void names_of_sycl(queue q) {
    device const dev = q.get_device();
    context const ctx = q.get_context();
    platform const plat = dev.get_platform();
    range<2> const size{4, 4};
    id<2> const where{1, 2};
    nd_range<1> const nd{range<1>{8}, range<1>{4}};
    CHECK(size.size() == 16 && where[1] == 2 && nd.get_group_range()[0] == 2);
    auto numbers = std::vector<int>(16, 1);
    buffer<int, 2> buf{numbers.data(), size};
    event ev = q.submit([&](handler &h) {
        accessor const out{buf, h, write_only};
        (void)out;
    });
    ev.wait();
    CHECK(plat.get_backend() == ctx.get_backend());
    CHECK(float{sycl::half{0.5f}} == float{tinytc::half{0.5f}});
    CHECK(mine::flipped(transpose::N) == transpose::T);
    CHECK(mine::number_of_elements(mem_type::buffer, status::bad_alloc, comp3::x) == 1);
}

/// Builds a kernel that adds one to each of `n` numbers, and runs it.
void builder(queue q) {
    auto const ctx = create_compiler_context();
    auto *const f32 = to_type<float>(ctx.get());
    auto *const index = get<index_type>(ctx.get());
    auto *const vector = get<memref_type>(f32, std::array{dynamic}, array_view<std::int64_t>{},
                                          address_space::global);
    auto fun = create_func("add_one", {vector}, get<void_type>(ctx.get()));
    tinytc_value_t x = nullptr;
    get_parameters(get_body(fun.get()), x);
    auto bb = region_builder(get_body(fun.get()));
    auto *const one = bb.constant_one(f32);
    auto *const n = bb.create<size_inst>(0, x, index);
    bb.foreach_loop(bb.constant_zero(index), n,
                    [&](region_builder &body, array_view<tinytc_value_t> i) {
                        auto *const before = body.create<load_inst>(x, i, f32);
                        body.create<store_inst>(body.create<add_inst>(before, one, f32), x, i);
                    });
    auto const prog = create_prog(ctx.get());
    add_function(prog.get(), std::move(fun));

    auto const bundle = create_kernel_bundle(q.get_context(), q.get_device(), prog);
    kernel const add_one = create_kernel(bundle, "add_one");
    std::int64_t const size = 37;
    auto *const data = malloc_shared<float>(size, q);
    for (std::int64_t i = 0; i < size; ++i) {
        data[i] = static_cast<float>(i);
    }
    q.submit([&](handler &h) {
         h.set_args(data, size);
         h.parallel_for(get_execution_range(add_one, range<3u>{1, 1, 1}), add_one);
     }).wait();
    for (std::int64_t i = 0; i < size; ++i) {
        CHECK(data[i] == static_cast<float>(i) + 1.0f);
    }
    free(data, q);
}

/// The wrapper of a handler is enough for its functions, which it also finds.
void recipe(queue q) {
    constexpr std::int64_t howmany = 3;
    auto const ctx = create_compiler_context();
    auto const info = create_core_info(q.get_device());
    auto const gemm = create_small_gemm_batched(info.get(), get<f32_type>(ctx.get()), transpose::N,
                                                transpose::N, 2, 2, 2, 2, 4, 2, 4, 2, 4);
    auto const run = create_recipe_handler(q, gemm.get());
    auto *const A = malloc_shared<float>(4 * howmany, q);
    auto *const B = malloc_shared<float>(4 * howmany, q);
    auto *const C = malloc_shared<float>(4 * howmany, q);
    for (std::int64_t i = 0; i < 4 * howmany; ++i) {
        A[i] = static_cast<float>(i);
        // The identity
        B[i] = i % 4 == 0 || i % 4 == 3 ? 1.0f : 0.0f;
        C[i] = -1.0f;
    }
    set_small_gemm_batched_args(run, howmany, 2.0f, A, B, 0.0f, C);
    event done = submit(run, q);
    done.wait();
    for (std::int64_t i = 0; i < 4 * howmany; ++i) {
        CHECK(C[i] == 2.0f * A[i]);
    }
    for (auto *data : {A, B, C}) {
        free(data, q);
    }
}

} // namespace

int main() {
    auto q = std::optional<queue>{};
    try {
        q.emplace();
    } catch (exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    try {
        names_of_sycl(*q);
        builder(*q);
        recipe(*q);
    } catch (status const &st) {
        std::fprintf(stderr, "status %d: %s\n", static_cast<int>(st), to_string(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
