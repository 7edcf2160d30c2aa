//! Rules for loops with stages in local memory.

use super::super::super::error::Error;
use crate::analysis::effects;
use crate::ir::{AddressSpace, Func, Inst, Ir, Memref, Op, TileCopy, Value, VerifierError};
use crate::status::Status;

/// Refuses buffers that an iteration does not fill before it reads them, or that are used elsewhere: they would not be what they
/// are where a loop has one of them for each stage.
pub(super) fn check_buffer(ir: &Ir, inst: Inst, own: Inst, copy: &TileCopy) -> Result<(), Error> {
    if !matches!(ir.defining_op(copy.to), Some(Op::Alloca(_))) {
        let detail =
            format!("pipeline \"slm\", but {}, which is no allocation of its own", ir.describe(copy.to));
        return refuse(ir, own, detail);
    }
    let mut views = vec![copy.to];
    while let Some(view) = views.pop() {
        for user in ir.uses(view).iter().map(|place| place.user).filter(|&user| user != own) {
            let is_view = matches!(ir[user].op, Op::Subview(_));
            let is_read = is_view || effects(ir, &ir[user].op).reads.contains(&view);
            if !is_read || !ir.is_within(user, inst) || !is_behind(ir, own, user) {
                let detail = format!(
                    "pipeline \"slm\", but {}, and besides being copied to and then read in each iteration it is used by `{}`",
                    ir.describe(copy.to),
                    ir[user].op.mnemonic()
                );
                return refuse(ir, user, detail);
            }
            views.extend(ir[user].results.first().filter(|_| is_view));
        }
    }
    Ok(())
}

/// Returns whether an instruction, or the one of the same region that it is part of, comes behind another one.
fn is_behind(ir: &Ir, first: Inst, inst: Inst) -> bool {
    let mut next = ir.next_inst(first);
    while let Some(behind) = next {
        if ir.is_within(inst, behind) {
            return true;
        }
        next = ir.next_inst(behind);
    }
    false
}

/// Refuses loops that write global memory, which copies of later iterations would find as it was before.
pub(super) fn check_source(ir: &Ir, inst: Inst) -> Result<(), Error> {
    let mut writer = None;
    ir.walk_inst(inst, &mut |inner| {
        let is_global =
            |value: &Value| ir.ty(*value).memref().is_some_and(|memref| memref.space == AddressSpace::Global);
        if effects(ir, &ir[inner].op).writes.iter().any(is_global) {
            writer.get_or_insert(inner);
        }
    });
    let Some(writer) = writer else { return Ok(()) };
    let detail = format!(
        "pipeline \"slm\", but `{}` in the loop writes global memory, of which later iterations are copied ahead",
        ir[writer].op.mnemonic()
    );
    refuse(ir, writer, detail)
}

pub(super) fn refuse<T>(ir: &Ir, inst: Inst, detail: String) -> Result<T, Error> {
    Err(VerifierError::new(Status::IrTilePipelineDependence, ir[inst].location, detail).into())
}

/// Bytes of all allocations of a function.
pub(super) fn local_bytes(ir: &Ir, func: Func) -> i64 {
    let mut bytes: i64 = 0;
    ir.walk(ir[func].body, &mut |inst| {
        if let (Op::Alloca(_), Some(&result)) = (&ir[inst].op, ir[inst].results.first()) {
            bytes = bytes.saturating_add(ir.ty(result).memref().and_then(Memref::size_in_bytes).unwrap_or(0));
        }
    });
    bytes
}
