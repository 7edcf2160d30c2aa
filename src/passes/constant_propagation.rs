//! Replaces uses of results by what they are equal to; removes nothing.

use super::error::Error;
use super::fold::{Folded, fold};
use super::manager::Settings;
use super::rewrite::Substitution;
use crate::ir::{ConstantInst, Func, Inst, Ir, Region, Unary, UnaryOp};

pub(super) fn run(ir: &mut Ir, func: Func, settings: &Settings<'_>) -> Result<(), Error> {
    propagate(ir, ir[func].body, settings.unsafe_fp_math, &mut Substitution::default())
}

/// Definitions come before uses, so one walk in text order sees every operand after its replacement.
fn propagate(
    ir: &mut Ir,
    region: Region,
    unsafe_fp_math: bool,
    substitution: &mut Substitution,
) -> Result<(), Error> {
    let mut insts = Vec::new();
    for inst in ir[region].insts.clone() {
        substitution.apply(ir, inst);
        for inner in ir[inst].regions.clone() {
            propagate(ir, inner, unsafe_fp_math, substitution)?;
        }
        insts.extend(replace(ir, inst, unsafe_fp_math, substitution)?);
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
