// SPDX-License-Identifier: BSD-3-Clause

#ifndef FLASH_ATTENTION_PROBLEM_HPP
#define FLASH_ATTENTION_PROBLEM_HPP

#include "error_bound.hpp"
#include "parallel.hpp"
#include "random.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The size of an attention: `heads` counts those of all sequences of the batch.
struct attention_shape {
    std::int64_t length, head_dim, heads;
    /// Heads that share keys and values.
    std::int64_t group;
    bool causal;

    /// Numbers in Q or O.
    auto size() const -> std::int64_t { return length * head_dim * heads; }
    /// Numbers in K or V.
    auto shared_size() const -> std::int64_t { return size() / group; }
    /// Rows of O.
    auto rows() const -> std::int64_t { return length * heads; }
    /// Keys that a query sees.
    auto visible(std::int64_t query) const -> std::int64_t { return causal ? query + 1 : length; }
    /// Floating-point operations: both products, of what is seen.
    auto flops() const -> double {
        auto const seen =
            static_cast<double>(length) *
            (causal ? static_cast<double>(length + 1) / 2 : static_cast<double>(length));
        return 4.0 * seen * static_cast<double>(head_dim) * static_cast<double>(heads);
    }
};

/// Input and output of an attention with numbers of type T, and the check of the output.
///
/// The numbers of a query or key lie next to each other, then come the queries, then the heads.
template <typename T> class problem {
  public:
    problem(attention_shape shape, sycl::queue const &q)
        : shape_{shape}, scale_{static_cast<float>(1.0 / std::sqrt(shape.head_dim))},
          Q_(shape.size(), q), K_(shape.shared_size(), q), V_(shape.shared_size(), q),
          O_(shape.size(), q) {
        // With this amplitude of Q and K the scores of a row differ by about 20: many weights
        // matter, and the largest score of a row changes often as its blocks come along.
        constexpr double amplitude = 3.0;
        parallel_parts(shape.size(), [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) {
                Q()[i] = static_cast<float>(random_number(0, i, amplitude));
                O()[i] = std::nanf("");
            }
        });
        parallel_parts(shape.shared_size(), [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin; i < end; ++i) {
                K()[i] = static_cast<float>(random_number(1, i, amplitude));
                V()[i] = static_cast<float>(random_number(2, i, 1.0));
            }
        });
    }

    /// Factor of the scores.
    auto scale() const -> float { return scale_; }
    auto Q() const -> T * { return Q_.get(); }
    auto K() const -> T * { return K_.get(); }
    auto V() const -> T * { return V_.get(); }
    auto O() const -> T * { return O_.get(); }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(attention_shape shape) -> double {
        return 2.0 * sizeof(T) * static_cast<double>(shape.size() + shape.shared_size());
    }

    /// Compares `count` rows of O, evenly spread, with a computation in double precision; returns
    /// the largest error as a fraction of what rounding allows.
    auto worst_error(std::int64_t count) const -> double {
        return parallel_max(count, [&](std::int64_t i) {
            // The last row is among them.
            return row_error((i + 1) * shape_.rows() / count - 1);
        });
    }

  private:
    auto row_error(std::int64_t row) const -> double {
        auto const dim = shape_.head_dim;
        auto const query = row % shape_.length;
        auto const first = row / shape_.length / shape_.group * shape_.length;
        auto const keys = shape_.visible(query);
        auto const at = [dim](T const *tensor, std::int64_t row, std::int64_t d) -> double {
            return tensor[d + row * dim];
        };

        auto scores = std::vector<double>(static_cast<std::size_t>(keys));
        auto sizes = row_sizes{};
        for (std::int64_t j = 0; j < keys; ++j) {
            double score = 0.0;
            double magnitude = 0.0;
            for (std::int64_t d = 0; d < dim; ++d) {
                auto const product = scale_ * at(Q(), row, d) * at(K(), first + j, d);
                score += product;
                magnitude += std::fabs(product);
            }
            scores[static_cast<std::size_t>(j)] = score;
            sizes.score_magnitude = std::max(sizes.score_magnitude, magnitude);
        }
        auto const [least, most] = std::minmax_element(scores.begin(), scores.end());
        sizes.score_range = *most - *least;

        auto sums = std::vector<double>(static_cast<std::size_t>(dim));
        auto magnitudes = std::vector<double>(static_cast<std::size_t>(dim));
        auto values = std::vector<double>(static_cast<std::size_t>(dim));
        double norm = 0.0;
        for (std::int64_t j = 0; j < keys; ++j) {
            auto const weight = std::exp(scores[static_cast<std::size_t>(j)] - *most);
            norm += weight;
            for (std::size_t d = 0; d < sums.size(); ++d) {
                auto const v = at(V(), first + j, static_cast<std::int64_t>(d));
                sums[d] += weight * v;
                magnitudes[d] += weight * std::fabs(v);
                values[d] += std::fabs(v);
            }
        }

        double worst = 0.0;
        for (std::size_t d = 0; d < sums.size(); ++d) {
            auto const expected = sums[d] / norm;
            auto const error = std::fabs(at(O(), row, static_cast<std::int64_t>(d)) - expected);
            auto const allowed =
                error_bound<T>(shape_.length, dim, sizes, expected, magnitudes[d] / norm, values[d]);
            worst = std::isnan(error) ? error : std::max(worst, error / allowed);
            if (std::isnan(worst)) {
                break;
            }
        }
        return worst;
    }

    attention_shape shape_;
    float scale_;
    usm_array<T> Q_, K_, V_, O_;
};

#endif // FLASH_ATTENTION_PROBLEM_HPP
