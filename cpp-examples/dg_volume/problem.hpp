// SPDX-License-Identifier: BSD-3-Clause

#ifndef DG_VOLUME_PROBLEM_HPP
#define DG_VOLUME_PROBLEM_HPP

#include "accumulation_bound.hpp"
#include "parallel.hpp"
#include "random.hpp"
#include "scattered_matrices.hpp"
#include "usm_array.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Quantities of the system: six stresses and three velocities of an elastic medium, for example.
constexpr std::int64_t quantities = 9;
/// Directions of space.
constexpr std::int64_t directions = 3;

/// The number of basis functions of an element, the polynomials of degree less than `order`.
constexpr auto basis_size(std::int64_t order) -> std::int64_t {
    return order * (order + 1) * (order + 2) / 6;
}

/// Floating-point operations of one step: three products with star matrices and three with
/// stiffness matrices for each element.
constexpr auto flops_per_step(std::int64_t basis, std::int64_t elements) -> double {
    return static_cast<double>(elements) *
           static_cast<double>(2 * directions * basis * quantities) *
           static_cast<double>(quantities + basis);
}

/// Input, output and reference of the volume kernel with numbers of type T.
template <typename T> class problem {
  public:
    problem(std::int64_t basis, std::int64_t elements, int steps, sycl::queue const &q)
        : basis_{basis}, elements_{elements}, steps_{steps}, K_(basis * basis * directions, q),
          I_(basis * quantities * elements, q), Q_(basis * quantities * elements, q),
          A_(elements, q) {
        fill();
    }

    /// Stiffness matrices, basis x basis x directions.
    auto K() const -> T * { return K_.get(); }
    /// Time integrals, basis x quantities x elements.
    auto I() const -> T * { return I_.get(); }
    /// Star matrices of each element, quantities x directions x quantities.
    auto A() const -> T ** { return A_.get(); }
    /// The solution, basis x quantities x elements.
    auto Q() const -> T * { return Q_.get(); }

    /// Bytes of memory needed, to be compared with what the device has.
    static auto bytes_needed(std::int64_t basis, std::int64_t elements) -> double {
        auto const dofs = static_cast<std::size_t>(2 * basis * quantities) * sizeof(T);
        return static_cast<double>(elements) *
               static_cast<double>(dofs + matrices::bytes_per_matrix());
    }

    /// Compares every Q_e with the exact result, computed in higher precision; returns the largest
    /// error as a fraction of what rounding allows.
    auto worst_error() const -> double {
        return parallel_max(elements_, [this](std::int64_t e) { return element_error(e); });
    }

  private:
    using matrices = scattered_matrices<T, quantities * directions * quantities>;
    using wide = wide_type<T>;
    enum class tensor : std::uint8_t { K, I, A, Q };

    static auto random(tensor which, std::int64_t index, double scale) -> T {
        return static_cast<T>(random_number(static_cast<std::uint8_t>(which), index, scale));
    }

    static auto initial_Q(std::int64_t index) -> T { return random(tensor::Q, index, 1.0); }

    void fill() {
        // With these scales all steps together add a tensor of the magnitude of Q.
        auto const scale_K = std::sqrt(3.0 / static_cast<double>(basis_));
        auto const scale_A = std::sqrt(3.0 / (quantities * directions)) / steps_;
        for (std::int64_t i = 0; i < basis_ * basis_ * directions; ++i) {
            K()[i] = random(tensor::K, i, scale_K);
        }
        auto const size = basis_ * quantities;
        constexpr auto star_size = quantities * directions * quantities;
        parallel_parts(elements_, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = begin * size; i < end * size; ++i) {
                I()[i] = random(tensor::I, i, 1.0);
                Q()[i] = initial_Q(i);
            }
            for (auto e = begin; e < end; ++e) {
                for (std::int64_t i = 0; i < star_size; ++i) {
                    A()[e][i] = random(tensor::A, e * star_size + i, scale_A);
                }
            }
        });
    }

    /// Increment of a step for an entry, and the same of the absolute values of all matrices.
    struct update {
        wide value = 0;
        wide magnitude = 0;
    };

    /// Increment of a step for Q_e, by columns.
    auto updates(std::int64_t e) const -> std::vector<update> {
        auto const number = [](T x) { return update{x, std::fabs(static_cast<wide>(x))}; };
        auto const add_product = [](update &sum, update const &a, update const &b) {
            sum.value += a.value * b.value;
            sum.magnitude += a.magnitude * b.magnitude;
        };
        auto const size = static_cast<std::size_t>(basis_ * quantities);
        auto sums = std::vector<update>(size);
        for (std::int64_t d = 0; d < directions; ++d) {
            auto IA = std::vector<update>(size);
            for (std::int64_t j = 0; j < quantities; ++j) {
                for (std::int64_t k = 0; k < quantities; ++k) {
                    auto const a = number(A()[e][k + quantities * (d + directions * j)]);
                    for (std::int64_t l = 0; l < basis_; ++l) {
                        add_product(IA[static_cast<std::size_t>(l + basis_ * j)],
                                    number(I()[l + basis_ * (k + quantities * e)]), a);
                    }
                }
            }
            for (std::int64_t j = 0; j < quantities; ++j) {
                for (std::int64_t l = 0; l < basis_; ++l) {
                    auto const &ia = IA[static_cast<std::size_t>(l + basis_ * j)];
                    for (std::int64_t i = 0; i < basis_; ++i) {
                        add_product(sums[static_cast<std::size_t>(i + basis_ * j)],
                                    number(K()[i + basis_ * (l + basis_ * d)]), ia);
                    }
                }
            }
        }
        return sums;
    }

    /// The largest error of an entry of Q_e, as a fraction of what rounding allows: a product of
    /// three factors in the update goes through at most 9 fused multiply-adds for I_e A_de and 3 B
    /// for the stiffness matrices.
    auto element_error(std::int64_t e) const -> double {
        auto const step = updates(e);
        double worst = 0.0;
        for (std::size_t i = 0; i < step.size(); ++i) {
            auto const index = e * basis_ * quantities + static_cast<std::int64_t>(i);
            auto const fraction = accumulation_error<T>(Q()[index], initial_Q(index), step[i].value,
                                                        step[i].magnitude, 3 * basis_ + 9, steps_);
            if (std::isnan(fraction)) {
                return fraction;
            }
            worst = std::max(worst, fraction);
        }
        return worst;
    }

    std::int64_t basis_, elements_;
    int steps_;
    usm_array<T> K_, I_, Q_;
    matrices A_;
};

#endif // DG_VOLUME_PROBLEM_HPP
