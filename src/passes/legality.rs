//! Checks that a lowered program holds nothing but what has a SPIR-V counterpart. After this, the back end fails only
//! for a feature that the device lacks, or for a mistake of the compiler.

use super::error::{Error, internal};
use crate::ir::{Func, Inst, Ir, LoweredBy, Op};
use crate::schedule::Schedule;

/// Checks every instruction of a function, and that its subgroup and work-group size are known.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    Schedule::of(ir, func)?;
    let mut illegal = None;
    ir.walk(ir[func].body, &mut |inst| {
        if illegal.is_none() && !is_legal(ir, inst) {
            illegal = Some(inst);
        }
    });
    match illegal {
        None => Ok(()),
        Some(inst) => {
            let data = &ir[inst];
            let error = internal(data.location, "it is left after lowering");
            Err(error.in_instruction(data.op.mnemonic(), data.location))
        }
    }
}

fn is_legal(ir: &Ir, inst: Inst) -> bool {
    let op = &ir[inst].op;
    match op.info().lowered_by {
        LoweredBy::Pass | LoweredBy::Either => false,
        LoweredBy::BackEnd => !matches!(op, Op::Alloca(alloca) if alloca.stack_ptr.is_none()),
    }
}
