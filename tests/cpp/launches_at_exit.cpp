// SPDX-License-Identifier: BSD-3-Clause

// Launches by a static object and by a function of atexit, when the variables of the thread are gone.

#include "on_default_device.hpp"
#include "variants.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

/// A kernel with variants and memory of it.
struct copier {
    sycl::queue q{sycl::property::queue::in_order{}};
    tiletc::internal::executable_bundle bundle = tiletc::create_kernel_bundle(
        q.get_context(), q.get_device(), tiletc::parse_string(copy_text));
    sycl::kernel kernel = tiletc::create_kernel(bundle, "copy");
    float *A = sycl::aligned_alloc_shared<float>(128, 2 * copied_numbers, q);

    /// Columns, of which a variant knows that they are contiguous, and numbers with space between them.
    void copy() {
        auto *const B = A + copied_numbers;
        for (std::int64_t const step : {1, 2}) {
            auto const stride = step * 24;
            for (std::size_t i = 0; i < copied_numbers; ++i) {
                A[i] = static_cast<float>(i);
                B[i] = -1.0f;
            }
            // The wait of the queue, since the runtime may be past its events.
            tiletc::submit(q, kernel, A, copied_rows, copied_cols, step, stride, B, copied_rows,
                           copied_cols, step, stride);
            q.wait();
            auto const last = (copied_rows - 1) * step + (copied_cols - 1) * stride;
            CHECK(B[0] == 0.0f && B[last] == A[last] && B[last + 1] == -1.0f);
        }
    }
    ~copier() {
        copy();
        sycl::free(A, q);
    }
};

std::optional<copier> last;

} // namespace

int main() {
    return on_default_device([](sycl::device const &dev) {
        if (dev.get_backend() != sycl::backend::ext_oneapi_level_zero) {
            std::exit(skip("Intel's runtime for OpenCL does not survive launches at that time"));
        }
        last.emplace();
        last->copy();
        // Registered first, it runs last.
        CHECK(std::atexit([] {
                  last.reset();
                  std::_Exit(check_result());
              }) == 0);
        static auto of_static = copier{};
        of_static.copy();
        CHECK(std::atexit([] { last->copy(); }) == 0);
    });
}
