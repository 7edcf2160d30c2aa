//! Puts `lifetime_stop` after the last use of each allocation (`spec/lowering.md` 1.4).

use super::error::Error;
use super::manager::Settings;
use crate::analysis::root;
use crate::ir::{Func, Inst, Ir, LifetimeStop, Op, Region, Value};
use std::collections::HashSet;

pub(super) fn run(ir: &mut Ir, func: Func, _settings: &Settings<'_>) -> Result<(), Error> {
    process(ir, ir[func].body)?;
    Ok(())
}

/// Marks the allocations of a region and returns the roots used in it.
fn process(ir: &mut Ir, region: Region) -> Result<HashSet<Value>, Error> {
    let insts = ir[region].insts.clone();
    // A second run must not stop an allocation twice.
    let stopped: HashSet<Value> = insts
        .iter()
        .filter_map(|&inst| if let Op::LifetimeStop(stop) = &ir[inst].op { Some(stop.of) } else { None })
        .collect();
    let mut pending: Vec<Value> = insts
        .iter()
        .filter(|&&inst| matches!(ir[inst].op, Op::Alloca(_)))
        .flat_map(|&inst| ir[inst].results.to_vec())
        .filter(|value| !stopped.contains(value))
        .collect();
    let mut used = HashSet::new();
    let mut backwards = Vec::with_capacity(insts.len());
    for &inst in insts.iter().rev() {
        for inner in ir[inst].regions.clone() {
            used.extend(process(ir, inner)?);
        }
        mark_roots(ir, inst, &mut used);
        let (ended, still_pending) = pending.into_iter().partition(|alloca| used.contains(alloca));
        pending = still_pending;
        // Reversed, so that several stops come out in the order of their allocations.
        for of in Vec::into_iter(ended).rev() {
            backwards.push(ir.create(LifetimeStop { of }, &[], ir[inst].location)?);
        }
        backwards.push(inst);
    }
    backwards.reverse();
    ir[region].insts = backwards;
    Ok(used)
}

fn mark_roots(ir: &Ir, inst: Inst, used: &mut HashSet<Value>) {
    let mut mark = |value: Value| {
        if ir.ty(value).memref().is_some() {
            used.insert(root(ir, value));
        }
    };
    ir[inst].op.visit_operands(&mut mark);
    ir[inst].results.iter().for_each(|&value| mark(value));
}
