//! The functions of OpenCL.std that take and return integers.

use super::integer::Int;
use super::with_unsigned;
use crate::layout::Scalar;
use crate::rows::Compute;
use rspirv::spirv::OpenclStd100Op as CLOp;

/// A function whose arguments and result are of one type.
pub(crate) fn wide<const S: usize>(op: CLOp, scalar: Scalar) -> Option<Compute<S>> {
    with_unsigned!(scalar, integers::<S>(op))
}

/// Integers with the double width that some functions need.
trait Wide: Int + Ord {
    fn abs(self) -> Self;
    fn abs_diff(self, other: Self, signed: bool) -> Self;
    fn add_sat(self, other: Self, signed: bool) -> Self;
    fn sub_sat(self, other: Self, signed: bool) -> Self;
    fn mean(self, other: Self, up: i128, signed: bool) -> Self;
    fn greatest(self, other: Self, signed: bool) -> Self;
    fn least(self, other: Self, signed: bool) -> Self;
    fn mul_hi(self, other: Self, signed: bool) -> Self;
    fn mad_sat(self, b: Self, c: Self, signed: bool) -> Self;
    fn mul24(self, other: Self, signed: bool) -> Self;
    fn rotate(self, by: Self) -> Self;
    fn clz(self) -> Self;
    fn ctz(self) -> Self;
}

macro_rules! wide {
    ($($u:ident $i:ident),*) => { $(
        impl Wide for $u {
            #[inline(always)] fn abs(self) -> $u { (self as $i).unsigned_abs() }
            #[inline(always)] fn abs_diff(self, b: $u, signed: bool) -> $u {
                if signed { (self as $i).abs_diff(b as $i) } else { self.abs_diff(b) }
            }
            #[inline(always)] fn add_sat(self, b: $u, signed: bool) -> $u {
                if signed { (self as $i).saturating_add(b as $i) as $u } else { self.saturating_add(b) }
            }
            #[inline(always)] fn sub_sat(self, b: $u, signed: bool) -> $u {
                if signed { (self as $i).saturating_sub(b as $i) as $u } else { self.saturating_sub(b) }
            }
            #[inline(always)] fn mean(self, b: $u, up: i128, signed: bool) -> $u {
                if signed {
                    ((i128::from(self as $i) + i128::from(b as $i) + up) >> 1) as $u
                } else {
                    ((i128::from(self) + i128::from(b) + up) >> 1) as $u
                }
            }
            #[inline(always)] fn greatest(self, b: $u, signed: bool) -> $u {
                if signed { (self as $i).max(b as $i) as $u } else { self.max(b) }
            }
            #[inline(always)] fn least(self, b: $u, signed: bool) -> $u {
                if signed { (self as $i).min(b as $i) as $u } else { self.min(b) }
            }
            #[inline(always)] fn mul_hi(self, b: $u, signed: bool) -> $u {
                if signed {
                    ((i128::from(self as $i) * i128::from(b as $i)) >> $u::BITS) as $u
                } else {
                    ((u128::from(self) * u128::from(b)) >> $u::BITS) as $u
                }
            }
            #[inline(always)] fn mad_sat(self, b: $u, c: $u, signed: bool) -> $u {
                if signed {
                    let value = i128::from(self as $i) * i128::from(b as $i) + i128::from(c as $i);
                    value.clamp(i128::from($i::MIN), i128::from($i::MAX)) as $u
                } else {
                    let value = (u128::from(self) * u128::from(b)).saturating_add(u128::from(c));
                    value.min(u128::from($u::MAX)) as $u
                }
            }
            #[inline(always)] fn mul24(self, b: $u, signed: bool) -> $u {
                let low = |a: $u| if signed {
                    i64::from((a as u32 as i32) << 8 >> 8)
                } else {
                    i64::from(a as u32 & 0xff_ffff)
                };
                (low(self) * low(b)) as $u
            }
            #[inline(always)] fn rotate(self, by: $u) -> $u { self.rotate_left((by as u64 % u64::from($u::BITS)) as u32) }
            #[inline(always)] fn clz(self) -> $u { self.leading_zeros() as $u }
            #[inline(always)] fn ctz(self) -> $u { self.trailing_zeros() as $u }
        }
    )* };
}
wide!(u8 i8, u16 i16, u32 i32, u64 i64);

fn integers<T: Wide, const S: usize>(op: CLOp) -> Option<Compute<S>> {
    macro_rules! unary {
        ($f:expr) => {
            |rows, x| rows.unary(x, $f)
        };
    }
    macro_rules! binary {
        (|$a:ident, $b:ident| $result:expr) => {
            |rows, x| rows.binary(x, |$a: T, $b: T| $result)
        };
    }
    macro_rules! ternary {
        (|$a:ident, $b:ident, $c:ident| $result:expr) => {
            |rows, x| rows.ternary(x, |$a: T, $b: T, $c: T| $result)
        };
    }
    Some(match op {
        CLOp::s_abs => unary!(T::abs),
        CLOp::u_abs => unary!(|a: T| a),
        CLOp::clz => unary!(T::clz),
        CLOp::ctz => unary!(T::ctz),
        CLOp::popcount => unary!(T::count),
        CLOp::s_abs_diff => binary!(|a, b| a.abs_diff(b, true)),
        CLOp::u_abs_diff => binary!(|a, b| a.abs_diff(b, false)),
        CLOp::s_add_sat => binary!(|a, b| a.add_sat(b, true)),
        CLOp::u_add_sat => binary!(|a, b| a.add_sat(b, false)),
        CLOp::s_sub_sat => binary!(|a, b| a.sub_sat(b, true)),
        CLOp::u_sub_sat => binary!(|a, b| a.sub_sat(b, false)),
        CLOp::s_hadd => binary!(|a, b| a.mean(b, 0, true)),
        CLOp::u_hadd => binary!(|a, b| a.mean(b, 0, false)),
        CLOp::s_rhadd => binary!(|a, b| a.mean(b, 1, true)),
        CLOp::u_rhadd => binary!(|a, b| a.mean(b, 1, false)),
        CLOp::s_max => binary!(|a, b| a.greatest(b, true)),
        CLOp::u_max => binary!(|a, b| a.greatest(b, false)),
        CLOp::s_min => binary!(|a, b| a.least(b, true)),
        CLOp::u_min => binary!(|a, b| a.least(b, false)),
        CLOp::s_mul_hi => binary!(|a, b| a.mul_hi(b, true)),
        CLOp::u_mul_hi => binary!(|a, b| a.mul_hi(b, false)),
        CLOp::s_mul24 => binary!(|a, b| a.mul24(b, true)),
        CLOp::u_mul24 => binary!(|a, b| a.mul24(b, false)),
        CLOp::rotate => binary!(|a, b| a.rotate(b)),
        CLOp::s_clamp => ternary!(|a, b, c| a.greatest(b, true).least(c, true)),
        CLOp::u_clamp => ternary!(|a, b, c| a.greatest(b, false).least(c, false)),
        CLOp::s_mad_hi => ternary!(|a, b, c| a.mul_hi(b, true).add(c)),
        CLOp::u_mad_hi => ternary!(|a, b, c| a.mul_hi(b, false).add(c)),
        CLOp::s_mad_sat => ternary!(|a, b, c| a.mad_sat(b, c, true)),
        CLOp::u_mad_sat => ternary!(|a, b, c| a.mad_sat(b, c, false)),
        CLOp::s_mad24 => ternary!(|a, b, c| a.mul24(b, true).add(c)),
        CLOp::u_mad24 => ternary!(|a, b, c| a.mul24(b, false).add(c)),
        CLOp::bitselect => ternary!(|a, b, c| c.and(b).or(c.not().and(a))),
        _ => return None,
    })
}
