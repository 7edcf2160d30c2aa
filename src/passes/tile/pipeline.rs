//! Software pipelines of loops that load tiles, in their prefetch form (tile reference 2.8).
//!
//! With `num_stages` = s, what a turn loads is fetched into the caches s - 1 turns before. The first s - 1 turns find
//! theirs fetched in front of the loop.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::Error;
use super::iteration::Iteration;
use crate::analysis::origin_of;
use crate::device::CoreInfo;
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Barrier, BarrierArrive, BarrierWait, BinaryOp, Builder, Built, Family, FenceGlobal,
    FenceLocal, For, Func, Inst, Ir, NumStages, Op, Pipeline, Region, SideEffect, Sync, TilePrefetch,
    Transpose, Value, ValueMap, VerifierError,
};
use crate::schedule::Schedule;
use crate::status::Status;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-pipeline")?;
    let mut loops = Vec::new();
    collect_loops(ir, ir[func].body, &mut loops);
    loops.into_iter().try_for_each(|inst| {
        let pipelined = pipeline(ir, func, inst, info)?;
        if let Some(Pipelined { distance, loads, sync }) = pipelined {
            context.decide(ir, func, Some(inst), || {
                let prefetches = match distance {
                    0 => "no tile is prefetched".to_owned(),
                    _ => format!("prefetch {distance} iterations ahead, of {loads} tiles"),
                };
                match sync {
                    Sync::Auto | Sync::None => prefetches,
                    Sync::Full => format!("{prefetches}, a barrier in each iteration"),
                    Sync::Split => format!("{prefetches}, a split barrier in each iteration"),
                }
            });
        }
        Ok(())
    })
}

/// Collects the loops of a region, those within another before it: what they synchronize counts for it.
fn collect_loops(ir: &Ir, region: Region, loops: &mut Vec<Inst>) {
    for inst in ir.insts(region) {
        ir[inst].regions.iter().for_each(|&inner| collect_loops(ir, inner, loops));
        if matches!(ir[inst].op, Op::For(_)) {
            loops.push(inst);
        }
    }
}

/// Pipeline of a loop that loads tiles.
struct Pipelined {
    /// Iterations that prefetches run ahead.
    distance: i32,
    /// Number of loads of tiles.
    loads: usize,
    /// The barrier that keeps subgroups together.
    sync: Sync,
}

fn pipeline(ir: &mut Ir, func: Func, inst: Inst, info: &CoreInfo) -> Result<Option<Pipelined>, Error> {
    let Op::For(op) = ir[inst].op.clone() else { return Ok(None) };
    let location = ir[inst].location;
    let refuse = |status, detail: String| Err(VerifierError::new(status, location, detail).into());
    let stages = op.attributes.num_stages.map(|stages| stages.0);
    // What that of the function is for in local memory has its stages.
    let of_function = ir[func].attributes.pipeline.filter(|&form| form != Pipeline::Slm);
    let form = op.attributes.pipeline.or(of_function).unwrap_or(Pipeline::Auto);
    let sync = op.attributes.sync.unwrap_or(Sync::Auto);
    let loads = loads(ir, inst);
    if form == Pipeline::Slm {
        return refuse(Status::NotImplemented, "`tile-stages` comes before this pass".to_owned());
    }
    if loads.is_empty() && form != Pipeline::None && stages.is_some_and(|stages| stages > 1) {
        let detail = format!(
            "num_stages={}, but the loop loads no tile of global memory whose place follows from its counter{}",
            stages.unwrap_or_default(),
            if loads_within(ir, inst) { ", those aside that a branch or a loop in it has" } else { "" }
        );
        return refuse(Status::IrTilePipelineDependence, detail);
    }
    let parts_halves = if has_barriers(ir, inst) { Some("has others") } else { None };
    let parts_halves = parts_halves.or_else(|| ir.ends_early(inst).then_some("may end"));
    if sync == Sync::Split
        && let Some(what) = parts_halves
    {
        let detail = format!(
            "sync \"split\", but between the halves of its barrier the loop {what}; \"full\" and \"none\" go"
        );
        return refuse(Status::IrTilePipelineDependence, detail);
    }
    let schedule = Schedule::of(ir, func)?;
    if matches!(sync, Sync::Full | Sync::Split) && schedule.blockwise(ir, func).is_some() {
        let detail = "sync \"full\" and \"split\" need tiles that all subgroups share evenly; \"none\" goes"
            .to_owned();
        return refuse(Status::IrTilePipelineDependence, detail);
    }
    if loads.is_empty() {
        synchronize(ir, inst, sync)?;
        return Ok(None);
    }
    let iterations = || schedule.prefetch_iterations(ir, func, stages, info);
    let distance = if form == Pipeline::None { 0 } else { iterations() };
    if distance > 0 {
        prefetch(ir, inst, &op, &loads, distance.into())?;
    }
    let sync =
        if parts_halves.is_some() && sync == Sync::Auto { Sync::None } else { schedule.sync(sync, distance) };
    synchronize(ir, inst, sync)?;
    ir.update(inst, |op| {
        let Op::For(For { attributes, .. }) = op else { return };
        if distance > 0 {
            attributes.num_stages = Some(NumStages(distance + 1));
        }
        if sync != Sync::None {
            attributes.sync = Some(sync);
        }
    });
    Ok(Some(Pipelined { distance, loads: loads.len(), sync }))
}

/// Returns whether the body of a loop has barriers, or what becomes some, as subgroups that hand tiles to each other through local
/// memory do; between the halves of another barrier they would be undefined (SPV_INTEL_split_barrier).
fn has_barriers(ir: &Ir, inst: Inst) -> bool {
    let mut found = false;
    for &region in &ir[inst].regions {
        ir.walk(region, &mut |inner| {
            let info = ir[inner].op.info();
            found |= info.side_effect == SideEffect::Synchronization || info.family == Family::LinearAlgebra;
            found |= matches!(ir[inner].op, Op::TileCopy(_));
            if let Op::TileStore(store) = &ir[inner].op {
                let memref = ir.ty(store.to).memref();
                found |= memref.is_some_and(|memref| memref.space == AddressSpace::Local);
            }
        });
    }
    found
}

/// Keeps the subgroups of a work-group together in each iteration of a loop. A barrier may be in front of what an iteration does;
/// one in two halves has the whole iteration between them, so that nobody waits who is less than an iteration ahead.
fn synchronize(ir: &mut Ir, inst: Inst, sync: Sync) -> Result<(), Error> {
    let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
    let ends = ir.insts(region).next().zip(ir.last_inst(region));
    let Some((first, last)) = ends else { return Ok(()) };
    match sync {
        Sync::Auto | Sync::None => {}
        Sync::Full => {
            let barrier = Barrier { global: FenceGlobal::No, local: FenceLocal::No };
            Builder::before(ir, first)?.emit(barrier, &[])?;
        }
        Sync::Split => {
            Builder::before(ir, first)?.emit(BarrierArrive {}, &[])?;
            let is_end = ir[last].op.info().side_effect == SideEffect::Terminator;
            let mut end = if is_end { Builder::before(ir, last)? } else { Builder::after(ir, last)? };
            end.emit(BarrierWait {}, &[])?;
        }
    }
    Ok(())
}

/// The loads of tiles of global memory in the body of a loop that depend on its counter.
fn loads(ir: &Ir, inst: Inst) -> Vec<Inst> {
    let Some(&region) = ir[inst].regions.first() else { return Vec::new() };
    let iteration = Iteration::new(ir, region);
    let is_wanted = |inner: &Inst| {
        let Op::TileLoad(load) = &ir[*inner].op else { return false };
        let is_global = ir.ty(load.from).memref().is_some_and(|memref| memref.space == AddressSpace::Global);
        let position = [load.x, load.y];
        is_global
            && iteration.is_known(load.from)
            && position.iter().all(|&value| iteration.is_known_beyond(value))
            && position.iter().any(|value| iteration.dependent.contains(value))
    };
    ir.insts(region).filter(is_wanted).collect()
}

/// Returns whether branches or loops in the body of a loop load tiles.
fn loads_within(ir: &Ir, inst: Inst) -> bool {
    let mut found = false;
    ir.walk_inst(inst, &mut |inner| {
        let is_own = ir.parent(inner).and_then(|region| ir.owner(region)) == Some(inst);
        found |= matches!(ir[inner].op, Op::TileLoad(_)) && !is_own;
    });
    found
}

/// Fetches what later iterations load, once its own loads are under way.
fn prefetch(ir: &mut Ir, inst: Inst, op: &For, loads: &[Inst], distance: i64) -> Result<(), Error> {
    let Some(&last) = loads.last() else { return Ok(()) };
    let Some(&region) = ir[inst].regions.first() else { return Ok(()) };
    let Some(&counter) = ir[region].parameters.first() else { return Ok(()) };
    let mut fetched: Vec<Fetched> = Vec::new();
    for load in loads.iter().filter_map(|&load| Fetched::of(ir, load)) {
        match fetched.iter_mut().find_map(|first| first.joined(ir, &load).map(|both| (first, both))) {
            Some((first, both)) => *first = both,
            None => fetched.push(load),
        }
    }
    let positions = fetched.iter().flat_map(|part| part.at);
    let arithmetic = Iteration::new(ir, region).arithmetic_of(ir, positions);
    let fetch = |builder: &mut Builder<'_>, counter: Value, at: Value| -> Built<()> {
        let mut values = ValueMap::from([(counter, at)]);
        builder.ir.copy_insts(&arithmetic, builder.cursor, &mut values)?;
        for &Fetched { location, of, at, extent: [rows, cols] } in &fetched {
            let [x, y] = at.map(|value| values.get(&value).copied().unwrap_or(value));
            let prefetch = TilePrefetch { level: 0, of, x, y, rows, cols };
            builder.at_location(location, |builder| builder.emit(prefetch, &[]))?;
        }
        Ok(())
    };
    let ty = ir.ty(counter).clone();
    let later = |builder: &mut Builder<'_>, from: Value, iterations: i64| -> Built<Value> {
        let iterations = builder.constant(crate::ir::Constant::Int(iterations), ty.clone())?;
        let length = match op.step {
            Some(step) => builder.binary(BinaryOp::Mul, step, iterations)?,
            None => iterations,
        };
        builder.binary(BinaryOp::Add, from, length)
    };
    let mut before = Builder::before(ir, inst)?;
    for iteration in 0..distance {
        let at = later(&mut before, op.from, iteration)?;
        fetch(&mut before, counter, at)?;
    }
    let mut behind = Builder::after(ir, last)?;
    let at = later(&mut behind, counter, distance)?;
    fetch(&mut behind, counter, at)?;
    Ok(())
}

/// Part of a memref that is fetched, as loads read it.
struct Fetched {
    location: Location,
    of: Value,
    at: [Value; 2],
    extent: [i32; 2],
}

impl Fetched {
    fn of(ir: &Ir, inst: Inst) -> Option<Fetched> {
        let Op::TileLoad(load) = &ir[inst].op else { return None };
        let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile())?;
        let mut extent = [i32::try_from(tile.rows).ok()?, i32::try_from(tile.cols).ok()?];
        if load.transpose == Transpose::T {
            extent.reverse();
        }
        Some(Fetched { location: ir[inst].location, of: load.from, at: [load.x, load.y], extent })
    }

    /// Both parts as one, if the other one begins where this one ends: larger parts take fewer messages.
    fn joined(&self, ir: &Ir, other: &Fetched) -> Option<Fetched> {
        let apart = |mode: usize| -> Option<i64> {
            let [(origin, start), (other_origin, other_start)] =
                [self.at.get(mode)?, other.at.get(mode)?].map(|&value| origin_of(ir, value));
            (origin == other_origin).then(|| other_start.checked_sub(start)).flatten()
        };
        let [[rows, cols], [other_rows, other_cols]] = [self.extent, other.extent];
        let extent = match [apart(0)?, apart(1)?] {
            [down, 0] if down == i64::from(rows) && cols == other_cols => {
                [rows.checked_add(other_rows)?, cols]
            }
            [0, right] if right == i64::from(cols) && rows == other_rows => {
                [rows, cols.checked_add(other_cols)?]
            }
            _ => return None,
        };
        (self.of == other.of).then_some(Fetched { extent, ..*self })
    }
}
