//! Floating-point arithmetic, every operation rounded to nearest.

use super::narrow::{Narrow as _, sum_to_odd};
use super::with_float;
use crate::layout::Scalar;
use crate::rows::{Compute, Lane};
use half::{bf16, f16};
use rspirv::spirv::Op;

/// Floating-point numbers, computed with in a type that has at least twice their precision or their own.
///
/// Sum, product, quotient and root of half-precision numbers, formed in single precision and rounded
/// again, are those that rounding once gives (24 ≥ 2·11 + 2 bits).
pub(crate) trait Float: Lane {
    /// From one to the next smaller number.
    const STEP_BELOW_ONE: f64;
    fn wide(self) -> f64;
    fn narrow(value: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn fused(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! half {
    ($($ty:ident),*) => { $(
        impl Float for $ty {
            const STEP_BELOW_ONE: f64 = $ty::EPSILON.to_f64_const() / 2.0;
            #[inline(always)] fn wide(self) -> f64 { self.to_f64() }
            #[inline(always)] fn narrow(value: f64) -> Self { $ty::from_double(value) }
            #[inline(always)] fn add(self, other: Self) -> Self {
                $ty::from_single(self.to_f32() + other.to_f32())
            }
            #[inline(always)] fn sub(self, other: Self) -> Self {
                $ty::from_single(self.to_f32() - other.to_f32())
            }
            #[inline(always)] fn mul(self, other: Self) -> Self {
                $ty::from_single(self.to_f32() * other.to_f32())
            }
            #[inline(always)] fn div(self, other: Self) -> Self {
                $ty::from_single(self.to_f32() / other.to_f32())
            }
            #[inline(always)] fn rem(self, other: Self) -> Self {
                $ty::from_single(self.to_f32() % other.to_f32())
            }
            #[inline(always)] fn neg(self) -> Self { -self }
            #[inline(always)] fn fused(self, b: Self, c: Self) -> Self {
                // The product is exact.
                $ty::from_double(sum_to_odd(self.to_f64() * b.to_f64(), c.to_f64()))
            }
            #[inline(always)] fn sqrt(self) -> Self { $ty::from_single(self.to_f32().sqrt()) }
        }
    )* };
}
half!(f16, bf16);

impl Float for f32 {
    const STEP_BELOW_ONE: f64 = f32::EPSILON as f64 / 2.0;
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn narrow(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn add(self, other: f32) -> f32 {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: f32) -> f32 {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: f32) -> f32 {
        self * other
    }
    #[inline(always)]
    fn div(self, other: f32) -> f32 {
        self / other
    }
    #[inline(always)]
    fn rem(self, other: f32) -> f32 {
        self % other
    }
    #[inline(always)]
    fn neg(self) -> f32 {
        -self
    }
    /// Without an instruction for it, the standard library's is a call for each lane. Here the product is
    /// exact in double precision, and the sum is rounded to odd.
    #[inline(always)]
    fn fused(self, b: f32, c: f32) -> f32 {
        if cfg!(target_feature = "fma") {
            return self.mul_add(b, c);
        }
        sum_to_odd(f64::from(self) * f64::from(b), f64::from(c)) as f32
    }
    #[inline(always)]
    fn sqrt(self) -> f32 {
        self.sqrt()
    }
}

impl Float for f64 {
    const STEP_BELOW_ONE: f64 = f64::EPSILON / 2.0;
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn add(self, other: f64) -> f64 {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: f64) -> f64 {
        self - other
    }
    #[inline(always)]
    fn mul(self, other: f64) -> f64 {
        self * other
    }
    #[inline(always)]
    fn div(self, other: f64) -> f64 {
        self / other
    }
    #[inline(always)]
    fn rem(self, other: f64) -> f64 {
        self % other
    }
    #[inline(always)]
    fn neg(self) -> f64 {
        -self
    }
    #[inline(always)]
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        self.sqrt()
    }
}

/// Operations of two floating-point numbers.
pub(crate) fn float<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    with_float!(scalar, binary::<S>(op))
}

fn binary<T: Float, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::FAdd => |rows, x| rows.binary(x, T::add),
        Op::FSub => |rows, x| rows.binary(x, T::sub),
        Op::FMul => |rows, x| rows.binary(x, T::mul),
        Op::FDiv => |rows, x| rows.binary(x, T::div),
        Op::FRem => |rows, x| rows.binary(x, T::rem),
        Op::FMod => |rows, x| {
            rows.binary(x, |a: T, b: T| {
                let rest = a.rem(b);
                // The sign is that of the divisor (SPIR-V, OpFMod).
                let differs = (rest.wide() < 0.0) != (b.wide() < 0.0);
                if rest.wide() != 0.0 && differs { rest.add(b) } else { rest }
            });
        },
        _ => return None,
    })
}

/// Operations of one floating-point number.
pub(crate) fn float_unary<const S: usize>(op: Op, scalar: Scalar) -> Option<Compute<S>> {
    with_float!(scalar, unary::<S>(op))
}

fn unary<T: Float, const S: usize>(op: Op) -> Option<Compute<S>> {
    Some(match op {
        Op::FNegate => |rows, x| rows.unary(x, T::neg),
        _ => return None,
    })
}
