//! Puts `lifetime_stop` after the last use of each allocation (lowering reference 1.4).

use super::context::Context;
use super::error::Error;
use crate::analysis::BaseObjects;
use crate::ir::{Builder, Func, Inst, Ir, LifetimeStop, Region, SideEffect, Value};
use std::collections::{HashMap, HashSet};

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    process(ir, ir[func].body, &mut BaseObjects::default())?;
    Ok(())
}

/// Marks the allocations of a region and returns the bases used in it.
fn process(ir: &mut Ir, region: Region, bases: &mut BaseObjects) -> Result<HashSet<Value>, Error> {
    let insts: Vec<Inst> = ir.insts(region).collect();
    // A second run must not stop an allocation twice.
    let mut stopped: HashSet<Value> = HashSet::new();
    for op in insts.iter().map(|&inst| &ir[inst].op) {
        if op.info().side_effect == SideEffect::Deallocation {
            op.visit_operands(&mut |of| stopped.extend([of]));
        }
    }
    // The allocations that no use was met of yet, numbered in text order.
    let mut pending: HashMap<Value, usize> = insts
        .iter()
        .filter(|&&inst| ir[inst].op.info().side_effect == SideEffect::Allocation)
        .flat_map(|&inst| ir[inst].results.to_vec())
        .filter(|value| !stopped.contains(value))
        .zip(0..)
        .collect();
    let mut used = HashSet::new();
    for &inst in insts.iter().rev() {
        let mut here = HashSet::new();
        for inner in ir[inst].regions.clone() {
            here.extend(process(ir, inner, bases)?);
        }
        mark_bases(ir, inst, bases, &mut here);
        let mut ended: Vec<(usize, Value)> =
            here.iter().filter_map(|&value| pending.remove(&value).map(|number| (number, value))).collect();
        // In the order of their allocations.
        ended.sort_unstable();
        let mut builder = Builder::after(ir, inst)?;
        for (_, of) in ended {
            builder.emit(LifetimeStop { of }, &[])?;
        }
        used.extend(here);
    }
    Ok(used)
}

fn mark_bases(ir: &Ir, inst: Inst, bases: &mut BaseObjects, used: &mut HashSet<Value>) {
    let mut mark = |value: Value| {
        if ir.ty(value).memref().is_some() {
            used.insert(bases.of(ir, value));
        }
    };
    ir[inst].op.visit_operands(&mut mark);
    ir[inst].results.iter().for_each(|&value| mark(value));
}
