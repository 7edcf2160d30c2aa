//! Chains of products whose intermediate stays in registers.
//!
//! In `tmp := α·A·B` followed by `C := γ·tmp·D + β·C` each subgroup needs those rows of tmp only that it computes itself,
//! and holds them as the second product takes its first factor. Computed there, tmp needs neither memory nor a
//! barrier.

use super::rewrite::Rewriter;
use crate::analysis::{constant_of, effects};
use crate::ir::{
    AddressSpace, Atomic, FenceGlobal, FenceLocal, Func, Gemm, Inst, Ir, Op, SideEffect, Transpose, Value,
};

/// A product whose result only the next product reads.
pub(super) struct Producer {
    pub gemm: Gemm,
    /// Its instruction.
    pub inst: Inst,
    barrier: Option<Inst>,
    /// The memory between them, and what else names it.
    alloca: Inst,
    lifetime: Vec<Inst>,
}

impl Producer {
    /// The product that makes the first factor of another, if nothing else uses it and nothing between them forbids to
    /// compute it later.
    pub fn of(ir: &Ir, inst: Inst, consumer: &Gemm) -> Option<Producer> {
        let intermediate = consumer.a;
        let alloca = ir.defining_inst(intermediate).filter(|&inst| matches!(ir[inst].op, Op::Alloca(_)))?;
        let is_elsewhere =
            |value: Value| ir.ty(value).memref().is_some_and(|memref| memref.space == AddressSpace::Global);
        if consumer.transpose_a != Transpose::N || ![consumer.b, consumer.c].into_iter().all(is_elsewhere) {
            return None;
        }
        let (mut producer, mut lifetime) = (None, Vec::new());
        for user in ir.uses(intermediate).iter().map(|found| found.user).filter(|&user| user != inst) {
            match &ir[user].op {
                Op::Gemm(gemm) if gemm.c == intermediate && producer.is_none() => {
                    producer = Some((user, gemm))
                }
                Op::LifetimeStop(_) => lifetime.push(user),
                _ => return None,
            }
        }
        let (producer, gemm) = producer?;
        let is_plain = gemm.atomic == Atomic::No
            && constant_of(ir, gemm.beta).is_some_and(|beta| beta.is(0))
            && [gemm.a, gemm.b].into_iter().all(is_elsewhere);
        if !is_plain {
            return None;
        }
        let barrier = between(ir, producer, inst)?;
        Some(Producer { gemm: gemm.clone(), inst: producer, barrier, alloca, lifetime })
    }

    /// Removes the product, its result, and the barrier if no other local memory is left that it could be for.
    pub fn erase(self, rewriter: &mut Rewriter<'_>, func: Func) {
        self.lifetime.into_iter().chain([self.inst, self.alloca]).for_each(|inst| rewriter.erase(inst));
        if let Some(barrier) = self.barrier
            && !has_local_memory(rewriter.ir, func)
        {
            rewriter.erase(barrier);
        }
    }
}

/// The barrier between two instructions of a region, the first of which can be moved behind all others between them:
/// those access no memory, and the barrier fences local memory alone. `None` if it cannot be moved.
fn between(ir: &Ir, first: Inst, second: Inst) -> Option<Option<Inst>> {
    let mut barrier = None;
    let mut next = ir.next_inst(first)?;
    while next != second {
        match &ir[next].op {
            Op::Barrier(op)
                if op.global == FenceGlobal::No && op.local == FenceLocal::Yes && barrier.is_none() =>
            {
                barrier = Some(next);
            }
            op => {
                let is_movable = match op.info().side_effect {
                    SideEffect::Pure => true,
                    SideEffect::Memory => effects(ir, op).writes.is_empty() && ir[next].regions.is_empty(),
                    _ => false,
                };
                if !is_movable {
                    return None;
                }
            }
        }
        next = ir.next_inst(next)?;
    }
    Some(barrier)
}

fn has_local_memory(ir: &Ir, func: Func) -> bool {
    let is_local =
        |value: Value| ir.ty(value).memref().is_some_and(|memref| memref.space == AddressSpace::Local);
    let mut found = ir[ir[func].body].parameters.iter().any(|&value| is_local(value));
    ir.walk(ir[func].body, &mut |inst| found |= matches!(ir[inst].op, Op::Alloca(_)));
    found
}
