//! Memrefs that may share memory (lowering reference 1.6).

use super::constants::origin_of;
use super::loop_bounds::LoopBounds;
use crate::ir::{Access, Definition, Inst, Ir, Op, Region, Subview, Value};
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
        loop {
            if let Some(&known) = self.0.get(&base) {
                base = known;
                break;
            }
            let Some(operand) = viewed(ir, base) else { break };
            chain.push(base);
            base = operand;
        }
        self.0.extend(chain.into_iter().map(|view| (view, base)));
        base
    }
}

/// A part of a memref along its last mode: positions from `offset` to `end` from where a value says, or from 0.
#[derive(Clone, Copy, Debug)]
struct Part {
    view: Value,
    origin: Option<Value>,
    offset: i64,
    end: i64,
}

impl Part {
    /// The part that a view of a memref is; `None` if it is not of known extent.
    fn of(ir: &Ir, view: Value, op: &Subview) -> Option<Part> {
        let size = op.static_sizes.last()?.value()?.max(1);
        let (origin, offset) = match op.static_offsets.last()?.value() {
            Some(offset) => (None, offset),
            None => origin_of(ir, *op.offsets.last()?),
        };
        Some(Part { view, origin, offset, end: offset.checked_add(size)? })
    }
}

/// The parts of a parameter that is only accessed by parts along its last mode, which do not overlap in memory if they do
/// not in this mode.
struct Parts {
    parts: Vec<Part>,
    /// The loop whose counter says where the parts begin, none if they begin at the same place wherever they are used. No
    /// part of an iteration overlaps with one of another iteration.
    iterations: Option<Inst>,
}

impl Parts {
    /// The parts of a parameter, if it has no other accesses.
    fn of(ir: &Ir, body: Region, parameter: Value) -> Option<Parts> {
        let memref = ir.ty(parameter).memref()?;
        let (&last, inner) = memref.stride.split_last()?;
        let mut span: i64 = 0;
        for (stride, size) in inner.iter().zip(&memref.shape) {
            span = span.checked_add((size.value()? - 1).max(0).checked_mul(stride.value()?)?)?;
        }
        if last.value()? <= span {
            return None;
        }
        let mut parts: Vec<Part> = Vec::new();
        for found in ir.uses(parameter) {
            if let Op::Subview(view) = &ir[found.user].op {
                parts.push(Part::of(ir, *ir[found.user].results.first()?, view)?);
            } else if !matches!(ir[found.user].op, Op::Size(_)) {
                return None;
            }
        }
        let origin = parts.first()?.origin;
        if parts.iter().any(|part| part.origin != origin) {
            return None;
        }
        let iterations = match origin.map(|origin| ir[origin].definition) {
            None => None,
            Some(Definition::Result(inst)) if ir.parent(inst) == Some(body) => None,
            Some(Definition::Result(_)) => return None,
            Some(Definition::Parameter(region)) if region == body => None,
            Some(Definition::Parameter(region)) => {
                Some(Parts::iterations(ir, (body, region), origin?, &parts)?)
            }
        };
        Some(Parts { parts, iterations })
    }

    /// The loop around a region of which all parts begin at the counter, if it runs at most once and leaps over them from
    /// iteration to iteration.
    fn iterations(ir: &Ir, (body, region): (Region, Region), origin: Value, parts: &[Part]) -> Option<Inst> {
        let iterations = ir.owner(region).filter(|&inst| ir.parent(inst) == Some(body))?;
        let Op::For(op) = &ir[iterations].op else { return None };
        let first = parts.iter().map(|part| part.offset).min()?;
        let end = parts.iter().map(|part| part.end).max()?;
        let leaps = LoopBounds::of(ir, op).least_step() >= end.checked_sub(first)?;
        (leaps && ir[region].parameters.first() == Some(&origin)).then_some(iterations)
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
/// from a group. Two views of one memref do, unless they are parts of a parameter along its last mode that are known not to
/// overlap. Allocations that are placed share the bytes they have in common; those that are not, nothing.
#[derive(Debug)]
pub struct AliasSets {
    bases: BaseObjects,
    of_base: HashMap<Value, Range<usize>>,
    of_iterations: HashMap<Inst, Vec<Range<usize>>>,
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
        let (bases, of_iterations, count) = (BaseObjects::default(), HashMap::new(), cuts.len());
        let mut sets = AliasSets { bases, of_base, of_iterations, count };
        for parts in ir[body].parameters.iter().filter_map(|&parameter| Parts::of(ir, body, parameter)) {
            let added = sets.add_parts(&parts.parts);
            if let Some(iterations) = parts.iterations {
                sets.of_iterations.entry(iterations).or_default().push(added);
            }
        }
        sets
    }

    /// Makes each part of a parameter a base of its own, with a set for each stretch between neighbouring ends. Returns the
    /// sets.
    fn add_parts(&mut self, parts: &[Part]) -> Range<usize> {
        let mut cuts: Vec<i64> = parts.iter().flat_map(|part| [part.offset, part.end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let place = |position: i64| self.count + cuts.partition_point(|&cut| cut < position);
        for part in parts {
            self.bases.0.insert(part.view, part.view);
            self.of_base.insert(part.view, place(part.offset)..place(part.end));
        }
        let first = self.count;
        self.count += cuts.len();
        first..self.count
    }

    /// The alias sets that each iteration of a loop has for itself: another iteration means other memory by them.
    pub fn of_iterations(&self, iterations: Inst) -> &[Range<usize>] {
        self.of_iterations.get(&iterations).map_or(&[], Vec::as_slice)
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
