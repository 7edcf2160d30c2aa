//! Integer arithmetic where SPIR-V leaves the result open, but the language does not
//! (lowering reference 1.8).
//!
//! The quotient of the smallest integer and −1 wraps around, as all arithmetic does; their remainder is 0.
//! Of a shift only the bits of the amount count that can tell one bit of the number from another, as in
//! OpenCL C 6.3.10. Division by a zero that is known only at run time stays undefined.

use super::real::binary;
use crate::ir::{BinaryOp, Scalar};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

/// True if a quotient may wrap around, where `divisor` is the divisor if it is known.
pub(super) fn may_overflow(scalar: Scalar, divisor: Option<i64>) -> bool {
    scalar.is_integer() && divisor.is_none_or(|divisor| divisor == -1)
}

/// True if a shift may go too far, where `amount` is the amount if it is known.
pub(super) fn may_exceed(scalar: Scalar, amount: Option<i64>) -> bool {
    scalar.is_integer() && !amount.is_some_and(|amount| (0..8 * scalar.bytes()).contains(&amount))
}

/// Quotient or remainder for any divisor but 0. Where the divisor is −1, 1 is divided by in its place.
pub(super) fn divide(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let (ty, boolean) = (module.scalar_type(scalar)?, module.bool_type());
    let (minus_one, one) = (module.int_constant(scalar, -1)?, module.int_constant(scalar, 1)?);
    let negates = module.value(Op::IEqual, boolean, &[b, minus_one])?;
    let divisor = module.value(Op::Select, ty, &[negates, one, b])?;
    let result = binary(module, op, scalar, a, divisor)?;
    if op == BinaryOp::Rem {
        return Ok(result);
    }
    let negative = module.value(Op::SNegate, ty, &[a])?;
    module.value(Op::Select, ty, &[negates, negative, result])
}

/// A shift by any amount.
pub(super) fn shift(
    module: &mut ModuleBuilder<'_>,
    op: BinaryOp,
    scalar: Scalar,
    a: Word,
    b: Word,
) -> Emitted<Word> {
    let mask = module.int_constant(scalar, 8 * scalar.bytes() - 1)?;
    let amount = binary(module, BinaryOp::And, scalar, b, mask)?;
    binary(module, op, scalar, a, amount)
}
