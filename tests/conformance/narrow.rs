//! The nearest number of half precision, of bf16 and of the floats of 8 bits, of which references are made: `half` rounds by way of single
//! precision, so that a number just beside a tie may go to the wrong side.

use half::{bf16, f16};

/// The nearest number of half precision, ties to even.
pub fn half(value: f64) -> f16 {
    f16::from_f64(nearest(value, 11, -24))
}

/// The nearest number of bf16, ties to even.
pub fn brain(value: f64) -> bf16 {
    bf16::from_f64(nearest(value, 8, -133))
}

/// The nearest number of so many binary digits, the last of which stands for no less than 2 to the power of `least`.
fn nearest(value: f64, digits: i32, least: i32) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    // Counted in last digits the number is below 2 to the power of `digits`, so that nothing but the rounding is inexact.
    let last = 2f64.powi((exponent + 1 - digits).max(least));
    (value / last).round_ties_even() * last
}

/// A floating type of 8 bits.
#[derive(Clone, Copy)]
pub struct Eight {
    /// Numbers between a power of two and the next.
    steps: i32,
    /// The power of two that is the smallest number.
    smallest: i32,
    /// Bits of what is beyond the largest number: infinity, or that number again.
    beyond: u8,
}

pub const E4M3: Eight = Eight { steps: 8, smallest: -9, beyond: 0x7e };
pub const E5M2: Eight = Eight { steps: 4, smallest: -16, beyond: 0x7c };

impl Eight {
    /// The numbers that are not negative, in the order of their bits, as many below the smallest normal one at the distance
    /// of the smallest as for each power of two from there on, at a distance that doubles. Infinity, too, is a number here, to
    /// which others are nearest.
    pub fn magnitudes(self) -> Vec<f64> {
        let distance = |bits: i32| 2f64.powi(self.smallest + ((bits - 1) / self.steps - 1).max(0));
        let next = |number: &mut f64, bits: i32| {
            *number += distance(bits);
            Some(*number)
        };
        std::iter::once(0.0).chain((1..=self.beyond.into()).scan(0.0, next)).collect()
    }

    /// The number with these bits.
    pub fn value(self, bits: u8) -> f64 {
        let magnitude = match self.magnitudes().get(usize::from(bits & 0x7f)) {
            Some(&65536.0) => f64::INFINITY,
            number => number.copied().unwrap_or(f64::NAN),
        };
        if bits & 0x80 == 0 { magnitude } else { -magnitude }
    }

    /// The bits of the nearest number: the number of all that is closest, of two the one with even bits.
    pub fn bits(self, value: f64) -> u8 {
        let sign = u8::from(value.is_sign_negative()) << 7;
        if value.is_nan() {
            return sign | 0x7f;
        }
        let magnitude = value.abs().min(1e6);
        let distances = (0..)
            .zip(self.magnitudes())
            .map(|(bits, number): (u8, f64)| ((number - magnitude).abs(), bits % 2, bits));
        let closest = distances.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        sign | closest.map_or(0, |(_, _, bits)| bits)
    }
}
