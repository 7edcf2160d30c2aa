// SPDX-License-Identifier: BSD-3-Clause

// A SYCL program that is linked to nothing but SYCL and the libraries that its line named for tinytc, although the
// headers own objects of OpenCL and Level Zero.

#include <tinytc/tinytc_sycl.hpp>

#include "../check.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>

namespace {

using tinytc::shared_handle;

constexpr std::int64_t columns = 20, numbers = 64 * columns;
constexpr char const *text = "func @twice(%A: memref<f32x64x?>, %B: memref<f32x64x?>) {\n"
                             "    %i = group_id.x : index\n"
                             "    %a = subview %A[0:64,%i] : memref<f32x64>\n"
                             "    %b = subview %B[0:64,%i] : memref<f32x64>\n"
                             "    %two = constant 2.0 : f32\n"
                             "    %zero = constant 0.0 : f32\n"
                             "    axpby.n %two, %a, %zero, %b\n"
                             "}\n";

/// References that are counted through the headers, whichever back end SYCL has here.
template <typename T> void count_one_more(T object) {
    using traits = tinytc::internal::shared_handle_traits<T>;
    if (object != nullptr) {
        CHECK(traits::retain(object) == tinytc_status_success);
        CHECK(traits::release(object) == tinytc_status_success);
    }
}

void opencl_objects(sycl::queue const &q, sycl::kernel const &kernel) {
    constexpr auto opencl = sycl::backend::opencl;
    auto const context = shared_handle{sycl::get_native<opencl>(q.get_context())};
    auto const device = shared_handle{sycl::get_native<opencl>(q.get_device())};
    auto const native = shared_handle{sycl::get_native<opencl>(kernel)};
    auto const prog = tinytc::parse_string(text);
    auto const program = tinytc::create_kernel_bundle(context.get(), device.get(), prog.get());
    auto const copy = program;
    CHECK(copy == program && tinytc::create_kernel(copy.get(), "twice"));
    CHECK(tinytc::get_group_size(native.get())[2] == 1);
    count_one_more(context.get());
    count_one_more(device.get());
    count_one_more(native.get());
    count_one_more(program.get());
}

void run(sycl::queue q) {
    auto const prog = tinytc::parse_string(text);
    auto const bundle = tinytc::create_kernel_bundle(q.get_context(), q.get_device(), prog.get());
    auto const kernel = tinytc::create_kernel(bundle, "twice");
    auto const range = tinytc::get_execution_range(kernel, sycl::range<3u>{1, 1, columns});
    auto *const A = sycl::aligned_alloc_shared<float>(128, numbers, q);
    auto *const B = sycl::aligned_alloc_shared<float>(128, numbers, q);
    std::fill_n(A, numbers, 1.5f);
    std::fill_n(B, numbers, 0.0f);
    q.submit([&](sycl::handler &h) {
         h.set_args(A, columns, B, columns);
         h.parallel_for(range, kernel);
     }).wait();
    CHECK(std::count(B, B + numbers, 3.0f) == numbers);
    sycl::free(A, q);
    sycl::free(B, q);
    if (q.get_backend() == sycl::backend::opencl) {
        opencl_objects(q, kernel);
    }
}

} // namespace

int main(int argc, char **) {
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
        CHECK(tinytc::get_support_level(q->get_device()) != tinytc::support_level::none);
        run(*q);
        // Never called, and linked all the same
        if (argc > 100) {
            count_one_more(cl_event{});
            tinytc::submit_no_event(tinytc_recipe_handler_t{}, cl_command_queue{});
            tinytc::submit(tinytc_recipe_handler_t{}, ze_command_list_handle_t{});
            tinytc::create_recipe_handler(*q, tinytc_recipe_t{});
        }
    } catch (tinytc::status st) {
        std::fprintf(stderr, "status %d\n", static_cast<int>(st));
        return 1;
    } catch (std::exception const &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return check_result();
}
