// SPDX-License-Identifier: BSD-3-Clause

#ifndef MATRIX_CHAIN_PROBLEM_HPP
#define MATRIX_CHAIN_PROBLEM_HPP

#include "parallel.hpp"
#include "random.hpp"
#include "scattered_matrices.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

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

/// Input, output and reference of the matrix chain, for some elements or all.
///
/// All numbers are reproducible, so the initial Q need not be kept for the check; and they depend
/// on the number of the element, so it does not matter who computes it.
template <typename T> class problem {
  public:
    problem(std::int64_t elements, int steps, sycl::queue const &q, std::int64_t first_element = 0)
        : elements_{elements}, first_{first_element}, steps_{steps}, K_(M * M, q),
          P_(M * N * elements, q), Q_(M * N * elements, q), A_(elements, q) {
        fill();
    }

    auto K() const -> T * { return K_.get(); }
    auto P() const -> T * { return P_.get(); }
    auto A() const -> T ** { return A_.get(); }
    auto Q() const -> T * { return Q_.get(); }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(std::int64_t elements) -> double {
        return static_cast<double>(elements) *
               static_cast<double>(2 * M * N * sizeof(T) + matrices::bytes_per_matrix());
    }

    /// Compares every Q(:,:,e) with Q0 + steps * (K P(:,:,e) A_e) in double precision and returns
    /// the largest relative error in the Frobenius norm.
    auto worst_error() const -> double {
        return parallel_max(elements_, [this](std::int64_t e) { return relative_error(e); });
    }

  private:
    using matrices = scattered_matrices<T, N * N>;
    enum class tensor : std::uint8_t { K, P, A, Q };

    static auto random(tensor which, std::int64_t index, double scale) -> T {
        return static_cast<T>(random_number(static_cast<std::uint8_t>(which), index, scale));
    }

    /// The initial value of Q()[index].
    auto initial_Q(std::int64_t index) const -> T {
        return random(tensor::Q, first_ * M * N + index, 1.0);
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
                P()[i] = random(tensor::P, first_ * M * N + i, 1.0);
                Q()[i] = initial_Q(i);
            }
            for (std::int64_t e = begin; e < end; ++e) {
                for (std::int64_t i = 0; i < N * N; ++i) {
                    A()[e][i] = random(tensor::A, (first_ + e) * N * N + i, scale_A);
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

    std::int64_t elements_, first_;
    int steps_;
    usm_array<T> K_, P_, Q_;
    matrices A_;
};

#endif // MATRIX_CHAIN_PROBLEM_HPP
