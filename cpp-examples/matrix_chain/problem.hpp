// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_PROBLEM_HPP
#define MATRIX_CHAIN_PROBLEM_HPP

#include "parallel.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

/// Rows of Q, K and P.
constexpr std::int64_t M = 56;
/// Columns of Q and P; order of A_e.
constexpr std::int64_t N = 9;

/// Floating-point operations of one step: both products for every e.
constexpr auto flops_per_step(std::int64_t elements) -> double {
    return static_cast<double>(elements) * (2 * M * M * N + 2 * M * N * N);
}

/// Bytes one step has to move: P and A_e in, Q in and out, the pointers to A_e, and K once.
template <typename T> constexpr auto bytes_per_step(std::int64_t elements) -> double {
    return static_cast<double>(elements) * ((3 * M * N + N * N) * sizeof(T) + sizeof(T *)) +
           static_cast<double>(M * M * sizeof(T));
}

/// Memory shared by host and device, aligned as the compiler assumes it.
template <typename T> class usm_array {
  public:
    /// Bytes the compiler assumes base pointers to be aligned to.
    constexpr static std::size_t alignment = 128;

    usm_array(std::int64_t size, sycl::queue const &q)
        : data_{sycl::aligned_alloc_shared<T>(alignment, static_cast<std::size_t>(size), q),
                deleter{q.get_context()}} {
        if (!data_) {
            throw std::runtime_error("the device has no memory for " + std::to_string(size) +
                                     " numbers in one piece");
        }
    }

    auto get() const -> T * { return data_.get(); }

  private:
    struct deleter {
        sycl::context ctx;
        void operator()(T *ptr) const { sycl::free(ptr, ctx); }
    };
    std::unique_ptr<T, deleter> data_;
};

/// Input, output and reference of the matrix chain.
///
/// All numbers are reproducible: each is a hash of its tensor and its index. So the initial Q need
/// not be kept for the check, and threads can fill their parts independently.
template <typename T> class problem {
  public:
    problem(std::int64_t elements, int steps, sycl::queue const &q)
        : elements_{elements}, steps_{steps}, K_(M * M, q), P_(M * N * elements, q),
          Q_(M * N * elements, q), A_(elements, q) {
        place_A(q);
        fill();
    }

    auto K() const -> T * { return K_.get(); }
    auto P() const -> T * { return P_.get(); }
    auto A() const -> T ** { return A_.get(); }
    auto Q() const -> T * { return Q_.get(); }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(std::int64_t elements) -> double {
        return static_cast<double>(elements) * (2 * M * N * sizeof(T) + slot_size * sizeof(T));
    }

    /// Compares every Q(:,:,e) with Q0 + steps * (K P(:,:,e) A_e) in double precision and returns
    /// the largest relative error in the Frobenius norm.
    auto worst_error() const -> double {
        double worst = 0.0;
        auto worst_mutex = std::mutex{};
        parallel_parts(elements_, [&](std::int64_t begin, std::int64_t end) {
            double my_worst = 0.0;
            for (std::int64_t e = begin; e < end; ++e) {
                auto const error = relative_error(e);
                // Written so that NaN counts as the worst of all.
                if (!(error <= my_worst)) {
                    my_worst = error;
                }
            }
            auto const lock = std::lock_guard{worst_mutex};
            if (!(my_worst <= worst)) {
                worst = my_worst;
            }
        });
        return worst;
    }

  private:
    /// Numbers from one A_e to the next one in memory: the matrix, rounded up to the alignment, and
    /// a gap, so that no two matrices touch.
    constexpr static std::int64_t align_numbers = usm_array<T>::alignment / sizeof(T);
    constexpr static std::int64_t slot_size =
        ((N * N + align_numbers - 1) / align_numbers + 1) * align_numbers;
    /// Matrices per allocation.
    constexpr static std::int64_t slots_per_slab = 4096;

    enum class tensor : std::uint64_t { K, P, A, Q };

    /// A number in [-scale, scale), the same one for the same arguments on every machine.
    static auto random(tensor which, std::int64_t index, double scale) -> T {
        // The finaliser of splitmix64, which turns consecutive numbers into independent ones.
        auto x = (static_cast<std::uint64_t>(which) << 56) + static_cast<std::uint64_t>(index);
        x = (x + 1) * 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x = x ^ (x >> 31);
        return static_cast<T>(scale * (static_cast<double>(x >> 11) * 0x1p-52 - 1.0));
    }

    static auto initial_Q(std::int64_t index) -> T { return random(tensor::Q, index, 1.0); }

    /// Gives every A_e a place of its own, neighbours in e far apart in memory.
    void place_A(sycl::queue const &q) {
        auto slots = std::vector<std::int64_t>(static_cast<std::size_t>(elements_));
        std::iota(slots.begin(), slots.end(), 0);
        auto generator = std::mt19937_64{9};
        for (std::size_t i = slots.size(); i > 1; --i) {
            std::swap(slots[i - 1], slots[generator() % i]);
        }
        for (std::int64_t first = 0; first < elements_; first += slots_per_slab) {
            auto const count = std::min(slots_per_slab, elements_ - first);
            auto const &slab = slabs_.emplace_back(count * slot_size, q);
            // What lies between the matrices must not matter to anybody.
            std::fill_n(slab.get(), count * slot_size, std::numeric_limits<T>::quiet_NaN());
        }
        for (std::int64_t e = 0; e < elements_; ++e) {
            auto const slot = slots[static_cast<std::size_t>(e)];
            A()
            [e] = slabs_[static_cast<std::size_t>(slot / slots_per_slab)].get() +
                  (slot % slots_per_slab) * slot_size;
        }
    }

    void fill() {
        // With these scales K P(:,:,e) keeps the magnitude of P, and all steps together add a
        // tensor of the magnitude of Q, so that rounding errors stay what one step makes.
        auto const scale_K = std::sqrt(3.0 / M);
        auto const scale_A = std::sqrt(3.0 / N) / steps_;
        for (std::int64_t i = 0; i < M * M; ++i) {
            K()[i] = random(tensor::K, i, scale_K);
        }
        parallel_parts(elements_, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin * M * N; i < end * M * N; ++i) {
                P()[i] = random(tensor::P, i, 1.0);
                Q()[i] = initial_Q(i);
            }
            for (std::int64_t e = begin; e < end; ++e) {
                for (std::int64_t i = 0; i < N * N; ++i) {
                    A()[e][i] = random(tensor::A, e * N * N + i, scale_A);
                }
            }
        });
    }

    auto relative_error(std::int64_t e) const -> double {
        auto KP = std::array<double, M * N>{};
        add_product<M>(K(), P() + e * M * N, KP.data());
        auto KPA = std::array<double, M * N>{};
        add_product<N>(KP.data(), A()[e], KPA.data());

        double error = 0.0;
        double norm = 0.0;
        for (std::int64_t i = 0; i < M * N; ++i) {
            auto const index = e * M * N + i;
            auto const expected = initial_Q(index) + steps_ * KPA[static_cast<std::size_t>(i)];
            auto const difference = Q()[index] - expected;
            error += difference * difference;
            norm += expected * expected;
        }
        return std::sqrt(error / norm);
    }

    /// C <- C + X Y with X of size M times `Inner` and Y of size `Inner` times N, by columns.
    template <std::int64_t Inner, typename X, typename Y>
    static void add_product(X const *x, Y const *y, double *c) {
        for (std::int64_t j = 0; j < N; ++j) {
            for (std::int64_t k = 0; k < Inner; ++k) {
                double const y_kj = y[k + j * Inner];
                for (std::int64_t i = 0; i < M; ++i) {
                    c[i + j * M] += x[i + k * M] * y_kj;
                }
            }
        }
    }

    std::int64_t elements_;
    int steps_;
    usm_array<T> K_, P_, Q_;
    usm_array<T *> A_;
    std::vector<usm_array<T>> slabs_;
};

#endif // MATRIX_CHAIN_PROBLEM_HPP
