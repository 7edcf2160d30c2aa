// SPDX-License-Identifier: BSD-3-Clause

// A program with kernels for 8 rows, and a part with kernels of the same names and types for 4.

#include "kernels.hpp"

#include "../check.hpp"

#include <algorithm>
#include <cstdint>

void scale_part(sycl::queue const &q, float *A, std::int64_t columns);

int main() {
    auto const q = sycl::queue{};
    constexpr std::int64_t columns = 3;
    auto *const A = sycl::aligned_alloc_shared<float>(128, 8 * columns, q);
    std::fill(A, A + 8 * columns, 1.0f);
    kernels::scale(q, 3.0f, A, columns, A, columns).wait();
    scale_part(q, A, columns);
    for (std::int64_t i = 0; i < 8 * columns; ++i) {
        CHECK(A[i] == (i < 4 * columns ? 6.0f : 3.0f));
    }
    sycl::free(A, q);
    return check_result();
}
