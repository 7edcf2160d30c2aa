// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_PROJECTION_HPP
#define ADER_DG_PROJECTION_HPP

#include "basis.hpp"
#include "material.hpp"
#include "mesh.hpp"
#include "quadrature.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Integrals over elements by quadrature, and what follows from them: best approximations and
/// errors. The coefficients of an element are those of the basis functions of one quantity after
/// the other, `pitch` numbers apart.
class projection {
  public:
    /// The rule is exact for polynomials of five degrees more than twice that of the basis, so
    /// that it sees the error of the scheme and not its own.
    projection(int order, std::int64_t pitch)
        : rule_{tetrahedron_quadrature(order + 2)}, pitch_{static_cast<std::size_t>(pitch)} {
        for (auto const &point : rule_.points) {
            values_.push_back(tetrahedron_basis(order, point));
        }
    }

    /// Writes the coefficients of the best approximation in L2 of `exact`, a function from a point
    /// in space to a state.
    template <typename T, typename Function>
    void project(affine_map const &map, Function const &exact, T *coefficients) const {
        auto const basis = values_.front().size();
        auto sums = std::vector<double>(basis * quantities);
        for (std::size_t p = 0; p < values_.size(); ++p) {
            auto const q = exact(map(rule_.points[p]));
            for (std::size_t j = 0; j < quantities; ++j) {
                for (std::size_t l = 0; l < basis; ++l) {
                    sums[l + basis * j] += rule_.weights[p] * values_[p][l] * q[j];
                }
            }
        }
        for (std::size_t j = 0; j < quantities; ++j) {
            for (std::size_t l = 0; l < basis; ++l) {
                coefficients[l + pitch_ * j] = static_cast<T>(sums[l + basis * j]);
            }
        }
    }

    /// The squares of L2 norms: of the error, and of what is exact.
    struct squared_norms {
        double error = 0.0;
        double exact = 0.0;
    };
    template <typename T, typename Function>
    auto compare(affine_map const &map, Function const &exact, T const *coefficients) const
        -> squared_norms {
        auto norms = squared_norms{};
        for (std::size_t p = 0; p < values_.size(); ++p) {
            auto const expected = exact(map(rule_.points[p]));
            auto const found = evaluate(values_[p], coefficients);
            auto const weight = rule_.weights[p] * map.determinant;
            for (std::size_t j = 0; j < quantities; ++j) {
                auto const error = found[j] - expected[j];
                norms.error += weight * error * error;
                norms.exact += weight * expected[j] * expected[j];
            }
        }
        return norms;
    }

    /// The state where the basis functions have these values.
    template <typename T>
    auto evaluate(std::vector<double> const &values, T const *coefficients) const -> state {
        auto q = state{};
        for (std::size_t j = 0; j < quantities; ++j) {
            for (std::size_t l = 0; l < values.size(); ++l) {
                q[j] += values[l] * static_cast<double>(coefficients[l + pitch_ * j]);
            }
        }
        return q;
    }

  private:
    quadrature<point3> rule_;
    std::size_t pitch_;
    std::vector<std::vector<double>> values_;
};

#endif // ADER_DG_PROJECTION_HPP
