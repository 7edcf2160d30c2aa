//! The fast version of tile code, in which accesses are not checked, in front of the program as it is written.

use super::super::super::context::{Context, Version};
use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::super::loops;
use super::accesses::{Access, all_insts};
use super::condition::Condition;
use super::plan::Plan;
use crate::ir::{
    AsSurface, BinaryOp, Boundary, Builder, CompareOp, For, ForAttributes, Inst, Ir, Op, StoreBoundary, Type,
    Value, ValueMap,
};
use std::collections::HashMap;

/// Puts a fast version of a single access next to it, after a test in front of `start`, where the tile code begins; returns the branch between
/// them, or the access if there is nothing to test.
pub(super) fn specialize_alone(
    ir: &mut Ir,
    context: &Context<'_>,
    start: Inst,
    (access, plan): (&Access, &Plan),
) -> Result<Inst, Error> {
    let location = ir[access.inst].location;
    let mut condition = Condition::default();
    condition.tested(&mut Builder::before(ir, start)?, access, plan)?;
    let Some(holds) = condition.value else { return Ok(access.inst) };
    let builder = &mut Builder::before(ir, access.inst)?;
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
pub(super) fn specialize(
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
pub(super) fn fast(
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
pub(super) fn uncheck_all(ir: &mut Ir, inst: Inst, access: &Access, modes: [bool; 2]) {
    if access.is_store {
        let both = modes.iter().zip(access.is_inside).all(|(&tested, inside)| tested || inside);
        return uncheck(ir, inst, [both; 2]);
    }
    uncheck(ir, inst, modes);
}

/// Makes modes that wrap read 0 outside.
pub(super) fn unwrap(ir: &mut Ir, inst: Inst, plan: &Plan) {
    if plan.wrapped.iter().all(Option::is_none) {
        return;
    }
    ir.update(inst, |op| {
        let Op::TileLoad(load) = op else { return };
        let modes = load.boundary.0.iter_mut().zip(&plan.wrapped);
        modes.filter(|(_, wrapped)| wrapped.is_some()).for_each(|(boundary, _)| *boundary = Boundary::Zero);
    });
}

/// Takes away the checks of some modes.
pub(super) fn uncheck(ir: &mut Ir, inst: Inst, modes: [bool; 2]) {
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

/// Ends a loop at the smallest of some limits, and takes the iterations that are left in a second loop, which needs no
/// pipeline and is returned.
pub(super) fn cut(ir: &mut Ir, inst: Inst, limits: &[Value]) -> Result<Option<Inst>, Error> {
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
