//! Conversions that round otherwise than to the nearest number.

use super::float::Float;
use super::math::Neighbours;
use super::narrow::Narrow as _;
use super::with_float;
use crate::layout::Scalar;
use crate::rows::Compute;
use half::f16;
use rspirv::spirv::FPRoundingMode as Mode;

/// The integer that a number is rounded to before it is converted.
pub(crate) fn round_to_integer<const S: usize>(mode: Mode, scalar: Scalar) -> Option<Compute<S>> {
    with_float!(scalar, integer::<S>(mode))
}

fn integer<T: Float, const S: usize>(mode: Mode) -> Option<Compute<S>> {
    Some(match mode {
        Mode::RTE => |rows, x| rows.unary(x, |a: T| T::narrow(a.wide().round_ties_even())),
        Mode::RTZ => |rows, x| rows.unary(x, |a: T| T::narrow(a.wide().trunc())),
        Mode::RTP => |rows, x| rows.unary(x, |a: T| T::narrow(a.wide().ceil())),
        Mode::RTN => |rows, x| rows.unary(x, |a: T| T::narrow(a.wide().floor())),
    })
}

/// To half precision.
pub(crate) fn to_half<const S: usize>(mode: Mode, from: Scalar) -> Option<Compute<S>> {
    macro_rules! from {
        ($ty:ty) => {
            match mode {
                Mode::RTE => |rows, x| rows.unary(x, |a: $ty| f16::from_double(a.into())),
                Mode::RTZ => |rows, x| rows.unary(x, |a: $ty| directed(a.into(), a < 0.0)),
                Mode::RTP => |rows, x| rows.unary(x, |a: $ty| directed(a.into(), true)),
                Mode::RTN => |rows, x| rows.unary(x, |a: $ty| directed(a.into(), false)),
            }
        };
    }
    Some(match from {
        Scalar::F32 => from!(f32),
        Scalar::F64 => from!(f64),
        _ => return None,
    })
}

/// The next number of half precision above or below.
fn directed(a: f64, up: bool) -> f16 {
    let nearest = f16::from_double(a);
    let wide = f64::from(nearest);
    match up {
        true if wide < a => nearest.next_after(f16::INFINITY),
        false if wide > a => nearest.next_after(f16::NEG_INFINITY),
        _ => nearest,
    }
}
