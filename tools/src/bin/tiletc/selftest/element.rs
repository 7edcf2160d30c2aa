//! Types of numbers that cases compute with, and numbers that all of them hold exactly.

use half::{bf16, f16};

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    I8,
    I32,
    I64,
    Bf16,
    F16,
    F32,
    F64,
}

impl Element {
    /// Its name in the language.
    pub fn spelling(self) -> &'static str {
        match self {
            Element::I8 => "i8",
            Element::I32 => "i32",
            Element::I64 => "i64",
            Element::Bf16 => "bf16",
            Element::F16 => "f16",
            Element::F32 => "f32",
            Element::F64 => "f64",
        }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Element::I8 => 1,
            Element::Bf16 | Element::F16 => 2,
            Element::I32 | Element::F32 => 4,
            Element::I64 | Element::F64 => 8,
        }
    }

    /// True if numbers have a fraction.
    pub fn is_float(self) -> bool {
        matches!(self, Element::Bf16 | Element::F16 | Element::F32 | Element::F64)
    }

    /// The bytes of numbers, rounded to the nearest where the type has not as many bits.
    pub fn encode(self, numbers: &[f64]) -> Vec<u8> {
        fn all<const N: usize>(numbers: &[f64], bytes: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
            numbers.iter().flat_map(|&number| bytes(number)).collect()
        }
        match self {
            Element::I8 => all(numbers, |number| (number as i8).to_ne_bytes()),
            Element::I32 => all(numbers, |number| (number as i32).to_ne_bytes()),
            Element::I64 => all(numbers, |number| (number as i64).to_ne_bytes()),
            Element::Bf16 => all(numbers, |number| bf16::from_f64(number).to_ne_bytes()),
            Element::F16 => all(numbers, |number| f16::from_f64(number).to_ne_bytes()),
            Element::F32 => all(numbers, |number| (number as f32).to_ne_bytes()),
            Element::F64 => all(numbers, f64::to_ne_bytes),
        }
    }

    /// The first number of bytes as text.
    pub fn show(self, bytes: &[u8]) -> String {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes.first_chunk().copied().unwrap_or([0; N])
        }
        match self {
            Element::I8 => i8::from_ne_bytes(first(bytes)).to_string(),
            Element::I32 => i32::from_ne_bytes(first(bytes)).to_string(),
            Element::I64 => i64::from_ne_bytes(first(bytes)).to_string(),
            Element::Bf16 => bf16::from_ne_bytes(first(bytes)).to_string(),
            Element::F16 => f16::from_ne_bytes(first(bytes)).to_string(),
            Element::F32 => format!("{:?}", f32::from_ne_bytes(first(bytes))),
            Element::F64 => format!("{:?}", f64::from_ne_bytes(first(bytes))),
        }
    }
}

/// So many integers from -`limit` to `limit`, the same for the same seed.
pub fn integers(count: usize, limit: u32, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        // A linear congruential generator of Knuth's; its upper bits are good enough.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(2 * limit + 1)) as f64 - f64::from(limit)
    };
    (0..count).map(|_| next()).collect()
}
