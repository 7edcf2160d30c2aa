//! Complex numbers: vectors of real and imaginary part (lowering reference 3.4).

use super::parts::fma;
pub(in crate::spirv) use super::parts::{from_parts, parts};
use super::{complex_division, real};
use crate::ir::{BinaryOp, Scalar, UnaryOp};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// a·b + c
pub(in crate::spirv) fn multiply_add(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    a: Word,
    b: Word,
    c: Word,
) -> Emitted<Word> {
    let part = scalar.component();
    let [a_re, a_im] = parts(module, scalar, a)?;
    let [b_re, b_im] = parts(module, scalar, b)?;
    let [c_re, c_im] = parts(module, scalar, c)?;
    let minus_a_im = real::unary(module, UnaryOp::Neg, part, a_im)?;
    let re = fma(module, part, a_re, b_re, c_re)?;
    let re = fma(module, part, minus_a_im, b_im, re)?;
    let im = fma(module, part, a_re, b_im, c_im)?;
    let im = fma(module, part, a_im, b_re, im)?;
    from_parts(module, scalar, [re, im])
}

pub(super) fn binary(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    match op {
        BinaryOp::Add => sum(module, Op::FAdd, scalar, a, b),
        BinaryOp::Sub => sum(module, Op::FSub, scalar, a, b),
        BinaryOp::Mul => {
            let zero = module.zero(scalar)?;
            multiply_add(module, scalar, a, b, zero)
        }
        BinaryOp::Div if module.unsafe_fp_math => divide(module, scalar, a, b),
        BinaryOp::Div => complex_division::divide(module, scalar, a, b),
        _ => module.not_implemented(format!("{op} of {scalar}")),
    }
}

/// A sum or difference.
///
/// Intel's CPU compiler (runtime 2026.2) fills 15 GB for one part of a vector of two f64 that lives across a barrier, so processors get
/// each part by itself. With c32 that would double the time of that compiler.
fn sum(module: &mut ModuleBuilder<'_>, op: Op, scalar: Scalar, a: Word, b: Word) -> Emitted<Word> {
    if !module.info.is_cpu() || scalar != Scalar::C64 {
        let ty = module.scalar_type(scalar)?;
        return module.value(op, ty, &[a, b]);
    }
    let part = module.scalar_type(scalar.component())?;
    let [a_re, a_im] = parts(module, scalar, a)?;
    let [b_re, b_im] = parts(module, scalar, b)?;
    let re = module.value(op, part, &[a_re, b_re])?;
    let im = module.value(op, part, &[a_im, b_im])?;
    from_parts(module, scalar, [re, im])
}

/// a·conj(b) / |b|², which may overflow or underflow where the quotient does not.
fn divide(module: &mut ModuleBuilder<'_>, scalar: Scalar, a: Word, b: Word) -> Emitted<Word> {
    let part = scalar.component();
    let conjugate = unary(module, UnaryOp::Conj, scalar, b)?;
    let product = binary(module, BinaryOp::Mul, scalar, a, conjugate)?;
    let [re, im] = parts(module, scalar, b)?;
    let square = real::binary(module, BinaryOp::Mul, part, im, im)?;
    let square = fma(module, part, re, re, square)?;
    let mut quotient = parts(module, scalar, product)?;
    for word in &mut quotient {
        *word = real::binary(module, BinaryOp::Div, part, *word, square)?;
    }
    from_parts(module, scalar, quotient)
}

pub(super) fn unary(module: &mut ModuleBuilder<'_>, op: UnaryOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    let (ty, part) = (module.scalar_type(scalar)?, module.scalar_type(scalar.component())?);
    let [re, im] = parts(module, scalar, a)?;
    match op {
        // Free of overflow, unlike the root of the sum of squares.
        UnaryOp::Abs => module.opencl(OpenclStd100Op::hypot, part, &[re, im]),
        UnaryOp::Neg => module.value(Op::FNegate, ty, &[a]),
        UnaryOp::Conj => {
            let im = module.value(Op::FNegate, part, &[im])?;
            from_parts(module, scalar, [re, im])
        }
        UnaryOp::Im => Ok(im),
        UnaryOp::Re => Ok(re),
        UnaryOp::Not => module.not_implemented(format!("{op} of {scalar}")),
    }
}

/// Returns whether both parts are equal, or whether one differs.
pub(in crate::spirv) fn equal(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    equal: bool,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let boolean = module.bool_type();
    let (compare, join) =
        if equal { (Op::FOrdEqual, Op::LogicalAnd) } else { (Op::FUnordNotEqual, Op::LogicalOr) };
    let [a_re, a_im] = parts(module, scalar, a)?;
    let [b_re, b_im] = parts(module, scalar, b)?;
    let re = module.value(compare, boolean, &[a_re, b_re])?;
    let im = module.value(compare, boolean, &[a_im, b_im])?;
    module.value(join, boolean, &[re, im])
}
