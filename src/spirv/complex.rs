//! Complex numbers: vectors of real and imaginary part (lowering reference 3.4).

use super::emitter::{Emitted, Emitter};
use super::{arithmetic, complex_division};
use crate::ir::{BinaryOp, Scalar, UnaryOp};
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// Real and imaginary part.
pub(super) fn parts(emitter: &mut Emitter<'_>, scalar: Scalar, a: Word) -> Emitted<[Word; 2]> {
    let part = emitter.scalar_type(scalar.component())?;
    let re = emitter.builder.composite_extract(part, None, a, [0])?;
    let im = emitter.builder.composite_extract(part, None, a, [1])?;
    Ok([re, im])
}

/// The number of a real and an imaginary part.
pub(super) fn from_parts(emitter: &mut Emitter<'_>, scalar: Scalar, parts: [Word; 2]) -> Emitted<Word> {
    let ty = emitter.scalar_type(scalar)?;
    emitter.value(Op::CompositeConstruct, ty, &parts)
}

pub(super) fn fma(emitter: &mut Emitter<'_>, part: Scalar, a: Word, b: Word, c: Word) -> Emitted<Word> {
    let ty = emitter.scalar_type(part)?;
    emitter.opencl(OpenclStd100Op::fma, ty, &[a, b, c])
}

/// a·b + c
pub(super) fn multiply_add(
    emitter: &mut Emitter<'_>,
    scalar: Scalar,
    a: Word,
    b: Word,
    c: Word,
) -> Emitted<Word> {
    let part = scalar.component();
    let [a_re, a_im] = parts(emitter, scalar, a)?;
    let [b_re, b_im] = parts(emitter, scalar, b)?;
    let [c_re, c_im] = parts(emitter, scalar, c)?;
    let minus_a_im = arithmetic::unary(emitter, UnaryOp::Neg, part, a_im)?;
    let re = fma(emitter, part, a_re, b_re, c_re)?;
    let re = fma(emitter, part, minus_a_im, b_im, re)?;
    let im = fma(emitter, part, a_re, b_im, c_im)?;
    let im = fma(emitter, part, a_im, b_re, im)?;
    from_parts(emitter, scalar, [re, im])
}

pub(super) fn binary(
    emitter: &mut Emitter<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let ty = emitter.scalar_type(scalar)?;
    match op {
        BinaryOp::Add => emitter.value(Op::FAdd, ty, &[a, b]),
        BinaryOp::Sub => emitter.value(Op::FSub, ty, &[a, b]),
        BinaryOp::Mul => {
            let zero = emitter.zero(scalar)?;
            multiply_add(emitter, scalar, a, b, zero)
        }
        BinaryOp::Div if emitter.unsafe_fp_math => divide(emitter, scalar, a, b),
        BinaryOp::Div => complex_division::divide(emitter, scalar, a, b),
        _ => emitter.not_implemented(format!("{op} of {scalar}")),
    }
}

/// a·conj(b) / |b|², which may overflow or underflow where the quotient does not.
fn divide(emitter: &mut Emitter<'_>, scalar: Scalar, a: Word, b: Word) -> Emitted<Word> {
    let part = scalar.component();
    let conjugate = unary(emitter, UnaryOp::Conj, scalar, b)?;
    let product = binary(emitter, BinaryOp::Mul, scalar, a, conjugate)?;
    let [re, im] = parts(emitter, scalar, b)?;
    let square = arithmetic::binary(emitter, BinaryOp::Mul, part, im, im)?;
    let square = fma(emitter, part, re, re, square)?;
    let mut quotient = parts(emitter, scalar, product)?;
    for word in &mut quotient {
        *word = arithmetic::binary(emitter, BinaryOp::Div, part, *word, square)?;
    }
    from_parts(emitter, scalar, quotient)
}

pub(super) fn unary(emitter: &mut Emitter<'_>, op: UnaryOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    let (ty, part) = (emitter.scalar_type(scalar)?, emitter.scalar_type(scalar.component())?);
    let [re, im] = parts(emitter, scalar, a)?;
    match op {
        // Free of overflow, unlike the root of the sum of squares.
        UnaryOp::Abs => emitter.opencl(OpenclStd100Op::hypot, part, &[re, im]),
        UnaryOp::Neg => emitter.value(Op::FNegate, ty, &[a]),
        UnaryOp::Conj => {
            let im = emitter.value(Op::FNegate, part, &[im])?;
            from_parts(emitter, scalar, [re, im])
        }
        UnaryOp::Im => Ok(im),
        UnaryOp::Re => Ok(re),
        UnaryOp::Not => emitter.not_implemented(format!("{op} of {scalar}")),
    }
}

/// Whether both parts are equal, or whether one differs.
pub(super) fn equal(
    emitter: &mut Emitter<'_>,
    scalar: Scalar,
    equal: bool,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let boolean = emitter.bool_type();
    let (compare, join) =
        if equal { (Op::FOrdEqual, Op::LogicalAnd) } else { (Op::FUnordNotEqual, Op::LogicalOr) };
    let [a_re, a_im] = parts(emitter, scalar, a)?;
    let [b_re, b_im] = parts(emitter, scalar, b)?;
    let re = emitter.value(compare, boolean, &[a_re, b_re])?;
    let im = emitter.value(compare, boolean, &[a_im, b_im])?;
    emitter.value(join, boolean, &[re, im])
}
