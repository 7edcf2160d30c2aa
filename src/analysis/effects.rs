//! Which memrefs an instruction itself reads and writes, not counting its regions.

use crate::ir::{Ir, Op, Value};

/// Memrefs an instruction reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Memrefs it reads.
    pub reads: Vec<Value>,
    /// Memrefs it writes.
    pub writes: Vec<Value>,
}

/// The effects of an instruction. Reading C through β counts as part of writing it
/// (`spec/lowering.md` 1.7); loading a member of a group counts for nothing.
pub fn effects(ir: &Ir, op: &Op) -> Effects {
    let (reads, writes) = match op {
        Op::Axpby(op) => (vec![op.a], vec![op.b]),
        Op::Cumsum(op) => (vec![op.a], vec![op.b]),
        Op::Sum(op) => (vec![op.a], vec![op.b]),
        Op::Gemm(op) => (vec![op.a, op.b], vec![op.c]),
        Op::Gemv(op) => (vec![op.a, op.b], vec![op.c]),
        Op::Ger(op) => (vec![op.a, op.b], vec![op.c]),
        Op::Hadamard(op) => (vec![op.a, op.b], vec![op.c]),
        Op::Load(op) if ir.ty(op.from).memref().is_some() => (vec![op.from], vec![]),
        Op::AtomicLoad(op) => (vec![op.from], vec![]),
        Op::CoopmatrixLoad(op) => (vec![op.from], vec![]),
        Op::CoopmatrixAtomicLoad(op) => (vec![op.from], vec![]),
        Op::Store(op) => (vec![], vec![op.to]),
        Op::AtomicStore(op) => (vec![], vec![op.to]),
        Op::AtomicUpdate(op) => (vec![], vec![op.to]),
        Op::CoopmatrixStore(op) => (vec![], vec![op.to]),
        Op::CoopmatrixAtomicStore(op) => (vec![], vec![op.to]),
        Op::CoopmatrixAtomicUpdate(op) => (vec![], vec![op.to]),
        _ => (vec![], vec![]),
    };
    Effects { reads, writes }
}
