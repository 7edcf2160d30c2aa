//! Arithmetic on integers and on the floating-point numbers that SPIR-V computes with (lowering reference 3.4).

use crate::ir::{BinaryOp, Scalar, UnaryOp};
use crate::spirv::error::Error;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// Arithmetic on two numbers.
pub(super) fn binary(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let ty = module.scalar_type(scalar)?;
    let opcode = match (op, scalar.is_float()) {
        // Index arithmetic on constants is folded, which every level wants.
        (BinaryOp::Add, false) if scalar.bytes() == 8 => return module.add(a, b),
        (BinaryOp::Mul, false) if scalar.bytes() == 8 => return module.mul(a, b),
        (BinaryOp::Add, false) => Op::IAdd,
        (BinaryOp::Sub, false) => Op::ISub,
        (BinaryOp::Mul, false) => Op::IMul,
        (BinaryOp::Div, false) => Op::SDiv,
        (BinaryOp::Rem, false) => Op::SRem,
        (BinaryOp::Shl, _) => Op::ShiftLeftLogical,
        (BinaryOp::Shr, _) => Op::ShiftRightArithmetic,
        (BinaryOp::And, _) => Op::BitwiseAnd,
        (BinaryOp::Or, _) => Op::BitwiseOr,
        (BinaryOp::Xor, _) => Op::BitwiseXor,
        (BinaryOp::Min | BinaryOp::Max, false) if module.info.is_cpu() => {
            return extremum(module, op, ty, a, b);
        }
        (BinaryOp::Min, false) => return module.opencl(OpenclStd100Op::s_min, ty, &[a, b]),
        (BinaryOp::Max, false) => return module.opencl(OpenclStd100Op::s_max, ty, &[a, b]),
        (BinaryOp::Add, true) => Op::FAdd,
        (BinaryOp::Sub, true) => Op::FSub,
        (BinaryOp::Mul, true) => Op::FMul,
        (BinaryOp::Div, true) => Op::FDiv,
        (BinaryOp::Rem, true) => Op::FRem,
        (BinaryOp::Cdiv, _) => return Err(Error::internal("a rounded quotient has no instruction")),
        (BinaryOp::Min, true) => return module.opencl(OpenclStd100Op::fmin, ty, &[a, b]),
        (BinaryOp::Max, true) => return module.opencl(OpenclStd100Op::fmax, ty, &[a, b]),
    };
    module.value(opcode, ty, &[a, b])
}

/// The smaller or larger one of two integers by a comparison. Intel's compiler for CPUs takes the result of the
/// function for it as different in each work-item, and gathers from addresses that depend on it.
fn extremum(module: &mut ModuleBuilder<'_>, op: BinaryOp, ty: Word, a: Word, b: Word) -> Emitted<Word> {
    let boolean = module.bool_type();
    let compare = if op == BinaryOp::Min { Op::SLessThan } else { Op::SGreaterThan };
    let is_first = module.value(compare, boolean, &[a, b])?;
    module.value(Op::Select, ty, &[is_first, a, b])
}

/// Arithmetic on one number; `scalar` is its type.
pub(super) fn unary(module: &mut ModuleBuilder<'_>, op: UnaryOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    let ty = module.scalar_type(scalar)?;
    match (op, scalar.is_float()) {
        (UnaryOp::Abs, false) => module.opencl(OpenclStd100Op::s_abs, ty, &[a]),
        (UnaryOp::Abs, true) => module.opencl(OpenclStd100Op::fabs, ty, &[a]),
        (UnaryOp::Neg, false) => module.value(Op::SNegate, ty, &[a]),
        (UnaryOp::Neg, true) => module.value(Op::FNegate, ty, &[a]),
        (UnaryOp::Not, _) => module.value(Op::Not, ty, &[a]),
        // A real number is its own conjugate and real part; the rules admit complex operands only.
        (UnaryOp::Conj | UnaryOp::Re | UnaryOp::Im, _) => Ok(a),
    }
}
