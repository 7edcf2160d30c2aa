// SPDX-License-Identifier: BSD-3-Clause

#ifndef BUILDER_CPP_PROBLEM_HPP
#define BUILDER_CPP_PROBLEM_HPP

#include "parallel.hpp"
#include "random.hpp"
#include "sparse_matrix.hpp"
#include "sparse_product.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Input, output and reference of the sparse product.
template <typename T> class problem {
  public:
    problem(sparse_matrix const &S, std::int64_t elements, int steps, sycl::queue const &q)
        : S_{S}, elements_{elements}, steps_{steps}, P_(numbers(), q), Q_(numbers(), q) {
        // All steps together add a tensor of the magnitude of Q, so that rounding errors stay what
        // one step makes.
        auto const scale = 1.0 / steps;
        parallel_parts(numbers(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                P()[i] = random(tensor::P, i, scale);
                Q()[i] = initial_Q(i);
            }
        });
    }

    auto P() const -> T * { return P_.get(); }
    auto Q() const -> T * { return Q_.get(); }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(std::int64_t order, std::int64_t elements) -> double {
        return 2.0 * static_cast<double>(order * N * elements) * sizeof(T);
    }

    /// Compares every Q(:,:,e) with Q0 + steps * (S P(:,:,e)) in double precision and returns the
    /// largest relative error in the Frobenius norm.
    auto worst_error() const -> double {
        return parallel_max(elements_, [this](std::int64_t e) { return relative_error(e); });
    }

  private:
    static auto random(tensor which, std::int64_t index, double scale) -> T {
        return static_cast<T>(random_number(static_cast<std::uint8_t>(which), index, scale));
    }

    static auto initial_Q(std::int64_t index) -> T { return random(tensor::Q, index, 1.0); }

    auto numbers() const -> std::int64_t { return S_.order() * N * elements_; }

    auto relative_error(std::int64_t e) const -> double {
        auto const rows = S_.order();
        double error = 0.0;
        double norm = 0.0;
        for (std::int64_t j = 0; j < N; ++j) {
            auto const first = rows * (j + N * e);
            auto sums = std::vector<double>(static_cast<std::size_t>(rows));
            for (std::int64_t k = 0; k < rows; ++k) {
                for (auto const &entry : S_.column(k)) {
                    sums[static_cast<std::size_t>(entry.row)] +=
                        static_cast<T>(entry.value) * static_cast<double>(P()[first + k]);
                }
            }
            for (std::int64_t i = 0; i < rows; ++i) {
                auto const expected =
                    initial_Q(first + i) + steps_ * sums[static_cast<std::size_t>(i)];
                auto const difference = Q()[first + i] - expected;
                error += difference * difference;
                norm += expected * expected;
            }
        }
        return std::sqrt(error / norm);
    }

    sparse_matrix const &S_;
    std::int64_t elements_;
    int steps_;
    usm_array<T> P_, Q_;
};

#endif // BUILDER_CPP_PROBLEM_HPP
