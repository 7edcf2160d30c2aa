//! Results of atomic instructions on a number in memory.

use crate::layout::Scalar;
use half::{bf16, f16};
use rspirv::spirv::Op;

/// The new bits from the old ones, the operand, and what the old ones are compared with.
pub(crate) type Update = fn(old: u64, value: u64, comparator: u64) -> u64;

/// Effect of an instruction on a number.
pub(crate) fn atomic(op: Op, scalar: Scalar) -> Option<Update> {
    macro_rules! floats {
        ($ty:ty, $bits:ty) => {{
            fn of(bits: u64) -> $ty {
                <$ty>::from_bits(bits as $bits)
            }
            match op {
                Op::AtomicFAddEXT => Some(|old, value, _| (of(old) + of(value)).to_bits().into()),
                Op::AtomicFMinEXT => Some(|old, value, _| of(old).min(of(value)).to_bits().into()),
                Op::AtomicFMaxEXT => Some(|old, value, _| of(old).max(of(value)).to_bits().into()),
                _ => None,
            }
        }};
    }
    macro_rules! signed {
        ($choose:ident) => {
            match scalar {
                Scalar::I8 => Some(|old, value, _| (old as i8).$choose(value as i8) as u64),
                Scalar::I16 => Some(|old, value, _| (old as i16).$choose(value as i16) as u64),
                Scalar::I32 => Some(|old, value, _| (old as i32).$choose(value as i32) as u64),
                Scalar::I64 => Some(|old, value, _| (old as i64).$choose(value as i64) as u64),
                _ => None,
            }
        };
    }
    match op {
        Op::AtomicLoad => Some(|old, _, _| old),
        Op::AtomicStore | Op::AtomicExchange => Some(|_, value, _| value),
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
            Some(|old, value, comparator| if old == comparator { value } else { old })
        }
        Op::AtomicFlagTestAndSet => Some(|_, _, _| 1),
        Op::AtomicFlagClear => Some(|_, _, _| 0),
        Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => match scalar {
            Scalar::F16 => floats!(f16, u16),
            Scalar::Bf16 => floats!(bf16, u16),
            Scalar::F32 => floats!(f32, u32),
            Scalar::F64 => floats!(f64, u64),
            _ => None,
        },
        _ if scalar.is_float() => None,
        Op::AtomicIIncrement => Some(|old, _, _| old.wrapping_add(1)),
        Op::AtomicIDecrement => Some(|old, _, _| old.wrapping_sub(1)),
        Op::AtomicIAdd => Some(|old, value, _| old.wrapping_add(value)),
        Op::AtomicISub => Some(|old, value, _| old.wrapping_sub(value)),
        Op::AtomicSMin => signed!(min),
        Op::AtomicSMax => signed!(max),
        // The bits above the number are zero in both.
        Op::AtomicUMin => Some(|old, value, _| old.min(value)),
        Op::AtomicUMax => Some(|old, value, _| old.max(value)),
        Op::AtomicAnd => Some(|old, value, _| old & value),
        Op::AtomicOr => Some(|old, value, _| old | value),
        Op::AtomicXor => Some(|old, value, _| old ^ value),
        _ => None,
    }
}
