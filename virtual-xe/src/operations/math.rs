//! The functions of OpenCL.std that take and return numbers.
//!
//! Single precision is computed in double precision and rounded, which is well within OpenCL's bounds.

use super::float::Float;
use super::{with_float, with_unsigned};
use crate::layout::Scalar;
use crate::rows::Compute;
use half::{bf16, f16};
use rspirv::spirv::OpenclStd100Op as CLOp;
use std::f64::consts::PI;

/// A function whose arguments and result are of one type, but for the exponents that some take.
pub(crate) fn math<const S: usize>(op: CLOp, scalar: Scalar) -> Option<Compute<S>> {
    if scalar.is_float() {
        with_float!(scalar, one::<S>(op))
            .or_else(|| with_float!(scalar, two::<S>(op)))
            .or_else(|| with_float!(scalar, three::<S>(op)))
    } else {
        with_unsigned!(scalar, integers::<S>(op))
    }
}

macro_rules! through {
    ($ty:ty, $f:expr) => {
        |rows, x| rows.unary(x, |a: $ty| <$ty>::narrow($f(a.wide())))
    };
}

fn one<T: Float, const S: usize>(op: CLOp) -> Option<Compute<S>> {
    Some(match op {
        CLOp::acos => through!(T, libm::acos),
        CLOp::acosh => through!(T, libm::acosh),
        CLOp::acospi => through!(T, |a| libm::acos(a) / PI),
        CLOp::asin => through!(T, libm::asin),
        CLOp::asinh => through!(T, libm::asinh),
        CLOp::asinpi => through!(T, |a| libm::asin(a) / PI),
        CLOp::atan => through!(T, libm::atan),
        CLOp::atanh => through!(T, libm::atanh),
        CLOp::atanpi => through!(T, |a| libm::atan(a) / PI),
        CLOp::cbrt => through!(T, libm::cbrt),
        CLOp::ceil => through!(T, f64::ceil),
        CLOp::cos | CLOp::native_cos | CLOp::half_cos => through!(T, libm::cos),
        CLOp::cosh => through!(T, libm::cosh),
        CLOp::cospi => through!(T, |a| libm::sin(turn(a + 0.5))),
        CLOp::degrees => through!(T, f64::to_degrees),
        CLOp::erf => through!(T, libm::erf),
        CLOp::erfc => through!(T, libm::erfc),
        CLOp::exp | CLOp::native_exp | CLOp::half_exp => through!(T, libm::exp),
        CLOp::exp2 | CLOp::native_exp2 | CLOp::half_exp2 => through!(T, libm::exp2),
        CLOp::exp10 | CLOp::native_exp10 | CLOp::half_exp10 => through!(T, libm::exp10),
        CLOp::expm1 => through!(T, libm::expm1),
        CLOp::fabs => through!(T, f64::abs),
        CLOp::floor => through!(T, f64::floor),
        CLOp::lgamma => through!(T, libm::lgamma),
        CLOp::log | CLOp::native_log | CLOp::half_log => through!(T, libm::log),
        CLOp::log2 | CLOp::native_log2 | CLOp::half_log2 => through!(T, libm::log2),
        CLOp::log10 | CLOp::native_log10 | CLOp::half_log10 => through!(T, libm::log10),
        CLOp::log1p => through!(T, libm::log1p),
        CLOp::logb => through!(T, logb),
        CLOp::native_recip | CLOp::half_recip => through!(T, |a| 1.0 / a),
        CLOp::radians => through!(T, f64::to_radians),
        CLOp::rint => through!(T, f64::round_ties_even),
        CLOp::round => through!(T, f64::round),
        CLOp::rsqrt | CLOp::native_rsqrt | CLOp::half_rsqrt => through!(T, |a: f64| 1.0 / a.sqrt()),
        CLOp::sign => through!(T, |a: f64| if a.is_nan() || a == 0.0 { a + 0.0 } else { a.signum() }),
        CLOp::sin | CLOp::native_sin | CLOp::half_sin => through!(T, libm::sin),
        CLOp::sinh => through!(T, libm::sinh),
        CLOp::sinpi => through!(T, |a| libm::sin(turn(a))),
        CLOp::sqrt | CLOp::native_sqrt | CLOp::half_sqrt => |rows, x| rows.unary(x, T::sqrt),
        CLOp::tan | CLOp::native_tan | CLOp::half_tan => through!(T, libm::tan),
        CLOp::tanh => through!(T, libm::tanh),
        CLOp::tanpi => through!(T, |a| libm::sin(turn(a)) / libm::sin(turn(a + 0.5))),
        CLOp::tgamma => through!(T, libm::tgamma),
        CLOp::trunc => through!(T, f64::trunc),
        _ => return None,
    })
}

/// π times a number, whole turns left out.
fn turn(a: f64) -> f64 {
    (a % 2.0) * PI
}

fn logb(a: f64) -> f64 {
    match a {
        0.0 => f64::NEG_INFINITY,
        _ if a.is_nan() => a,
        _ if a.is_infinite() => f64::INFINITY,
        _ => libm::ilogb(a).into(),
    }
}

macro_rules! through_two {
    ($ty:ty, $f:expr) => {
        |rows, x| rows.binary(x, |a: $ty, b: $ty| <$ty>::narrow($f(a.wide(), b.wide())))
    };
}

macro_rules! with_exponent {
    ($ty:ty, $f:expr) => {
        |rows, x| rows.binary(x, |a: $ty, b: i32| <$ty>::narrow($f(a.wide(), b)))
    };
}

fn two<T: Float + Neighbours, const S: usize>(op: CLOp) -> Option<Compute<S>> {
    Some(match op {
        CLOp::atan2 => through_two!(T, libm::atan2),
        CLOp::atan2pi => through_two!(T, |a, b| libm::atan2(a, b) / PI),
        CLOp::copysign => through_two!(T, f64::copysign),
        CLOp::fdim => through_two!(T, libm::fdim),
        CLOp::fmax | CLOp::fmax_common => through_two!(T, f64::max),
        CLOp::fmin | CLOp::fmin_common => through_two!(T, f64::min),
        CLOp::fmod => |rows, x| rows.binary(x, T::rem),
        CLOp::hypot => through_two!(T, libm::hypot),
        CLOp::ldexp => with_exponent!(T, libm::ldexp),
        CLOp::maxmag => through_two!(T, |a: f64, b: f64| match a.abs().partial_cmp(&b.abs()) {
            Some(std::cmp::Ordering::Greater) => a,
            Some(std::cmp::Ordering::Less) => b,
            _ => a.max(b),
        }),
        CLOp::minmag => through_two!(T, |a: f64, b: f64| match a.abs().partial_cmp(&b.abs()) {
            Some(std::cmp::Ordering::Less) => a,
            Some(std::cmp::Ordering::Greater) => b,
            _ => a.min(b),
        }),
        CLOp::native_divide | CLOp::half_divide => |rows, x| rows.binary(x, T::div),
        CLOp::nextafter => |rows, x| rows.binary(x, T::next_after),
        CLOp::pow | CLOp::powr | CLOp::native_powr | CLOp::half_powr => through_two!(T, libm::pow),
        CLOp::pown => with_exponent!(T, |a, b| libm::pow(a, f64::from(b))),
        CLOp::remainder => through_two!(T, libm::remainder),
        CLOp::rootn => with_exponent!(T, root),
        CLOp::step => through_two!(T, |edge, a| if a < edge { 0.0 } else { 1.0 }),
        _ => return None,
    })
}

/// The root of a negative number is real if the degree is odd.
fn root(a: f64, degree: i32) -> f64 {
    let size = libm::pow(a.abs(), 1.0 / f64::from(degree));
    match (a < 0.0 || (a == 0.0 && a.is_sign_negative()), degree % 2 != 0) {
        (true, true) => -size,
        (true, false) if a < 0.0 => f64::NAN,
        _ => size,
    }
}

fn three<T: Float, const S: usize>(op: CLOp) -> Option<Compute<S>> {
    macro_rules! through_three {
        ($f:expr) => {
            |rows, x| rows.ternary(x, |a: T, b: T, c: T| T::narrow($f(a.wide(), b.wide(), c.wide())))
        };
    }
    Some(match op {
        CLOp::fma | CLOp::mad => |rows, x| rows.ternary(x, T::fused),
        CLOp::fclamp => through_three!(|a: f64, least: f64, most: f64| a.max(least).min(most)),
        CLOp::mix => through_three!(|a: f64, b: f64, t: f64| a + (b - a) * t),
        CLOp::smoothstep => through_three!(|low: f64, high: f64, a: f64| {
            let t = ((a - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        }),
        _ => return None,
    })
}

/// The numbers next to a number.
trait Neighbours: Sized {
    fn next_after(self, towards: Self) -> Self;
}

macro_rules! neighbours {
    ($($ty:ty),*) => { $(
        impl Neighbours for $ty {
            fn next_after(self, towards: $ty) -> $ty {
                let zero = <$ty>::from_bits(0);
                if self != self || self == towards {
                    return if towards != towards || self == towards { towards } else { self };
                }
                if towards != towards {
                    return towards;
                }
                if self == zero {
                    let tiny = <$ty>::from_bits(1);
                    return if towards > zero { tiny } else { -tiny };
                }
                let away = (towards > self) == (self > zero);
                <$ty>::from_bits(if away { self.to_bits() + 1 } else { self.to_bits() - 1 })
            }
        }
    )* };
}
neighbours!(f16, bf16, f32, f64);

/// Integers with the double width that some functions need.
trait Wide: super::integer::Int + Ord {
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
