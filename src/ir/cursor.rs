//! The order of instructions in their regions, and places between them.
//!
//! The instructions of a region are a doubly linked list, so that putting one somewhere and taking it away
//! takes constant time.

use std::iter;

use super::declare::SideEffect;
use super::entities::{Inst, Ir, Region, Value};
use super::instructions::Op;
use super::typed_attributes::Boundary;

/// A place between instructions. What is put there comes in order: the cursor stays behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    region: Region,
    /// The instruction behind; `None` at the end of the region.
    next: Option<Inst>,
}

impl Cursor {
    /// The end of a region.
    pub fn at_end(region: Region) -> Cursor {
        Cursor { region, next: None }
    }

    /// The start of a region.
    pub fn at_start(ir: &Ir, region: Region) -> Cursor {
        Cursor { region, next: ir[region].first }
    }

    /// The place before an instruction; `None` if it is in no region.
    pub fn before(ir: &Ir, inst: Inst) -> Option<Cursor> {
        Some(Cursor { region: ir.parent(inst)?, next: Some(inst) })
    }

    /// The place behind an instruction; `None` if it is in no region.
    pub fn after(ir: &Ir, inst: Inst) -> Option<Cursor> {
        Some(Cursor { region: ir.parent(inst)?, next: ir.next_inst(inst) })
    }

    /// The instruction in front.
    pub fn previous(self, ir: &Ir) -> Option<Inst> {
        match self.next {
            Some(next) => ir.previous_inst(next),
            None => ir.last_inst(self.region),
        }
    }

    /// The region.
    pub fn region(self) -> Region {
        self.region
    }
}

/// The instructions of a region.
#[derive(Clone)]
pub struct Insts<'a> {
    ir: &'a Ir,
    /// The first and the last one that are left.
    ends: Option<(Inst, Inst)>,
}

impl Iterator for Insts<'_> {
    type Item = Inst;

    fn next(&mut self) -> Option<Inst> {
        let (first, last) = self.ends?;
        self.ends = self.ir[first].next.filter(|_| first != last).map(|next| (next, last));
        Some(first)
    }
}

impl DoubleEndedIterator for Insts<'_> {
    fn next_back(&mut self) -> Option<Inst> {
        let (first, last) = self.ends?;
        self.ends = self.ir[last].previous.filter(|_| first != last).map(|previous| (first, previous));
        Some(last)
    }
}

impl Ir {
    /// The instructions of a region in order.
    pub fn insts(&self, region: Region) -> Insts<'_> {
        Insts { ir: self, ends: self[region].first.zip(self[region].last) }
    }

    /// The last instruction of a region.
    pub fn last_inst(&self, region: Region) -> Option<Inst> {
        self[region].last
    }

    /// The values that a region ends with.
    pub fn yielded(&self, region: Region) -> &[Value] {
        match self.last_inst(region).map(|last| &self[last].op) {
            Some(Op::Yield(end)) => &end.values,
            // A test sees to it that no other instruction hands values on.
            _ => &[],
        }
    }

    /// The instruction behind another in its region.
    pub fn next_inst(&self, inst: Inst) -> Option<Inst> {
        self[inst].next
    }

    /// The instruction before another in its region.
    pub fn previous_inst(&self, inst: Inst) -> Option<Inst> {
        self[inst].previous
    }

    /// The region that an instruction is in.
    pub fn parent(&self, inst: Inst) -> Option<Region> {
        self[inst].parent
    }

    /// The instruction that a region belongs to; `None` for the body of a function.
    pub fn owner(&self, region: Region) -> Option<Inst> {
        self[region].owner
    }

    /// The number of loops that an instruction is in.
    pub fn loops_around(&self, inst: Inst) -> usize {
        let owner = |inst: &Inst| self.parent(*inst).and_then(|region| self.owner(region));
        iter::successors(owner(&inst), owner).filter(|&outer| matches!(self[outer].op, Op::For(_))).count()
    }

    /// Returns whether a loop may end before its counter says so.
    pub fn ends_early(&self, inst: Inst) -> bool {
        let mut inner = self[inst].regions.iter().flat_map(|&region| self.insts(region));
        inner.any(|inner| self[inner].op.info().side_effect == SideEffect::Exit)
    }

    /// The mask of an access to tiles, if it has one.
    pub fn mask(&self, inst: Inst) -> Option<Region> {
        self[inst].regions.first().copied().filter(|&mask| self.last_inst(mask).is_some())
    }

    /// Returns whether an instruction loads a tile as it lies in memory: no mask says what else is not read, and nothing wraps around.
    pub fn loads_as_it_is(&self, inst: Inst) -> bool {
        let Op::TileLoad(load) = &self[inst].op else { return false };
        self.mask(inst).is_none() && !load.boundary.0.contains(&Boundary::Wrap)
    }

    /// Returns whether an instruction is another one or lies in its regions.
    pub fn is_within(&self, mut inst: Inst, other: Inst) -> bool {
        while inst != other {
            match self.parent(inst).and_then(|region| self.owner(region)) {
                Some(owner) => inst = owner,
                None => return false,
            }
        }
        true
    }

    /// Puts an instruction that is in no region at a place.
    pub fn insert(&mut self, inst: Inst, at: Cursor) {
        let Cursor { region, next } = at;
        let previous = at.previous(self);
        let data = self.insts.get_mut(inst.0);
        (data.parent, data.previous, data.next) = (Some(region), previous, next);
        self.set_next(region, previous, Some(inst));
        self.set_previous(region, next, Some(inst));
    }

    /// Takes an instruction out of its region, if it is in one.
    pub fn detach(&mut self, inst: Inst) {
        let data = self.insts.get_mut(inst.0);
        let (previous, next) = (data.previous.take(), data.next.take());
        if let Some(region) = data.parent.take() {
            self.set_next(region, previous, next);
            self.set_previous(region, next, previous);
        }
    }

    /// Moves an instruction to a place.
    pub fn move_inst(&mut self, inst: Inst, to: Cursor) {
        if to.next != Some(inst) {
            self.detach(inst);
            self.insert(inst, to);
        }
    }

    /// Moves all instructions of a region to a place, which is not in it.
    pub fn move_insts(&mut self, from: Region, to: Cursor) {
        while let Some(inst) = self[from].first {
            self.move_inst(inst, to);
        }
    }

    fn set_next(&mut self, region: Region, inst: Option<Inst>, next: Option<Inst>) {
        match inst {
            Some(inst) => self.insts.get_mut(inst.0).next = next,
            None => self.regions.get_mut(region.0).first = next,
        }
    }

    fn set_previous(&mut self, region: Region, inst: Option<Inst>, previous: Option<Inst>) {
        match inst {
            Some(inst) => self.insts.get_mut(inst.0).previous = previous,
            None => self.regions.get_mut(region.0).last = previous,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Builder, Constant, Type};
    use super::*;
    use crate::diagnostics::Location;

    #[test]
    fn instructions_come_where_the_cursor_is() {
        let mut ir = Ir::default();
        let func = ir.create_function("f", &[], Location::default());
        let body = ir[func].body;
        let make = |ir: &mut Ir, cursor: Cursor| {
            let mut builder = Builder { ir, cursor, location: Location::default() };
            let value = builder.constant(Constant::Int(0), Type::I32).unwrap();
            ir.defining_inst(value).unwrap()
        };
        let b = make(&mut ir, Cursor::at_end(body));
        let d = make(&mut ir, Cursor::at_end(body));
        let start = Cursor::at_start(&ir, body);
        let a = make(&mut ir, start);
        let before_d = Cursor::before(&ir, d).unwrap();
        let c = make(&mut ir, before_d);
        let order = |ir: &Ir| {
            let forward: Vec<Inst> = ir.insts(body).collect();
            let mut backward: Vec<Inst> = ir.insts(body).rev().collect();
            backward.reverse();
            assert_eq!(forward, backward);
            forward
        };
        assert_eq!(order(&ir), [a, b, c, d]);
        // The cursor is behind what was put there.
        let after_c = make(&mut ir, before_d);
        assert_eq!(order(&ir), [a, b, c, after_c, d]);
        assert_eq!(before_d.previous(&ir), Some(after_c));
        ir.erase(after_c);

        let after_a = Cursor::after(&ir, a).unwrap();
        ir.move_inst(d, after_a);
        assert_eq!(order(&ir), [a, d, b, c]);
        let before_b = Cursor::before(&ir, b).unwrap();
        ir.move_inst(b, before_b);
        assert_eq!(order(&ir), [a, d, b, c]);
        ir.detach(a);
        ir.detach(c);
        assert_eq!(order(&ir), [d, b]);
        assert_eq!((ir.parent(a), Cursor::before(&ir, a), Cursor::after(&ir, c)), (None, None, None));
        let mut ends = ir.insts(body);
        assert_eq!(
            (ends.next(), ends.next_back(), ends.next(), ends.next_back()),
            (Some(d), Some(b), None, None)
        );

        let other = ir.create_function("g", &[], Location::default());
        let other = ir[other].body;
        ir.move_insts(body, Cursor::at_end(other));
        assert_eq!(order(&ir), []);
        assert_eq!(ir.insts(other).collect::<Vec<_>>(), [d, b]);
        assert_eq!(ir.parent(d), Some(other));
    }
}
