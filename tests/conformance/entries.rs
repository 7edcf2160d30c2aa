//! Numbers of every type, real and complex, as real and imaginary part.

use std::fmt::Debug;

use half::bf16;
use num_complex::Complex;
use tiletc::runtime::opencl::{Argument, Plain};
use tiletc::target::SpirvFeature;

use crate::device::{Device, Outcome};
use crate::numbers::Random;

/// A number type of the language whose values are written as parts.
pub trait Entry: Plain + PartialEq + Debug + Into<Argument<'static>> + Send + 'static {
    /// The type's name in the language.
    const NAME: &'static str;
    /// The unit roundoff of a part; 0 for integers.
    const UNIT: f64;
    const COMPLEX: bool = false;

    fn from_parts(parts: [f64; 2]) -> Self;
    fn parts(self) -> [f64; 2];

    /// A number of few bits, so that the host's sums of products are exact in double precision.
    fn few_bits(random: &mut Random) -> Self {
        let mut part = || random.below(255) as f64 - 127.0;
        let scale = if Self::UNIT == 0.0 { 1.0 } else { 1.0 / 128.0 };
        Self::from_parts([part() * scale, part() * scale])
    }

    fn literal(parts: [f64; 2]) -> String {
        match parts {
            [re, im] if Self::COMPLEX => format!("[{re:?},{im:?}]"),
            [re, _] if Self::UNIT == 0.0 => format!("{}", re as i64),
            [re, _] => format!("{re:?}"),
        }
    }
}

macro_rules! entries {
    ($($ty:ty, $name:literal, $unit:expr, $from:expr, $to:expr;)*) => {
        $(impl Entry for $ty {
            const NAME: &'static str = $name;
            const UNIT: f64 = $unit;

            fn from_parts([re, _]: [f64; 2]) -> $ty {
                $from(re)
            }

            fn parts(self) -> [f64; 2] {
                [$to(self), 0.0]
            }
        })*
    };
}

entries! {
    i32, "i32", 0.0, |x| x as i32, f64::from;
    i64, "i64", 0.0, |x| x as i64, |x: i64| x as f64;
    bf16, "bf16", 1.0 / 256.0, bf16::from_f64, bf16::to_f64;
    f32, "f32", 1.0 / 16_777_216.0, |x| x as f32, f64::from;
    f64, "f64", f64::EPSILON / 2.0, |x: f64| x, |x: f64| x;
}

macro_rules! complex_entries {
    ($($part:ty, $name:literal;)*) => {
        $(impl Entry for Complex<$part> {
            const NAME: &'static str = $name;
            const UNIT: f64 = <$part as Entry>::UNIT;
            const COMPLEX: bool = true;

            fn from_parts([re, im]: [f64; 2]) -> Self {
                Complex::new(re as $part, im as $part)
            }

            fn parts(self) -> [f64; 2] {
                [f64::from(self.re), f64::from(self.im)]
            }
        })*
    };
}

complex_entries! {
    f32, "c32";
    f64, "c64";
}

/// The product of numbers that are given as parts.
pub fn times([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

/// The sum of numbers that are given as parts.
pub fn plus([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a + c, b + d]
}

/// |re| + |im|, which bounds both parts, also of products.
pub fn size([re, im]: [f64; 2]) -> f64 {
    re.abs() + im.abs()
}

/// Skips the test unless the device computes with the type.
pub fn require<T: Entry>(device: &Device) -> Outcome {
    if ["f64", "c64"].contains(&T::NAME) { device.require(SpirvFeature::Float64) } else { Ok(()) }
}

/// A part must lie within the bound; NaN does not.
pub fn close(what: &str, got: f64, expected: f64, bound: f64) -> Outcome {
    if got == expected || (got - expected).abs() <= bound {
        return Ok(());
    }
    Err(format!("{what} is {got:e}, not {expected:e} ± {bound:e}").into())
}
