//! Warnings about what is accepted, but may not be what was meant.

use super::context::Context;
use super::static_bounds::{self, Finding};
use crate::diagnostics::Diagnostic;
use crate::ir::{Func, Ir, Memref, Op, Type};

/// Reports warnings about a function, in the order of its text. The function must not be lowered yet.
pub fn warn(ir: &Ir, func: Func, context: &Context<'_>) {
    ir.walk(ir[func].body, &mut |inst| {
        let data = &ir[inst];
        if let (Op::Alloca(_), Some(&result)) = (&data.op, data.results.first())
            && let Some(memref) = ir.ty(result).memref()
            && memref.stride.iter().any(|stride| stride.is_dynamic())
            && let Some(packed) = memref.allocated_strides()
        {
            let message = format!(
                "warning: local memory is allocated packed, {} as {}; write its strides as numbers",
                ir.ty(result),
                Type::from(Memref { stride: packed, ..memref.clone() })
            );
            context.report(Diagnostic::new(message, data.location));
        }
    });
    for Finding { error, is_conditional } in static_bounds::find(ir, func) {
        // What is carried out in every launch is refused.
        if is_conditional {
            let message = format!("warning: where this is carried out, it is undefined: {error}");
            context.report(Diagnostic::new(message, error.location));
        }
    }
}
