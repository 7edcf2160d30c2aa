//! Rounding to types of fewer digits: once, to nearest even, and the same on every host.
//!
//! Instructions of hosts round to half precision by way of single precision, and `half` drops what single precision has
//! no room for. Here a number goes through a wider type that has two bits more at least, rounded to odd: what is cut off
//! leaves its mark in the last digit, and rounding again gives what rounding once would (Boldo and Melquiond, "Emulation
//! of FMA and correctly rounded sums").

use half::{bf16, f16};

/// A type that numbers are rounded to.
pub(crate) trait Narrow: Sized {
    /// The nearest number.
    fn from_double(value: f64) -> Self;
    /// The nearest number.
    fn from_single(value: f32) -> Self;
}

impl Narrow for f16 {
    #[inline(always)]
    fn from_double(value: f64) -> f16 {
        f16::from_single(single_to_odd(value))
    }

    #[inline(always)]
    fn from_single(value: f32) -> f16 {
        /// Difference that has to be taken from the exponent, which starts at −126 and not at −14.
        const BIAS: u32 = 112 << 23;
        /// The least normal number, and the least that is nearer to infinity than to the greatest number.
        const LEAST_NORMAL: u32 = 113 << 23;
        const TOO_LARGE: u32 = 0x477f_f000;
        const INFINITE: u32 = 0x7f80_0000;
        let bits = value.to_bits();
        let size = bits & 0x7fff_ffff;
        // Numbers from one half to one are as far apart as the least numbers of half precision.
        let subnormal = (f32::from_bits(size) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
        let normal = size.wrapping_sub(BIAS).wrapping_add(0xfff + (size >> 13 & 1)) >> 13;
        let finite = if size < LEAST_NORMAL { subnormal } else { normal };
        let infinite = if size > INFINITE { 0x7e00 | (size >> 13 & 0x3ff) } else { 0x7c00 };
        let rounded = if size < TOO_LARGE { finite } else { infinite };
        f16::from_bits((bits >> 16 & 0x8000 | rounded) as u16)
    }
}

impl Narrow for bf16 {
    #[inline(always)]
    fn from_double(value: f64) -> bf16 {
        bf16::from_single(single_to_odd(value))
    }

    #[inline(always)]
    fn from_single(value: f32) -> bf16 {
        let bits = value.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        // A NaN stays one, and a quiet one.
        let result = if value.is_nan() { bits >> 16 | 0x40 } else { rounded };
        bf16::from_bits(result as u16)
    }
}

/// A number of single precision next to the value, the odd one unless one of them is exact.
#[inline(always)]
fn single_to_odd(value: f64) -> f32 {
    let near = value as f32;
    let wide = f64::from(near);
    // Both are false for NaN.
    let is_inexact = (wide < value) | (wide > value);
    let is_beyond = wide.abs() > value.abs();
    f32::from_bits(near.to_bits().wrapping_sub(is_beyond.into()) | u32::from(is_inexact))
}

/// The sum as a number of double precision, rounded to odd.
#[inline(always)]
pub(super) fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // The error of the sum (Knuth's TwoSum); NaN where the sum is infinite or NaN.
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    // Towards the error if the last digit is even: one step up or down in the magnitude.
    let is_away = (error > 0.0) == (sum > 0.0);
    let step = if is_away { 1 } else { u64::MAX };
    let is_inexact = ((error < 0.0) | (error > 0.0)) & (bits & 1 == 0);
    f64::from_bits(if is_inexact { bits.wrapping_add(step) } else { bits })
}

/// Integers, as numbers of double precision that are rounded to odd.
pub(super) trait Integer: Copy {
    fn to_odd(self) -> f64;
}

macro_rules! exact {
    ($($ty:ty),*) => { $(
        impl Integer for $ty {
            #[inline(always)] fn to_odd(self) -> f64 { self.into() }
        }
    )* };
}
exact!(u8, i8, u16, i16, u32, i32);

macro_rules! inexact {
    ($($ty:ty),*) => { $(
        impl Integer for $ty {
            #[inline(always)]
            fn to_odd(self) -> f64 {
                // Of 64 bits there is room for 53.
                const CUT_OFF: $ty = (1 << 11) - 1;
                let is_large = (self >> 53) != 0 && (self >> 53) != !0;
                let is_inexact = is_large && self & CUT_OFF != 0;
                (if is_inexact { self & !CUT_OFF | (CUT_OFF + 1) } else { self }) as f64
            }
        }
    )* };
}
inexact!(u64, i64);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::float::Float;
    use super::*;
    use astro_float::{BigFloat, RoundingMode};
    use std::fmt::Debug;

    /// A narrow type as its definition has it.
    trait Format: Narrow + Float + Debug {
        /// Digits, and the exponent of the last digit of the least numbers.
        const DIGITS: i32;
        const LEAST: i32;
        /// The first number that is infinite.
        const LIMIT: f64;
        fn of(bits: u16) -> Self;
    }

    impl Format for f16 {
        const DIGITS: i32 = 11;
        const LEAST: i32 = -24;
        const LIMIT: f64 = 65520.0;
        fn of(bits: u16) -> f16 {
            f16::from_bits(bits)
        }
    }

    impl Format for bf16 {
        const DIGITS: i32 = 8;
        const LEAST: i32 = -133;
        // 2¹²⁸ − 2¹¹⁹
        const LIMIT: f64 = f64::from_bits(0x47ef_f000_0000_0000);
        fn of(bits: u16) -> bf16 {
            bf16::from_bits(bits)
        }
    }

    /// An exact number.
    fn exact(value: f64) -> BigFloat {
        BigFloat::from_f64(value, 64)
    }

    /// The nearest number of a format; the sum must not be zero.
    fn nearest<T: Format>(value: &BigFloat) -> f64 {
        let exponent = value.exponent().unwrap();
        // `exponent` is that of a fraction below one.
        let last = (exponent - T::DIGITS).max(T::LEAST);
        let scale = |value: &BigFloat, by: i32| {
            let mut value = value.clone();
            value.set_exponent(value.exponent().unwrap() + by);
            value
        };
        let whole = scale(value, -last).round(0, RoundingMode::ToEven);
        let whole: f64 = whole.to_string().parse().unwrap();
        let rounded = libm::ldexp(whole, last);
        if rounded.abs() >= T::LIMIT { f64::INFINITY.copysign(rounded) } else { rounded }
    }

    /// Between each number and the next lies the one point where rounding changes.
    fn rounds_at_the_right_points<T: Format>(infinite: u16) {
        for bits in 0..infinite {
            let (low, high) = (T::of(bits).wide(), T::of(bits + 1).wide());
            let middle = if high.is_infinite() { T::LIMIT } else { (low + high) / 2.0 };
            let even = if bits % 2 == 0 { low } else { high };
            for sign in [1.0, -1.0] {
                let rounded = |value: f64| sign * T::from_double(sign * value).wide();
                assert_eq!(rounded(low).to_bits(), low.to_bits());
                assert_eq!(rounded(middle), even, "{middle:e}");
                assert_eq!(rounded(middle.next_down()), low, "below {middle:e}");
                assert_eq!(rounded(middle.next_up()), high, "above {middle:e}");
                let single = middle as f32;
                assert_eq!(f64::from(single), middle);
                let rounded = |value: f32| sign * T::from_single(value.copysign(sign as f32)).wide();
                assert_eq!(rounded(single), even, "{single:e}");
                assert_eq!(rounded(single.next_down()), low, "below {single:e}");
                assert_eq!(rounded(single.next_up()), high, "above {single:e}");
            }
        }
        for value in [f64::INFINITY, f64::MAX, 1e39] {
            assert_eq!(T::from_double(value).wide(), f64::INFINITY);
            assert_eq!(T::from_double(-value).wide(), f64::NEG_INFINITY);
        }
        for value in [0.0, f64::from_bits(1), f64::MIN_POSITIVE, 1e-300] {
            assert_eq!(T::from_double(value).wide().to_bits(), 0.0f64.to_bits());
            assert_eq!(T::from_double(-value).wide().to_bits(), (-0.0f64).to_bits());
        }
        for nan in [0x7ff8_0000_0000_0000, 0x7ff0_0000_0000_0001, 0xffff_ffff_ffff_ffff] {
            assert!(T::from_double(f64::from_bits(nan)).wide().is_nan(), "{nan:x}");
        }
        for nan in [0x7fc0_0000, 0x7f80_0001, 0xffff_ffff] {
            assert!(T::from_single(f32::from_bits(nan)).wide().is_nan(), "{nan:x}");
        }
    }

    #[test]
    fn every_number_has_its_neighbourhood() {
        rounds_at_the_right_points::<f16>(f16::INFINITY.to_bits());
        rounds_at_the_right_points::<bf16>(bf16::INFINITY.to_bits());
    }

    #[test]
    fn half_precision_is_rounded_once() {
        let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(f16::from_double(value).to_f64(), 1.000_976_562_5);
        assert_eq!(f16::narrow(value).to_f64(), 1.000_976_562_5);
    }

    /// SplitMix64.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 0u64;
        move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }
    }

    /// a·b + c, with c near the product, near nothing beside it, or anything.
    fn fuses_exactly<T: Format>() {
        let mut random = numbers();
        let mut checked = 0;
        while checked < 10_000 {
            let [a, b, c] = [0, 16, 32].map(|shift| T::of((random() >> shift) as u16));
            let product = a.wide() * b.wide();
            let c = match random() % 4 {
                0 => T::narrow(-product),
                // A tie, but for what is added or taken away.
                1 => T::narrow(product * 2f64.powi(T::DIGITS)),
                2 => T::narrow(product * 2f64.powi(-T::DIGITS)),
                _ => c,
            };
            if ![a, b, c].iter().all(|number| number.wide().is_finite()) {
                continue;
            }
            // From 2²⁵⁶ down to 2⁻²⁶⁶.
            let wide = 640;
            let product = exact(a.wide()).mul(&exact(b.wide()), wide, RoundingMode::None);
            let sum = product.add(&exact(c.wide()), wide, RoundingMode::None);
            if sum.is_zero() {
                continue;
            }
            assert_eq!(a.fused(b, c).wide(), nearest::<T>(&sum), "{a:?} * {b:?} + {c:?}");
            checked += 1;
        }
    }

    #[test]
    fn fused_operations_are_rounded_once() {
        fuses_exactly::<f16>();
        fuses_exactly::<bf16>();
        // The product is a tie, and double precision has no room for what decides it.
        let [a, b, c] = [7.0, 37.0, 2f64.powi(-60)].map(bf16::from_double);
        assert_eq!(a.fused(b, c).to_f64(), 260.0);
        assert_eq!(a.fused(b, -c).to_f64(), 258.0);
    }

    #[test]
    fn integers_are_rounded_once() {
        let one = 1u64;
        for value in [(one << 62) + (one << 54) + 1, (one << 62) + (one << 54), (one << 62) + (3 << 54) - 1] {
            let value = value as i64;
            let expected = nearest::<bf16>(&BigFloat::from_i64(value, 64));
            assert_eq!(bf16::from_double(value.to_odd()).wide(), expected, "{value}");
            assert_eq!(bf16::from_double((-value).to_odd()).wide(), -expected, "-{value}");
        }
        let mut random = numbers();
        for _ in 0..40_000 {
            let value = random() >> (random() % 64);
            // A tie or next to one.
            let shift = (random() % 64) as u32;
            let value = (value >> shift << shift).wrapping_add(random() % 3).wrapping_sub(1);
            for value in [value, value | one << 63] {
                if value == 0 {
                    continue;
                }
                let expected = nearest::<bf16>(&BigFloat::from_u64(value, 64));
                assert_eq!(bf16::from_double(value.to_odd()).wide(), expected, "{value}");
                let expected = nearest::<bf16>(&BigFloat::from_i64(value as i64, 64));
                assert_eq!(bf16::from_double((value as i64).to_odd()).wide(), expected, "{}", value as i64);
            }
        }
    }
}
