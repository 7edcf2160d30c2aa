//! The functions of OpenCL.std that return one number and leave another in memory.

use super::float::Float;
use super::with_float;
use crate::layout::Scalar;
use crate::rows::Compute;
use rspirv::spirv::OpenclStd100Op as CLOp;

/// Function that computes both results.
pub(crate) struct Pair<const S: usize> {
    pub returned: Compute<S>,
    pub stored: Compute<S>,
    /// The other result is a 32-bit integer.
    pub is_integer: bool,
}

/// A function of two results.
pub(crate) fn pair<const S: usize>(op: CLOp, scalar: Scalar) -> Option<Pair<S>> {
    with_float!(scalar, of::<S>(op))
}

macro_rules! through {
    ($ty:ty, $f:expr) => {
        |rows, x| rows.unary(x, |a: $ty| <$ty>::narrow($f(a.wide())))
    };
}

fn of<T: Float, const S: usize>(op: CLOp) -> Option<Pair<S>> {
    let (returned, stored): (Compute<S>, Compute<S>) = match op {
        CLOp::fract => (through!(T, fraction::<T>), through!(T, f64::floor)),
        CLOp::modf => (through!(T, |a: f64| libm::modf(a).0), through!(T, f64::trunc)),
        CLOp::sincos => (through!(T, libm::sin), through!(T, libm::cos)),
        CLOp::frexp => {
            (through!(T, |a: f64| libm::frexp(a).0), |rows, x| rows.unary(x, |a: T| libm::frexp(a.wide()).1))
        }
        CLOp::lgamma_r => {
            (through!(T, libm::lgamma), |rows, x| rows.unary(x, |a: T| libm::lgamma_r(a.wide()).1))
        }
        CLOp::remquo => (
            |rows, x| rows.binary(x, |a: T, b: T| T::narrow(libm::remquo(a.wide(), b.wide()).0)),
            |rows, x| rows.binary(x, |a: T, b: T| libm::remquo(a.wide(), b.wide()).1),
        ),
        _ => return None,
    };
    let is_integer = matches!(op, CLOp::frexp | CLOp::lgamma_r | CLOp::remquo);
    Some(Pair { returned, stored, is_integer })
}

/// Fraction above the next smaller integer; less than one, even if rounding would make it one.
fn fraction<T: Float>(a: f64) -> f64 {
    let fraction = a - a.floor();
    if T::narrow(fraction).wide() == 1.0 { 1.0 - T::STEP_BELOW_ONE } else { fraction }
}
