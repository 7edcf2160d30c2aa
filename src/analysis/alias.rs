//! Which memrefs may share memory (`spec/lowering.md` 1.6).

use crate::ir::{Access, Ir, Op, Region, Value};
use std::collections::HashMap;
use std::ops::Range;

/// The memrefs that chains of views start from, each chain followed once.
#[derive(Debug, Default)]
pub struct Roots(HashMap<Value, Value>);

impl Roots {
    /// The memref that a chain of views starts from; the memref itself if it is no view.
    pub fn of(&mut self, ir: &Ir, value: Value) -> Value {
        let mut chain = Vec::new();
        let mut root = value;
        while let Some(operand) = viewed(ir, root) {
            chain.push(root);
            root = operand;
            if let Some(&known) = self.0.get(&root) {
                root = known;
                break;
            }
        }
        self.0.extend(chain.into_iter().map(|view| (view, root)));
        root
    }
}

/// The memref whose memory a view refers to.
fn viewed(ir: &Ir, value: Value) -> Option<Value> {
    let mut viewed = None;
    ir.defining_op(value)?.visit_accesses(&mut |operand, access| {
        if access == Access::Alias {
            viewed = Some(operand);
        }
    });
    viewed
}

/// The alias relation of one function: the memory that it sees, cut into numbered pieces so that memrefs
/// share memory exactly if they share a piece.
///
/// It is part of the contract with the user: different parameters never alias, nor do two members loaded
/// from a group; two views of one memref always do. Allocations that are placed share the bytes they have
/// in common; those that are not, nothing.
#[derive(Debug)]
pub struct Pieces {
    roots: Roots,
    of_root: HashMap<Value, Range<usize>>,
    count: usize,
}

impl Pieces {
    /// Looks at the allocations below `body`.
    pub fn new(ir: &Ir, body: Region) -> Pieces {
        let mut placed = Vec::new();
        ir.walk(body, &mut |inst| {
            if let (Op::Alloca(alloca), Some(&result)) = (&ir[inst].op, ir[inst].results.first())
                && let (Some(start), Some(memref)) = (alloca.stack_ptr, ir.ty(result).memref())
                && let Some(size) = memref.size_in_bytes().filter(|&size| size > 0)
            {
                placed.push((result, start, start.saturating_add(size)));
            }
        });
        // Between two neighbouring cuts, all bytes belong to the same allocations.
        let mut cuts: Vec<i64> = placed.iter().flat_map(|&(_, start, end)| [start, end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let place = |byte: i64| cuts.partition_point(|&cut| cut < byte);
        let of_root = placed.iter().map(|&(root, start, end)| (root, place(start)..place(end))).collect();
        Pieces { roots: Roots::default(), of_root, count: cuts.len() }
    }

    /// The pieces of a memref.
    pub fn of(&mut self, ir: &Ir, memref: Value) -> Range<usize> {
        let root = self.roots.of(ir, memref);
        let count = &mut self.count;
        let new = || {
            *count += 1;
            *count - 1..*count
        };
        self.of_root.entry(root).or_insert_with(new).clone()
    }
}
