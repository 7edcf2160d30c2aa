//! Local memory of a function.

use crate::ir::{Ir, Memref, Op, Region};

/// Bytes of local memory that the allocations of a function take, once they have their places.
pub fn local_bytes(ir: &Ir, body: Region) -> i64 {
    let mut size: i64 = 0;
    ir.walk(body, &mut |inst| {
        if let (Op::Alloca(alloca), Some(&result)) = (&ir[inst].op, ir[inst].results.first())
            && let Some(bytes) = ir.ty(result).memref().and_then(Memref::size_in_bytes)
        {
            size = size.max(alloca.stack_ptr.unwrap_or(0).saturating_add(bytes));
        }
    });
    size
}
