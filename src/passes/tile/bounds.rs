//! Removes the checks of tiles that cannot reach beyond their memref (tile reference 2.9).
//!
//! What is not known when compiling is tested once in front of the tile code, by a branch that all work-items of a
//! work-group take alike: a fast version where every access is inside, or where 2D block messages clip it for nothing,
//! and the program as it is written for all other work-groups. Loops of the fast version end where their accesses may
//! leave the memref; a second loop, with checks, takes what is left.

use super::super::context::{Context, Version};
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use super::super::loops;
use super::coordinate::{Coordinate, Iterations};
use super::mask;
use crate::analysis::{Interval, SurfaceAnswer, Surfaces};
use crate::ir::{
    AsSurface, Binary, BinaryOp, Boundary, Builder, CompareOp, Cursor, Family, For, ForAttributes, Func,
    Inst, IoClass, Ir, IsSurface, MatrixUse, Op, SideEffect, StoreBoundary, TileCopy, TileLoad, TileStore,
    Transpose, Type, Value, ValueMap,
};
use crate::schedule::Schedule;
use std::collections::{HashMap, HashSet};

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-bounds")?;
    mask::tighten(ir, ir[func].body)?;
    let Some(range) = hoist_scalars(ir, func)? else { return Ok(()) };
    let has_blocks = Schedule::of(ir, func)?.has_io(IoClass::Block2d, info);
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let analysis = Analysis { has_blocks, surfaces, inner: inner_values(ir, &range) };
    let accesses = analysis.accesses(ir, &range);
    for access in accesses.iter().filter(|access| !access.has_mask) {
        uncheck(ir, access.inst, access.is_inside);
    }
    let plans: Vec<Plan> = accesses.iter().map(|access| analysis.plan(ir, access, &accesses)).collect();
    for (access, plan) in accesses.iter().zip(&plans) {
        let op = ir[access.inst].op.clone();
        context.decide(ir, func, Some(access.inst), || access.describe(&op, plan));
    }
    let (mut accesses, mut plans, mut range) = (accesses, plans, range);
    if are_apart(&accesses, &plans) {
        let all = accesses.into_iter().zip(plans);
        let (alone, others): (Vec<_>, Vec<_>) = all.partition(|(access, _)| access.iterations.is_empty());
        for (access, plan) in alone {
            let branch = specialize_alone(ir, context, &access, &plan)?;
            range.iter_mut().filter(|inst| **inst == access.inst).for_each(|inst| *inst = branch);
        }
        (accesses, plans) = others.into_iter().unzip();
    }
    if plans.iter().all(Plan::is_empty) {
        return Ok(());
    }
    specialize(ir, context, &range, &accesses, &plans)
}

/// Moves scalar arithmetic in front of the first instruction on tiles; returns the instructions from there to the last
/// one whose results are used among them.
fn hoist_scalars(ir: &mut Ir, func: Func) -> Result<Option<Vec<Inst>>, Error> {
    let body: Vec<Inst> = ir.insts(ir[func].body).collect();
    let Some(first) = body.iter().position(|&inst| is_on_tiles(ir, inst)) else { return Ok(None) };
    let last = body.iter().rposition(|&inst| is_on_tiles(ir, inst)).unwrap_or(first);
    let range = body.get(first..=last).unwrap_or_default();
    let range = &extend_lifetimes(ir, range);
    let Some(&start) = range.first() else { return Ok(None) };
    let place = Cursor::before(ir, start);
    let place =
        place.ok_or_else(|| internal(ir[start].location, "an instruction outside of its function"))?;
    let mut staying: Vec<Inst> = Vec::new();
    for &inst in range {
        let data = &ir[inst];
        let mut is_free = data.op.info().side_effect == SideEffect::Pure && data.regions.is_empty();
        is_free &= !is_on_tiles(ir, inst);
        data.op.visit_operands(&mut |value| {
            is_free &= ir.defining_inst(value).is_none_or(|inst| !staying.contains(&inst));
        });
        if is_free {
            ir.move_inst(inst, place);
        } else {
            staying.push(inst);
        }
    }
    // A value that is used behind the range would have to leave the branch.
    let escapes = staying.iter().any(|&inst| {
        ir[inst].results.iter().any(|&result| {
            ir.uses(result).iter().any(|found| !staying.iter().any(|&inner| ir.is_within(found.user, inner)))
        })
    });
    Ok((!escapes).then_some(staying))
}

/// Moves the ends of lifetimes that began in front of the instructions behind them, since each of their versions would end
/// the lifetime; returns the others.
fn extend_lifetimes(ir: &mut Ir, range: &[Inst]) -> Vec<Inst> {
    let place = range.last().and_then(|&last| Cursor::after(ir, last));
    let mut staying = Vec::new();
    for &inst in range {
        let ends_outside = if let Op::LifetimeStop(stop) = &ir[inst].op {
            ir.defining_inst(stop.of).is_none_or(|start| !range.contains(&start))
        } else {
            false
        };
        match place.filter(|_| ends_outside) {
            Some(place) => ir.move_inst(inst, place),
            None => staying.push(inst),
        }
    }
    staying
}

fn is_on_tiles(ir: &Ir, inst: Inst) -> bool {
    let mut found = false;
    ir.walk_inst(inst, &mut |inner| {
        let data = &ir[inner];
        found |= data.op.info().family == Family::Tile
            || data.results.iter().any(|&result| ir.ty(result).tile().is_some());
    });
    found
}

/// An access of a tile to memory.
struct Access {
    inst: Inst,
    memref: Value,
    /// Position and extent along the modes of the memref.
    at: [Value; 2],
    extent: [i64; 2],
    boundary: [Boundary; 2],
    /// The mode along which a subgroup never has rows of A, or columns of B, of another one.
    outer_mode: Option<usize>,
    /// True if what is outside reads as a number other than 0.
    has_other: bool,
    is_store: bool,
    /// True if what is read becomes a factor of a product.
    is_of_factor: bool,
    /// True if a mask says what is there; nothing is known of such an access.
    has_mask: bool,
    /// Loops around it, outermost first, with their iterations.
    iterations: Vec<Iterations>,
    /// Modes that are known to stay inside.
    is_inside: [bool; 2],
}

impl Access {
    /// Checks of the access, and what takes them away.
    fn describe(&self, op: &Op, plan: &Plan) -> String {
        let mut parts = Vec::new();
        if plan.tests_surface {
            parts.push("2D block messages if a test at run time says that they take the memref");
        }
        if plan.tested.iter().any(Option::is_some) || plan.followed.iter().any(Option::is_some) {
            parts.push("checks only in tiles at the edge");
        }
        if plan.wrapped.iter().any(Option::is_some) {
            parts.push("what wraps is never stored and reads as zero");
        }
        if parts.is_empty() {
            let is_free = self.is_inside.iter().zip(self.boundary);
            let is_free = !self.has_mask
                && is_free.clone().all(|(&inside, boundary)| inside || boundary == Boundary::Unchecked);
            parts.push(if is_free { "no checks" } else { "checks by every access" });
        }
        format!("{}: {}", op.mnemonic(), parts.join(", "))
    }
}

/// Conditions under which an access need not be checked.
#[derive(Default)]
struct Plan {
    /// The memref is to be tested for a surface.
    tests_surface: bool,
    /// Modes whose coordinate is to be tested in front of the tile code.
    tested: [Option<Coordinate>; 2],
    /// Modes whose coordinate follows the counter of a loop.
    followed: [Option<(Inst, Coordinate)>; 2],
    /// Modes that wrap, but only rows that nobody stores: the size of what is stored, and the mode's own.
    wrapped: [Option<(Value, i64)>; 2],
}

impl Plan {
    fn is_empty(&self) -> bool {
        !self.tests_surface
            && self.tested.iter().all(Option::is_none)
            && self.followed.iter().all(Option::is_none)
            && self.wrapped.iter().all(Option::is_none)
    }
}

struct Analysis {
    has_blocks: bool,
    surfaces: Surfaces,
    /// Values that nobody knows in front of the tile code.
    inner: HashSet<Value>,
}

/// The values that instructions and those in their regions define.
fn inner_values(ir: &Ir, range: &[Inst]) -> HashSet<Value> {
    let mut values = HashSet::new();
    for inst in all_insts(ir, range) {
        values.extend(&ir[inst].results);
        ir[inst].regions.iter().for_each(|&region| values.extend(&ir[region].parameters));
    }
    values
}

impl Analysis {
    fn accesses(&self, ir: &Ir, range: &[Inst]) -> Vec<Access> {
        let mut accesses = Vec::new();
        for &inst in range {
            collect(ir, inst, &mut Vec::new(), &mut accesses);
        }
        for access in &mut accesses {
            access.is_inside = [0, 1].map(|mode| is_inside(ir, access, mode).unwrap_or(false));
        }
        accesses
    }

    fn plan(&self, ir: &Ir, access: &Access, all: &[Access]) -> Plan {
        let mut plan = Plan::default();
        if access.has_mask || self.inner.contains(&access.memref) {
            return plan;
        }
        let mut boundary = access.boundary;
        for (mode, (boundary, wrapped)) in boundary.iter_mut().zip(&mut plan.wrapped).enumerate() {
            if *boundary != Boundary::Wrap {
                continue;
            }
            *wrapped = stored_size(ir, access, mode, all);
            if wrapped.is_none() {
                return Plan::default();
            }
            *boundary = Boundary::Zero;
        }
        let needs = [0, 1].map(|mode: usize| {
            boundary.get(mode) == Some(&Boundary::Zero) && access.is_inside.get(mode) == Some(&false)
        });
        let is_free = !needs.contains(&true) && plan.wrapped.iter().all(Option::is_none);
        let answer = self.surfaces.answer(ir, access.memref);
        if self.has_blocks && !matches!(answer, SurfaceAnswer::Never(_)) {
            plan.tests_surface = if is_free {
                // Without checks the messages are still what brings factors as products take them.
                access.is_of_factor && !answer.is_known()
            } else {
                !answer.is_clipped()
            };
            return plan;
        }
        if is_free {
            return plan;
        }
        for (mode, (tested, followed)) in plan.tested.iter_mut().zip(&mut plan.followed).enumerate() {
            if !needs.get(mode).copied().unwrap_or(false) {
                continue;
            }
            let Some(&at) = access.at.get(mode) else { continue };
            let known = |value: Option<Value>| value.is_none_or(|value| !self.inner.contains(&value));
            match Coordinate::of(ir, at, &access.iterations) {
                Some((coordinate, None)) if known(coordinate.base) => *tested = Some(coordinate),
                Some((coordinate, Some(counted))) if known(coordinate.base) => {
                    let iterations = access.iterations.iter().find(|iterations| iterations.inst == counted);
                    if iterations.is_some_and(|iterations| known(Some(iterations.from))) {
                        *followed = Some((counted, coordinate));
                    }
                }
                _ => {}
            }
        }
        plan
    }
}

/// Collects the accesses of an instruction and of those in its regions; masks are left as they are.
fn collect(ir: &Ir, inst: Inst, iterations: &mut Vec<Iterations>, accesses: &mut Vec<Access>) {
    let data = &ir[inst];
    let has_mask = data.regions.first().is_some_and(|&mask| ir.last_inst(mask).is_some());
    match &data.op {
        Op::TileLoad(load) if !has_mask => accesses.extend(load_access(ir, inst, load, iterations)),
        Op::TileLoad(_) => {}
        Op::TileCopy(copy) => accesses.extend(copy_access(ir, inst, copy, iterations)),
        Op::TileStore(store) => accesses
            .extend(store_access(ir, inst, store, iterations).map(|access| Access { has_mask, ..access })),
        op => {
            let iteration = match op {
                Op::For(op) if !ir.ends_early(inst) => Iterations::of(ir, inst, op),
                _ => None,
            };
            let depth = iterations.len();
            iterations.extend(iteration);
            for &region in &data.regions {
                ir.insts(region).for_each(|inner| collect(ir, inner, iterations, accesses));
            }
            iterations.truncate(depth);
        }
    }
}

fn load_access(ir: &Ir, inst: Inst, load: &TileLoad, iterations: &[Iterations]) -> Option<Access> {
    let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile())?;
    // Of A the rows are the result's, of B the columns.
    let outer_mode = match (tile.usage, load.transpose) {
        (MatrixUse::A, Transpose::N) | (MatrixUse::B, Transpose::T) => Some(0),
        (MatrixUse::A, Transpose::T) | (MatrixUse::B, Transpose::N) => Some(1),
        (MatrixUse::Acc, _) => None,
    };
    Some(Access {
        inst,
        memref: load.from,
        at: [load.x, load.y],
        extent: in_memory([tile.rows, tile.cols], load.transpose),
        boundary: load.boundary.0,
        outer_mode,
        has_other: load.other.is_some(),
        is_store: false,
        is_of_factor: tile.usage != MatrixUse::Acc,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

fn copy_access(ir: &Ir, inst: Inst, copy: &TileCopy, iterations: &[Iterations]) -> Option<Access> {
    let shape = &ir.ty(copy.to).memref()?.shape;
    let shape: Vec<i64> = shape.iter().map(|extent| extent.value()).collect::<Option<_>>()?;
    let extent = match *shape.as_slice() {
        [rows, cols] => [rows, cols],
        [rows, cols, panels] => [rows.checked_mul(panels)?, cols],
        _ => return None,
    };
    Some(Access {
        inst,
        memref: copy.from,
        at: [copy.x, copy.y],
        extent: in_memory(extent, copy.transpose),
        boundary: copy.boundary.0,
        outer_mode: None,
        has_other: false,
        is_store: false,
        is_of_factor: true,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

fn store_access(ir: &Ir, inst: Inst, store: &TileStore, iterations: &[Iterations]) -> Option<Access> {
    let tile = ir.ty(store.value).tile()?;
    let boundary =
        if store.boundary == StoreBoundary::Checked { Boundary::Zero } else { Boundary::Unchecked };
    Some(Access {
        inst,
        memref: store.to,
        at: [store.x, store.y],
        extent: in_memory([tile.rows, tile.cols], store.transpose),
        boundary: [boundary; 2],
        outer_mode: None,
        has_other: false,
        is_store: true,
        is_of_factor: false,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

fn in_memory(mut extent: [i64; 2], transpose: Transpose) -> [i64; 2] {
    if transpose == Transpose::T {
        extent.reverse();
    }
    extent
}

/// Returns whether positions stay within a static size.
fn is_inside(ir: &Ir, access: &Access, mode: usize) -> Option<bool> {
    let size = ir.ty(access.memref).memref()?.shape.get(mode)?.value()?;
    let &at = access.at.get(mode)?;
    let &extent = access.extent.get(mode)?;
    let (first, last) = match Coordinate::of(ir, at, &access.iterations) {
        Some((coordinate, Some(_))) => coordinate.range()?,
        _ => {
            let Interval { min, max } = Interval::of(ir, at);
            (min, max)
        }
    };
    Some(first >= 0 && last.checked_add(extent)? <= size)
}

/// The size of what is stored from the rows that a wrapping load reads, if every store writes the rows at the same
/// positions: rows beyond the end then have no effect, whatever they are.
fn stored_size(ir: &Ir, access: &Access, mode: usize, all: &[Access]) -> Option<(Value, i64)> {
    if access.outer_mode != Some(mode) || access.has_other {
        return None;
    }
    let tile = ir[access.inst].results.first().and_then(|&result| ir.ty(result).tile())?;
    let is_row = tile.usage == MatrixUse::A;
    let mut found: Option<(Value, i64)> = None;
    if all.iter().any(|other| other.has_mask) {
        return None;
    }
    for store in all.iter().filter(|other| other.is_store) {
        let Op::TileStore(op) = &ir[store.inst].op else { return None };
        let store_mode = usize::from(is_row != (op.transpose == Transpose::N));
        let is_same = store.at.get(store_mode) == access.at.get(mode)
            && store.boundary.get(store_mode) == Some(&Boundary::Zero);
        let stored = (store.memref, i64::from(store_mode == 1));
        if !is_same || found.is_some_and(|found| found != stored) {
            return None;
        }
        found = Some(stored);
    }
    found
}

/// Takes away the checks of some modes.
fn uncheck(ir: &mut Ir, inst: Inst, modes: [bool; 2]) {
    if modes == [false; 2] {
        return;
    }
    ir.update(inst, |op| match op {
        Op::TileLoad(load) => {
            for (boundary, _) in load.boundary.0.iter_mut().zip(modes).filter(|(_, inside)| *inside) {
                *boundary = Boundary::Unchecked;
            }
            if load.boundary.uniform() == Some(Boundary::Unchecked) {
                load.other = None;
            }
        }
        Op::TileCopy(copy) => {
            for (boundary, _) in copy.boundary.0.iter_mut().zip(modes).filter(|(_, inside)| *inside) {
                *boundary = Boundary::Unchecked;
            }
        }
        Op::TileStore(store) if modes == [true; 2] => store.boundary = StoreBoundary::Unchecked,
        _ => {}
    });
}

/// Returns whether only accesses outside of loops are to be tested: then each has a fast version of its own, and loops between
/// them have one version.
fn are_apart(accesses: &[Access], plans: &[Plan]) -> bool {
    let mut has_loop = false;
    let tests = |plan: &Plan| plan.tested.iter().any(Option::is_some);
    let is_apart = accesses.iter().zip(plans).all(|(access, plan)| {
        has_loop |= !access.iterations.is_empty();
        let tests_more = plan.tests_surface || plan.wrapped.iter().any(Option::is_some);
        !tests_more && (access.iterations.is_empty() || !tests(plan))
    });
    is_apart && has_loop
}

/// Puts a fast version of a single access next to it; returns the branch between them, or the access if there is nothing to test.
fn specialize_alone(ir: &mut Ir, context: &Context<'_>, access: &Access, plan: &Plan) -> Result<Inst, Error> {
    let location = ir[access.inst].location;
    let builder = &mut Builder::before(ir, access.inst)?;
    let mut condition = Condition::default();
    condition.tested(builder, access, plan)?;
    let Some(holds) = condition.value else { return Ok(access.inst) };
    let results = builder.ir[access.inst].results.clone();
    let types: Vec<Type> = results.iter().map(|&result| builder.ir.ty(result).clone()).collect();
    let copied = |builder: &mut Builder<'_>, unchecked: [bool; 2], version: Version| {
        let mut values = ValueMap::new();
        builder.ir.copy_insts(&[access.inst], builder.cursor, &mut values)?;
        if let Some(copy) = builder.cursor.previous(builder.ir) {
            uncheck_all(builder.ir, copy, access, unchecked);
            context.are_version([copy], version);
        }
        Ok(results.iter().filter_map(|result| values.get(result).copied()).collect())
    };
    let tested = [0, 1].map(|mode: usize| plan.tested.get(mode).is_some_and(Option::is_some));
    let chosen = builder.branch::<Error>(
        holds,
        &types,
        |builder| copied(builder, tested, Version::Fast),
        |builder| copied(builder, [false; 2], Version::Edge),
    )?;
    let branch = builder.cursor.previous(builder.ir);
    results.iter().zip(chosen).for_each(|(&result, chosen)| ir.replace_all_uses(result, chosen));
    ir.erase(access.inst);
    branch.ok_or_else(|| internal(location, "a branch is missing"))
}

/// Puts a fast version in front of the program as it is written.
fn specialize(
    ir: &mut Ir,
    context: &Context<'_>,
    range: &[Inst],
    accesses: &[Access],
    plans: &[Plan],
) -> Result<(), Error> {
    let Some(&start) = range.first() else { return Ok(()) };
    let location = ir[start].location;
    let mut limits: Vec<(Inst, Vec<Value>)> = Vec::new();
    let builder = &mut Builder::before(ir, start)?;
    let mut condition = Condition::default();
    for (access, plan) in accesses.iter().zip(plans) {
        if plan.tests_surface {
            condition.surface(builder, access.memref)?;
        }
        condition.tested(builder, access, plan)?;
        for (mode, followed) in plan.followed.iter().enumerate() {
            let (Some((counted, coordinate)), Some(&extent)) = (followed, access.extent.get(mode)) else {
                continue;
            };
            let iterations = access.iterations.iter().find(|iterations| iterations.inst == *counted);
            let iterations = iterations.ok_or_else(|| internal(location, "a loop is missing"))?;
            let first = coordinate.at(builder, iterations.from)?;
            condition.not_negative(builder, first)?;
            let limit = coordinate.limit(builder, access.memref, mode, extent)?;
            match limits.iter_mut().find(|(inst, _)| inst == counted) {
                Some((_, list)) => list.push(limit),
                None => limits.push((*counted, vec![limit])),
            }
        }
        for (mode, wrapped) in plan.wrapped.iter().enumerate() {
            let Some((stored, stored_mode)) = *wrapped else { continue };
            let mode = i64::from(mode == 1);
            let [stored, loaded] = [builder.size(stored, stored_mode)?, builder.size(access.memref, mode)?];
            let covers = builder.compare(CompareOp::LessThanEqual, stored, loaded)?;
            condition.require(builder, covers)?;
        }
    }
    let Some(holds) = condition.value else {
        // Only loops are to be cut, and whatever their length is, they may be.
        return fast(ir, context, [range, range], accesses, plans, &limits);
    };
    let mut values = ValueMap::new();
    let mut copies = Vec::new();
    builder.branch::<Error>(
        holds,
        &[],
        |builder| {
            builder.ir.copy_insts(range, builder.cursor, &mut values)?;
            copies = builder.ir.insts(builder.cursor.region()).collect();
            Ok(Vec::new())
        },
        |builder| {
            range.iter().for_each(|&inst| builder.ir.move_inst(inst, builder.cursor));
            Ok(Vec::new())
        },
    )?;
    context.are_version(all_insts(ir, range), Version::General);
    fast(ir, context, [range, &copies], accesses, plans, &limits)
}

/// Makes a copy of the tile code the fast version.
fn fast(
    ir: &mut Ir,
    context: &Context<'_>,
    [range, copies]: [&[Inst]; 2],
    accesses: &[Access],
    plans: &[Plan],
    limits: &[(Inst, Vec<Value>)],
) -> Result<(), Error> {
    let copy_of: HashMap<Inst, Inst> = all_insts(ir, range).into_iter().zip(all_insts(ir, copies)).collect();
    let copy = |inst: Inst| copy_of.get(&inst).copied().unwrap_or(inst);
    context.are_version(all_insts(ir, copies), Version::Fast);
    let mut surfaces: Vec<(Value, Value)> = Vec::new();
    for (access, plan) in accesses.iter().zip(plans) {
        let inst = copy(access.inst);
        if plan.tests_surface {
            let known = surfaces.iter().find(|(memref, _)| *memref == access.memref).map(|&(_, known)| known);
            let surface = match (known, copies.first()) {
                (Some(known), _) => known,
                (None, Some(&first)) => {
                    let ty = ir.ty(access.memref).clone();
                    let surface = Builder::before(ir, first)?.value(AsSurface { of: access.memref }, ty)?;
                    surfaces.push((access.memref, surface));
                    surface
                }
                (None, None) => continue,
            };
            ir.update(inst, |op| match op {
                Op::TileLoad(load) => load.from = surface,
                Op::TileStore(store) => store.to = surface,
                Op::TileCopy(copy) => copy.from = surface,
                _ => {}
            });
        }
        unwrap(ir, inst, plan);
        let tested = [0, 1].map(|mode: usize| plan.tested.get(mode).is_some_and(Option::is_some));
        uncheck_all(ir, inst, access, tested);
    }
    for (counted, limits) in limits {
        let rest = cut(ir, copy(*counted), limits)?;
        context.are_version(all_insts(ir, rest.as_slice()), Version::Edge);
        for (access, plan) in accesses.iter().zip(plans) {
            let follows = |mode: usize| {
                plan.followed
                    .get(mode)
                    .is_some_and(|found| found.as_ref().is_some_and(|(inst, _)| inst == counted))
            };
            uncheck_all(ir, copy(access.inst), access, [follows(0), follows(1)]);
        }
    }
    Ok(())
}

/// A store has one check for both modes, so that it goes only with both.
fn uncheck_all(ir: &mut Ir, inst: Inst, access: &Access, modes: [bool; 2]) {
    if access.is_store {
        let both = modes.iter().zip(access.is_inside).all(|(&tested, inside)| tested || inside);
        return uncheck(ir, inst, [both; 2]);
    }
    uncheck(ir, inst, modes);
}

/// Makes modes that wrap read 0 outside.
fn unwrap(ir: &mut Ir, inst: Inst, plan: &Plan) {
    if plan.wrapped.iter().all(Option::is_none) {
        return;
    }
    ir.update(inst, |op| {
        let Op::TileLoad(load) = op else { return };
        let modes = load.boundary.0.iter_mut().zip(&plan.wrapped);
        modes.filter(|(_, wrapped)| wrapped.is_some()).for_each(|(boundary, _)| *boundary = Boundary::Zero);
    });
}

/// The instructions and those in their regions, in text order.
fn all_insts(ir: &Ir, insts: &[Inst]) -> Vec<Inst> {
    let mut all = Vec::new();
    insts.iter().for_each(|&inst| ir.walk_inst(inst, &mut |inner| all.push(inner)));
    all
}

/// Ends a loop at the smallest of some limits, and takes the iterations that are left in a second loop, which needs no
/// pipeline and is returned.
fn cut(ir: &mut Ir, inst: Inst, limits: &[Value]) -> Result<Option<Inst>, Error> {
    let Some((&first, others)) = limits.split_first() else { return Ok(None) };
    let builder = &mut Builder::before(ir, inst)?;
    let mut limit = first;
    for &other in others {
        limit = builder.binary(BinaryOp::Min, limit, other)?;
    }
    let rest = loops::split(ir, inst, limit)?;
    ir.update(rest, |op| {
        if let Op::For(For { attributes, .. }) = op {
            *attributes = ForAttributes::default();
        }
    });
    Ok(Some(rest))
}

/// Conditions of the fast version.
#[derive(Default)]
struct Condition {
    value: Option<Value>,
    surfaces: Vec<Value>,
}

impl Condition {
    fn require(&mut self, builder: &mut Builder<'_>, holds: Value) -> Result<(), Error> {
        self.value = Some(match self.value {
            Some(a) => builder.folded(Binary { op: BinaryOp::And, a, b: holds }, Type::Bool)?,
            None => holds,
        });
        Ok(())
    }

    fn surface(&mut self, builder: &mut Builder<'_>, memref: Value) -> Result<(), Error> {
        if self.surfaces.contains(&memref) {
            return Ok(());
        }
        self.surfaces.push(memref);
        let holds = builder.value(IsSurface { of: memref }, Type::Bool)?;
        self.require(builder, holds)
    }

    fn not_negative(&mut self, builder: &mut Builder<'_>, value: Value) -> Result<(), Error> {
        if Interval::of(builder.ir, value).min >= 0 {
            return Ok(());
        }
        let zero = builder.index(0)?;
        let holds = builder.compare(CompareOp::GreaterThanEqual, value, zero)?;
        self.require(builder, holds)
    }

    /// Requires that the modes of an access that are to be tested are inside.
    fn tested(&mut self, builder: &mut Builder<'_>, access: &Access, plan: &Plan) -> Result<(), Error> {
        for (mode, tested) in plan.tested.iter().enumerate() {
            let (Some(coordinate), Some(&extent)) = (tested, access.extent.get(mode)) else { continue };
            self.inside(builder, coordinate, access.memref, mode, extent)?;
        }
        Ok(())
    }

    fn inside(
        &mut self,
        builder: &mut Builder<'_>,
        coordinate: &Coordinate,
        memref: Value,
        mode: usize,
        extent: i64,
    ) -> Result<(), Error> {
        let zero = builder.index(0)?;
        let at = coordinate.at(builder, zero)?;
        self.not_negative(builder, at)?;
        let extent = builder.index(extent)?;
        let end = builder.binary(BinaryOp::Add, at, extent)?;
        let size = builder.size(memref, i64::from(mode == 1))?;
        let holds = builder.compare(CompareOp::LessThanEqual, end, size)?;
        self.require(builder, holds)
    }
}
