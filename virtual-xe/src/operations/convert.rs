//! Conversions between types of numbers.

use super::narrow::{Integer as _, Narrow as _};
use crate::Defect;
use crate::layout::Scalar;
use crate::rows::Compute;
use half::{bf16, f16};
use rspirv::spirv::Op;

/// A conversion that an instruction makes.
pub(crate) fn convert<const S: usize>(op: Op, from: Scalar, to: Scalar) -> Option<Compute<S>> {
    match op {
        Op::UConvert | Op::ConvertPtrToU | Op::ConvertUToPtr => resize(from, to, false),
        Op::SConvert => resize(from, to, true),
        Op::SatConvertSToU | Op::SatConvertUToS => saturate(from, to, op == Op::SatConvertSToU),
        Op::ConvertFToS | Op::ConvertFToU => to_integer(from, to, op == Op::ConvertFToS),
        Op::ConvertSToF | Op::ConvertUToF => from_integer(from, to, op == Op::ConvertSToF),
        Op::FConvert => float(from, to),
        // Bfloat16 numbers are held in integers (SPV_INTEL_bfloat16_conversion).
        Op::ConvertFToBF16INTEL => Some(|rows, x| rows.unary(x, |a: f32| bf16::from_single(a).to_bits())),
        Op::ConvertBF16ToFINTEL => Some(|rows, x| rows.unary(x, |a: u16| bf16::from_bits(a).to_f32())),
        Op::RoundFToTF32INTEL => Some(|rows, x| rows.unary(x, round_to_tf32)),
        Op::QuantizeToF16 => Some(|rows, x| rows.unary(x, |a: f32| f16::from_single(a).to_f32())),
        _ => None,
    }
}

/// The wrong conversion that a defect makes of an instruction.
pub(crate) fn defective<const S: usize>(defect: Option<Defect>, op: Op) -> Option<Compute<S>> {
    match (defect?, op) {
        (Defect::Tf32Truncated, Op::RoundFToTF32INTEL) => {
            Some(|rows, x| rows.unary(x, |a: f32| f32::from_bits(a.to_bits() & !0x1fff)))
        }
        (Defect::Bf16Truncated, Op::ConvertFToBF16INTEL) => {
            Some(|rows, x| rows.unary(x, |a: f32| (a.to_bits() >> 16) as u16))
        }
        _ => None,
    }
}

/// Ten bits of fraction, to nearest even; no NaN becomes infinity.
pub(crate) fn round_to_tf32(a: f32) -> f32 {
    let bits = a.to_bits();
    if a.is_nan() {
        return f32::from_bits(bits | 0x40_0000);
    }
    f32::from_bits((bits + 0xfff + (bits >> 13 & 1)) & !0x1fff)
}

/// Cuts off or extends an integer.
pub(crate) fn resize<const S: usize>(from: Scalar, to: Scalar, signed: bool) -> Option<Compute<S>> {
    macro_rules! cast {
        ($from:ty => $to:ty) => {
            Some(|rows, x| rows.unary(x, |a: $from| a as $to))
        };
    }
    macro_rules! to {
        ($from:ty) => {
            match to {
                Scalar::I8 => cast!($from => u8),
                Scalar::I16 => cast!($from => u16),
                Scalar::I32 => cast!($from => u32),
                Scalar::I64 => cast!($from => u64),
                _ => None,
            }
        };
    }
    match (from, signed) {
        (Scalar::I8, false) => to!(u8),
        (Scalar::I8, true) => to!(i8),
        (Scalar::I16, false) => to!(u16),
        (Scalar::I16, true) => to!(i16),
        (Scalar::I32, false) => to!(u32),
        (Scalar::I32, true) => to!(i32),
        (Scalar::I64, _) => to!(u64),
        _ => None,
    }
}

/// To integers, towards zero. What does not fit saturates; without that being asked for it is undefined, where
/// the nearest number is as good as any.
fn to_integer<const S: usize>(from: Scalar, to: Scalar, signed: bool) -> Option<Compute<S>> {
    macro_rules! to {
        ($from:ty, $read:expr) => {
            match (to, signed) {
                (Scalar::I8, true) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as i8)),
                (Scalar::I16, true) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as i16)),
                (Scalar::I32, true) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as i32)),
                (Scalar::I64, true) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as i64)),
                (Scalar::I8, false) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as u8)),
                (Scalar::I16, false) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as u16)),
                (Scalar::I32, false) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as u32)),
                (Scalar::I64, false) => Some(|rows, x| rows.unary(x, |a: $from| $read(a) as u64)),
                _ => None,
            }
        };
    }
    match from {
        Scalar::F16 => to!(f16, f16::to_f32),
        Scalar::Bf16 => to!(bf16, bf16::to_f32),
        Scalar::F32 => to!(f32, std::convert::identity),
        Scalar::F64 => to!(f64, std::convert::identity),
        _ => None,
    }
}

/// Between integers of both signs; what does not fit becomes the nearest number that does.
fn saturate<const S: usize>(from: Scalar, to: Scalar, to_unsigned: bool) -> Option<Compute<S>> {
    macro_rules! cast {
        ($from:ty => $to:ty) => {
            Some(|rows, x| {
                rows.unary(x, |a: $from| {
                    let (least, most) = (i128::from(<$to>::MIN), i128::from(<$to>::MAX));
                    i128::from(a).clamp(least, most) as $to
                });
            })
        };
    }
    macro_rules! to {
        ($signed:ty, $unsigned:ty) => {
            match (to, to_unsigned) {
                (Scalar::I8, true) => cast!($signed => u8),
                (Scalar::I16, true) => cast!($signed => u16),
                (Scalar::I32, true) => cast!($signed => u32),
                (Scalar::I64, true) => cast!($signed => u64),
                (Scalar::I8, false) => cast!($unsigned => i8),
                (Scalar::I16, false) => cast!($unsigned => i16),
                (Scalar::I32, false) => cast!($unsigned => i32),
                (Scalar::I64, false) => cast!($unsigned => i64),
                _ => None,
            }
        };
    }
    match from {
        Scalar::I8 => to!(i8, u8),
        Scalar::I16 => to!(i16, u16),
        Scalar::I32 => to!(i32, u32),
        Scalar::I64 => to!(i64, u64),
        _ => None,
    }
}

fn from_integer<const S: usize>(from: Scalar, to: Scalar, signed: bool) -> Option<Compute<S>> {
    macro_rules! to {
        ($from:ty) => {
            match to {
                Scalar::F16 => Some(|rows, x| rows.unary(x, |a: $from| f16::from_double(a.to_odd()))),
                Scalar::Bf16 => Some(|rows, x| rows.unary(x, |a: $from| bf16::from_double(a.to_odd()))),
                Scalar::F32 => Some(|rows, x| rows.unary(x, |a: $from| a as f32)),
                Scalar::F64 => Some(|rows, x| rows.unary(x, |a: $from| a as f64)),
                _ => None,
            }
        };
    }
    match (from, signed) {
        (Scalar::I8, false) => to!(u8),
        (Scalar::I8, true) => to!(i8),
        (Scalar::I16, false) => to!(u16),
        (Scalar::I16, true) => to!(i16),
        (Scalar::I32, false) => to!(u32),
        (Scalar::I32, true) => to!(i32),
        (Scalar::I64, false) => to!(u64),
        (Scalar::I64, true) => to!(i64),
        _ => None,
    }
}

fn float<const S: usize>(from: Scalar, to: Scalar) -> Option<Compute<S>> {
    macro_rules! cast {
        ($from:ty, |$a:ident| $result:expr) => {
            Some(|rows, x| rows.unary(x, |$a: $from| $result))
        };
    }
    match (from, to) {
        (Scalar::F16, Scalar::F32) => cast!(f16, |a| a.to_f32()),
        (Scalar::F16, Scalar::F64) => cast!(f16, |a| a.to_f64()),
        (Scalar::F16, Scalar::Bf16) => cast!(f16, |a| bf16::from_single(a.to_f32())),
        (Scalar::Bf16, Scalar::F16) => cast!(bf16, |a| f16::from_single(a.to_f32())),
        (Scalar::Bf16, Scalar::F32) => cast!(bf16, |a| a.to_f32()),
        (Scalar::Bf16, Scalar::F64) => cast!(bf16, |a| a.to_f64()),
        (Scalar::F32, Scalar::F16) => cast!(f32, |a| f16::from_single(a)),
        (Scalar::F32, Scalar::Bf16) => cast!(f32, |a| bf16::from_single(a)),
        (Scalar::F32, Scalar::F64) => cast!(f32, |a| f64::from(a)),
        (Scalar::F64, Scalar::F16) => cast!(f64, |a| f16::from_double(a)),
        (Scalar::F64, Scalar::Bf16) => cast!(f64, |a| bf16::from_double(a)),
        (Scalar::F64, Scalar::F32) => cast!(f64, |a| a as f32),
        _ => None,
    }
}
