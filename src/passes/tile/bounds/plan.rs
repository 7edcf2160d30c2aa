//! Conditions under which accesses of tiles need no checks.

use super::super::coordinate::Coordinate;
use super::accesses::{Access, all_insts, collect, is_inside};
use super::apart::stored_size;
use crate::analysis::{SurfaceAnswer, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{Boundary, Inst, Ir, Op, Value};
use crate::schedule::Schedule;
use std::collections::HashSet;

/// Conditions under which an access need not be checked.
#[derive(Default)]
pub(super) struct Plan {
    /// The memref is to be tested for a surface.
    pub tests_surface: bool,
    /// Modes whose coordinate is to be tested in front of the tile code.
    pub tested: [Option<Coordinate>; 2],
    /// Modes whose coordinate follows the counter of a loop.
    pub followed: [Option<(Inst, Coordinate)>; 2],
    /// Modes that wrap, but only rows that nobody stores: the size of what is stored, and the mode's own.
    pub wrapped: [Option<(Value, i64)>; 2],
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        !self.tests_surface
            && self.tested.iter().all(Option::is_none)
            && self.followed.iter().all(Option::is_none)
            && self.wrapped.iter().all(Option::is_none)
    }

    /// Checks of the access, and what takes them away.
    pub fn describe(&self, op: &Op, access: &Access) -> String {
        let mut parts = Vec::new();
        if self.tests_surface {
            parts.push("2D block messages if a test at run time says that they take the memref");
        }
        if access.boundary.contains(&Boundary::Undefined) {
            parts.push("rows or columns outside read as the last one, which nobody sees");
        }
        if self.tested.iter().any(Option::is_some) || self.followed.iter().any(Option::is_some) {
            parts.push("checks only in tiles at the edge");
        }
        if self.wrapped.iter().any(Option::is_some) {
            parts.push("what wraps is never stored and reads as zero");
        }
        if parts.is_empty() {
            let is_free = access.is_inside.iter().zip(access.boundary);
            let is_free = !access.has_mask
                && is_free.clone().all(|(&inside, boundary)| inside || boundary == Boundary::Unchecked);
            parts.push(if is_free { "no checks" } else { "checks by every access" });
        }
        format!("{}: {}", op.mnemonic(), parts.join(", "))
    }
}

pub(super) struct Analysis {
    pub has_blocks: bool,
    pub surfaces: Surfaces,
    /// Loads by 2D block messages from surfaces whose rows hold several columns each.
    pub folded: HashSet<Inst>,
    /// Values that nobody knows in front of the tile code.
    pub inner: HashSet<Value>,
}

/// The loads of factors that 2D blocks bring from surfaces whose rows hold several columns each.
pub(super) fn folded_loads(
    ir: &Ir,
    range: &[Inst],
    schedule: &Schedule,
    surfaces: &Surfaces,
    info: &CoreInfo,
) -> HashSet<Inst> {
    let mut loads = HashSet::new();
    for inst in all_insts(ir, range) {
        let Op::TileDot(dot) = &ir[inst].op else { continue };
        let factors = [dot.a, dot.b].into_iter().zip(schedule.reads_columns(ir, dot, surfaces, info));
        loads.extend(factors.filter_map(|(factor, is)| ir.defining_inst(factor).filter(|_| is)));
    }
    loads
}

/// The values that instructions and those in their regions define.
pub(super) fn inner_values(ir: &Ir, range: &[Inst]) -> HashSet<Value> {
    let mut values = HashSet::new();
    for inst in all_insts(ir, range) {
        values.extend(&ir[inst].results);
        ir[inst].regions.iter().for_each(|&region| values.extend(&ir[region].parameters));
    }
    values
}

impl Analysis {
    /// Returns whether 2D block messages may make an access, which then clip it for nothing.
    pub fn may_clip(&self, ir: &Ir, access: &Access) -> bool {
        let is_possible = !matches!(self.surfaces.answer(ir, access.memref), SurfaceAnswer::Never(_));
        self.has_blocks && (is_possible || self.folded.contains(&access.inst))
    }

    pub fn accesses(&self, ir: &Ir, range: &[Inst]) -> Vec<Access> {
        let mut accesses = Vec::new();
        for &inst in range {
            collect(ir, inst, &mut Vec::new(), &mut accesses);
        }
        for access in &mut accesses {
            access.is_inside = [0, 1].map(|mode| is_inside(ir, access, mode).unwrap_or(false));
        }
        accesses
    }

    pub fn plan(&self, ir: &Ir, access: &Access) -> Plan {
        let mut plan = Plan::default();
        if access.has_mask || self.inner.contains(&access.memref) {
            return plan;
        }
        let mut boundary = access.boundary;
        for (mode, (boundary, wrapped)) in boundary.iter_mut().zip(&mut plan.wrapped).enumerate() {
            if *boundary != Boundary::Wrap {
                continue;
            }
            *wrapped = stored_size(ir, access, mode);
            if wrapped.is_none() {
                return Plan::default();
            }
            *boundary = Boundary::Zero;
        }
        let needs = [0, 1].map(|mode: usize| {
            boundary.get(mode) == Some(&Boundary::Zero) && access.is_inside.get(mode) == Some(&false)
        });
        let is_free = !needs.contains(&true) && plan.wrapped.iter().all(Option::is_none);
        if self.folded.contains(&access.inst) {
            return plan;
        }
        if self.may_clip(ir, access) {
            let answer = self.surfaces.answer(ir, access.memref);
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
