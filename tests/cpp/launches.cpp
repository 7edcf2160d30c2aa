// SPDX-License-Identifier: BSD-3-Clause

// Launches of kernels that have been launched before: they ask tiletc nothing, and what is wrong with them is found
// all the same.

#include "check.hpp"
#include "on_default_device.hpp"
#include "variants.hpp"

#include <tiletc/tiletc_sycl.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<std::size_t> allocations{0};

} // namespace

// GCC takes one that is inlined for a mismatch with the other.
[[gnu::noinline]] auto operator new(std::size_t size) -> void * {
    ++allocations;
    if (auto *const memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void *memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

using tiletc::status;

/// Columns of 64 numbers times a.
constexpr char const *text = R"(
func @scale(%a: f32, %x: memref<f32x64x?>, %y: memref<f32x64x?,strided<1,?>>{stride_gcd=[1,4]}) {
    %g = group_id.x
    %from = subview %x[0:64,%g]
    %to = subview %y[0:64,%g]
    axpby %a, %from, 0.0, %to
}
func @tiles(%n: i32, %x: memref<f32x64>) attributes{grid=[cdiv(mul(%n,3),4), max(%n,2), 1]} {
}
)";

class arrays {
  public:
    static constexpr std::int64_t columns = 5, size = 64 * columns;

    explicit arrays(sycl::queue const &q)
        : q_{q}, x{sycl::aligned_alloc_shared<float>(128, size, q)},
          y{sycl::aligned_alloc_shared<float>(128, size, q)} {
        std::fill_n(x, size, 3.0f);
    }
    arrays(arrays const &) = delete;
    ~arrays() {
        sycl::free(x, q_);
        sycl::free(y, q_);
    }

    /// Number of results that are right, after they have been forgotten.
    template <typename Launch> auto right(Launch &&launch) -> std::int64_t {
        std::fill_n(y, size, 0.0f);
        launch();
        q_.wait();
        return std::count(y, y + size, 6.0f);
    }

  private:
    sycl::queue q_;

  public:
    float *x, *y;
};

auto kernel_of(sycl::queue const &q, std::string const &program, char const *name) {
    auto const bundle =
        tiletc::create_kernel_bundle(q.get_context(), q.get_device(), tiletc::parse_string(program));
    return std::pair{bundle, tiletc::create_kernel(bundle, name)};
}

/// Wrong values of each kind, between launches that are right.
void wrong_launches_are_refused_among_right_ones(sycl::queue q) {
    auto const [bundle, kernel] = kernel_of(q, text, "scale");
    auto memory = arrays{q};
    auto *const x = memory.x, *const y = memory.y;
    std::int64_t const n = arrays::columns, ld = 64;
    auto const groups = [](std::size_t count) { return sycl::range<3u>{1, 1, count}; };
    auto const launched = [&, &kernel = kernel](auto const &...arguments) {
        return status_of([&] { tiletc::submit(q, kernel, arguments...); });
    };
    auto const set = [&, &kernel = kernel](auto const &...arguments) {
        return status_of([&] {
            q.submit([&](sycl::handler &h) {
                tiletc::set_args(h, kernel, arguments...);
                h.parallel_for(tiletc::get_execution_range(kernel, groups(5)), kernel);
            });
        });
    };
    for (int round = 0; round < 3; ++round) {
        auto const right = [&](auto const &launch) {
            return memory.right([&] { CHECK(launch() == status::success); });
        };
        CHECK(right([&] { return launched(2.0f, x, n, y, n, ld); }) == arrays::size);
        CHECK(right([&] { return launched(groups(5), 2.0f, x, n, y, n, ld); }) == arrays::size);
        CHECK(right([&] { return launched(groups(5), sycl::event{}, 2.0f, x, n, y, n, ld); }) ==
              arrays::size);
        CHECK(right([&] { return launched(2.0f, x, std::int64_t{2}, y, std::int64_t{2}, ld); }) ==
              2 * 64);
        CHECK(right([&] { return launched(2.0f, x, n, y, std::int64_t{0}, ld); }) == 0);
        CHECK(right([&] { return set(2.0f, x, n, y, n, ld); }) == arrays::size);

        CHECK(launched(groups(4), 2.0f, x, n, y, n, ld) == status::launch_grid_mismatch);
        auto const broken = status::launch_argument_contract;
        CHECK(launched(2.0f, x, n, y, n, ld + 2) == broken);
        CHECK(launched(2.0f, x + 1, n, y, n, ld) == broken);
        CHECK(launched(groups(5), 2.0f, x, n, y + 1, n, ld) == broken);
        CHECK(set(2.0f, x + 1, n, y, n, ld) == broken);
        CHECK(set(2.0f, x, n, y, n, ld + 1) == broken);
        auto const wrong = status::invalid_kernel_arguments;
        CHECK(launched(2.0f, x, 5, y, n, ld) == wrong);
        CHECK(launched(2.0, x, n, y, n, ld) == wrong);
        CHECK(set(2.0f, reinterpret_cast<double *>(x), n, y, n, ld) == wrong);
        q.wait();
    }
}

/// Grids are computed like in tiletc, also where they do not fit into 64 bits.
void grids_are_those_of_the_program(sycl::queue q) {
    auto const [bundle, kernel] = kernel_of(q, text, "tiles");
    auto memory = arrays{q};
    auto const launched = [&, &kernel = kernel](std::size_t x, std::size_t y, std::int32_t n) {
        return status_of([&] { tiletc::submit(q, kernel, sycl::range<3u>{1, y, x}, n, memory.x); });
    };
    for (int round = 0; round < 2; ++round) {
        CHECK(launched(4, 5, 5) == status::success);
        CHECK(launched(3, 5, 5) == status::launch_grid_mismatch);
        CHECK(launched(4, 4, 5) == status::launch_grid_mismatch);
        CHECK(launched(1, 2, 1) == status::success);
        CHECK(launched(1, 1, 1) == status::launch_grid_mismatch);
        // Nothing is needed where a number is not positive.
        CHECK(launched(1, 1, -7) == status::success);
    }
    q.wait();
}

/// A kernel at the address of one that is gone is another one.
void kernels_are_not_mixed_up(sycl::queue q) {
    auto memory = arrays{q};
    for (int i = 0; i < 40; ++i) {
        auto const alignment = 64 << i % 3;
        auto const program = "func @f(%x: memref<f32x4>{alignment=" + std::to_string(alignment) +
                             "}) attributes{grid=[1]} {\n}\n";
        auto const [bundle, kernel] = kernel_of(q, program, "f");
        for (int launch = 0; launch < 2; ++launch) {
            for (int offset : {0, 64, 128, 256}) {
                auto *const x = memory.x + offset / 4;
                auto const is_aligned = reinterpret_cast<std::uintptr_t>(x) %
                                            static_cast<std::uintptr_t>(alignment) ==
                                        0;
                auto const found =
                    status_of([&, &kernel = kernel] { tiletc::submit(q, kernel, x); });
                CHECK(found == (is_aligned ? status::success : status::launch_argument_contract));
            }
        }
        q.wait();
    }
}

/// Memory of the host is told by the first launch, where the device does not read all there is.
void memory_out_of_reach_is_refused(sycl::queue q) {
    auto const dev = q.get_device();
    auto const memory = arrays{q};
    alignas(128) static float of_host[arrays::size] = {};
    auto const [bundle, kernel] =
        kernel_of(q, "func @f(%x: memref<f32x?>) attributes{grid=[1]} {\n}\n", "f");
    auto const launched = [&, &kernel = kernel](float *x) {
        return status_of([&] { tiletc::submit(q, kernel, x, std::int64_t{0}); });
    };
    auto const set = [&, &kernel = kernel](float *x) {
        return status_of([&] {
            q.submit([&](sycl::handler &h) {
                tiletc::set_args(h, kernel, x, std::int64_t{0});
                h.parallel_for(tiletc::get_execution_range(kernel, {1, 1, 1}), kernel);
            });
        });
    };
    auto const reads_all = dev.has(sycl::aspect::usm_system_allocations);
    std::printf("the device reads %s\n", reads_all ? "all memory of the host" : "USM only");
    auto const expected = reads_all ? status::success : status::invalid_kernel_arguments;
    CHECK(set(of_host) == expected);
    CHECK(launched(of_host) == expected);
    CHECK(launched(memory.x + arrays::size) == status::success);
    CHECK(launched(nullptr) == status::success);
    CHECK(launched(memory.x + 64) == status::success);
    q.wait();
}

/// Arrays are memory, whatever their size.
void arrays_go_by_address(sycl::queue q) {
    if (!q.get_device().has(sycl::aspect::usm_system_allocations)) {
        std::printf("SKIPPED: arrays as arguments: the device reads USM only\n");
        return;
    }
    alignas(128) static float two[2] = {1.0f, 2.0f}, many[64] = {1.0f, 2.0f};
    auto const program = "func @f(%x: memref<f32x2>) attributes{grid=[1]} {\n"
                         "    axpby 2.0, %x, 0.0, %x\n"
                         "}\n";
    auto const [bundle, kernel] = kernel_of(q, program, "f");
    for (int launch = 0; launch < 2; ++launch) {
        tiletc::submit(q, kernel, two);
        tiletc::submit(q, kernel, many);
        q.submit([&, &kernel = kernel](sycl::handler &h) {
            tiletc::set_args(h, kernel, many);
            h.parallel_for(tiletc::get_execution_range(kernel, {1, 1, 1}), kernel);
        });
    }
    q.wait();
    CHECK(two[0] == 4.0f && two[1] == 8.0f);
    CHECK(many[0] == 16.0f && many[1] == 32.0f && many[2] == 0.0f);
}

/// More work-groups than Level Zero's numbers can say are refused by the first launch and later ones.
void too_many_groups_are_refused(sycl::queue q) {
    if (q.get_backend() != sycl::backend::ext_oneapi_level_zero) {
        std::printf("SKIPPED: too many work-groups: sizes of OpenCL have 64 bits\n");
        return;
    }
    auto memory = arrays{q};
    auto const [bundle, kernel] =
        kernel_of(q, "func @f(%x: memref<f32x4>) attributes{grid=[1]} {\n}\n", "f");
    for (int launch = 0; launch < 2; ++launch) {
        auto const groups = sycl::range<3u>{1, 1, (std::size_t{1} << 32) + 4};
        CHECK(status_of([&, &kernel = kernel] { tiletc::submit(q, kernel, groups, memory.x); }) ==
              status::out_of_range);
        tiletc::submit(q, kernel, sycl::range<3u>{1, 1, 4}, memory.x).wait();
    }
}

/// Threads find kernels that others have launched.
void threads_launch_the_same_kernel(sycl::queue q) {
    auto const [bundle, kernel] = kernel_of(q, text, "scale");
    auto threads = std::vector<std::thread>{};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, &kernel = kernel] {
            auto memory = arrays{q};
            std::int64_t const n = arrays::columns, ld = 64;
            auto const submit = [&] { tiletc::submit(q, kernel, 2.0f, memory.x, n, memory.y, n, ld); };
            for (int launch = 0; launch < 3; ++launch) {
                CHECK(memory.right(submit) == arrays::size);
            }
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
}

/// Allocations of the calls of a launch after some others.
template <typename Launch> auto allocations_of(sycl::queue q, Launch &&launch) -> std::size_t {
    auto fewest = static_cast<std::size_t>(-1);
    for (int i = 0; i < 50; ++i) {
        auto const before = allocations.load();
        launch();
        fewest = std::min(fewest, allocations.load() - before);
        q.wait();
    }
    return fewest;
}

/// A launch allocates what SYCL's own calls do.
void launches_allocate_nothing(sycl::queue q) {
    auto const [bundle, kernel] = kernel_of(q, text, "scale");
    auto memory = arrays{q};
    auto *const x = memory.x, *const y = memory.y;
    std::int64_t const n = arrays::columns, ld = 64;
    auto const range = tiletc::get_execution_range(kernel, sycl::range<3u>{1, 1, 5});
    auto const of_sycl = allocations_of(q, [&, &kernel = kernel] {
        q.submit([&](sycl::handler &h) {
            h.set_args(2.0f, x, n, y, n, ld);
            h.parallel_for(range, kernel);
        });
    });
    auto const of_set_args = allocations_of(q, [&, &kernel = kernel] {
        q.submit([&](sycl::handler &h) {
            tiletc::set_args(h, kernel, 2.0f, x, n, y, n, ld);
            h.parallel_for(range, kernel);
        });
    });
    auto const of_submit =
        allocations_of(q, [&, &kernel = kernel] { tiletc::submit(q, kernel, 2.0f, x, n, y, n, ld); });
    CHECK(of_set_args == of_sycl);
    CHECK(of_submit == of_sycl);
}

/// Launches of many kernels in turn ask tiletc nothing either.
void many_kernels_are_known(sycl::queue q) {
    constexpr int count = 40;
    auto program = std::string{};
    for (int number = 0; number < count; ++number) {
        program += "func @k" + std::to_string(number) + "(%x: memref<f32x64>) attributes{grid=[1]} { }\n";
    }
    auto const [bundle, first] = kernel_of(q, program, "k0");
    auto kernels = std::vector<sycl::kernel>{first};
    for (int number = 1; number < count; ++number) {
        kernels.push_back(tiletc::create_kernel(bundle, ("k" + std::to_string(number)).c_str()));
    }
    auto memory = arrays{q};
    auto *const x = memory.x;
    auto const range = tiletc::get_execution_range(first, sycl::range<3u>{1, 1, 1});
    auto const of_sycl = allocations_of(q, [&] {
        for (auto const &kernel : kernels) {
            q.submit([&](sycl::handler &h) {
                h.set_args(x);
                h.parallel_for(range, kernel);
            });
        }
    });
    auto const of_submit = allocations_of(q, [&] {
        for (auto const &kernel : kernels) {
            tiletc::submit(q, kernel, x);
        }
    });
    CHECK(of_submit == of_sycl);
}

/// The memory of this process, in pages.
auto resident_pages() -> long {
    long all = 0, resident = 0;
    std::ifstream{"/proc/self/statm"} >> all >> resident;
    return resident;
}

/// Launches of a variant keep no memory.
void launches_of_variants_leak_nothing(sycl::queue q) {
    auto const [bundle, kernel] = kernel_of(q, copy_text, "copy");
    auto *const x = sycl::aligned_alloc_shared<float>(128, 2 * copied_numbers, q);
    std::int64_t const one = 1, pitch = copied_rows;
    auto const launch = [&, &kernel = kernel] {
        tiletc::submit(q, kernel, sycl::range<3u>{1, 1, 1}, x, copied_rows, copied_cols, one, pitch,
                       x + copied_numbers, copied_rows, copied_cols, one, pitch)
            .wait();
    };
    auto const kept_by = [&](int launches) {
        auto const before = resident_pages();
        for (int i = 0; i < launches; ++i) {
            launch();
        }
        return resident_pages() - before;
    };
    kept_by(300);
    auto const pages = kept_by(1000);
    std::printf("1000 launches of a variant keep %ld pages\n", pages);
    CHECK(pages < 40);
    sycl::free(x, q);
}

/// A kernel of the last 1,024 programs has its variants.
void many_programs_have_variants(sycl::queue q) {
    if (q.get_backend() != sycl::backend::ext_oneapi_level_zero) {
        std::printf("SKIPPED: many programs with variants: those of OpenCL are 64\n");
        return;
    }
    auto const [bundle, kernel] = kernel_of(q, copy_text, "copy");
    auto *const x = sycl::aligned_alloc_shared<float>(128, 2 * copied_numbers, q);
    std::int64_t const one = 1, pitch = copied_rows;
    auto const has_variant = [&, &kernel = kernel] {
        return tiletc::select_variant(kernel, x, copied_rows, copied_cols, one, pitch,
                                      x + copied_numbers, copied_rows, copied_cols, one,
                                      pitch) != kernel;
    };
    CHECK(has_variant());
    auto others = std::vector<decltype(kernel_of(q, copy_text, "copy"))>{};
    while (others.size() < 1023) {
        others.push_back(kernel_of(q, copy_text, "copy"));
    }
    CHECK(has_variant());
    sycl::free(x, q);
}

} // namespace

int main() {
    return on_default_device([](sycl::device const &dev) {
        auto const q = sycl::queue{dev, sycl::property::queue::in_order{}};
        wrong_launches_are_refused_among_right_ones(q);
        grids_are_those_of_the_program(q);
        kernels_are_not_mixed_up(q);
        memory_out_of_reach_is_refused(q);
        arrays_go_by_address(q);
        too_many_groups_are_refused(q);
        threads_launch_the_same_kernel(q);
        launches_allocate_nothing(q);
        many_kernels_are_known(q);
        launches_of_variants_leak_nothing(q);
        many_programs_have_variants(q);
    });
}
