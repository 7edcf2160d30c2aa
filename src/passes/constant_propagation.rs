//! Replaces uses of results by what they are equal to; removes nothing. Results without uses stay as they
//! are, so that a second run finds nothing to do.

use super::context::Context;
use super::error::Error;
use super::fold::{Folded, fold};
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::integer_of;
use crate::ir::{Binary, Func, Inst, Ir, Op, Region, Value, VerifierError};
use crate::status::Status;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    rewrite(ir, body, &[&|rewriter, inst| replace(rewriter, inst, context.options.allows_unsafe_fp_math())])?;
    // Afterwards, since folding finds divisors that are zero.
    refuse_division_by_zero(ir, body, &|_| false)
}

/// Refuses a division by the integer zero, or by what is known to be it, whether or not its result is used.
pub(super) fn refuse_division_by_zero(
    ir: &Ir,
    body: Region,
    is_zero: &dyn Fn(Value) -> bool,
) -> Result<(), Error> {
    let mut first = None;
    ir.walk(body, &mut |inst| {
        if let Op::Binary(Binary { op, b, .. }) = ir[inst].op
            && op.is_division()
            && (integer_of(ir, b) == Some(0) || is_zero(b))
            && first.is_none()
        {
            let error = VerifierError::new(Status::IrDivisionByZero, ir[inst].location, op.spelling());
            first = Some(error.about(ir, &[b]));
        }
    });
    first.map_or(Ok(()), |error| Err(error.into()))
}

/// Makes the uses of a result be what it is equal to.
fn replace(rewriter: &mut Rewriter<'_>, inst: Inst, unsafe_fp_math: bool) -> Result<bool, Error> {
    let ir = &*rewriter.ir;
    let &[result] = ir[inst].results.as_slice() else { return Ok(false) };
    if !ir.is_used(result) {
        return Ok(false);
    }
    let (ty, location) = (ir.ty(result).clone(), ir[result].location);
    let Some(folded) = fold(ir, &ir[inst].op, &ty, unsafe_fp_math) else { return Ok(false) };
    let is_new = !matches!(folded, Folded::Value(_));
    let value = folded.emit(&mut rewriter.builder(inst)?, ty)?;
    if is_new {
        rewriter.ir[value].location = location;
    }
    rewriter.replace_uses(result, value);
    Ok(true)
}
