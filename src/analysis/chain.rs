//! Chains of products, each of which makes a factor of the next one.

use super::{BaseObjects, constant_of, effects};
use crate::ir::{
    Atomic, ChainedFactor, FenceGlobal, FenceLocal, Gemm, Inst, Ir, Op, SideEffect, Transpose, Value,
};

/// A product whose result only the next one of its chain reads.
#[derive(Clone, Debug)]
pub struct ChainLink {
    /// The product.
    pub gemm: Gemm,
    /// Its instruction.
    pub inst: Inst,
    /// The factor of the next product that it makes.
    pub makes: ChainedFactor,
    /// The instructions between the two.
    pub between: Between,
    /// The memory between the two.
    pub alloca: Inst,
    /// The ends of its lifetime.
    pub lifetime: Vec<Inst>,
}

impl ChainLink {
    /// The product that makes a factor of another, if nothing else uses it and nothing between the two forbids to compute
    /// it later.
    pub fn of(ir: &Ir, inst: Inst, consumer: &Gemm, makes: ChainedFactor) -> Option<ChainLink> {
        let intermediate = factor_of(consumer, makes);
        let transpose = match makes {
            ChainedFactor::First => consumer.transpose_a,
            ChainedFactor::Second => consumer.transpose_b,
        };
        let alloca = ir.defining_inst(intermediate).filter(|&inst| matches!(ir[inst].op, Op::Alloca(_)))?;
        if transpose != Transpose::N {
            return None;
        }
        let (mut producer, mut lifetime, mut uses) = (None, Vec::new(), 0);
        for user in ir.uses(intermediate).iter().map(|found| found.user) {
            match &ir[user].op {
                Op::Gemm(_) if user == inst => uses += 1,
                Op::Gemm(gemm) if gemm.c == intermediate && producer.is_none() => {
                    producer = Some((user, gemm))
                }
                Op::LifetimeStop(_) => lifetime.push(user),
                _ => return None,
            }
        }
        let (producer, gemm) = producer?;
        let overwrites =
            gemm.atomic == Atomic::No && constant_of(ir, gemm.beta).is_some_and(|beta| beta.is(0));
        if uses != 1 || !overwrites {
            return None;
        }
        let between = Between::of(ir, producer, inst)?;
        Some(ChainLink { gemm: gemm.clone(), inst: producer, makes, between, alloca, lifetime })
    }
}

/// A factor of a product.
pub fn factor_of(op: &Gemm, factor: ChainedFactor) -> Value {
    match factor {
        ChainedFactor::First => op.a,
        ChainedFactor::Second => op.b,
    }
}

/// The products that make factors of one another and of a product that makes no factor itself, the first one first. What else they
/// read may be anywhere but where the last one writes: barriers for it are inserted where the chain is computed.
pub fn chain_before(ir: &Ir, inst: Inst) -> Vec<ChainLink> {
    let mut links: Vec<ChainLink> = Vec::new();
    let Op::Gemm(last) = &ir[inst].op else { return links };
    if makes_factor(ir, inst, last) {
        return links;
    }
    let mut bases = BaseObjects::default();
    let (mut consumer, mut gemm) = (inst, last.clone());
    while let Some(link) = link_before(ir, consumer, &gemm) {
        let [written, a, b] = [last.c, link.gemm.a, link.gemm.b].map(|memref| bases.of(ir, memref));
        if [a, b].contains(&written) {
            break;
        }
        (consumer, gemm) = (link.inst, link.gemm.clone());
        links.push(link);
    }
    links.reverse();
    links
}

fn link_before(ir: &Ir, inst: Inst, consumer: &Gemm) -> Option<ChainLink> {
    let makes = [ChainedFactor::First, ChainedFactor::Second];
    makes.into_iter().find_map(|makes| ChainLink::of(ir, inst, consumer, makes))
}

/// Returns whether a product is a link of some chain: a single other product may have to do with what it makes.
fn makes_factor(ir: &Ir, inst: Inst, op: &Gemm) -> bool {
    if !matches!(ir.defining_op(op.c), Some(Op::Alloca(_))) {
        return false;
    }
    let consumer =
        |user: Inst| if let Op::Gemm(consumer) = &ir[user].op { Some((user, consumer)) } else { None };
    let users = ir.uses(op.c).iter().map(|found| found.user).filter(|&user| user != inst);
    let mut consumers = users.filter_map(consumer);
    let (Some((user, consumer)), None) = (consumers.next(), consumers.next()) else { return false };
    link_before(ir, user, consumer).is_some_and(|link| link.inst == inst)
}

/// Instructions between two others of a region, the first of which can be moved behind them.
#[derive(Clone, Debug, Default)]
pub struct Between {
    /// A barrier that fences local memory alone.
    pub barrier: Option<Inst>,
    /// Ends of lifetimes, of what the first one may read.
    pub ends: Vec<Inst>,
}

impl Between {
    /// `None` if the first one cannot be moved: the others must not write memory.
    fn of(ir: &Ir, first: Inst, second: Inst) -> Option<Between> {
        let mut found = Between::default();
        let mut next = ir.next_inst(first)?;
        while next != second {
            match &ir[next].op {
                Op::Barrier(op)
                    if op.global == FenceGlobal::No
                        && op.local == FenceLocal::Yes
                        && found.barrier.is_none() =>
                {
                    found.barrier = Some(next);
                }
                Op::LifetimeStop(_) => found.ends.push(next),
                op => {
                    let is_movable = match op.info().side_effect {
                        SideEffect::Pure => true,
                        SideEffect::Memory => {
                            effects(ir, op).writes.is_empty() && ir[next].regions.is_empty()
                        }
                        _ => false,
                    };
                    if !is_movable {
                        return None;
                    }
                }
            }
            next = ir.next_inst(next)?;
        }
        Some(found)
    }
}
