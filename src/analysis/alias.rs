//! Which memrefs may share memory (lowering reference 1.6).

use crate::ir::{Access, Ir, Op, Region, Value};
use std::collections::HashMap;
use std::ops::Range;

/// Base objects: the memrefs that chains of views start from, each chain followed once.
#[derive(Debug, Default)]
pub struct BaseObjects(HashMap<Value, Value>);

impl BaseObjects {
    /// The memref that a chain of views starts from; the memref itself if it is no view.
    pub fn of(&mut self, ir: &Ir, value: Value) -> Value {
        let mut chain = Vec::new();
        let mut base = value;
        while let Some(operand) = viewed(ir, base) {
            chain.push(base);
            base = operand;
            if let Some(&known) = self.0.get(&base) {
                base = known;
                break;
            }
        }
        self.0.extend(chain.into_iter().map(|view| (view, base)));
        base
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

/// The alias relation of one function: the memory that it sees, cut into numbered alias sets so that
/// memrefs may share memory exactly if they have a set in common.
///
/// It is part of the contract with the user: different parameters never alias, nor do two members loaded
/// from a group; two views of one memref always do. Allocations that are placed share the bytes they have
/// in common; those that are not, nothing.
#[derive(Debug)]
pub struct AliasSets {
    bases: BaseObjects,
    of_base: HashMap<Value, Range<usize>>,
    count: usize,
}

impl AliasSets {
    /// Looks at the allocations below `body`.
    pub fn new(ir: &Ir, body: Region) -> AliasSets {
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
        let of_base = placed.iter().map(|&(base, start, end)| (base, place(start)..place(end))).collect();
        AliasSets { bases: BaseObjects::default(), of_base, count: cuts.len() }
    }

    /// The alias sets of a memref.
    pub fn of(&mut self, ir: &Ir, memref: Value) -> Range<usize> {
        let base = self.bases.of(ir, memref);
        let count = &mut self.count;
        let new = || {
            *count += 1;
            *count - 1..*count
        };
        self.of_base.entry(base).or_insert_with(new).clone()
    }
}
