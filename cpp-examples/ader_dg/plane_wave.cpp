// SPDX-License-Identifier: BSD-3-Clause

#include "plane_wave.hpp"

#include <cmath>
#include <cstddef>

namespace {

auto const two_pi = 2.0 * std::acos(-1.0);

auto norm(point3 const &a) -> double { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

} // namespace

plane_wave::plane_wave(material const &m)
    : modes_{make_mode(m, {0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}, m.p_speed(), 0.4),
             make_mode(m, {1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}, m.s_speed(), 1.1),
             make_mode(m, {0.0, 1.0, 0.0}, {1.0, 0.0, 1.0}, m.s_speed(), 2.0)} {}

auto plane_wave::make_mode(material const &m, point3 const &k, point3 const &polarisation,
                           double speed, double phase) -> mode {
    auto const k_norm = norm(k);
    auto const a_norm = norm(polarisation);
    auto result = mode{{}, two_pi * k_norm * speed, phase, {}};
    auto direction = point3{};
    auto a = point3{};
    double along = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        result.wave_vector[i] = two_pi * k[i];
        direction[i] = k[i] / k_norm;
        a[i] = polarisation[i] / a_norm;
        along += direction[i] * a[i];
    }
    // With v = a f(n.x - c t) the stresses follow from their equation: -c sigma' is their
    // derivative in time, and those of v in space are a_i n_j f'.
    for (std::size_t i = 0; i < 3; ++i) {
        result.amplitude[velocity + i] = a[i];
        for (std::size_t j = 0; j < 3; ++j) {
            auto const volumetric = i == j ? m.lambda * along : 0.0;
            result.amplitude[stress_component[i][j]] =
                -(volumetric + m.mu * (a[i] * direction[j] + a[j] * direction[i])) / speed;
        }
    }
    return result;
}

auto plane_wave::operator()(point3 const &x, double time) const -> state {
    auto q = state{};
    for (auto const &wave : modes_) {
        auto const phase = wave.wave_vector[0] * x[0] + wave.wave_vector[1] * x[1] +
                           wave.wave_vector[2] * x[2] - wave.frequency * time + wave.phase;
        auto const value = std::sin(phase);
        for (std::size_t p = 0; p < quantities; ++p) {
            q[p] += wave.amplitude[p] * value;
        }
    }
    return q;
}

auto plane_wave::period() const -> double { return two_pi / modes_[1].frequency; }
