// SPDX-License-Identifier: BSD-3-Clause

// The C++ of the README and the manual, word for word, around it what it takes for granted. The
// test of the manual (tests/manual) checks that nothing is missing here.
//
// Argument: the folder with fused_kernel.ir. Writes into the current folder.

#include "check.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>
#include <tiletc/autotune.hpp>
#include <tiletc/bench.hpp>
#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int num_timesteps = 3;

void readme(sycl::queue q) {
    std::int64_t const howmany = 5;
    auto const data = problem<float>{howmany, num_timesteps, q};
    auto *K = data.K(), *P = data.P(), *Q = data.Q();
    auto **A = data.A();

    auto ctx = tiletc::make_compiler_context();
    auto prog = tiletc::parse_file("fused_kernel.ir", ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");
    for (int timestep = 0; timestep < num_timesteps; ++timestep)
        tiletc::submit(q, kernel, K, P, howmany, A, howmany, Q, howmany).wait();

    CHECK(data.worst_error() <= 1e-5);
}

void getting_started() {
    std::int64_t const howmany = 7;

    auto ctx = tiletc::make_compiler_context();
    auto prog = tiletc::parse_file("fused_kernel.ir", ctx.get());
    auto q = sycl::queue{};
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");

    auto const data = problem<float>{howmany, num_timesteps, q};
    auto *K = data.K(), *P = data.P(), *Q = data.Q();
    auto **A = data.A();

    for (int timestep = 0; timestep < num_timesteps; ++timestep)
        tiletc::submit(q, kernel, K, P, howmany, A, howmany, Q, howmany).wait();

    CHECK(data.worst_error() <= 1e-5);

    auto const again = problem<float>{howmany, 1, q};
    K = again.K(), P = again.P(), Q = again.Q(), A = again.A();
    kernels::fused_kernel(q, K, P, howmany, A, howmany, Q, howmany).wait();
    CHECK(again.worst_error() <= 1e-5);
}

/// The driver's binary of a bundle, empty if the interface is not OpenCL.
auto native_binary(sycl::kernel_bundle<sycl::bundle_state::executable> const &bundle)
    -> std::vector<std::uint8_t> {
    auto code = std::vector<std::uint8_t>{};
    if (bundle.get_backend() == sycl::backend::opencl) {
        auto const programs = tiletc::internal::get_cl(bundle);
        std::size_t size = 0;
        clGetProgramInfo(programs.at(0).get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size,
                         nullptr);
        code.resize(size);
        auto *data = code.data();
        clGetProgramInfo(programs.at(0).get(), CL_PROGRAM_BINARIES, sizeof(data), &data, nullptr);
    }
    return code;
}

/// The page "Tuning".
void tuning(sycl::queue q) {
    std::ofstream{"tuning.json"} << R"({"format": 1, "entries": []})";
    auto ctx = tiletc::make_compiler_context();

    tiletc::load_tuning("tuning.json");
    auto prog = tiletc::parse_file("fused_kernel.ir", ctx.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);

    try {
        tiletc::load_tuning("no table", 8);
        CHECK(false);
    } catch (tiletc::status const &) {
    }
}

/// The page "Tuning", a kernel that tunes itself.
void self_tuning(sycl::queue q) {
    auto const text = std::string{R"(
$STEP = 8
func @product(%A: memref<f32x16x64>, %B: memref<f32x64x16>, %C: memref<f32x16x16x?>) {
    %g = group_id.x
    %c = subview %C[0:16,0:16,%g]
    %sum = for %k=0,64,$STEP init(%s=0.0) -> (tile<f32x16x16,matrix_acc>) {
        %a = tile_load %A[0,%k] : 16 x $STEP
        %b = tile_load %B[%k,0] : $STEP x 16
        %t = tile_dot %a, %b, %s
        yield (%t)
    }
    tile_store %sum, %c[0,0]
})"};
    constexpr std::int64_t n = 3;
    auto const memory = usm_array<float>{2 * 1024 + 256 * n, q};
    std::fill_n(memory.get(), 2 * 1024, 1.0f);
    auto *A = memory.get(), *B = A + 1024, *C = B + 1024;

    auto product = tiletc::autotune(q, text)
                       .configs({{{"$STEP", "16"}}, {{"$STEP", "32"}, {"subgroup_size", "16"}}})
                       .key({"C"})
                       .budget(std::chrono::milliseconds{100});
    product(A, B, C, n).wait();

    CHECK(std::all_of(C, C + 256 * n, [](float sum) { return sum == 64.0f; }));
}

/// The page "Measuring kernels".
void measuring() {
    std::int64_t const howmany = 5;
    auto prog = tiletc::parse_file("fused_kernel.ir");

    auto q = sycl::queue{sycl::property::queue::enable_profiling{}};
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    auto kernel = tiletc::create_kernel(bundle, "fused_kernel");

    auto const data = problem<float>{howmany, num_timesteps, q};
    auto *K = data.K(), *P = data.P(), *Q = data.Q();
    auto **A = data.A();

    auto options = tiletc::bench_options{}.cold(false).budget(std::chrono::milliseconds(100));
    auto found = tiletc::bench(q, kernel, options, K, P, howmany, A, howmany, Q, howmany);
    std::printf("%.3f ms, from %.3f to %.3f\n", 1e3 * found.median, 1e3 * found.lower, 1e3 * found.upper);

    CHECK(found.median > 0.0);
}

/// The page "Compiling once".
void caching(sycl::queue q) {
    std::filesystem::remove_all("kernel-cache");
    auto code = std::vector<std::uint8_t>{};
    for (auto const is_first : {true, false}) {
        auto ctx = tiletc::make_compiler_context();
        set_cache(ctx, "kernel-cache", 64 << 20);
        auto prog = tiletc::parse_file("fused_kernel.ir", ctx.get());
        auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
        auto const counters = get_cache_counters(ctx);
        std::printf("%llu from the cache, %llu built\n",
                    static_cast<unsigned long long>(counters.hits),
                    static_cast<unsigned long long>(counters.misses));

        CHECK(counters.hits == (is_first ? 0 : 1) && counters.misses == (is_first ? 1 : 0));
        code = native_binary(bundle);
    }
    if (!code.empty()) {
        auto ctx = tiletc::make_compiler_context();

        auto bin = tiletc::create_binary(ctx.get(), tiletc::bundle_format::native, code.size(),
                                         code.data(), 0);
        auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), bin);

        CHECK(tiletc::get_group_size(tiletc::create_kernel(bundle, "fused_kernel"))[2] >= 1);
    }
}

/// A template as on the page "More examples": what it says of sizes and types stands in front of it.
void definitions_in_front() {
    std::string const text = "func @copy(%x: memref<$real x $basis>, %y: memref<$real x $basis>) {\n"
                             "    %one = constant 1.0 : $real\n"
                             "    %zero = constant 0.0 : $real\n"
                             "    axpby %one, %x, %zero, %y\n"
                             "}\n";
    int const basis = 20;
    auto ctx = tiletc::make_compiler_context();

    auto const definitions = "$real = f32 $basis = " + std::to_string(basis) + ' ';
    auto prog = tiletc::parse_string(definitions + text, ctx.get());

    auto const printed = tiletc::print_to_string(prog.get());
    CHECK(std::string(printed.get()).find("memref<f32x20>") != std::string::npos);
}

/// The kernel of the page "Calling a kernel".
constexpr char const *update = R"(
func @update(%dt: f64, %dq: memref<f64x20x9x?>, %A: group<memref<f64x9x9>x?>, %q: memref<f64x20x9x?>) {
    %one  = constant 1.0 : f64
    %e    = group_id.x : index
    %in   = subview %dq[0:20,0:9,%e] : memref<f64x20x9>
    %a    = load %A[%e] : memref<f64x9x9>
    %out  = subview %q[0:20,0:9,%e] : memref<f64x20x9>
    gemm %dt, %in, %a, %one, %out
}
)";

/// A builder as on the page "More examples": one multiplication and addition for each entry of a row.
void a_row_without_a_text() {
    using namespace tiletc;
    struct entry {
        std::int64_t column;
        double value;
    };
    auto const row = std::vector<entry>{{3, 0.5}, {0, -2.0}};
    auto const ctx = make_compiler_context();
    auto *const number = get<f32_type>(ctx.get());
    auto *const index = get<index_type>(ctx.get());
    auto *const matrix = get<memref_type>(number, std::array<std::int64_t, 2>{4, dynamic},
                                          array_view<std::int64_t>{}, address_space::global);
    auto *const vector = get<memref_type>(number, std::array{dynamic}, array_view<std::int64_t>{},
                                          address_space::global);
    auto fun = create_func("row", {matrix, vector, index}, get<void_type>(ctx.get()));
    auto parameters = std::array<tiletc_value_t, 3>{};
    get_parameters(get_body(fun.get()), parameters);
    auto *const p = parameters[0];
    auto *const q = parameters[1];
    auto *const n = parameters[2];

    auto bb = region_builder(get_body(fun.get()));
    auto *const zero = bb.constant_zero(index);
    bb.foreach_loop(zero, n, [&](region_builder &loop, array_view<tiletc_value_t> j) {
        auto *sum = loop.create<load_inst>(q, j, number);
        for (auto const &[column, value] : row) {
            auto *const k = loop.create<constant_inst>(column, index);
            auto *const p_kj = loop.create<load_inst>(p, array_view{k, j[0]}, number);
            auto *const s = loop.create<constant_inst>(value, number);
            sum = loop.create<add_inst>(sum, loop.create<mul_inst>(s, p_kj, number), number);
        }
        loop.create<store_inst>(sum, q, j);
    });

    auto const prog = create_prog(ctx.get());
    add_function(prog.get(), std::move(fun));
    run_function_pass("check-ir", prog.get());
    auto const text = std::string(print_to_string(prog.get()).get());
    CHECK(text.find("foreach") != std::string::npos);
    CHECK(text.find("-0x1p+1") != std::string::npos);
}

/// The fill of element e, row i and column j; small integers, so that sums are exact.
auto sample(std::int64_t e, std::int64_t i, std::int64_t j) -> double {
    return static_cast<double>((7 * e + 3 * i + 5 * j) % 11 - 5);
}

void calling(sycl::queue q) {
    constexpr std::int64_t rows = 20, cols = 9, most = 1000;
    auto const kernel_of = [&] {
        auto prog = tiletc::parse_string(update);
        return tiletc::create_kernel(
            tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get()), "update");
    };
    auto kernel = kernel_of();
    auto const dq_data = usm_array<double>{rows * cols * most, q};
    auto const Q_data = usm_array<double>{rows * cols * most, q};
    // One matrix after the other, padded to the alignment of a member.
    constexpr std::int64_t stride = 96;
    auto const A_data = usm_array<double>{stride * most, q};
    auto const A_table = usm_array<double *>{most, q};
    auto *dq = dq_data.get(), *Q = Q_data.get();
    auto **A = A_table.get();
    for (std::int64_t e = 0; e < most; ++e) {
        A[e] = A_data.get() + e * stride;
        for (std::int64_t j = 0; j < cols; ++j) {
            for (std::int64_t i = 0; i < rows; ++i) {
                dq[i + rows * (j + cols * e)] = sample(e, i, j);
                Q[i + rows * (j + cols * e)] = sample(j, e, i);
            }
            for (std::int64_t i = 0; i < cols; ++i) {
                A[e][i + cols * j] = sample(i, j, e);
            }
        }
    }
    double const dt = 0.5;

    std::int64_t const elements = 1000;
    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    tiletc::submit(q, kernel, groups, dt, dq, elements, A, elements, Q, elements);

    q.wait();
    std::int64_t wrong = 0;
    for (std::int64_t e = 0; e < most; ++e) {
        for (std::int64_t j = 0; j < cols; ++j) {
            for (std::int64_t i = 0; i < rows; ++i) {
                auto expected = sample(j, e, i);
                for (std::int64_t k = 0; k < cols; ++k) {
                    expected += dt * sample(e, i, k) * sample(k, j, e);
                }
                wrong += Q[i + rows * (j + cols * e)] != expected ? 1 : 0;
            }
        }
    }
    CHECK(wrong == 0);

    auto const before = Q[0];
    auto range = tiletc::get_execution_range(
        kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)});
    q.submit([&](sycl::handler &h) {
        tiletc::set_args(h, kernel, dt, dq, elements, A, elements, Q, elements);
        h.parallel_for(range, kernel);
    });
    q.wait();
    auto added = 0.0;
    for (std::int64_t k = 0; k < cols; ++k) {
        added += dt * sample(0, 0, k) * sample(k, 0, 0);
    }
    CHECK(Q[0] == before + added);

    tiletc::submit(q, kernel, dt, dq, elements, A, elements, Q, elements);
    q.wait();
    CHECK(Q[0] == before + added + added);
}

/// The page "SYCL": a kernel that takes pointers into the middle of an array.
void pointers_anywhere(sycl::queue q) {
    auto prog = tiletc::parse_string("func @twice(%x: memref<f32x7>) {\n"
                                     "    %one = constant 1.0 : f32\n"
                                     "    axpby %one, %x, %one, %x\n"
                                     "}\n");

    auto info = tiletc::create_core_info(q.get_device());
    tiletc::set_default_alignment(info.get(), sizeof(float));
    auto binary = tiletc::compile_to_spirv_and_assemble(prog.get(), info.get());
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), binary.get());

    auto kernel = tiletc::create_kernel(bundle, "twice");
    auto const data = usm_array<float>{11, q};
    for (int i = 0; i < 11; ++i) {
        data.get()[i] = static_cast<float>(i);
    }
    q.submit([&](sycl::handler &h) {
         h.set_args(data.get() + 3);
         h.parallel_for(tiletc::get_execution_range(kernel, sycl::range<3u>{1, 1, 1}), kernel);
     }).wait();
    for (int i = 0; i < 11; ++i) {
        CHECK(data.get()[i] == static_cast<float>(i >= 3 && i < 10 ? 2 * i : i));
    }
}

/// The kernels of the page "In a time loop".
constexpr char const *time_step = R"(
func @derivative(%A: memref<f32x9x9>, %Q: memref<f32x20x9x?>, %R: memref<f32x20x9x?>) {
    %zero = constant 0.0 : f32
    %one  = constant 1.0 : f32
    %e    = group_id.x : index
    %q    = subview %Q[0:20,0:9,%e] : memref<f32x20x9>
    %r    = subview %R[0:20,0:9,%e] : memref<f32x20x9>
    gemm %one, %q, %A, %zero, %r
}

func @update(%dt: f32, %R: memref<f32x20x9x?>, %Q: memref<f32x20x9x?>) {
    %one  = constant 1.0 : f32
    %e    = group_id.x : index
    %r    = subview %R[0:20,0:9,%e] : memref<f32x20x9>
    %q    = subview %Q[0:20,0:9,%e] : memref<f32x20x9>
    axpby %dt, %r, %one, %q
}
)";

/// Tensors of these kernels, for which a time step doubles Q: A is the identity and dt is 1.
struct doubling {
    std::int64_t elements;
    usm_array<float> A, Q, R;

    doubling(std::int64_t elements, sycl::queue const &q)
        : elements{elements}, A{81, q}, Q{180 * elements, q}, R{180 * elements, q} {
        for (int i = 0; i < 81; ++i) {
            A.get()[i] = i % 10 == 0 ? 1.0f : 0.0f;
        }
        begin();
    }
    void begin() const { std::fill_n(Q.get(), 180 * elements, 1.0f); }
    auto is(float expected) const -> bool {
        return std::all_of(Q.get(), Q.get() + 180 * elements,
                           [&](float entry) { return entry == expected; });
    }
};

/// Graphs on the page "In a time loop".
void graphs(sycl::queue q, sycl::kernel const &derivative, sycl::kernel const &update,
            doubling const &data) {
    float const dt = 1.0f;
    auto const elements = data.elements;
    auto *A = data.A.get(), *Q = data.Q.get(), *R = data.R.get();
    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    data.begin();

    namespace experimental = sycl::ext::oneapi::experimental;
    auto graph = experimental::command_graph{q.get_context(), q.get_device()};
    graph.begin_recording(q);
    tiletc::submit(q, derivative, groups, A, Q, elements, R, elements);
    tiletc::submit(q, update, groups, dt, R, elements, Q, elements);
    graph.end_recording(q);
    auto recorded = graph.finalize();
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        q.ext_oneapi_graph(recorded);
    }
    q.wait();

    CHECK(data.is(8.0f));
    auto const sums = usm_array<float>{180 * elements, q};
    auto *S = sums.get();
    std::fill_n(S, 180 * elements, 0.0f);
    data.begin();

    auto other = sycl::queue{q.get_context(), q.get_device(), sycl::property::queue::in_order{}};
    auto both = experimental::command_graph{q.get_context(), q.get_device()};
    both.begin_recording({q, other});
    auto derived = tiletc::submit(q, derivative, groups, A, Q, elements, R, elements);
    auto summed = tiletc::submit(other, update, groups, derived, dt, R, elements, S, elements);
    tiletc::submit(q, update, groups, dt, R, elements, Q, elements);
    tiletc::submit(q, update, groups, summed, dt, S, elements, Q, elements);
    both.end_recording();
    auto recorded_from_both = both.finalize();

    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        q.ext_oneapi_graph(recorded_from_both);
    }
    q.wait();
    CHECK(data.is(34.0f));
}

/// Updates of graphs on the page "In a time loop".
void updated_graphs(sycl::queue q, sycl::kernel const &derivative, sycl::kernel const &update,
                    doubling const &data) {
    namespace experimental = sycl::ext::oneapi::experimental;
    float const dt = 1.0f;
    auto const elements = data.elements, fewer = elements - 2;
    auto const other = doubling{fewer, q};
    auto *A = data.A.get(), *Q = data.Q.get(), *R = data.R.get(), *other_Q = other.Q.get();
    data.begin();

    auto record = [&](float *Q, std::int64_t elements) {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
        auto graph = experimental::command_graph{q.get_context(), q.get_device()};
        graph.begin_recording(q);
        tiletc::submit(q, derivative, groups, A, Q, elements, R, elements);
        tiletc::submit(q, update, groups, dt, R, elements, Q, elements);
        graph.end_recording(q);
        return graph;
    };
    auto step = record(Q, elements).finalize(experimental::property::graph::updatable{});
    q.ext_oneapi_graph(step);
    step.update(record(other_Q, fewer));
    q.ext_oneapi_graph(step);

    q.wait();
    CHECK(data.is(2.0f) && other.is(2.0f));
    data.begin();
    std::fill_n(R, 180 * elements, 1.0f);

    auto range = [&](std::int64_t elements) {
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
        return tiletc::get_execution_range(update, groups);
    };
    auto step_size = experimental::dynamic_parameter<float>{dt};
    auto graph = experimental::command_graph{q.get_context(), q.get_device()};
    auto launch = graph.add([&](sycl::handler &h) {
        h.set_args(step_size, R, elements, Q, elements);
        h.parallel_for(range(elements), update);
    });
    auto recorded = graph.finalize(experimental::property::graph::updatable{});
    q.ext_oneapi_graph(recorded);
    step_size.update(0.5f);
    launch.update_nd_range(range(fewer));
    recorded.update(launch);
    q.ext_oneapi_graph(recorded);

    q.wait();
    CHECK(Q[0] == 2.5f && Q[180 * fewer - 1] == 2.5f && Q[180 * fewer] == 2.0f);
}

void in_a_time_loop() {
    std::int64_t const elements = 5;
    float const dt = 1.0f;

    auto q = sycl::queue{sycl::property::queue::in_order{}};
    auto prog = tiletc::parse_string(time_step);
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto derivative = tiletc::create_kernel(bundle, "derivative");
    auto update = tiletc::create_kernel(bundle, "update");

    auto const data = doubling{elements, q};
    auto *A = data.A.get(), *Q = data.Q.get(), *R = data.R.get();

    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        tiletc::submit(q, derivative, groups, A, Q, elements, R, elements);
        tiletc::submit(q, update, groups, dt, R, elements, Q, elements);
    }
    q.wait();

    CHECK(data.is(8.0f));

    auto const range = tiletc::get_execution_range(update, groups);
    q.submit([&](sycl::handler &h) {
        h.set_args(dt, R, elements, Q, elements);
        h.parallel_for(range, update);
    });

    q.wait();
    CHECK(data.is(12.0f));

    if (q.get_device().has(sycl::aspect::ext_oneapi_limited_graph)) {
        graphs(q, derivative, update, data);
    }
    if (q.get_device().has(sycl::aspect::ext_oneapi_graph)) {
        updated_graphs(q, derivative, update, data);
    }

    data.begin();

    auto other = sycl::queue{q.get_context(), q.get_device(), sycl::property::queue::in_order{}};
    auto updated = sycl::event{};
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        auto derived = tiletc::submit(q, derivative, groups, updated, A, Q, elements, R, elements);
        updated = tiletc::submit(other, update, groups, derived, dt, R, elements, Q, elements);
    }
    updated.wait();

    CHECK(data.is(8.0f));
}

/// Several devices on the page "In a time loop": each gets elements of its own.
void on_all_devices(sycl::queue const &q) {
    auto prog = tiletc::parse_string(time_step);
    auto const platform = q.get_device().get_platform();

    struct part {
        sycl::queue q;
        sycl::kernel_bundle<sycl::bundle_state::executable> bundle;
        sycl::kernel derivative, update;
    };
    auto parts = std::vector<part>{};
    for (auto const &device : platform.get_devices()) {
        auto q = sycl::queue{device, sycl::property::queue::in_order{}};
        auto bundle = tiletc::create_kernel_bundle(q.get_context(), device, prog.get());
        parts.push_back({q, bundle, tiletc::create_kernel(bundle, "derivative"),
                         tiletc::create_kernel(bundle, "update")});
    }

    float const dt = 1.0f;
    auto all = std::vector<doubling>{};
    for (auto const &part : parts) {
        auto const elements = static_cast<std::int64_t>(3 + all.size());
        auto const &data = all.emplace_back(elements, part.q);
        auto *const A = data.A.get(), *const Q = data.Q.get(), *const R = data.R.get();
        auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
        tiletc::submit(part.q, part.derivative, groups, A, Q, elements, R, elements);
        tiletc::submit(part.q, part.update, groups, dt, R, elements, Q, elements);
    }
    for (auto &part : parts) {
        part.q.wait();
    }
    CHECK(!all.empty());
    CHECK(std::all_of(all.begin(), all.end(), [](auto const &data) { return data.is(2.0f); }));
}

/// Times of the device on the page "In a time loop".
void device_times() {
    std::int64_t const elements = 5;
    auto const groups = sycl::range<3u>{1, 1, static_cast<std::size_t>(elements)};
    auto prog = tiletc::parse_string(time_step);

    auto q = sycl::queue{sycl::property_list{sycl::property::queue::in_order{},
                                             sycl::property::queue::enable_profiling{}}};

    auto const data = doubling{elements, q};
    auto *A = data.A.get(), *Q = data.Q.get(), *R = data.R.get();
    auto bundle = tiletc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto derivative = tiletc::create_kernel(bundle, "derivative");

    auto event = tiletc::submit(q, derivative, groups, A, Q, elements, R, elements);
    event.wait();
    namespace profiling = sycl::info::event_profiling;
    auto const nanoseconds = event.get_profiling_info<profiling::command_end>() -
                             event.get_profiling_info<profiling::command_start>();

    CHECK(nanoseconds > 0);
}

void recipes(sycl::queue queue) {
    constexpr std::int64_t M = 3, N = 2, K = 4, howmany = 5;
    auto const none = tiletc::transpose::N;
    auto const ctx = tiletc::create_compiler_context();
    auto const type = tiletc::get<tiletc::f32_type>(ctx.get());
    auto const info = tiletc::create_core_info(queue.get_device());
    auto const a = usm_array<float>{M * K * howmany, queue}, b = usm_array<float>{K * N * howmany, queue},
               c = usm_array<float>{M * N * howmany, queue};
    auto *const A = a.get(), *const B = b.get(), *const C = c.get();
    std::fill_n(A, M * K * howmany, 2.0f);
    std::fill_n(B, K * N * howmany, 3.0f);

    auto recipe = tiletc::create_small_gemm_batched(info.get(), type, none, none, M, N, K, M, M * K, K, K * N, M, M * N);
    auto handler = tiletc::create_recipe_handler(queue, recipe);
    tiletc::set_small_gemm_batched_args(handler, howmany, 1.0f, A, B, 0.0f, C);
    tiletc::submit(handler, queue).wait();

    CHECK(std::all_of(C, C + M * N * howmany, [](float entry) { return entry == 6.0f * K; }));
}

void diagnostics() {
    auto const said = std::ostringstream{};
    auto *const screen = std::cerr.rdbuf(said.rdbuf());

    auto ctx = tiletc::make_compiler_context();
    set_error_reporter(ctx, [](char const *what, tiletc_location const *, void *) {
        std::cerr << what;
    });
    try {
        auto prog = tiletc::parse_file("kernel.ir", ctx.get());
    } catch (tiletc::status const &st) {
        std::cerr << tiletc::to_string(st) << "\n";
    }

    try {
        auto prog = tiletc::parse_file("kernel.ir");
    } catch (std::exception const &e) {
        std::cerr << e.what() << "\n";
    }

    std::cerr.rdbuf(screen);
    auto const text = said.str();
    CHECK(text.find("kernel.ir:1.6: ") != text.rfind("kernel.ir:1.6: "));
    CHECK(text.find("kernel.ir:1.6: ") != std::string::npos);
    CHECK(text.find(tiletc::to_string(tiletc::status::parse_error)) != std::string::npos);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: manual FOLDER\n", stderr);
        return 2;
    }
    auto q = std::optional<sycl::queue>{};
    try {
        auto const folder = std::filesystem::path{argv[1]};
        std::filesystem::copy_file(folder / "fused_kernel.ir", "fused_kernel.ir",
                                   std::filesystem::copy_options::overwrite_existing);
        std::ofstream{"kernel.ir"} << "func ?";
        diagnostics();
        definitions_in_front();
        a_row_without_a_text();
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    if (!q->get_device().has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    try {
        readme(*q);
        getting_started();
        tuning(*q);
        self_tuning(*q);
        measuring();
        caching(*q);
        pointers_anywhere(*q);
        in_a_time_loop();
        on_all_devices(*q);
        device_times();
        recipes(*q);
        if (q->get_device().has(sycl::aspect::fp64)) {
            calling(*q);
        }
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
