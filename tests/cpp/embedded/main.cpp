// SPDX-License-Identifier: BSD-3-Clause

// Kernels that tiletc_add_kernels has made a part of the program.

#include "k.hpp"

#include "../check.hpp"
#include "../on_threads.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <typename, typename... T> constexpr bool takes = false;
template <typename... T>
constexpr bool takes<
    std::void_t<decltype(k::cpp::scale(std::declval<sycl::queue>(), std::declval<T>()...))>, T...> =
    true;
template <typename... T> constexpr bool is_scale_of = takes<void, T...>;
using size = std::int64_t;

static_assert(is_scale_of<float, float const *, size, float *, size>);
static_assert(is_scale_of<float, float const *, size, float *, size, std::vector<sycl::event>>);
// Elements, depth, what is written, and whose place a number has.
static_assert(!is_scale_of<float, double const *, size, float *, size>);
static_assert(!is_scale_of<float, float const *const *, size, float *, size>);
static_assert(!is_scale_of<float, float const *, size, float const *, size>);
static_assert(!is_scale_of<float, float const *, float *, size>);

template <typename T> auto shared(sycl::queue const &q, std::size_t count) -> T * {
    auto *const memory = sycl::aligned_alloc_shared<T>(128, count, q);
    std::iota(memory, memory + count, T{1});
    return memory;
}

void columns_are_scaled(sycl::queue const &q, size columns) {
    constexpr size rows = 8;
    auto const count = static_cast<std::size_t>(rows * columns);
    auto *const A = shared<float>(q, count + 1), *const B = shared<float>(q, count + 1);
    auto const first = k::cpp::scale(q, 2.0f, A, columns, B, columns);
    k::cpp::scale(q, 3.0f, B, columns, A, columns, {first}).wait();
    for (std::size_t i = 0; i < count; ++i) {
        CHECK(B[i] == 2.0f * static_cast<float>(i + 1) && A[i] == 3.0f * B[i]);
    }
    CHECK(A[count] == static_cast<float>(count + 1) && B[count] == A[count]);
    sycl::free(A, q);
    sycl::free(B, q);
}

void members_are_gathered(sycl::queue const &q) {
    constexpr size members = 5, offset = 3;
    auto *const values = shared<double>(q, 4 * members + offset);
    auto *const y = shared<double>(q, 4 * members);
    auto **const table = sycl::malloc_shared<double *>(members, q);
    for (size i = 0; i < members; ++i) {
        table[i] = values + 4 * i;
    }
    // One member less than there are
    k::cpp::gather(q, table, members, offset, members - 1, y, members).wait();
    for (size i = 0; i < 4 * members; ++i) {
        auto const before = static_cast<double>(i + 1);
        CHECK(y[i] == (i < 4 * (members - 1) ? before + before + offset : before));
    }
    sycl::free(table, q);
    sycl::free(values, q);
    sycl::free(y, q);
}

void the_caller_says_how_many(sycl::queue const &q) {
    auto *const A = shared<size>(q, 3);
    k::cpp::places(q, sycl::range<3u>{1, 1, 3}, A, 3).wait();
    CHECK(A[0] == 3 && A[1] == 13 && A[2] == 23);
    sycl::free(A, q);
}

} // namespace

int main() {
    auto const q = sycl::queue{};
    std::printf("%s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
    columns_are_scaled(q, 100);
    columns_are_scaled(q, 1);
    columns_are_scaled(q, 0);
    members_are_gathered(q);
    the_caller_says_how_many(q);
    // Another context, and many threads that all want the kernels first.
    auto const other = sycl::queue{sycl::context{q.get_device()}, q.get_device()};
    on_threads(4, [&](std::size_t) { columns_are_scaled(other, 7); });
    return check_result();
}
