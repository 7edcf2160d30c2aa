//! Rules that parser and verifier leave to lowering (language reference 5, marked `[L]`) and that need no
//! device. They are checked before anything is removed, so that every level decides alike.

use super::error::Error;
use crate::ir::{
    CoopmatrixApply, Func, Inst, Ir, Op, Region, Results, SideEffect, Type, Value, VerifierError, Yield,
};
use crate::status::Status;

/// Checks every instruction of a function.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    check_region(ir, ir[func].body, Yields::Never)
}

/// Yields that a region may have.
#[derive(Clone, Copy, PartialEq)]
enum Yields {
    /// There must be no `yield`, not even an empty one.
    Never,
    /// `yield ()` does nothing.
    Nothing,
    /// The last instruction yields what was checked elsewhere.
    AtTheEnd,
}

fn check_region(ir: &Ir, region: Region, yields: Yields) -> Result<(), Error> {
    for inst in ir.insts(region) {
        let data = &ir[inst];
        if let Op::Yield(end) = &data.op {
            check_yield(ir, inst, end, yields, ir.last_inst(region) == Some(inst))?;
        }
        if let Op::CoopmatrixApply(apply) = &data.op {
            result_of_apply(ir, inst, apply)?;
        }
        ir.check_lowering(inst)?;
        let info = data.op.info();
        let inner = match (info.results, info.side_effect) {
            _ if !data.results.is_empty() => Yields::AtTheEnd,
            // Nothing may ever take what the region would yield.
            (Results::None, SideEffect::Regions) => Yields::Never,
            _ => Yields::Nothing,
        };
        for &nested in &data.regions {
            check_region(ir, nested, inner)?;
        }
    }
    Ok(())
}

fn check_yield(ir: &Ir, inst: Inst, end: &Yield, yields: Yields, is_last: bool) -> Result<(), Error> {
    let (status, detail) = match yields {
        Yields::Nothing if end.values.is_empty() => return Ok(()),
        Yields::AtTheEnd if is_last => return Ok(()),
        Yields::Never => (Status::IrUnexpectedYield, "nothing takes what this region yields".to_owned()),
        Yields::AtTheEnd => (Status::IrUnexpectedYield, "it must be the last of its region".to_owned()),
        Yields::Nothing => {
            let values: Vec<String> = end.values.iter().map(|&value| ir.describe(value)).collect();
            (Status::IrYieldMismatch, format!("{}, but there are no results", values.join(", ")))
        }
    };
    Err(VerifierError::new(status, ir[inst].location, detail).about(ir, &end.values).into())
}

/// The value that the body of an apply yields for an entry.
pub(super) fn result_of_apply(ir: &Ir, inst: Inst, apply: &CoopmatrixApply) -> Result<Value, Error> {
    let data = &ir[inst];
    let expected = ir.ty(apply.matrix).component().map_or(Type::Bool, Type::Scalar);
    let last = data.regions.first().and_then(|&region| ir.last_inst(region));
    let Some((last, Op::Yield(end))) = last.map(|last| (last, &ir[last].op)) else {
        let detail = format!("the body must end in `yield` of one {expected}");
        return Err(VerifierError::new(Status::IrMustHaveYield, data.location, detail).into());
    };
    let &[result] = end.values.as_slice() else {
        let detail = format!("{} values instead of one {expected}", end.values.len());
        return Err(VerifierError::new(Status::IrYieldMismatch, ir[last].location, detail).into());
    };
    if *ir.ty(result) != expected {
        let detail = format!("{}, but the entries are {expected}", ir.describe(result));
        let error = VerifierError::new(Status::IrNumberMismatch, ir[last].location, detail);
        return Err(error.about(ir, &[result]).into());
    }
    Ok(result)
}
