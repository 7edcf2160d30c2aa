// SPDX-License-Identifier: BSD-3-Clause

#ifndef ADER_DG_PLANE_WAVE_HPP
#define ADER_DG_PLANE_WAVE_HPP

#include "basis.hpp"
#include "material.hpp"

#include <array>

/// Exact solution with the period 1 in each direction of space: a plane P wave and two
/// plane S waves along the axes, sines with a wavelength of 1. Together they move all quantities.
class plane_wave {
  public:
    explicit plane_wave(material const &m);

    /// The state at a point and a time.
    auto operator()(point3 const &x, double time) const -> state;

    /// The period of the S waves, the longer one.
    auto period() const -> double;

  private:
    struct mode {
        point3 wave_vector;
        double frequency, phase;
        state amplitude;
    };
    static auto make_mode(material const &m, point3 const &k, point3 const &polarisation,
                          double speed, double phase) -> mode;

    std::array<mode, 3> modes_;
};

#endif // ADER_DG_PLANE_WAVE_HPP
