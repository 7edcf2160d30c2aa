// SPDX-License-Identifier: BSD-3-Clause

// Launches through SYCL at random: random_launches SEED THREADS LAUNCHES [SECONDS]
//
// Each thread launches a kernel and a recipe so often, or as long as that, with arguments that are right, or wrong in one
// place. What is right leaves the right numbers; what is wrong is refused, and nothing runs.

#include "check.hpp"

#ifdef TILETC_TEST_TINYTC
#include <tinytc/tinytc_sycl.hpp>
namespace library = tinytc;
#else
#include <tiletc/tiletc_sycl.hpp>
namespace library = tiletc;
#endif

#include <sycl/sycl.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr char program[] = R"(func @fill(%x: f32, %A: memref<f32x?>) {
    %begin = constant 0 : index
    %end = size %A[0] : index
    foreach (%i)=(%begin),(%end) {
        store %x, %A[%i]
    }
})";

/// Elements of the vector, rows of the recipe's tall matrices at most, and columns of all its matrices.
constexpr std::int64_t most = 64, rows = 40, columns = 4;

/// Refused launches, and those that ran.
struct counts {
    std::atomic<std::uint64_t> refused{0}, ran{0};
};

// Intel's OpenCL driver for CPUs (2026.2) has threads that wait do each other's work, and after some ten thousand launches two of
// them wait for each other. One for all kinds of launches.
std::mutex waiting;

class launcher {
  public:
    launcher(sycl::queue q, std::uint64_t seed, counts &total)
        : queue_{std::move(q)}, random_{seed}, total_{total} {
        auto const prog = library::parse_string(program);
        auto const bundle =
            library::create_kernel_bundle(queue_.get_context(), queue_.get_device(), prog);
        kernel_.emplace_back(library::create_kernel(bundle, "fill"));
        auto const info = library::create_core_info(queue_.get_device());
        tiletc_type_t f32 = nullptr;
        CHECK(tiletc_f32_type_get(&f32, library::get_compiler_context(prog.get()).get()) ==
              tiletc_status_success);
        auto const recipe = library::create_tall_and_skinny(info.get(), f32, columns, columns);
        handler_ = library::create_recipe_handler(queue_, recipe);
        memory_ = sycl::malloc_shared<float>(3 * rows * columns, queue_);
    }
    launcher(launcher const &) = delete;
    auto operator=(launcher const &) -> launcher & = delete;
    ~launcher() { sycl::free(memory_, queue_); }

    void kernel() {
        std::fill_n(memory_, most, -1.0f);
        auto const mistake = below(16);
        auto const n = static_cast<std::int64_t>(below(most + 1));
        auto const x = static_cast<float>(below(100));
        auto const groups = sycl::range<3u>{1, 1, below(8) == 0 ? 0u : 1u};
        auto const is_right = mistake > 8;
        auto const submit = [&](auto const &...values) {
            return library::submit(queue_, kernel_.front(), groups, values...);
        };
        auto const is_success = succeeds([&] {
            switch (mistake) {
            case 0: return submit();
            case 1: return submit(x, memory_);
            case 2: return submit(x, memory_, n, n);
            case 3: return submit(static_cast<std::int32_t>(x), memory_, n);
            case 4: return submit(static_cast<double>(x), memory_, n);
            case 5: return submit(x, n, n);
            case 6: return submit(memory_, memory_, n);
            case 7: return submit(x, memory_, static_cast<std::int32_t>(n));
            case 8: return submit(x, memory_, x);
            default: return submit(x, memory_, n);
            }
        });
        CHECK(is_success == is_right);
        auto const filled = is_right && groups.size() > 0 ? n : 0;
        CHECK(std::count(memory_, memory_ + filled, x) == filled);
        CHECK(std::count(memory_ + filled, memory_ + most, -1.0f) == most - filled);
    }

    void recipe() {
        constexpr auto size = rows * columns;
        std::fill_n(memory_, 2 * size, 1.0f);
        std::fill_n(memory_ + 2 * size, size, 2.0f);
        auto const mistake = below(12);
        auto const m = static_cast<std::int64_t>(below(rows - 1) + 2);
        auto const beta = static_cast<float>(below(2));
        std::int64_t const ld_a = mistake == 0 ? m - 1 : rows, ld_b = mistake == 1 ? columns - 1 : columns,
                           ld_c = mistake == 2 ? m - 1 : rows, turns = mistake == 3 ? -m : m;
        auto const is_right = mistake > 4;
        auto const is_success = succeeds([&] {
            auto const set = [&](auto alpha) {
                library::set_tall_and_skinny_args(handler_, turns, alpha, memory_, ld_a, memory_ + size, ld_b,
                                                  static_cast<decltype(alpha)>(beta), memory_ + 2 * size, ld_c);
            };
            mistake == 4 ? set(1.0) : set(1.0f);
            return library::submit(handler_, queue_);
        });
        CHECK(is_success == is_right);
        auto const expected = is_right ? columns + 2.0f * beta : 2.0f;
        for (std::int64_t column = 0; column < columns; ++column) {
            auto const *const begin = memory_ + 2 * size + column * rows;
            CHECK(std::count(begin, begin + m, expected) == m);
            CHECK(std::count(begin + m, begin + rows, 2.0f) == rows - m);
        }
    }

    auto below(std::uint64_t end) -> std::uint64_t { return random_() % end; }

  private:
    /// Returns whether a launch was accepted; it has run then.
    template <typename F> auto succeeds(F &&launch) -> bool {
        try {
            launch();
            auto const lock = std::lock_guard{waiting};
            queue_.wait_and_throw();
        } catch (...) {
            ++total_.refused;
            return false;
        }
        ++total_.ran;
        return true;
    }

    sycl::queue queue_;
    std::vector<sycl::kernel> kernel_;
    library::shared_handle<tiletc_recipe_handler_t> handler_;
    float *memory_ = nullptr;
    std::mt19937_64 random_;
    counts &total_;
};

auto number(char const *text) -> std::uint64_t { return std::strtoull(text, nullptr, 10); }

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s SEED THREADS LAUNCHES [SECONDS]\n", argv[0]);
        return 2;
    }
    auto const seed = number(argv[1]), threads = number(argv[2]), launches = number(argv[3]);
    auto const end = std::chrono::steady_clock::now() +
                     std::chrono::seconds{argc > 4 ? number(argv[4]) : 1000000};
    try {
        if (!sycl::queue{}.get_device().has(sycl::aspect::usm_shared_allocations)) {
            return skip("the SYCL device has no shared memory");
        }
    } catch (sycl::exception const &e) {
        return skip(e.what());
    }
    auto total = counts{};
    auto workers = std::vector<std::thread>{};
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
        workers.emplace_back([&, thread] {
            auto work = launcher{sycl::queue{}, seed + 1000003 * thread, total};
            for (std::uint64_t i = 0; i < launches && std::chrono::steady_clock::now() < end; ++i) {
                work.below(2) == 0 ? work.kernel() : work.recipe();
            }
        });
    }
    for (auto &worker : workers) {
        worker.join();
    }
    std::printf("%llu calls: launches that ran; %llu were refused\n",
                static_cast<unsigned long long>(total.ran), static_cast<unsigned long long>(total.refused));
    CHECK(total.ran > 0 && total.refused > 0);
    return check_result();
}
