//! Replaces uses of results by what they are equal to; removes nothing. Results without uses stay as they
//! are, so that a second run finds nothing to do.

use super::context::Context;
use super::error::Error;
use super::fold::{Folded, fold};
use super::rewrite::Substitution;
use crate::analysis::{UseCounts, integer_of};
use crate::ir::{Binary, BinaryOp, ConstantInst, Func, Inst, Ir, Op, Region, Unary, UnaryOp, VerifierError};
use crate::status::Status;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let uses = UseCounts::new(ir, body);
    refuse_division_by_zero(ir, body, &uses)?;
    propagate(ir, body, context.unsafe_fp_math, &uses, &mut Substitution::default())
}

/// A division by a literal zero whose result is used. Divisors that folding finds to be zero are refused
/// when they are translated, should they still be live then, and by `dump-gcd`.
pub(super) fn refuse_division_by_zero(ir: &Ir, body: Region, uses: &UseCounts) -> Result<(), Error> {
    let mut first = None;
    ir.walk(body, &mut |inst| {
        if let Op::Binary(Binary { op: op @ (BinaryOp::Div | BinaryOp::Rem), b, .. }) = ir[inst].op
            && integer_of(ir, b) == Some(0)
            && ir[inst].results.iter().any(|&result| uses.is_used(result))
            && first.is_none()
        {
            let error = VerifierError::new(Status::IrDivisionByZero, ir[inst].location, op.spelling());
            first = Some(error.about(ir, &[b]));
        }
    });
    first.map_or(Ok(()), |error| Err(error.into()))
}

/// Definitions come before uses, so one walk in text order sees every operand after its replacement.
fn propagate(
    ir: &mut Ir,
    region: Region,
    unsafe_fp_math: bool,
    uses: &UseCounts,
    substitution: &mut Substitution,
) -> Result<(), Error> {
    let mut insts = Vec::new();
    for inst in ir[region].insts.clone() {
        substitution.apply(ir, inst);
        for inner in ir[inst].regions.clone() {
            propagate(ir, inner, unsafe_fp_math, uses, substitution)?;
        }
        if ir[inst].results.iter().any(|&result| uses.is_used(result)) {
            insts.extend(replace(ir, inst, unsafe_fp_math, substitution)?);
        }
        insts.push(inst);
    }
    ir[region].insts = insts;
    Ok(())
}

/// Notes what stands for the result of an instruction; returns the instruction that makes it, if a new
/// one is needed.
fn replace(
    ir: &mut Ir,
    inst: Inst,
    unsafe_fp_math: bool,
    substitution: &mut Substitution,
) -> Result<Option<Inst>, Error> {
    let &[result] = ir[inst].results.as_slice() else { return Ok(None) };
    let (ty, location) = (ir.ty(result).clone(), ir[inst].location);
    let new = match fold(ir, &ir[inst].op, &ty, unsafe_fp_math) {
        None => return Ok(None),
        Some(Folded::Value(value)) => {
            substitution.replace(result, value);
            return Ok(None);
        }
        Some(Folded::Constant(value)) => ir.create(ConstantInst { value }, &[ty], location)?,
        Some(Folded::Negative(a)) => ir.create(Unary { op: UnaryOp::Neg, a }, &[ty], location)?,
    };
    if let Some(&value) = ir[new].results.first() {
        ir[value].location = ir[result].location;
        substitution.replace(result, value);
    }
    Ok(Some(new))
}
