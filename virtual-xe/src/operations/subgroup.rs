//! Results that the lanes of a subgroup compute together.

use super::float::Float;
use super::integer::Int;
use crate::layout::Scalar;
use crate::rows::{Args, Compute, Lane, Rows};
use rspirv::spirv::{GroupOperation, Op};

/// The number of one lane, that of the immediate, in all lanes.
pub(crate) fn broadcast<const S: usize>(bytes: u32) -> Compute<S> {
    fn of<T: Lane, const S: usize>() -> Compute<S> {
        |rows, x| {
            let lane = usize::try_from(x.immediate).unwrap_or(S);
            rows.across(x, |a: &[T; S]| [a.get(lane).copied().unwrap_or(T::zeroed()); S]);
        }
    }
    match bytes {
        1 => of::<u8, S>(),
        2 => of::<u16, S>(),
        4 => of::<u32, S>(),
        _ => of::<u64, S>(),
    }
}

/// Each lane takes the number of the lane that the second row tells (i32).
pub(crate) fn shuffle<const S: usize>(bytes: u32) -> Compute<S> {
    fn of<T: Lane, const S: usize>() -> Compute<S> {
        |rows, x| {
            let from: [u32; S] = rows.get(x.b);
            rows.across(x, |a: &[T; S]| {
                from.map(|lane| a.get(lane as usize).copied().unwrap_or(T::zeroed()))
            });
        }
    }
    match bytes {
        1 => of::<u8, S>(),
        2 => of::<u16, S>(),
        4 => of::<u32, S>(),
        _ => of::<u64, S>(),
    }
}

/// Operation that makes one number of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    Add,
    Multiply,
    SignedLeast,
    SignedGreatest,
    UnsignedLeast,
    UnsignedGreatest,
    And,
    Or,
    Xor,
}

impl Combine {
    /// Operation that an instruction combines with.
    pub fn of(op: Op) -> Option<Combine> {
        Some(match op {
            Op::GroupIAdd
            | Op::GroupFAdd
            | Op::GroupNonUniformIAdd
            | Op::GroupNonUniformFAdd
            | Op::GroupIAddNonUniformAMD
            | Op::GroupFAddNonUniformAMD => Combine::Add,
            Op::GroupIMulKHR | Op::GroupFMulKHR | Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => {
                Combine::Multiply
            }
            Op::GroupSMin | Op::GroupFMin | Op::GroupNonUniformSMin | Op::GroupNonUniformFMin => {
                Combine::SignedLeast
            }
            Op::GroupSMax | Op::GroupFMax | Op::GroupNonUniformSMax | Op::GroupNonUniformFMax => {
                Combine::SignedGreatest
            }
            Op::GroupUMin | Op::GroupNonUniformUMin => Combine::UnsignedLeast,
            Op::GroupUMax | Op::GroupNonUniformUMax => Combine::UnsignedGreatest,
            Op::GroupBitwiseAndKHR
            | Op::GroupLogicalAndKHR
            | Op::GroupNonUniformBitwiseAnd
            | Op::GroupNonUniformLogicalAnd => Combine::And,
            Op::GroupBitwiseOrKHR
            | Op::GroupLogicalOrKHR
            | Op::GroupNonUniformBitwiseOr
            | Op::GroupNonUniformLogicalOr => Combine::Or,
            Op::GroupBitwiseXorKHR
            | Op::GroupLogicalXorKHR
            | Op::GroupNonUniformBitwiseXor
            | Op::GroupNonUniformLogicalXor => Combine::Xor,
            _ => return None,
        })
    }
}

/// Numbers that can be combined.
trait Combined: Lane {
    /// Neutral element.
    fn identity(how: Combine) -> Self;
    fn combine(how: Combine, a: Self, b: Self) -> Self;
}

macro_rules! combined_int {
    ($($u:ident $i:ident),*) => { $(
        impl Combined for $u {
            fn identity(how: Combine) -> $u {
                match how {
                    Combine::Add | Combine::Or | Combine::Xor | Combine::UnsignedGreatest => 0,
                    Combine::Multiply => 1,
                    Combine::SignedLeast => $i::MAX as $u,
                    Combine::SignedGreatest => $i::MIN as $u,
                    Combine::UnsignedLeast | Combine::And => $u::MAX,
                }
            }
            fn combine(how: Combine, a: $u, b: $u) -> $u {
                match how {
                    Combine::Add => Int::add(a, b),
                    Combine::Multiply => Int::mul(a, b),
                    Combine::SignedLeast => (a as $i).min(b as $i) as $u,
                    Combine::SignedGreatest => (a as $i).max(b as $i) as $u,
                    Combine::UnsignedLeast => a.min(b),
                    Combine::UnsignedGreatest => a.max(b),
                    Combine::And => a & b,
                    Combine::Or => a | b,
                    Combine::Xor => a ^ b,
                }
            }
        }
    )* };
}
combined_int!(u8 i8, u16 i16, u32 i32, u64 i64);

macro_rules! combined_float {
    ($($ty:ty),*) => { $(
        impl Combined for $ty {
            fn identity(how: Combine) -> $ty {
                <$ty>::narrow(match how {
                    Combine::Multiply => 1.0,
                    Combine::SignedLeast | Combine::UnsignedLeast => f64::INFINITY,
                    Combine::SignedGreatest | Combine::UnsignedGreatest => f64::NEG_INFINITY,
                    // So that a sum of negative zeros is one.
                    _ => -0.0,
                })
            }
            fn combine(how: Combine, a: $ty, b: $ty) -> $ty {
                match how {
                    Combine::Multiply => Float::mul(a, b),
                    Combine::SignedLeast | Combine::UnsignedLeast => a.min(b),
                    Combine::SignedGreatest | Combine::UnsignedGreatest => a.max(b),
                    _ => Float::add(a, b),
                }
            }
        }
    )* };
}
combined_float!(half::f16, half::bf16, f32, f64);

/// Two numbers made one, all of them as bits.
pub(crate) fn join(how: Combine, scalar: Scalar, a: u64, b: u64) -> u64 {
    fn of<T: Combined>(how: Combine, a: u64, b: u64) -> u64 {
        let number = |bits: u64| {
            let bytes = bits.to_le_bytes();
            bytes.get(..size_of::<T>()).map_or(T::zeroed(), bytemuck::pod_read_unaligned)
        };
        let joined = T::combine(how, number(a), number(b));
        bytemuck::bytes_of(&joined).iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }
    match scalar {
        Scalar::Bool | Scalar::I8 => of::<u8>(how, a, b),
        Scalar::I16 => of::<u16>(how, a, b),
        Scalar::I32 => of::<u32>(how, a, b),
        Scalar::I64 => of::<u64>(how, a, b),
        Scalar::F16 => of::<half::f16>(how, a, b),
        Scalar::Bf16 => of::<half::bf16>(how, a, b),
        Scalar::F32 => of::<f32>(how, a, b),
        Scalar::F64 => of::<f64>(how, a, b),
    }
}

/// Result of a group operation in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Reduce,
    Inclusive,
    Exclusive,
    /// Reduces groups of so many neighbouring lanes.
    Clustered(u32),
}

impl Reach {
    /// That of an operand; the size of clusters stands behind it.
    pub fn of(operation: GroupOperation, cluster: Option<u32>) -> Option<Reach> {
        match operation {
            GroupOperation::Reduce => Some(Reach::Reduce),
            GroupOperation::InclusiveScan => Some(Reach::Inclusive),
            GroupOperation::ExclusiveScan => Some(Reach::Exclusive),
            GroupOperation::ClusteredReduce => Some(Reach::Clustered(cluster?.max(1))),
            _ => None,
        }
    }
}

/// A reduction or scan of the lanes of the mask, in the order of the lanes.
pub(crate) fn combine<const S: usize>(
    rows: &mut Rows<S>,
    args: &Args,
    mask: u32,
    (how, reach): (Combine, Reach),
    scalar: Scalar,
) {
    match scalar {
        // Truth values meet logic only, which leaves their unused bits zero.
        Scalar::Bool | Scalar::I8 => over::<u8, S>(rows, args, mask, how, reach),
        Scalar::I16 => over::<u16, S>(rows, args, mask, how, reach),
        Scalar::I32 => over::<u32, S>(rows, args, mask, how, reach),
        Scalar::I64 => over::<u64, S>(rows, args, mask, how, reach),
        Scalar::F16 => over::<half::f16, S>(rows, args, mask, how, reach),
        Scalar::Bf16 => over::<half::bf16, S>(rows, args, mask, how, reach),
        Scalar::F32 => over::<f32, S>(rows, args, mask, how, reach),
        Scalar::F64 => over::<f64, S>(rows, args, mask, how, reach),
    }
}

fn over<T: Combined, const S: usize>(rows: &mut Rows<S>, args: &Args, mask: u32, how: Combine, reach: Reach) {
    let is_active = |lane: usize| mask >> lane & 1 == 1;
    rows.across(args, |a: &[T; S]| {
        let mut result = [T::identity(how); S];
        let width = if let Reach::Clustered(width) = reach { width as usize } else { S };
        for (cluster, (a, result)) in a.chunks(width).zip(result.chunks_mut(width)).enumerate() {
            let mut sum = T::identity(how);
            for (place, (&a, result)) in a.iter().zip(result.iter_mut()).enumerate() {
                let before = sum;
                if is_active(cluster * width + place) {
                    sum = T::combine(how, sum, a);
                }
                *result = if reach == Reach::Exclusive { before } else { sum };
            }
            if matches!(reach, Reach::Reduce | Reach::Clustered(_)) {
                result.fill(sum);
            }
        }
        result
    });
}
