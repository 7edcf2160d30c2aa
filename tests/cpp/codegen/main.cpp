// SPDX-License-Identifier: BSD-3-Clause

// Fifty kernels as code generators of PDE solvers write them, through tinytc's headers: every
// number that they compute is checked, and that nothing else changes.
//
// Argument: the number of a unit of generated kernels. Says of each kernel whether it is right.

#include "check.h"
#include "support.hpp"

#include <sycl/sycl.hpp>
#include <tinytc/tinytc.hpp>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

namespace generated {

auto shared_memory(std::size_t bytes, void *stream) -> std::shared_ptr<void> {
    auto const &queue = *static_cast<sycl::queue *>(stream);
    auto *const memory = sycl::aligned_alloc_shared(128, bytes, queue);
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    return {memory, [context = queue.get_context()](void *p) { sycl::free(p, context); }};
}

void wait_for(void *stream) { static_cast<sycl::queue *>(stream)->wait_and_throw(); }

} // namespace generated

namespace {

/// Runs a check and prints what came out; true if everything is right.
auto is_right(generated::test_case const &test, sycl::queue &queue) -> bool {
    try {
        auto const result = test.check(&queue);
        std::printf("%s: %s, error / allowed = %.2g\n", test.name,
                    result.right() ? "right" : "WRONG", result.worst);
        return result.right();
    } catch (tinytc::status const &st) {
        std::printf("%s: WRONG, %s\n", test.name, tinytc::to_string(st));
    } catch (std::exception const &e) {
        std::printf("%s: WRONG, %s\n", test.name, e.what());
    }
    return false;
}

} // namespace

int main(int argc, char **argv) {
    auto const units = generated::all_units();
    std::size_t unit = units.size();
    if (argc == 2) {
        std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), unit);
    }
    if (unit >= units.size()) {
        std::fprintf(stderr, "usage: codegen UNIT, with UNIT from 0 to %zu\n", units.size() - 1);
        return 2;
    }
    auto queue = std::optional<sycl::queue>{};
    try {
        queue.emplace();
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    auto const device = queue->get_device();
    if (!device.has(sycl::aspect::usm_shared_allocations)) {
        return skip("the SYCL device has no shared memory");
    }
    std::size_t right = 0, tried = 0;
    for (auto const &test : units[unit]) {
        if (test.double_precision && !device.has(sycl::aspect::fp64)) {
            std::printf("%s: not tried, the device has no double precision\n", test.name);
            continue;
        }
        ++tried;
        right += is_right(test, *queue) ? 1 : 0;
    }
    if (tried == 0) {
        CHECK(!units[unit].empty());
        return skip("the SYCL device has no double precision");
    }
    std::printf("%zu of %zu kernels are right\n", right, tried);
    CHECK(right == tried);
    return check_result();
}
