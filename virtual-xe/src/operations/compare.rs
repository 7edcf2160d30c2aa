//! Comparisons, logic and selection.

use super::float::Float;
use super::{with_float, with_unsigned};
use crate::layout::Scalar;
use crate::rows::{Compute, Lane};
use rspirv::spirv::Op;

/// Unsigned integers with their signed view.
trait Ordered: Lane + Ord {
    type Signed: Ord;
    fn signed(self) -> Self::Signed;
}

macro_rules! ordered {
    ($($u:ident $i:ident),*) => { $(
        impl Ordered for $u {
            type Signed = $i;
            #[inline(always)] fn signed(self) -> $i { self as $i }
        }
    )* };
}
ordered!(u8 i8, u16 i16, u32 i32, u64 i64);

/// Comparisons of two numbers of one type.
pub(crate) fn compare<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    if scalar.is_float() {
        with_float!(scalar, floats::<S>(op))
    } else {
        with_unsigned!(scalar, integers::<S>(op))
    }
}

macro_rules! comparison {
    ($ty:ty, |$a:ident, $b:ident| $result:expr) => {
        |rows, x| rows.binary(x, |$a: $ty, $b: $ty| u8::from($result))
    };
}

fn integers<T: Ordered, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::IEqual | Op::PtrEqual => comparison!(T, |a, b| a == b),
        Op::INotEqual | Op::PtrNotEqual => comparison!(T, |a, b| a != b),
        Op::ULessThan => comparison!(T, |a, b| a < b),
        Op::ULessThanEqual => comparison!(T, |a, b| a <= b),
        Op::UGreaterThan => comparison!(T, |a, b| a > b),
        Op::UGreaterThanEqual => comparison!(T, |a, b| a >= b),
        Op::SLessThan => comparison!(T, |a, b| a.signed() < b.signed()),
        Op::SLessThanEqual => comparison!(T, |a, b| a.signed() <= b.signed()),
        Op::SGreaterThan => comparison!(T, |a, b| a.signed() > b.signed()),
        Op::SGreaterThanEqual => comparison!(T, |a, b| a.signed() >= b.signed()),
        _ => return None,
    })
}

fn floats<T: Float + PartialOrd, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::FOrdEqual => comparison!(T, |a, b| a == b),
        Op::FUnordEqual => comparison!(T, |a, b| (a == b) | unordered(a, b)),
        Op::FOrdNotEqual | Op::LessOrGreater => comparison!(T, |a, b| (a < b) | (a > b)),
        Op::FUnordNotEqual => comparison!(T, |a, b| a != b),
        Op::FOrdLessThan => comparison!(T, |a, b| a < b),
        Op::FUnordLessThan => comparison!(T, |a, b| (a < b) | unordered(a, b)),
        Op::FOrdGreaterThan => comparison!(T, |a, b| a > b),
        Op::FUnordGreaterThan => comparison!(T, |a, b| (a > b) | unordered(a, b)),
        Op::FOrdLessThanEqual => comparison!(T, |a, b| a <= b),
        Op::FUnordLessThanEqual => comparison!(T, |a, b| (a <= b) | unordered(a, b)),
        Op::FOrdGreaterThanEqual => comparison!(T, |a, b| a >= b),
        Op::FUnordGreaterThanEqual => comparison!(T, |a, b| (a >= b) | unordered(a, b)),
        Op::Ordered => comparison!(T, |a, b| !unordered(a, b)),
        Op::Unordered => comparison!(T, |a, b| unordered(a, b)),
        _ => return None,
    })
}

#[inline(always)]
fn unordered<T: PartialOrd>(a: T, b: T) -> bool {
    !((a <= b) | (a >= b))
}

/// Class of a floating-point number.
pub(crate) fn classify<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    with_float!(scalar, kinds::<S>(op))
}

macro_rules! property {
    ($ty:ty, |$a:ident| $result:expr) => {
        |rows, x| rows.unary(x, |$a: $ty| u8::from($result))
    };
}

/// The smallest normal number and the largest finite one; every type has its own.
trait Range: Float {
    const NORMAL: f64;
}
impl Range for half::f16 {
    const NORMAL: f64 = 1.0 / 16384.0;
}
impl Range for half::bf16 {
    const NORMAL: f64 = f32::MIN_POSITIVE as f64;
}
impl Range for f32 {
    const NORMAL: f64 = f32::MIN_POSITIVE as f64;
}
impl Range for f64 {
    const NORMAL: f64 = f64::MIN_POSITIVE;
}

fn kinds<T: Range, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::IsNan => property!(T, |a| a.wide().is_nan()),
        Op::IsInf => property!(T, |a| a.wide().is_infinite()),
        Op::IsFinite => property!(T, |a| a.wide().is_finite()),
        Op::IsNormal => property!(T, |a| a.wide().is_finite() && a.wide().abs() >= T::NORMAL),
        Op::SignBitSet => property!(T, |a| a.wide().is_sign_negative()),
        _ => return None,
    })
}

/// Operations of truth values.
pub(crate) fn logical<const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::LogicalAnd => |rows, x| rows.binary(x, |a: u8, b: u8| a & b),
        Op::LogicalOr => |rows, x| rows.binary(x, |a: u8, b: u8| a | b),
        Op::LogicalEqual => |rows, x| rows.binary(x, |a: u8, b: u8| 1 ^ a ^ b),
        Op::LogicalNotEqual => |rows, x| rows.binary(x, |a: u8, b: u8| a ^ b),
        Op::LogicalNot => |rows, x| rows.unary(x, |a: u8| a ^ 1),
        _ => return None,
    })
}

/// Operation that joins the parts of a vector of truth values.
pub(crate) fn all_or_any(op: Op) -> Option<Op> {
    match op {
        Op::All => Some(Op::LogicalAnd),
        Op::Any => Some(Op::LogicalOr),
        _ => None,
    }
}

/// One of two numbers of so many bytes.
pub(crate) fn select<const S: usize>(bytes: u32) -> Compute<S> {
    fn of<T: Lane, const S: usize>() -> Compute<S> {
        |rows, x| rows.ternary(x, |condition: u8, a: T, b: T| if condition != 0 { a } else { b })
    }
    match bytes {
        1 => of::<u8, S>(),
        2 => of::<u16, S>(),
        4 => of::<u32, S>(),
        _ => of::<u64, S>(),
    }
}
