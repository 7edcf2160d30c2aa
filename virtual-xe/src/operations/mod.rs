//! Results of instructions, one number a lane.
//!
//! Each family maps an opcode and the type of its operands to a loop over the lanes; that is the one
//! place where the instruction is defined.

mod atomic;
mod compare;
mod convert;
mod float;
mod integer;
mod math;
mod matrix;
mod narrow;
mod pairs;
mod rounding;
mod subgroup;
mod wide;

pub(crate) use atomic::{Update, atomic};
pub(crate) use compare::{all_or_any, classify, compare, logical, select};
pub(crate) use convert::{convert, defective, resize};
pub(crate) use float::{float, float_unary};
pub(crate) use integer::{Flags, integer, integer_unary, undefined};
pub(crate) use math::math;
pub(crate) use matrix::{Element, Engine, Multiply, Operand, Shape};
pub(crate) use pairs::pair;
pub(crate) use rounding::{round_to_integer, to_half};
pub(crate) use subgroup::{Combine, Reach, broadcast, combine, join, shuffle};

/// Calls a generic function with the unsigned integer type of a scalar's width.
macro_rules! with_unsigned {
    ($scalar:expr, $function:ident::<$s:ident>($($argument:expr),*)) => {
        match $scalar {
            crate::layout::Scalar::I8 => $function::<u8, $s>($($argument),*),
            crate::layout::Scalar::I16 => $function::<u16, $s>($($argument),*),
            crate::layout::Scalar::I32 => $function::<u32, $s>($($argument),*),
            crate::layout::Scalar::I64 => $function::<u64, $s>($($argument),*),
            _ => None,
        }
    };
}
pub(crate) use with_unsigned;

/// Calls a generic function with the floating-point type of a scalar.
macro_rules! with_float {
    ($scalar:expr, $function:ident::<$s:ident>($($argument:expr),*)) => {
        match $scalar {
            crate::layout::Scalar::F16 => $function::<half::f16, $s>($($argument),*),
            crate::layout::Scalar::Bf16 => $function::<half::bf16, $s>($($argument),*),
            crate::layout::Scalar::F32 => $function::<f32, $s>($($argument),*),
            crate::layout::Scalar::F64 => $function::<f64, $s>($($argument),*),
            _ => None,
        }
    };
}
pub(crate) use with_float;
