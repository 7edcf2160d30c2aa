//! Removes unused values, branches that are never taken, and loops that never run
//! (`spec/lowering.md` 1.9).

use super::context::Context;
use super::error::Error;
use super::rewrite::Substitution;
use crate::analysis::{LoopBounds, UseCounts, constant_of};
use crate::ir::{Constant, Func, If, Inst, Ir, Op, Region, Value};

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    splice_branches(ir, body, &mut Substitution::default());
    let mut uses = UseCounts::new(ir, body);
    sweep(ir, body, &mut uses);
    Ok(())
}

/// Puts the taken side of each branch with a constant condition in place of the branch.
fn splice_branches(ir: &mut Ir, region: Region, substitution: &mut Substitution) {
    let mut pending: Vec<Inst> = std::mem::take(&mut ir[region].insts);
    pending.reverse();
    let mut insts = Vec::new();
    while let Some(inst) = pending.pop() {
        substitution.apply(ir, inst);
        if let Some(taken) = taken_side(ir, inst, substitution) {
            let mut spliced = std::mem::take(&mut ir[taken].insts);
            // Without results a `yield` may stand anywhere, and does nothing.
            for end in spliced.extract_if(.., |inst| matches!(ir[*inst].op, Op::Yield(_))).collect::<Vec<_>>()
            {
                if let Op::Yield(end) = &ir[end].op {
                    let values = end.values.clone();
                    for (&result, mut value) in ir[inst].results.clone().iter().zip(values) {
                        // At once, or else a chain of branches would make every use follow the whole chain.
                        substitution.resolve(&mut value);
                        substitution.replace(result, value);
                    }
                }
                ir.remove_inst(end);
            }
            // Examined again, since a spliced branch may be constant too.
            pending.extend(spliced.into_iter().rev());
            ir.remove_inst(inst);
            continue;
        }
        for inner in ir[inst].regions.clone() {
            splice_branches(ir, inner, substitution);
        }
        insts.push(inst);
    }
    ir[region].insts = insts;
}

fn taken_side(ir: &Ir, inst: Inst, substitution: &Substitution) -> Option<Region> {
    let Op::If(If { condition }) = ir[inst].op else { return None };
    let Constant::Bool(holds) = constant_of(ir, condition)? else { return None };
    let taken = ir[inst].regions.get(usize::from(!holds)).copied()?;
    let yielded: &[Value] = match ir[taken].insts.last().map(|&last| &ir[last].op) {
        Some(Op::Yield(end)) => &end.values,
        _ => &[],
    };
    // A branch that breaks the rules of yield is left for the checks to find.
    let results = &ir[inst].results;
    let same_type = |(&value, &result): (&Value, &Value)| {
        let mut value = value;
        substitution.resolve(&mut value);
        ir.ty(value) == ir.ty(result)
    };
    let fits = yielded.len() == results.len() && yielded.iter().zip(results).all(same_type);
    fits.then_some(taken)
}

/// Removes what is dead, last to first, so that operands of dead instructions die with them.
fn sweep(ir: &mut Ir, region: Region, uses: &mut UseCounts) {
    let mut kept = Vec::new();
    for inst in ir[region].insts.clone().into_iter().rev() {
        if is_dead(ir, inst, uses) {
            uses.remove(ir, inst);
            ir.remove_inst(inst);
            continue;
        }
        for inner in ir[inst].regions.clone() {
            sweep(ir, inner, uses);
        }
        kept.push(inst);
    }
    kept.reverse();
    ir[region].insts = kept;
}

fn is_dead(ir: &Ir, inst: Inst, uses: &UseCounts) -> bool {
    let data = &ir[inst];
    if let Op::For(op) = &data.op {
        return data.results.is_empty() && LoopBounds::of(ir, op).is_empty();
    }
    let is_unused = !data.results.iter().any(|&value| uses.is_used(value));
    is_unused && data.op.is_removable_if_unused()
}
