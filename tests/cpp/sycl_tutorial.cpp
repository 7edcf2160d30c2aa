// SPDX-License-Identifier: BSD-3-Clause

// The matrix-chain tutorial as a program written for tinytc has it, through the compatibility
// headers, for few elements and in both precisions; and what is thrown when names or handles are
// wrong.
//
// Argument: the folder with fused_kernel.ir and fused_kernel_f64.ir.

#include <tinytc/tinytc.hpp>
#include <tinytc/tinytc_sycl.hpp>

#include "check.hpp"
#include "problem.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>

namespace {

// Programs say both; nothing may become ambiguous.
using namespace sycl;
using namespace tinytc;

constexpr int num_timesteps = 3;

template <typename T> auto fused_kernel_file(std::string const &folder) -> std::string {
    return folder + (std::is_same_v<T, float> ? "/fused_kernel.ir" : "/fused_kernel_f64.ir");
}

template <typename T> void tutorial(std::string const &file, std::int64_t howmany) {
    auto q = sycl::queue{};
    auto const data = problem<T>{howmany, num_timesteps, q};
    auto *K = data.K();
    auto *P = data.P();
    auto *A = data.A();
    auto *Q = data.Q();

    auto ctx = tinytc::make_compiler_context();
    set_error_reporter(
        ctx.get(),
        [](char const *what, const tinytc_location_t *, void *) {
            std::fprintf(stderr, "%s\n", what);
        },
        nullptr);
    auto prog = tinytc::parse_file(file.c_str(), ctx.get());
    auto bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto kernel = tinytc::create_kernel(bundle, "fused_kernel");
    auto exe_range = tinytc::get_execution_range(
        kernel, sycl::range<3u>{1, 1, static_cast<std::size_t>(howmany)});
    for (int timestep = 0; timestep < num_timesteps; ++timestep) {
        q.submit([&](sycl::handler &h) {
             h.set_args(K, P, howmany, A, howmany, Q, howmany);
             h.parallel_for(exe_range, kernel);
         }).wait();
    }

    auto const error = data.worst_error();
    CHECK(error <= (std::is_same_v<T, float> ? 1e-5 : 1e-13));
    std::printf("E = %lld, %zu bytes per number: worst error %.1e\n",
                static_cast<long long>(howmany), sizeof(T), error);
}

/// Bundle and kernel stay valid when everything they were made from is gone.
void kernels_outlive_their_origin(std::string const &file) {
    auto q = sycl::queue{};
    auto const data = problem<float>{2, 1, q};
    auto kernel = std::optional<sycl::kernel>{};
    {
        auto ctx = tinytc::create_compiler_context();
        auto prog = tinytc::parse_file(file.c_str(), ctx.get());
        auto info = tinytc::create_core_info(q.get_device());
        auto bin = tinytc::compile_to_spirv_and_assemble(prog.get(), info.get());
        auto bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), bin);
        kernel = tinytc::create_kernel(bundle, "fused_kernel");
    }
    auto const group_size = tinytc::get_group_size(*kernel);
    CHECK(group_size[0] == 1 && group_size[2] >= 1);
    CHECK(tinytc::get_global_size(sycl::range<3u>{2, 3, 4}, sycl::range<3u>{5, 6, 7}) ==
          sycl::range<3u>(10, 18, 28));
    q.submit([&](sycl::handler &h) {
         std::int64_t const howmany = 2;
         h.set_args(data.K(), data.P(), howmany, data.A(), howmany, data.Q(), howmany);
         h.parallel_for(tinytc::get_execution_range(*kernel, sycl::range<3u>{1, 1, 2}), *kernel);
     }).wait();
    CHECK(data.worst_error() <= 1e-5);
}

/// Message of a failure.
template <typename F> auto said_by(F &&f) -> std::string {
    try {
        f();
    } catch (tinytc::status st) {
        return tiletc_get_error_message(static_cast<tinytc_status_t>(st));
    }
    return "nothing";
}

void arguments_are_compared(std::string const &file) {
    auto q = sycl::queue{};
    auto const data = problem<float>{2, 1, q};
    auto const prog = tinytc::parse_file(file.c_str());
    auto const bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    CHECK(said_by([&] { tinytc::create_kernel(bundle, "fused"); }) ==
          "there is no kernel `fused`; the bundle has fused_kernel");
    auto const kernel = tinytc::create_kernel(bundle, "fused_kernel");
    auto const groups = sycl::range<3u>{1, 1, 2};
    std::int64_t const howmany = 2;
    auto const prefix = std::string{"kernel fused_kernel: "};
    CHECK(said_by([&] {
              tinytc::submit(q, kernel, groups, data.K(), data.P(), 2, data.A(), howmany, data.Q(),
                             howmany);
          }) == prefix + "%P: memref<f32x56x9x?> takes a pointer to float and one int64, got a "
                         "pointer to float and an int32 (arguments 2 to 3)");
    CHECK(said_by([&] {
              q.submit([&](sycl::handler &h) {
                  tinytc::set_args(h, kernel, data.K(), data.P(), data.A());
                  h.parallel_for(tinytc::get_execution_range(kernel, groups), kernel);
              });
          }) == prefix + "%P: memref<f32x56x9x?> takes a pointer to float and one int64, got a "
                         "pointer to float and a pointer to pointers to float (arguments 2 to 3)");
    CHECK(said_by([&] {
              tinytc::submit(q, kernel, groups, data.K(), data.P(), howmany, data.A(), howmany,
                             data.Q(), howmany, 1.0f);
          }).find("8 arguments where it takes 7: %K: memref<f32x56x56> takes a pointer to "
                  "float; %P:") !=
          std::string::npos);

    auto const promising = tinytc::create_kernel_bundle(
        q.get_context(), q.get_device(),
        tinytc::parse_string("func @f(%A: memref<f32x?x4> {alignment=8, stride_gcd=[1,4]}) {}"));
    auto const aligned = tinytc::create_kernel(promising, "f");
    tinytc::submit(q, aligned, groups, data.K(), std::int64_t{8}, std::int64_t{12}).wait();
    CHECK(said_by([&] {
              tinytc::submit(q, aligned, groups, data.K(), std::int64_t{8}, std::int64_t{10});
          }) == "kernel f: argument 3 (%A): the kernel was compiled for stride_gcd=[1,4], but the "
                "stride of mode 1 is 10");
    CHECK(said_by([&] {
              tinytc::submit(q, aligned, groups, data.K() + 1, std::int64_t{8}, std::int64_t{12});
          }).find("the kernel was compiled for alignment=8, but the address is 0x") !=
          std::string::npos);

    auto first = q.submit([&](sycl::handler &h) {
        tinytc::set_args(h, kernel, tinytc::mem(data.K()), data.P(), howmany, data.A(), howmany,
                         data.Q(), howmany);
        h.parallel_for(tinytc::get_execution_range(kernel, sycl::range<3u>{1, 1, 1}), kernel);
    });
    first.wait();
    std::int64_t const nothing = 0;
    auto none = tinytc::submit(q, kernel, sycl::range<3u>{1, 1, 0}, first, data.K(), data.P(),
                               nothing, data.A(), nothing, data.Q(), nothing);
    none.wait();
    CHECK(said_by([&] {
              tinytc::submit(q, kernel, sycl::range<3u>{1, 1, 1}, data.K(), data.P(), howmany,
                             data.A(), howmany, data.Q(), howmany);
          }) == prefix + "1 × 1 × 1 work-groups, where the arguments need 2 × 1 × 1 (grid=[%Q[2]])");
}

/// The same launch, with its arguments compared.
void compared_arguments_arrive(std::string const &file) {
    auto q = sycl::queue{};
    auto const data = problem<float>{2, 1, q};
    auto const prog = tinytc::parse_file(file.c_str());
    auto const bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    auto const kernel = tinytc::create_kernel(bundle, "fused_kernel");
    std::int64_t const howmany = 2;
    tinytc::submit(q, kernel, sycl::range<3u>{1, 1, 2}, data.K(), data.P(), howmany, data.A(),
                   howmany, data.Q(), howmany)
        .wait();
    CHECK(data.worst_error() <= 1e-5);
}

void wrong_names_and_handles_are_refused(std::string const &file) {
    auto q = sycl::queue{};
    CHECK(tinytc::get_support_level(q.get_device()) != tinytc::support_level::none);
    CHECK(status_of<tinytc::status>([&] {
              tinytc::create_kernel_bundle(q.get_context(), q.get_device(), tinytc_prog_t{});
          }) == tinytc::status::invalid_arguments);
    CHECK(status_of<tinytc::status>([&] {
              tinytc::create_kernel_bundle(q.get_context(), q.get_device(), tinytc_binary_t{});
          }) == tinytc::status::invalid_arguments);

    auto prog = tinytc::parse_file(file.c_str());
    auto bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog);
    CHECK(status_of<tinytc::status>([&] { tinytc::create_kernel(bundle, "no_such_kernel"); }) ==
          tinytc::status::compute_runtime_error);
    CHECK(status_of<tinytc::status>([&] { tinytc::create_kernel(bundle, "fused_kernel"); }) ==
          tinytc::status::success);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: sycl_tutorial FOLDER\n", stderr);
        return 2;
    }
    auto q = std::optional<sycl::queue>{};
    try {
        q.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    if (!q->get_device().has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }

    auto const f32_kernel = fused_kernel_file<float>(argv[1]);
    try {
        for (std::int64_t howmany : {1, 2, 37}) {
            tutorial<float>(f32_kernel, howmany);
            if (q->get_device().has(sycl::aspect::fp64)) {
                tutorial<double>(fused_kernel_file<double>(argv[1]), howmany);
            }
        }
        kernels_outlive_their_origin(f32_kernel);
        wrong_names_and_handles_are_refused(f32_kernel);
        arguments_are_compared(f32_kernel);
        compared_arguments_arrive(f32_kernel);
    } catch (tinytc::status const &st) {
        std::fprintf(stderr, "status %d: %s\n", static_cast<int>(st), tinytc::to_string(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
