//! Barriers in two halves, with products between them (SPV_INTEL_split_barrier).
//!
//! Who arrives has done what it does to local memory, and who waits may rely on that of all others. In between may lie what neither
//! reads what was written before the first half, nor writes what was accessed there. Where a pipeline has three buffers or more, that
//! is a whole iteration: what it reads came in front of the barrier before, and nobody waits who is less than it ahead.

use super::context::Context;
use super::error::Error;
use crate::analysis::BaseObjects;
use crate::device::SpirvFeature;
use crate::ir::{
    Access, AddressSpace, Barrier, BarrierArrive, BarrierWait, Builder, FenceGlobal, FenceLocal, Func, Inst,
    Ir, Memref, Op, Region, RegionKind, SideEffect, Value,
};
use std::ops::Range;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    if !context.device("split-barriers")?.have(SpirvFeature::SplitBarrier) {
        return Ok(());
    }
    let mut barriers = Vec::new();
    // Between collective instructions, `insert-barrier` puts whole ones.
    ir.walk(ir[func].body, &mut |inst| {
        for &region in ir[inst].regions.iter().filter(|&&region| ir[region].kind == RegionKind::Spmd) {
            ir.walk(region, &mut |inner| barriers.extend(is_local(&ir[inner].op).then_some(inner)));
        }
    });
    let mut bases = BaseObjects::default();
    for barrier in barriers {
        split(ir, barrier, &mut bases)?;
    }
    Ok(())
}

/// Returns whether an instruction is a barrier that orders accesses to local memory only.
fn is_local(op: &Op) -> bool {
    matches!(op, Op::Barrier(Barrier { global: FenceGlobal::No, local: FenceLocal::Yes }))
}

/// Puts halves in the place of a barrier, if products can lie between them.
fn split(ir: &mut Ir, barrier: Inst, bases: &mut BaseObjects) -> Result<(), Error> {
    let Some(region) = ir.parent(barrier).filter(|_| end_of_window(ir, barrier, &[], bases).is_some()) else {
        return Ok(());
    };
    let Before { mut own, outer } = Before::of(ir, region, barrier, bases);
    let alone = end_of_window(ir, barrier, &own, bases);
    own.extend(outer);
    let end = match end_of_window(ir, barrier, &own, bases) {
        Some(end) => end,
        None => match (alone, loop_of(ir, region)) {
            // What lies in front of a loop is in the way of its first iteration only.
            (Some(end), Some(around)) => {
                let barrier = Barrier { global: FenceGlobal::No, local: FenceLocal::Yes };
                Builder::before(ir, around)?.emit(barrier, &[])?;
                end
            }
            _ => return Ok(()),
        },
    };
    Builder::before(ir, barrier)?.emit(BarrierArrive {}, &[])?;
    Builder::after(ir, end)?.emit(BarrierWait {}, &[])?;
    ir.erase(barrier);
    Ok(())
}

/// The loop that a region is the body of.
fn loop_of(ir: &Ir, region: Region) -> Option<Inst> {
    ir.owner(region).filter(|&owner| matches!(ir[owner].op, Op::For(_)))
}

/// An access to some bytes of local memory.
struct LocalAccess {
    bytes: Range<i64>,
    writes: bool,
}

impl LocalAccess {
    /// Access to whatever there is.
    const ANY: LocalAccess = LocalAccess { bytes: 0..i64::MAX, writes: true };

    fn conflicts(&self, other: &LocalAccess) -> bool {
        let meet = self.bytes.start < other.bytes.end && other.bytes.start < self.bytes.end;
        meet && (self.writes || other.writes)
    }
}

/// The accesses of an instruction and its regions to local memory.
fn local_accesses(ir: &Ir, inst: Inst, bases: &mut BaseObjects) -> Vec<LocalAccess> {
    let mut accesses = Vec::new();
    ir.walk_inst(inst, &mut |inner| {
        ir[inner].op.visit_accesses(&mut |value, access| {
            let writes = match access {
                Access::Read => false,
                Access::Write | Access::ReadWrite => true,
                Access::Value | Access::Alias => return,
            };
            if ir.ty(value).memref().is_some_and(|memref| memref.space == AddressSpace::Local) {
                accesses.push(LocalAccess { bytes: bytes_of(ir, bases.of(ir, value)), writes });
            }
        });
    });
    accesses
}

/// The bytes of local memory that a base object has.
fn bytes_of(ir: &Ir, base: Value) -> Range<i64> {
    let Some(Op::Alloca(alloca)) = ir.defining_op(base) else { return LocalAccess::ANY.bytes };
    let size = ir.ty(base).memref().and_then(Memref::size_in_bytes);
    match (alloca.stack_ptr, size) {
        (Some(start), Some(size)) => start..start.saturating_add(size),
        _ => LocalAccess::ANY.bytes,
    }
}

/// Accesses to local memory that a barrier orders and the one before it does not.
struct Before {
    /// Those in the region of the barrier, in the iteration before as well if it is the body of a loop.
    own: Vec<LocalAccess>,
    /// Those in front of it.
    outer: Vec<LocalAccess>,
}

impl Before {
    fn of(ir: &Ir, region: Region, barrier: Inst, bases: &mut BaseObjects) -> Before {
        let mut own = Vec::new();
        let mut outer = Vec::new();
        if !gather(ir, ir.previous_inst(barrier), &mut own, bases) {
            match loop_of(ir, region) {
                Some(around) => {
                    gather(ir, ir.last_inst(region), &mut own, bases);
                    if !gather(ir, ir.previous_inst(around), &mut outer, bases)
                        && let Some(region) = ir.parent(around)
                    {
                        gather_around(ir, region, &mut outer, bases);
                    }
                }
                None => gather_around(ir, region, &mut own, bases),
            }
        }
        Before { own, outer }
    }
}

/// Instructions that are looked at for what a barrier orders at most; beyond, it may be anything.
const MAX_STEPS: usize = 10_000;

/// Gathers accesses from an instruction backwards to where the last barrier, or its first half, orders them; false if there is none.
fn gather(ir: &Ir, from: Option<Inst>, into: &mut Vec<LocalAccess>, bases: &mut BaseObjects) -> bool {
    let mut at = from;
    for _ in 0..MAX_STEPS {
        let Some(inst) = at else { return false };
        if matches!(ir[inst].op, Op::BarrierArrive(_) | Op::Barrier(Barrier { local: FenceLocal::Yes, .. })) {
            return true;
        }
        into.extend(local_accesses(ir, inst, bases));
        at = ir.previous_inst(inst);
    }
    into.push(LocalAccess::ANY);
    true
}

/// Gathers accesses from in front of a region outwards, and of earlier iterations of the loops around it, to where a barrier orders them or the
/// function begins.
fn gather_around(ir: &Ir, mut region: Region, into: &mut Vec<LocalAccess>, bases: &mut BaseObjects) {
    while let Some(owner) = ir.owner(region) {
        if !matches!(ir[owner].op, Op::If(_) | Op::Parallel(_)) {
            gather(ir, ir.last_inst(region), into, bases);
        }
        let Some(parent) = ir.parent(owner) else { return };
        if gather(ir, ir.previous_inst(owner), into, bases) {
            return;
        }
        region = parent;
    }
}

/// The last instruction that may lie between the halves of a barrier; `None` if no product is among them.
fn end_of_window(ir: &Ir, barrier: Inst, before: &[LocalAccess], bases: &mut BaseObjects) -> Option<Inst> {
    let (mut end, mut found_product) = (barrier, false);
    while let Some(inst) = ir.next_inst(end) {
        let mut may_pass = ir[inst].op.info().side_effect != SideEffect::Terminator;
        let mut has_product = false;
        ir.walk_inst(inst, &mut |inner| {
            let op = &ir[inner].op;
            may_pass &= match op.info().side_effect {
                SideEffect::Pure
                | SideEffect::Memory
                | SideEffect::Allocation
                | SideEffect::Terminator
                | SideEffect::Regions
                | SideEffect::Loop
                | SideEffect::Hint => true,
                SideEffect::AtomicMemory
                | SideEffect::Deallocation
                | SideEffect::Synchronization
                | SideEffect::Exit => false,
            };
            has_product |= matches!(op, Op::CoopmatrixMulAdd(_));
        });
        let conflicts = |access: &LocalAccess| before.iter().any(|other| access.conflicts(other));
        if !may_pass || local_accesses(ir, inst, bases).iter().any(conflicts) {
            break;
        }
        found_product |= has_product;
        end = inst;
    }
    found_product.then_some(end)
}
