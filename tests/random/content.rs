//! Content of memory before a program runs, and the numbers that it is given.

use crate::device::Argument;
use crate::generate::Kind;
use crate::narrow;
use crate::scope::Mem;
use half::{bf16, f16};
use num_complex::Complex;
use tiletc::ir::Scalar;

/// The bytes of a memory: small integers of both signs, or floating numbers of all digits.
pub fn initial(mem: &Mem, kind: Kind) -> Vec<u8> {
    let last: i64 = mem.shape.iter().zip(&mem.stride).map(|(size, stride)| (size - 1) * stride).sum();
    (0..=last.max(0))
        .flat_map(|at| {
            let number = (at * 5 + mem.root as i64) % 7 - 3;
            let seed = (at as u64) << 8 | (mem.root as u64) << 1;
            match kind {
                Kind::Rounded => encode(mem.element(), number, [any(seed), any(seed + 1)]),
                _ => encode(mem.element(), number, [number as f64, (1 - number.abs()) as f64]),
            }
        })
        .collect()
}

/// The bytes of an argument.
pub fn number(scalar: Scalar, number: i64, kind: Kind) -> Vec<u8> {
    let float = number as f64;
    match kind {
        Kind::Rounded => encode(scalar, number, [float * 0.7, float / 3.0]),
        _ => encode(scalar, number, [float, 0.0]),
    }
}

/// A number of any digits, of magnitude 1/4 to 2 (splitmix64).
fn any(seed: u64) -> f64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    let magnitude = 0.25 + 1.75 * ((z >> 11) as f64 / 2f64.powi(53));
    if z & 1 == 0 { magnitude } else { -magnitude }
}

/// A number of a type: the integer, or the nearest to the real and imaginary part.
fn encode(scalar: Scalar, number: i64, [re, im]: [f64; 2]) -> Vec<u8> {
    match scalar {
        Scalar::I4 | Scalar::I8 => (number as i8).to_ne_bytes().to_vec(),
        Scalar::I16 => (number as i16).to_ne_bytes().to_vec(),
        Scalar::I32 => (number as i32).to_ne_bytes().to_vec(),
        Scalar::I64 | Scalar::Index => number.to_ne_bytes().to_vec(),
        Scalar::F8e4m3 => vec![narrow::E4M3.bits(re)],
        Scalar::F8e5m2 => vec![narrow::E5M2.bits(re)],
        Scalar::Bf16 => narrow::brain(re).to_ne_bytes().to_vec(),
        Scalar::F16 => narrow::half(re).to_ne_bytes().to_vec(),
        Scalar::F32 => (re as f32).to_ne_bytes().to_vec(),
        Scalar::F64 => re.to_ne_bytes().to_vec(),
        Scalar::C32 | Scalar::C64 => {
            let part = |part| encode(scalar.component(), number, [part, 0.0]);
            [part(re), part(im)].concat()
        }
    }
}

/// The number of these bytes as an argument.
pub fn argument(scalar: Scalar, bytes: &[u8]) -> Argument<'static> {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        std::array::from_fn(|place| bytes[place])
    }
    match scalar {
        Scalar::I4 | Scalar::I8 => i8::from_ne_bytes(array(bytes)).into(),
        Scalar::I16 => i16::from_ne_bytes(array(bytes)).into(),
        Scalar::I32 => i32::from_ne_bytes(array(bytes)).into(),
        Scalar::I64 | Scalar::Index => i64::from_ne_bytes(array(bytes)).into(),
        Scalar::F8e4m3 | Scalar::F8e5m2 => i8::from_ne_bytes(array(bytes)).into(),
        Scalar::Bf16 => bf16::from_ne_bytes(array(bytes)).into(),
        Scalar::F16 => f16::from_ne_bytes(array(bytes)).into(),
        Scalar::F32 => f32::from_ne_bytes(array(bytes)).into(),
        Scalar::F64 => f64::from_ne_bytes(array(bytes)).into(),
        Scalar::C32 => {
            let part = |bytes| f32::from_ne_bytes(array(bytes));
            Complex::new(part(bytes), part(&bytes[4..])).into()
        }
        Scalar::C64 => {
            let part = |bytes| f64::from_ne_bytes(array(bytes));
            Complex::new(part(bytes), part(&bytes[8..])).into()
        }
    }
}
