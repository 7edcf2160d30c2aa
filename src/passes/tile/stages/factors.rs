//! Factors of products that a loop loads, staged without copies of the program's own.

use super::super::super::emit::{self, Emit as _, Trips};
use super::super::super::error::Error;
use super::super::entry::mask;
use super::super::iteration::Iteration;
use super::legality::{check_source, local_bytes};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Boundaries, Boundary, Builder, Extent, For, Func, Inst, Ir,
    MatrixUse, Memref, Op, Region, TileCopy, TileLoad, Transpose,
};
use crate::schedule::Schedule;

/// Returns whether a loop that leaves its pipeline to the compiler stages its factors in local memory: the schedule prefers that, the engine
/// computes all products of the loop, and panels hold all of their factors.
pub(super) fn pays(ir: &Ir, func: Func, schedule: &Schedule, inst: Inst, info: &CoreInfo) -> bool {
    let (Op::For(op), Some(&region)) = (&ir[inst].op, ir[inst].regions.first()) else { return false };
    if !ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileDot(_))) {
        return false;
    }
    let iteration = Iteration::new(ir, region);
    let (mut products, mut bytes) = (0, 0);
    for inner in ir.insts(region) {
        let Op::TileDot(dot) = &ir[inner].op else { continue };
        let Some(depth) = schedule.panel_depth(ir, dot, info) else { return false };
        let lanes = i64::from(schedule.subgroup_size);
        let fits = [dot.a, dot.b].into_iter().all(|factor| {
            let (Some(load), Some(tile)) = (ir.defining_inst(factor), ir.ty(factor).tile()) else {
                return false;
            };
            let Op::TileLoad(op) = &ir[load].op else { return false };
            let (along, across) =
                if tile.usage == MatrixUse::A { (tile.cols, tile.rows) } else { (tile.rows, tile.cols) };
            bytes += along * across * tile.component.bytes();
            let is_known = [op.x, op.y, op.from].iter().all(|&value| iteration.is_known(value));
            let is_own = ir.parent(load) == Some(region) && ir.uses(factor).len() == 1;
            let is_plain = is_factor(ir, load) && !op.boundary.0.contains(&Boundary::Wrap);
            is_known && is_own && is_plain && along % depth == 0 && across % lanes == 0
        });
        if !fits {
            return false;
        }
        products += 1;
    }
    // Another factor would be staged, too, whatever it is for.
    let loads = ir.insts(region).filter(|&inner| is_factor(ir, inner)).count();
    let has_copies = ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileCopy(_)));
    let has_room = info.local_memory_size().is_some_and(|room| bytes + local_bytes(ir, func) <= room);
    let runs_once = trips(ir, op) == Trips::One;
    loads == 2 * products
        && has_room
        && !runs_once
        && !has_copies
        && !ir.ends_early(inst)
        && check_source(ir, inst).is_ok()
}

/// Iterations of a loop, as far as they are known.
fn trips(ir: &Ir, op: &For) -> Trips {
    match op.step {
        Some(step) => emit::trips(ir, op.from, op.to, step),
        None => Trips::Any,
    }
}

/// Makes loads of factors of global memory copies, and loads of these.
pub(super) fn copy_factors(ir: &mut Ir, func: Func, region: Region) -> Result<(), Error> {
    let loads: Vec<Inst> = ir.insts(region).filter(|&inst| is_factor(ir, inst)).collect();
    let Some(start) = ir.insts(ir[func].body).next() else { return Ok(()) };
    for inst in loads {
        let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
        let (Op::TileLoad(load), Some(tile)) = (ir[inst].op.clone(), tile) else { continue };
        let shape = [tile.rows, tile.cols].map(Extent::Static).to_vec();
        let memref = Memref::packed(tile.component, shape, AddressSpace::Local);
        let alloca = Alloca { attributes: AllocaAttributes::default(), stack_ptr: None };
        let to = Builder::before(ir, start)?.value(alloca, memref)?;
        let builder = &mut Builder::before(ir, inst)?;
        let TileLoad { transpose, boundary, from, x, y, .. } = load;
        builder.emit(TileCopy { transpose, boundary, from, x, y, to }, &[])?;
        let zero = builder.index(0)?;
        ir.update(inst, |op| {
            if let Op::TileLoad(load) = op {
                let boundary = Boundaries([Boundary::Unchecked; 2]);
                *load =
                    TileLoad { transpose: Transpose::N, boundary, from: to, x: zero, y: zero, other: None };
            }
        });
    }
    Ok(())
}

/// Returns whether an instruction loads a factor of global memory as it is.
fn is_factor(ir: &Ir, inst: Inst) -> bool {
    let Op::TileLoad(load) = &ir[inst].op else { return false };
    let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
    let is_global = ir.ty(load.from).memref().is_some_and(|memref| memref.space == AddressSpace::Global);
    let is_factor = tile.is_some_and(|tile| tile.usage != MatrixUse::Acc);
    is_factor && is_global && load.other.is_none() && mask(ir, inst).is_none()
}
