// SPDX-License-Identifier: BSD-3-Clause

// Memory of all kinds, alignments and sizes from SYCL's pools: it has the alignment, lies in memory that the driver
// knows, overlaps nothing, and can be filled and read to its last byte.

#include "../check.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

/// Allocations of the kind and size that are live at the same time.
constexpr int together = 3;

void check(sycl::queue &q, sycl::usm::alloc kind, std::size_t alignment, std::size_t size) {
    auto live = std::vector<char *>{};
    for (int i = 0; i < together; ++i) {
        auto *memory = sycl::aligned_alloc<char>(alignment, size, q, kind);
        if (memory == nullptr) {
            std::fprintf(stderr, "no memory: alignment %zu, size %zu\n", alignment, size);
            CHECK(false);
            break;
        }
        CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0);
        CHECK(sycl::get_pointer_type(memory, q.get_context()) == kind);
        CHECK(sycl::get_pointer_type(memory + size - 1, q.get_context()) == kind);
        live.push_back(memory);
    }
    auto sorted = live;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        CHECK(sorted[i - 1] + size <= sorted[i]);
    }
    // Each is filled before any is read.
    for (std::size_t i = 0; i < live.size(); ++i) {
        q.memset(live[i], static_cast<int>(i) + 1, size).wait();
    }
    auto bytes = std::vector<char>(size);
    for (std::size_t i = 0; i < live.size(); ++i) {
        q.memcpy(bytes.data(), live[i], size).wait();
        CHECK(std::all_of(bytes.begin(), bytes.end(),
                          [&](char byte) { return byte == static_cast<char>(i + 1); }));
    }
    for (auto *memory : live) {
        sycl::free(memory, q);
    }
}

} // namespace

int main() try {
    auto q = sycl::queue{};
    std::printf("[level_zero:gpu] %s\n",
                q.get_device().get_info<sycl::info::device::name>().c_str());
    CHECK(q.get_backend() == sycl::backend::ext_oneapi_level_zero);
    for (auto kind : {sycl::usm::alloc::device, sycl::usm::alloc::host, sycl::usm::alloc::shared}) {
        // The one that left its slab.
        check(q, kind, 4096, 32400);
        for (std::size_t alignment = 1; alignment <= 65536; alignment *= 2) {
            for (std::size_t size : {1, 8, 63, 100, 1000, 4096, 5000, 32400, 65536, 70000}) {
                check(q, kind, alignment, size);
            }
        }
    }
    return check_result();
} catch (sycl::exception const &e) {
    std::fprintf(stderr, "SYCL: %s\n", e.what());
    return 1;
}
