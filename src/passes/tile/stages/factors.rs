//! Factors of products that a loop loads, staged without copies of the program's own.

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use super::super::iteration::Iteration;
use super::legality::{check_source, local_bytes};
use crate::analysis::{Surfaces, integer_of};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Boundaries, Boundary, Builder, Extent, For, Func, Inst, Ir,
    MatrixUse, Memref, Op, Region, TileCopy, TileDot, TileLoad, Transpose, Use, Value,
};
use crate::schedule::{STAGED_ITERATIONS, Schedule};

/// The loads that a loop that leaves its pipeline to the compiler stages in local memory: of those factors of products that the
/// schedule prefers there. None if subgroups do not share one of these evenly.
pub(in super::super) fn preferred(
    ir: &Ir,
    func: Func,
    schedule: &Schedule,
    inst: Inst,
    info: &CoreInfo,
) -> Vec<Inst> {
    let (Op::For(op), Some(&region)) = (&ir[inst].op, ir[inst].regions.first()) else { return Vec::new() };
    let products = ir.insts(region).filter_map(|inner| {
        let Op::TileDot(dot) = &ir[inner].op else { return None };
        Some(dot)
    });
    let products: Vec<&TileDot> = products.collect();
    // Another loop may run this one for a few iterations only, of which the first then waits for its copies each time.
    let is_long = iterations(ir, op).is_some_and(|iterations| iterations >= STAGED_ITERATIONS);
    let may_wait = ir.loops_around(inst) > 0 && schedule.block_2d_io(info).is_some() && !is_long;
    if products.is_empty() || may_wait {
        return Vec::new();
    }
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let iteration = Iteration::new(ir, region);
    let (mut loads, mut bytes) = (Vec::new(), 0);
    for &dot in &products {
        let preferred = schedule.preferred_in_local_memory(ir, dot, &surfaces, info);
        for factor in
            [dot.a, dot.b].into_iter().zip(preferred).filter_map(|(factor, is)| is.then_some(factor))
        {
            // What the loop computes, or finds loaded, stays in registers.
            let (Some(inst), Some(tile)) = (load_of(ir, factor), ir.ty(factor).tile()) else { continue };
            let Op::TileLoad(load) = &ir[inst].op else { continue };
            if ir.parent(inst) != Some(region) {
                continue;
            }
            let (along, across) =
                if tile.usage == MatrixUse::A { (tile.cols, tile.rows) } else { (tile.rows, tile.cols) };
            bytes += along * across * tile.component.bytes();
            let is_known = [load.x, load.y, load.from].iter().all(|&value| iteration.is_known(value));
            let is_own = ir.uses(factor).len() == 1;
            let is_plain = is_factor(ir, inst) && !load.boundary.0.contains(&Boundary::Wrap);
            let lanes = i64::from(schedule.subgroup_size);
            let is_even = match schedule.panel_depth(ir, dot, info) {
                Some(depth) => along % depth == 0 && across % lanes == 0,
                None => tile.rows % lanes == 0,
            };
            if !(is_known && is_own && is_plain && is_even) {
                return Vec::new();
            }
            loads.push(inst);
        }
    }
    let pays = || {
        let has_copies = ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileCopy(_)));
        let has_room = info.local_memory_size().is_some_and(|room| bytes + local_bytes(ir, func) <= room);
        let runs_once = iterations(ir, op) == Some(1);
        let is_small = products.len() == 1 || schedule.stages_chained(bytes, info);
        has_room
            && is_small
            && !runs_once
            && !has_copies
            && !ir.ends_early(inst)
            && check_source(ir, inst).is_ok()
    };
    if !loads.is_empty() && pays() { loads } else { Vec::new() }
}

/// Returns whether a loop computes a product of factors that it loads.
pub(super) fn is_sum(ir: &Ir, inst: Inst) -> bool {
    let Some(&region) = ir[inst].regions.first() else { return false };
    let has_product = ir.insts(region).any(|inner| matches!(ir[inner].op, Op::TileDot(_)));
    has_product && ir.insts(region).any(|inner| is_factor(ir, inner))
}

/// The load that a factor is, or is promoted from.
fn load_of(ir: &Ir, factor: Value) -> Option<Inst> {
    let inst = ir.defining_inst(factor)?;
    let Op::Cast(cast) = &ir[inst].op else { return Some(inst) };
    ir.defining_inst(cast.a).filter(|&load| promotion(ir, load) == Some(inst))
}

/// The cast that alone uses what is loaded, next to the load, if a copy does the same.
fn promotion(ir: &Ir, load: Inst) -> Option<Inst> {
    let &[loaded] = ir[load].results.as_slice() else { return None };
    let &[Use { user, .. }] = ir.uses(loaded) else { return None };
    let to = matches!(ir[user].op, Op::Cast(_)).then(|| ir[user].results.first()).flatten()?;
    let [from, to] = [loaded, *to].map(|value| ir.ty(value).component());
    let promotes = from?.widens_to(to?) && ir.parent(user) == ir.parent(load);
    promotes.then_some(user)
}

/// The number of iterations of a loop, if it is known.
pub(super) fn iterations(ir: &Ir, op: &For) -> Option<i64> {
    let number = |value| integer_of(ir, value);
    let step = op.step.map_or(Some(1), number).filter(|&step| step > 0)?;
    let length = number(op.to)?.checked_sub(number(op.from)?)?;
    Some((length.max(0) - 1) / step + 1)
}

/// Loads of factors of global memory.
pub(super) fn all(ir: &Ir, region: Region) -> Vec<Inst> {
    ir.insts(region).filter(|&inst| is_factor(ir, inst)).collect()
}

/// Makes loads of factors of global memory copies in the type that products take, and loads of these.
pub(in super::super::super) fn copy_factors(ir: &mut Ir, func: Func, loads: Vec<Inst>) -> Result<(), Error> {
    let Some(start) = ir.insts(ir[func].body).next() else { return Ok(()) };
    for inst in loads {
        let cast = promotion(ir, inst);
        let target = cast.unwrap_or(inst);
        let result = ir[target].results.first().copied();
        let tile = result.and_then(|result| ir.ty(result).tile());
        let (Op::TileLoad(load), Some(tile), Some(result)) = (ir[inst].op.clone(), tile, result) else {
            continue;
        };
        let shape = [tile.rows, tile.cols].map(Extent::Static).to_vec();
        let memref = Memref::packed(tile.component, shape, AddressSpace::Local);
        let alloca = Alloca { attributes: AllocaAttributes::default(), stack_ptr: None };
        let to = Builder::before(ir, start)?.value(alloca, memref)?;
        let builder = &mut Builder::before(ir, inst)?;
        let TileLoad { transpose, boundary, from, x, y, .. } = load;
        builder.emit(TileCopy { transpose, boundary, from, x, y, to }, &[])?;
        let zero = builder.index(0)?;
        let boundary = Boundaries([Boundary::Unchecked; 2]);
        let load = TileLoad { transpose: Transpose::N, boundary, from: to, x: zero, y: zero, other: None };
        let staged = builder.value(load, tile)?;
        ir[staged].name = ir[result].name.take();
        ir.replace_all_uses(result, staged);
        cast.into_iter().for_each(|cast| ir.erase(cast));
        ir.erase(inst);
    }
    Ok(())
}

/// Returns whether an instruction loads a factor of global memory as it is, of numbers that local memory takes.
fn is_factor(ir: &Ir, inst: Inst) -> bool {
    let Op::TileLoad(load) = &ir[inst].op else { return false };
    let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
    let is_global = ir.ty(load.from).memref().is_some_and(|memref| memref.space == AddressSpace::Global);
    let is_factor = tile.is_some_and(|tile| {
        tile.usage != MatrixUse::Acc && (!tile.component.is_packed() || promotion(ir, inst).is_some())
    });
    is_factor && is_global && load.other.is_none() && ir.mask(inst).is_none()
}
