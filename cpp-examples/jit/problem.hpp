// SPDX-License-Identifier: BSD-3-Clause

#ifndef JIT_PROBLEM_HPP
#define JIT_PROBLEM_HPP

#include "accumulation_bound.hpp"
#include "parallel.hpp"
#include "random.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

/// Input, output and reference of Q_e <- Q_e + X_1e ... X_ne with numbers of type T.
template <typename T> class problem {
  public:
    problem(std::vector<std::int64_t> sizes, std::int64_t elements, int steps, sycl::queue const &q)
        : sizes_{std::move(sizes)}, elements_{elements}, steps_{steps}, Q_(size_Q() * elements, q) {
        for (std::size_t k = 1; k < sizes_.size(); ++k) {
            X_.emplace_back(size_X(k) * elements, q);
        }
        parallel_parts(elements, [&](std::int64_t begin, std::int64_t end) {
            for (std::size_t k = 1; k < sizes_.size(); ++k) {
                // With this scale the product keeps the magnitude of its first factor.
                auto const scale =
                    k == 1 ? 1.0 / steps_ : std::sqrt(3.0 / static_cast<double>(sizes_[k - 1]));
                for (auto i = begin * size_X(k); i < end * size_X(k); ++i) {
                    X(k)[i] = random(k, i, scale);
                }
            }
            for (auto i = begin * size_Q(); i < end * size_Q(); ++i) {
                Q()[i] = initial_Q(i);
            }
        });
    }

    /// All X_k, k from 1 on.
    auto X(std::size_t k) const -> T * { return X_[k - 1].get(); }
    auto Q() const -> T * { return Q_.get(); }

    /// Floating-point operations of a step: the products from left to right.
    static auto flops_per_step(std::vector<std::int64_t> const &sizes, std::int64_t elements)
        -> double {
        double flops = 0.0;
        for (std::size_t k = 2; k < sizes.size(); ++k) {
            flops += 2.0 * static_cast<double>(sizes[0] * sizes[k - 1] * sizes[k]);
        }
        return flops * static_cast<double>(elements);
    }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(std::vector<std::int64_t> const &sizes, std::int64_t elements)
        -> double {
        auto numbers = sizes.front() * sizes.back();
        for (std::size_t k = 1; k < sizes.size(); ++k) {
            numbers += sizes[k - 1] * sizes[k];
        }
        return static_cast<double>(numbers) * static_cast<double>(elements) * sizeof(T);
    }

    /// Compares every Q_e with the exact result, computed in higher precision; returns the largest
    /// error as a fraction of what rounding allows.
    auto worst_error() const -> double {
        return parallel_max(elements_, [this](std::int64_t e) { return element_error(e); });
    }

  private:
    using wide = wide_type<T>;

    auto size_X(std::size_t k) const -> std::int64_t { return sizes_[k - 1] * sizes_[k]; }
    auto size_Q() const -> std::int64_t { return sizes_.front() * sizes_.back(); }

    static auto random(std::size_t tensor, std::int64_t index, double scale) -> T {
        return static_cast<T>(random_number(static_cast<std::uint8_t>(tensor), index, scale));
    }
    static auto initial_Q(std::int64_t index) -> T { return random(0, index, 1.0); }

    /// The product of the matrices of an element, or of their absolute values.
    auto product(std::int64_t e, bool absolute) const -> std::vector<wide> {
        auto const number = [&](std::size_t k, std::int64_t i) {
            wide const value = X(k)[e * size_X(k) + i];
            return absolute ? std::fabs(value) : value;
        };
        auto left = std::vector<wide>(static_cast<std::size_t>(size_X(1)));
        for (std::size_t i = 0; i < left.size(); ++i) {
            left[i] = number(1, static_cast<std::int64_t>(i));
        }
        auto const rows = sizes_[0];
        for (std::size_t k = 2; k < sizes_.size(); ++k) {
            auto const inner = sizes_[k - 1], cols = sizes_[k];
            auto next = std::vector<wide>(static_cast<std::size_t>(rows * cols));
            for (std::int64_t j = 0; j < cols; ++j) {
                for (std::int64_t l = 0; l < inner; ++l) {
                    auto const x = number(k, l + inner * j);
                    for (std::int64_t i = 0; i < rows; ++i) {
                        next[static_cast<std::size_t>(i + rows * j)] +=
                            left[static_cast<std::size_t>(i + rows * l)] * x;
                    }
                }
            }
            left = std::move(next);
        }
        return left;
    }

    /// A product of one number from each matrix goes through at most one fused multiply-add for
    /// each term of each sum.
    auto element_error(std::int64_t e) const -> double {
        auto const update = product(e, false);
        auto const magnitude = product(e, true);
        auto const roundings =
            std::accumulate(sizes_.begin() + 1, sizes_.end() - 1, std::int64_t{0});
        double worst = 0.0;
        for (std::size_t i = 0; i < update.size(); ++i) {
            auto const index = e * size_Q() + static_cast<std::int64_t>(i);
            auto const fraction = accumulation_error<T>(Q()[index], initial_Q(index), update[i],
                                                        magnitude[i], roundings, steps_);
            if (std::isnan(fraction)) {
                return fraction;
            }
            worst = std::max(worst, fraction);
        }
        return worst;
    }

    std::vector<std::int64_t> sizes_;
    std::int64_t elements_;
    int steps_;
    std::vector<usm_array<T>> X_;
    usm_array<T> Q_;
};

#endif // JIT_PROBLEM_HPP
