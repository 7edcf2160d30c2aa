//! Chains of products whose intermediates stay in registers.
//!
//! In `tmp := α·A·B` followed by `C := γ·tmp·D + β·C` each subgroup needs those rows of tmp only that it computes itself,
//! and holds them as the second product takes its first factor. In `C := γ·D·tmp + β·C` it needs all of tmp, from where the
//! multiply-adds of a GPU read single entries. Computed there, tmp needs neither memory nor a barrier.

use super::error::Error;
use super::rewrite::Rewriter;
use crate::analysis::{ChainLink, factor_of};
use crate::ir::{AddressSpace, Func, Gemm, Inst, Ir, Op, Value};

/// The products that make factors of one another and of the last one, as their schedules say; `None` if one of them is missing.
pub(super) fn scheduled(ir: &Ir, inst: Inst, last: &Gemm) -> Option<Vec<ChainLink>> {
    let mut links: Vec<ChainLink> = Vec::new();
    let (mut consumer, mut gemm) = (inst, last.clone());
    while let Some(makes) = gemm.schedule.as_ref().and_then(|schedule| schedule.chained) {
        let link = ChainLink::of(ir, consumer, &gemm, makes)?;
        (consumer, gemm) = (link.inst, link.gemm.clone());
        links.push(link);
    }
    links.reverse();
    Some(links)
}

/// Returns whether another product is computed with this one, of which it makes a factor.
pub(super) fn is_link(ir: &Ir, inst: Inst, op: &Gemm) -> bool {
    ir.uses(op.c).iter().any(|found| {
        let Op::Gemm(user) = &ir[found.user].op else { return false };
        let chained = user.schedule.as_ref().and_then(|schedule| schedule.chained);
        found.user != inst && chained.is_some_and(|factor| factor_of(user, factor) == op.c)
    })
}

/// Returns whether a function has local memory, of its own or of its callers, that is not what lies between products of a chain.
fn has_local_memory(ir: &Ir, func: Func) -> bool {
    let is_local =
        |value: Value| ir.ty(value).memref().is_some_and(|memref| memref.space == AddressSpace::Local);
    let mut found = ir[ir[func].body].parameters.iter().any(|&value| is_local(value));
    ir.walk(ir[func].body, &mut |inst| {
        let data = &ir[inst];
        let is_between = |value: Value| {
            ir.uses(value).iter().any(|found| {
                matches!(&ir[found.user].op, Op::Gemm(op) if op.c == value && is_link(ir, found.user, op))
            })
        };
        found |= matches!(data.op, Op::Alloca(_)) && !data.results.iter().any(|&value| is_between(value));
    });
    found
}

/// Removes the products of a chain, what they made, and the barriers if no other local memory is left that these could be for. What
/// they read has its lifetime end behind them.
pub(super) fn erase(
    links: Vec<ChainLink>,
    last: Inst,
    rewriter: &mut Rewriter<'_>,
    func: Func,
) -> Result<(), Error> {
    let behind = rewriter.builder(last)?.cursor;
    for &end in links.iter().flat_map(|link| &link.between.ends) {
        rewriter.ir.move_inst(end, behind);
    }
    rewriter.erase(last);
    for link in links.iter().rev() {
        link.lifetime.iter().chain([&link.inst]).for_each(|&inst| rewriter.erase(inst));
        rewriter.erase(link.alloca);
    }
    if !has_local_memory(rewriter.ir, func) {
        links.iter().filter_map(|link| link.between.barrier).for_each(|barrier| rewriter.erase(barrier));
    }
    Ok(())
}
