//! Memrefs that an instruction itself reads and writes, not counting its regions.

use crate::ir::{Access, Ir, Op, Value};

/// Memrefs an instruction reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Memrefs it reads.
    pub reads: Vec<Value>,
    /// Memrefs it writes.
    pub writes: Vec<Value>,
}

/// The effects of an instruction, as its declaration says. Reading C through β counts as part of writing it
/// (lowering reference 1.7); loading a member of a group counts for nothing.
pub fn effects(ir: &Ir, op: &Op) -> Effects {
    let mut effects = Effects::default();
    op.visit_accesses(&mut |value, access| {
        if ir.ty(value).memref().is_none() {
            return;
        }
        match access {
            Access::Read => effects.reads.push(value),
            Access::Write | Access::ReadWrite => effects.writes.push(value),
            Access::Value | Access::Alias => {}
        }
    });
    effects
}
