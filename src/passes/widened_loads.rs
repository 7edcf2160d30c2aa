//! Loads of factors of bytes that are only widened, in the layout that the casts' results have.

use super::context::Context;
use super::error::Error;
use crate::analysis::Surfaces;
use crate::ir::{Builder, Coopmatrix, Func, Inst, Ir, Op, Type};
use crate::schedule::{AccessTarget, MatrixCode, Schedule};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("widened-loads")?;
    let mut loads: Vec<Inst> = Vec::new();
    ir.walk(ir[func].body, &mut |inst| loads.extend(is_load_of_bytes(ir, inst).then_some(inst)));
    if loads.is_empty() {
        return Ok(());
    }
    let schedule = &Schedule::of(ir, func)?;
    let surfaces = &Surfaces::new(ir, func, info.default_alignment());
    let code = &MatrixCode::of(ir, func, schedule, info);
    let target = AccessTarget { ir, surfaces, schedule, code, info };
    let widened = |inst: Inst| Some((inst, target.widened(*ir[inst].results.first()?)?));
    let widened: Vec<(Inst, Coopmatrix)> = loads.into_iter().filter_map(widened).collect();
    for (inst, ty) in widened {
        let op = ir[inst].op.clone();
        let loaded = ir[inst].results.first().copied();
        let value = Builder::before(ir, inst)?.value(op, Type::Coopmatrix(ty))?;
        loaded.into_iter().for_each(|loaded| ir.replace_all_uses(loaded, value));
        ir.erase(inst);
    }
    Ok(())
}

fn is_load_of_bytes(ir: &Ir, inst: Inst) -> bool {
    let loaded = ir[inst].results.first().and_then(|&result| ir.ty(result).coopmatrix());
    matches!(ir[inst].op, Op::CoopmatrixLoad(_)) && loaded.is_some_and(|loaded| loaded.component.bytes() == 1)
}
