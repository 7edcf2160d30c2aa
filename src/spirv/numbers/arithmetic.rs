//! Arithmetic on numbers of all types, and casts (lowering reference 3.4).

use super::upper_half::UpperHalf;
use super::{complex, integer, minifloat, real};
use crate::ir::{BinaryOp, Minifloat, Scalar, UnaryOp};
use crate::spirv::error::Error;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

/// An operation on two numbers of one type.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct NumberBinary {
    pub op: BinaryOp,
    pub scalar: Scalar,
    /// The second number, if it is a known integer.
    pub right: Option<i64>,
}

impl NumberBinary {
    /// The result that the language defines, where SPIR-V leaves it open too.
    pub fn emit(self, module: &mut ModuleBuilder<'_>, a: Word, b: Word) -> Emitted<Word> {
        let compute = match self.op {
            BinaryOp::Div | BinaryOp::Rem if integer::may_overflow(self.scalar, self.right) => {
                integer::divide
            }
            BinaryOp::Cdiv => return divide_up(module, self, a, b),
            BinaryOp::Shl | BinaryOp::Shr if integer::may_exceed(self.scalar, self.right) => integer::shift,
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max => binary,
        };
        compute(module, self.op, self.scalar, a, b)
    }
}

/// Quotient, rounded up. Adding to the dividend first could overflow.
fn divide_up(module: &mut ModuleBuilder<'_>, op: NumberBinary, a: Word, b: Word) -> Emitted<Word> {
    let quotient = NumberBinary { op: BinaryOp::Div, ..op }.emit(module, a, b)?;
    let rest = NumberBinary { op: BinaryOp::Rem, ..op }.emit(module, a, b)?;
    let (ty, boolean) = (module.scalar_type(op.scalar)?, module.bool_type());
    let (zero, one) = (module.int_constant(op.scalar, 0)?, module.int_constant(op.scalar, 1)?);
    // The remainder has the sign of the dividend; a quotient that is not negative was cut.
    let has_rest = module.value(Op::INotEqual, boolean, &[rest, zero])?;
    let signs = module.value(Op::BitwiseXor, ty, &[rest, b])?;
    let is_cut = module.value(Op::SGreaterThanEqual, boolean, &[signs, zero])?;
    let rounds = module.value(Op::LogicalAnd, boolean, &[has_rest, is_cut])?;
    let addend = module.value(Op::Select, ty, &[rounds, one, zero])?;
    binary(module, BinaryOp::Add, op.scalar, quotient, addend)
}

/// Arithmetic on two numbers.
pub(in crate::spirv) fn binary(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::binary(module, op, scalar, a, b);
    }
    let (a, b) = (widen(module, scalar, a)?, widen(module, scalar, b)?);
    let wide = real::binary(module, op, scalar.computed_in(), a, b)?;
    round(module, scalar, wide)
}

/// Arithmetic on one number; `scalar` is its type.
pub(in crate::spirv) fn unary(
    module: &mut ModuleBuilder<'_>,
    op: UnaryOp,
    scalar: Scalar,
    a: Word,
) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::unary(module, op, scalar, a);
    }
    let wide = widen(module, scalar, a)?;
    let mut result = real::unary(module, op, scalar.computed_in(), wide)?;
    // Behind a barrier Intel's CPU compiler (runtime 2026.2) makes a negative again, from what the last subgroup had.
    if op == UnaryOp::Neg && scalar.is_float() && module.info.is_cpu() {
        result = from_memory(module, scalar.computed_in(), result)?;
    }
    round(module, scalar, result)
}

/// A number in the type that it is computed in.
pub(in crate::spirv) fn widen(module: &mut ModuleBuilder<'_>, scalar: Scalar, a: Word) -> Emitted<Word> {
    match scalar {
        Scalar::F8e4m3 => minifloat::widen(module, Minifloat::E4M3, a),
        Scalar::F8e5m2 => minifloat::widen(module, Minifloat::E5M2, a),
        Scalar::Bf16 => UpperHalf::BF16.widen(module, a),
        Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => Ok(a),
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => Ok(a),
    }
}

/// A number of the type that others are computed in, rounded to their type.
fn round(module: &mut ModuleBuilder<'_>, scalar: Scalar, wide: Word) -> Emitted<Word> {
    match scalar {
        Scalar::F8e4m3 => minifloat::round(module, Minifloat::E4M3, wide),
        Scalar::F8e5m2 => minifloat::round(module, Minifloat::E5M2, wide),
        Scalar::Bf16 => UpperHalf::BF16.round(module, wide),
        Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => Ok(wide),
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => Ok(wide),
    }
}

/// Converts a number.
pub(in crate::spirv) fn cast(
    module: &mut ModuleBuilder<'_>,
    from: Scalar,
    to: Scalar,
    a: Word,
) -> Emitted<Word> {
    let to_type = module.scalar_type(to)?;
    if from == to {
        return Ok(a);
    }
    if (from, to) == (Scalar::F8e5m2, Scalar::F16) {
        return UpperHalf::F8E5M2.widen(module, a);
    }
    if (from, to) == (Scalar::F8e4m3, Scalar::F16) {
        return minifloat::widen_to_half(module, a);
    }
    if (from, to) == (Scalar::F16, Scalar::F8e5m2) {
        return UpperHalf::F8E5M2.round(module, a);
    }
    // What is only stored goes through the type that it is computed in, whatever is on the other side.
    if from.computed_in() != from {
        let wide = widen(module, from, a)?;
        return cast(module, from.computed_in(), to, wide);
    }
    if to.computed_in() != to {
        let wide = cast(module, from, to.computed_in(), a)?;
        return round(module, to, wide);
    }
    if to.is_complex() && !from.is_complex() {
        let re = cast(module, from, to.component(), a)?;
        let im = module.zero(to.component())?;
        let value = module.value(Op::CompositeConstruct, to_type, &[re, im])?;
        return if module.info.is_cpu() { from_memory(module, to, value) } else { Ok(value) };
    }
    if module.scalar_type(from)? == to_type {
        return Ok(a);
    }
    let opcode = match (from.is_integer(), to.is_integer()) {
        (true, true) => Op::SConvert,
        (true, false) => Op::ConvertSToF,
        (false, true) => Op::ConvertFToS,
        (false, false) => Op::FConvert,
    };
    module.value(opcode, to_type, &[a])
}

/// A number that has been in memory, of which a driver's compiler knows nothing.
///
/// Intel's CPU compiler (runtime 2026.2) crashes in `sycl-kernel-reduce-cross-barrier-values` over vectors that are used before and
/// behind a barrier, and cheap to make again: complex parameters, and those of a number and a zero.
pub(in crate::spirv) fn from_memory(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    value: Word,
) -> Emitted<Word> {
    let (ty, alignment) = (module.scalar_type(scalar)?, alignment(scalar)?);
    let variable = module.function_variable(ty)?;
    module.store(variable, value, alignment)?;
    module.load_volatile(ty, variable, alignment)
}

/// The alignment of a number type in bytes.
pub(in crate::spirv) fn alignment(scalar: Scalar) -> Emitted<u32> {
    u32::try_from(scalar.bytes())
        .map_err(|_| Error::internal(format!("{scalar} has {} bytes", scalar.bytes())))
}
