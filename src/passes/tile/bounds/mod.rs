//! Removes the checks of tiles that cannot reach beyond their memref (tile reference 2.9).
//!
//! What is not known when compiling is tested once in front of the tile code, by a branch that all work-items of a
//! work-group take alike: a fast version where every access is inside, or where 2D block messages clip it for nothing,
//! and the program as it is written for all other work-groups. Loops of the fast version end where their accesses may
//! leave the memref; a second loop, with checks, takes what is left.

mod accesses;
mod apart;
mod condition;
mod plan;
mod undefined;
mod versions;

use super::super::context::Context;
use super::super::error::{Error, internal};
use super::mask;
use crate::analysis::Surfaces;
use crate::ir::{Cursor, Family, Func, Inst, IoClass, Ir, Op, SideEffect};
use crate::schedule::Schedule;
use accesses::Access;
use plan::{Analysis, Plan, folded_loads, inner_values};
use versions::{specialize, specialize_alone, uncheck};

pub(in super::super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-bounds")?;
    mask::tighten(ir, ir[func].body)?;
    let Some(mut range) = hoist_scalars(ir, func)? else { return Ok(()) };
    let schedule = Schedule::of(ir, func)?;
    let has_blocks = schedule.has_io(IoClass::Block2d, info);
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let folded = folded_loads(ir, &range, &schedule, &surfaces, info);
    let mut analysis = Analysis { has_blocks, surfaces, folded, inner: inner_values(ir, &range) };
    for access in analysis.accesses(ir, &range).iter().filter(|access| !access.has_mask) {
        uncheck(ir, access.inst, access.is_inside);
    }
    // A product ends where either factor does, although NaN may be behind the end of one. On CPUs masks cost less than rows elsewhere.
    let stores = if context.options.allows_unsafe_fp_math() && !info.is_cpu() {
        undefined::run(ir, &range, &|ir, load| analysis.may_clip(ir, load))?
    } else {
        Vec::new()
    };
    if !stores.is_empty() {
        let Some(found) = hoist_scalars(ir, func)? else { return Ok(()) };
        (analysis.inner, range) = (inner_values(ir, &found), found);
    }
    let mut accesses = analysis.accesses(ir, &range);
    accesses.retain(|access| !stores.contains(&access.inst));
    let mut plans: Vec<Plan> = accesses.iter().map(|access| analysis.plan(ir, access)).collect();
    for (access, plan) in accesses.iter().zip(&plans) {
        let op = ir[access.inst].op.clone();
        context.decide(ir, func, Some(access.inst), || plan.describe(&op, access));
    }
    if are_apart(&accesses, &plans) {
        let all = accesses.into_iter().zip(plans);
        let (alone, others): (Vec<_>, Vec<_>) = all.partition(|(access, _)| access.iterations.is_empty());
        for (access, plan) in alone {
            let Some(&start) = range.first() else { continue };
            let branch = specialize_alone(ir, context, start, (&access, &plan))?;
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
