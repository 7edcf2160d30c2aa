//! The nearest number of half precision and of bf16, of which references are made: `half` rounds by way of single
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
