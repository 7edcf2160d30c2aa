//! Which memrefs may share memory (`spec/lowering.md` 1.6).

use crate::ir::{Ir, Op, Region, Value};
use std::collections::HashMap;
use std::ops::Range;

/// The memref that a chain of views starts from.
pub fn root(ir: &Ir, mut value: Value) -> Value {
    loop {
        value = match ir.defining_op(value) {
            Some(Op::Subview(view)) => view.of,
            Some(Op::Expand(view)) => view.of,
            Some(Op::Fuse(view)) => view.of,
            _ => return value,
        };
    }
}

/// The alias relation of one function.
///
/// It is part of the contract with the user: different parameters never alias, nor do two members loaded
/// from a group; two views of one memref always do.
#[derive(Debug)]
pub struct Aliases {
    /// Byte ranges of the allocations that are placed.
    placed: HashMap<Value, Range<i64>>,
}

impl Aliases {
    /// Looks at the allocations below `body`.
    pub fn new(ir: &Ir, body: Region) -> Aliases {
        let mut placed = HashMap::new();
        ir.walk(body, &mut |inst| {
            if let (Op::Alloca(alloca), Some(&result)) = (&ir[inst].op, ir[inst].results.first())
                && let (Some(start), Some(memref)) = (alloca.stack_ptr, ir.ty(result).memref())
                && let Some(size) = memref.size_in_bytes()
            {
                placed.insert(result, start..start.saturating_add(size));
            }
        });
        Aliases { placed }
    }

    /// Whether a root is an allocation with a known place; all others alias nothing but themselves.
    pub fn is_placed(&self, root: Value) -> bool {
        self.placed.contains_key(&root)
    }

    /// Whether two roots may share memory.
    pub fn may_alias(&self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        match (self.placed.get(&a), self.placed.get(&b)) {
            (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
            _ => false,
        }
    }
}
