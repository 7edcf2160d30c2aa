//! Warnings about what is accepted, but may not be what was meant.

use crate::diagnostics::Diagnostic;
use crate::ir::{Func, Ir, Memref, Op, Type};

/// Warnings about a function, in the order of its text. The function must not be lowered yet.
pub fn warnings(ir: &Ir, func: Func) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
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
            warnings.push(Diagnostic::new(message, data.location));
        }
    });
    warnings
}
