//! Integer arithmetic.

use super::with_unsigned;
use crate::layout::Scalar;
use crate::report::Fault;
use crate::rows::{Compute, Lane, Test, lanes_where};
use rspirv::spirv::Op;

/// Integers, of which every width has a signed and an unsigned view.
pub(crate) trait Int: Lane {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn udiv(self, other: Self) -> Self;
    fn umod(self, other: Self) -> Self;
    fn sdiv(self, other: Self) -> Self;
    fn srem(self, other: Self) -> Self;
    fn smod(self, other: Self) -> Self;
    fn shl(self, other: Self) -> Self;
    fn lshr(self, other: Self) -> Self;
    fn ashr(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    fn neg(self) -> Self;
    fn reverse(self) -> Self;
    fn count(self) -> Self;
    fn is_zero(self) -> bool;
    fn overflows(op: Op, a: Self, b: Self, signed: bool) -> bool;
    fn too_far(self) -> bool;
}

macro_rules! int {
    ($($u:ident $i:ident),*) => { $(
        impl Int for $u {
            #[inline(always)] fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)] fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)] fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            // Where there is no result, any will do; the check has reported it.
            #[inline(always)] fn udiv(self, other: Self) -> Self { self.checked_div(other).unwrap_or(0) }
            #[inline(always)] fn umod(self, other: Self) -> Self { self.checked_rem(other).unwrap_or(0) }
            #[inline(always)] fn sdiv(self, other: Self) -> Self {
                if other == 0 { 0 } else { (self as $i).wrapping_div(other as $i) as $u }
            }
            #[inline(always)] fn srem(self, other: Self) -> Self {
                if other == 0 { 0 } else { (self as $i).wrapping_rem(other as $i) as $u }
            }
            // The sign is that of the divisor (SPIR-V, OpSMod).
            #[inline(always)] fn smod(self, other: Self) -> Self {
                let rest = self.srem(other) as $i;
                let other = other as $i;
                (if rest != 0 && (rest < 0) != (other < 0) { rest.wrapping_add(other) } else { rest }) as $u
            }
            #[inline(always)] fn shl(self, other: Self) -> Self { self.wrapping_shl(other as u32) }
            #[inline(always)] fn lshr(self, other: Self) -> Self { self.wrapping_shr(other as u32) }
            #[inline(always)] fn ashr(self, other: Self) -> Self {
                (self as $i).wrapping_shr(other as u32) as $u
            }
            #[inline(always)] fn and(self, other: Self) -> Self { self & other }
            #[inline(always)] fn or(self, other: Self) -> Self { self | other }
            #[inline(always)] fn xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)] fn not(self) -> Self { !self }
            #[inline(always)] fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)] fn reverse(self) -> Self { self.reverse_bits() }
            #[inline(always)] fn count(self) -> Self { self.count_ones() as $u }
            #[inline(always)] fn is_zero(self) -> bool { self == 0 }
            #[inline(always)] fn too_far(self) -> bool { u64::from(self) >= u64::from($u::BITS) }
            #[inline(always)] fn overflows(op: Op, a: Self, b: Self, signed: bool) -> bool {
                let (x, y) = (a as $i, b as $i);
                match (op, signed) {
                    (Op::IAdd, true) => x.checked_add(y).is_none(),
                    (Op::ISub, true) => x.checked_sub(y).is_none(),
                    (Op::IMul, true) => x.checked_mul(y).is_none(),
                    (Op::SDiv | Op::SRem | Op::SMod, _) => x == $i::MIN && y == -1,
                    (Op::IAdd, false) => a.checked_add(b).is_none(),
                    (Op::ISub, false) => a.checked_sub(b).is_none(),
                    (Op::IMul, false) => a.checked_mul(b).is_none(),
                    (Op::SNegate, _) => x == $i::MIN,
                    (Op::ShiftLeftLogical, true) => {
                        (b as u64) < u64::from($u::BITS) && (x << (b as u32) >> (b as u32)) != x
                    }
                    (Op::ShiftLeftLogical, false) => {
                        (b as u64) < u64::from($u::BITS) && (a << (b as u32) >> (b as u32)) != a
                    }
                    _ => false,
                }
            }
        }
    )* };
}
int!(u8 i8, u16 i16, u32 i32, u64 i64);

/// Operations of two integers of one type.
pub(crate) fn integer<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    with_unsigned!(scalar, binary::<S>(op))
}

fn binary<T: Int, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::IAdd => |rows, x| rows.binary(x, T::add),
        Op::ISub => |rows, x| rows.binary(x, T::sub),
        Op::IMul => |rows, x| rows.binary(x, T::mul),
        Op::UDiv => |rows, x| rows.binary(x, T::udiv),
        Op::SDiv => |rows, x| rows.binary(x, T::sdiv),
        Op::UMod => |rows, x| rows.binary(x, T::umod),
        Op::SRem => |rows, x| rows.binary(x, T::srem),
        Op::SMod => |rows, x| rows.binary(x, T::smod),
        Op::ShiftLeftLogical => |rows, x| rows.binary(x, T::shl),
        Op::ShiftRightLogical => |rows, x| rows.binary(x, T::lshr),
        Op::ShiftRightArithmetic => |rows, x| rows.binary(x, T::ashr),
        Op::BitwiseAnd => |rows, x| rows.binary(x, T::and),
        Op::BitwiseOr => |rows, x| rows.binary(x, T::or),
        Op::BitwiseXor => |rows, x| rows.binary(x, T::xor),
        _ => return None,
    })
}

/// Operations of one integer.
pub(crate) fn integer_unary<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    with_unsigned!(scalar, unary::<S>(op))
}

fn unary<T: Int, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::SNegate => |rows, x| rows.unary(x, T::neg),
        Op::Not => |rows, x| rows.unary(x, T::not),
        Op::BitReverse => |rows, x| rows.unary(x, T::reverse),
        Op::BitCount => |rows, x| rows.unary(x, T::count),
        _ => return None,
    })
}

/// Promises of an instruction about its result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    pub no_signed_wrap: bool,
    pub no_unsigned_wrap: bool,
}

/// The tests for operands that leave the result of an instruction undefined.
pub(crate) fn undefined<const S: usize>(op: Op, scalar: Scalar, flags: Flags) -> Vec<(Test<S>, Fault)> {
    with_unsigned!(scalar, tests::<S>(op, flags)).unwrap_or_default()
}

fn tests<T: Int, const S: usize>(op: Op, flags: Flags) -> Option<Vec<(Test<S>, Fault)>> {
    let mut tests: Vec<(Test<S>, Fault)> = Vec::new();
    match op {
        Op::UDiv | Op::UMod | Op::SDiv | Op::SRem | Op::SMod => {
            tests.push((
                |rows, x| {
                    let b = rows.get::<T>(x.b);
                    lanes_where::<S>(|lane| b.get(lane).is_some_and(|b| b.is_zero()))
                },
                Fault::DivisionByZero,
            ));
        }
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
            tests.push((
                |rows, x| {
                    let b = rows.get::<T>(x.b);
                    lanes_where::<S>(|lane| b.get(lane).is_some_and(|b| b.too_far()))
                },
                Fault::ShiftTooFar,
            ));
        }
        _ => {}
    }
    macro_rules! overflow {
        ($signed:literal: $($op:ident),*) => {
            match op {
                $(Op::$op => tests.push((
                    |rows, x| {
                        let (a, b) = (rows.get::<T>(x.a), rows.get::<T>(x.b));
                        let pairs = || a.iter().zip(&b);
                        if !pairs().fold(false, |any, (&a, &b)| any | T::overflows(Op::$op, a, b, $signed)) {
                            return 0;
                        }
                        let bad = |(lane, (&a, &b))| u32::from(T::overflows(Op::$op, a, b, $signed)) << lane;
                        pairs().enumerate().map(bad).sum()
                    },
                    if $signed { Fault::SignedOverflow } else { Fault::UnsignedOverflow },
                )),)*
                _ => {}
            }
        };
    }
    if flags.no_signed_wrap {
        overflow!(true: IAdd, ISub, IMul, SNegate, ShiftLeftLogical);
    }
    overflow!(true: SDiv, SRem, SMod);
    if flags.no_unsigned_wrap {
        overflow!(false: IAdd, ISub, IMul, ShiftLeftLogical);
    }
    Some(tests)
}
