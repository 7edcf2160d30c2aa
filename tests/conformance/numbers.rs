//! Numbers of the tested types, their exact sums and products, and bounds of rounding errors.

use std::fmt::Debug;
use std::iter;

use half::{bf16, f16};
use tiletc::device::SpirvFeature;
use tiletc::runtime::Plain;

use crate::device::{Argument, Device, Outcome};
use crate::narrow;

/// A reproducible source of numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number in [−1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 2f64.powi(52) - 1.0
    }

    pub fn numbers<T: Number>(&mut self, count: usize) -> Vec<T> {
        iter::repeat_with(|| T::sample(self)).take(count).collect()
    }
}

/// A number type of the language and its Rust counterpart.
pub trait Number: Plain + PartialEq + Debug + Send + Sync + Into<Argument<'static>> + 'static {
    /// The type's name in the language.
    const NAME: &'static str;
    /// The unit roundoff; 0 for integers, which are exact.
    const UNIT: f64;
    /// Half the distance of the numbers next to zero: what rounding to the type may lose there.
    const TINY: f64;
    /// Type that sums and products are compared in.
    type Exact: Exact;

    /// Any integer; a floating number in [−1, 1).
    fn sample(random: &mut Random) -> Self;
    fn from_f64(value: f64) -> Self;
    /// The number of these low bits, for an integer type.
    fn from_i64(value: i64) -> Self;
    /// Exact for all types but i64.
    fn to_f64(self) -> f64;
    /// The integer; a floating number's value is cut off.
    fn to_i64(self) -> i64;
    /// Returns whether it lies within `bound` of the exact number; integers agree if their bits do.
    fn agrees(self, exact: Self::Exact, bound: f64) -> bool;
    /// A constant of the language.
    fn literal(value: f64) -> String;

    /// Skips the test unless the device computes with the type.
    fn require(device: &Device) -> Outcome {
        match Self::NAME {
            "f16" => device.require(SpirvFeature::Float16),
            "f64" => device.require(SpirvFeature::Float64),
            _ => Ok(()),
        }
    }
}

/// A type that is exact, or as good as, for sums and products of numbers.
pub trait Exact: Copy + Debug {
    fn of<T: Number>(value: T) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

/// Arithmetic modulo 2⁶⁴, of which narrower types keep the low bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modular(pub i64);

impl Exact for Modular {
    fn of<T: Number>(value: T) -> Modular {
        Modular(value.to_i64())
    }

    fn plus(self, other: Modular) -> Modular {
        Modular(self.0.wrapping_add(other.0))
    }

    fn times(self, other: Modular) -> Modular {
        Modular(self.0.wrapping_mul(other.0))
    }
}

/// The unevaluated sum of two doubles, about 106 bits.
#[derive(Clone, Copy, Debug)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    fn sum(a: f64, b: f64) -> DoubleDouble {
        let high = a + b;
        let b_part = high - a;
        DoubleDouble { high, low: (a - (high - b_part)) + (b - b_part) }
    }

    pub fn is_zero(self) -> bool {
        self.high == 0.0 && self.low == 0.0
    }

    pub fn negative(self) -> DoubleDouble {
        DoubleDouble { high: -self.high, low: -self.low }
    }

    /// The nearest double.
    pub fn rounded(self) -> f64 {
        self.high + self.low
    }

    /// The distance from a double.
    fn distance(self, value: f64) -> f64 {
        ((self.high - value) + self.low).abs()
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> DoubleDouble {
        DoubleDouble { high: value, low: 0.0 }
    }
}

impl Exact for DoubleDouble {
    fn of<T: Number>(value: T) -> DoubleDouble {
        value.to_f64().into()
    }

    fn plus(self, other: DoubleDouble) -> DoubleDouble {
        let sum = DoubleDouble::sum(self.high, other.high);
        DoubleDouble::sum(sum.high, sum.low + self.low + other.low)
    }

    fn times(self, other: DoubleDouble) -> DoubleDouble {
        let high = self.high * other.high;
        let error = self.high.mul_add(other.high, -high);
        DoubleDouble::sum(high, error + self.high * other.low + self.low * other.high)
    }
}

macro_rules! integers {
    ($($ty:ty, $name:literal;)*) => {
        $(impl Number for $ty {
            const NAME: &'static str = $name;
            const UNIT: f64 = 0.0;
            const TINY: f64 = 0.0;
            type Exact = Modular;

            fn sample(random: &mut Random) -> $ty {
                random.next() as $ty
            }

            fn from_f64(value: f64) -> $ty {
                value as $ty
            }

            fn from_i64(value: i64) -> $ty {
                value as $ty
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn to_i64(self) -> i64 {
                self.into()
            }

            fn agrees(self, exact: Modular, _bound: f64) -> bool {
                self == exact.0 as $ty
            }

            fn literal(value: f64) -> String {
                format!("{}", value as i64)
            }
        })*
    };
}

integers! {
    i8, "i8";
    i16, "i16";
    i32, "i32";
    i64, "i64";
}

macro_rules! floats {
    ($($ty:ty, $name:literal, $digits:literal, $smallest:literal, $from:expr, $to:expr;)*) => {
        $(impl Number for $ty {
            const NAME: &'static str = $name;
            const UNIT: f64 = 1.0 / (1u64 << $digits) as f64;
            const TINY: f64 = $smallest / 2.0;
            type Exact = DoubleDouble;

            fn sample(random: &mut Random) -> $ty {
                $from(random.unit())
            }

            fn from_f64(value: f64) -> $ty {
                $from(value)
            }

            fn from_i64(value: i64) -> $ty {
                $from(value as f64)
            }

            fn to_f64(self) -> f64 {
                $to(self)
            }

            fn to_i64(self) -> i64 {
                $to(self) as i64
            }

            fn agrees(self, exact: DoubleDouble, bound: f64) -> bool {
                exact.distance($to(self)) <= bound
            }

            fn literal(value: f64) -> String {
                format!("{value:?}")
            }
        })*
    };
}

floats! {
    bf16, "bf16", 8, 9.183_549_615_799_121e-41, narrow::brain, bf16::to_f64;
    f16, "f16", 11, 5.960_464_477_539_063e-8, narrow::half, f16::to_f64;
    f32, "f32", 24, 1.401_298_464_324_817e-45, |x| x as f32, f64::from;
    f64, "f64", 53, 5e-324, |x: f64| x, |x: f64| x;
}

/// γ(n) = n·u / (1 − n·u): the relative error of n roundings in a row.
pub fn gamma(roundings: usize, unit: f64) -> f64 {
    let n = roundings as f64 * unit;
    n / (1.0 - n)
}

/// Compares bit patterns that must not have changed, or exact results.
pub fn expect_equal<T: PartialEq + Debug>(what: &str, got: &[T], expected: &[T]) -> Outcome {
    let wrong = got.iter().zip(expected).position(|(got, expected)| got != expected);
    match wrong {
        None if got.len() == expected.len() => Ok(()),
        None => Err(format!("{what}: {} numbers instead of {}", got.len(), expected.len()).into()),
        Some(i) => Err(format!("{what}: [{i}] is {:?}, expected {:?}", got[i], expected[i]).into()),
    }
}
