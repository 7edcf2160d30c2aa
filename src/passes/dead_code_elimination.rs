//! Removes unused values, branches that are never taken, ends of loops that never come, and loops that never run
//! (lowering reference 1.9).

use super::context::Context;
use super::error::Error;
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::{LoopBounds, constant_of};
use crate::ir::{BreakIf, Constant, Func, If, Inst, Ir, Op, Region, Value};

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    rewrite(ir, ir[func].body, &[&inline_taken_side, &erase_dead])
}

/// Puts the taken side of a branch with a constant condition in place of the branch.
fn inline_taken_side(rewriter: &mut Rewriter<'_>, inst: Inst) -> Result<bool, Error> {
    let taken = taken_side(rewriter.ir, inst);
    if let Some(taken) = taken {
        rewriter.inline(inst, taken)?;
    }
    Ok(taken.is_some())
}

fn taken_side(ir: &Ir, inst: Inst) -> Option<Region> {
    let Op::If(If { condition }) = ir[inst].op else { return None };
    let Constant::Bool(holds) = constant_of(ir, condition)? else { return None };
    let taken = ir[inst].regions.get(usize::from(!holds)).copied()?;
    let yielded = ir.yielded(taken);
    // A branch that breaks the rules of yield is left for the checks to find.
    let results = &ir[inst].results;
    let same_type = |(&value, &result): (&Value, &Value)| ir.ty(value) == ir.ty(result);
    (yielded.len() == results.len() && yielded.iter().zip(results).all(same_type)).then_some(taken)
}

fn erase_dead(rewriter: &mut Rewriter<'_>, inst: Inst) -> Result<bool, Error> {
    let is_dead = is_dead(rewriter.ir, inst);
    if is_dead {
        rewriter.erase(inst);
    }
    Ok(is_dead)
}

fn is_dead(ir: &Ir, inst: Inst) -> bool {
    let data = &ir[inst];
    if let Op::For(op) = &data.op {
        return data.results.is_empty() && LoopBounds::of(ir, op).is_empty();
    }
    if let Op::BreakIf(BreakIf { condition }) = data.op {
        return matches!(constant_of(ir, condition), Some(Constant::Bool(false)));
    }
    !ir.has_used_results(inst) && data.op.is_removable_if_unused()
}
