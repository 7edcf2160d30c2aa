//! Def-use chains: every value knows the operands that it is.
//!
//! An instruction keeps the place of each operand among the uses of its value, so that adding and removing a
//! use takes constant time. Whatever changes operands goes through here.

use super::declare::{Access, SideEffect};
use super::entities::{Inst, Ir, Use, Value};
use super::instructions::Op;
use super::types::Type;
use smallvec::SmallVec;
use std::mem::take;

/// The number of an element. 2^32 of them are out of reach: each takes more than 8 bytes.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Views of views that are followed; what is made by more counts as written.
const MAX_VIEWS: usize = 64;

impl Ir {
    /// The operands that a value is, in no particular order.
    pub fn uses(&self, value: Value) -> &[Use] {
        &self[value].uses
    }

    /// Returns whether a value is an operand of some instruction.
    pub fn is_used(&self, value: Value) -> bool {
        !self.uses(value).is_empty()
    }

    /// Returns whether a result of an instruction is an operand of some instruction.
    pub fn has_used_results(&self, inst: Inst) -> bool {
        self[inst].results.iter().any(|&result| self.is_used(result))
    }

    /// Returns whether memory may be written through a value: the memory of a memref or of the members of a group, or of a
    /// view.
    pub fn is_written(&self, memory: Value) -> bool {
        self.may_write(memory, MAX_VIEWS)
    }

    fn may_write(&self, memory: Value, views: usize) -> bool {
        // A number leads to no memory, whatever it is handed to.
        if !matches!(self.ty(memory), Type::Memref(_) | Type::Group(_)) {
            return false;
        }
        let Some(views) = views.checked_sub(1) else { return true };
        self.uses(memory).iter().any(|found| {
            let data = &self[found.user];
            let effect = data.op.info().side_effect;
            // What a region or a loop hands on is not followed.
            let is_handed_on = !matches!(
                effect,
                SideEffect::Pure | SideEffect::Memory | SideEffect::AtomicMemory | SideEffect::Hint
            );
            let mut writes = false;
            data.op.visit_accesses(&mut |operand, access| {
                writes |= operand == memory && (access.writes() || is_handed_on && access == Access::Value);
            });
            writes || data.results.iter().any(|&result| self.may_write(result, views))
        })
    }

    /// Changes the kind, operands or immediates of an instruction, which keeps its results and regions.
    pub fn update<T>(&mut self, inst: Inst, change: impl FnOnce(&mut Op) -> T) -> T {
        self.unlink(inst);
        let outcome = change(&mut self.insts.get_mut(inst.0).op);
        self.link(inst);
        outcome
    }

    /// Makes every operand that is `old` be `new`.
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        if old == new {
            return;
        }
        let mut users: Vec<Inst> = take(&mut self[old].uses).iter().map(|found| found.user).collect();
        users.sort_unstable();
        users.dedup();
        let uses = &mut self.values.get_mut(new.0).uses;
        for user in users {
            let data = self.insts.get_mut(user.0);
            let mut slots = (0..).zip(&mut data.slots);
            data.op.visit_operands_mut(&mut |value| {
                if let Some((operand, slot)) = slots.next()
                    && *value == old
                {
                    *value = new;
                    *slot = number(uses.len());
                    uses.push(Use { user, operand });
                }
            });
        }
    }

    /// Adds the operands of an instruction to the uses of their values.
    pub(super) fn link(&mut self, inst: Inst) {
        let data = self.insts.get_mut(inst.0);
        let (op, slots, values) = (&data.op, &mut data.slots, &mut self.values);
        slots.clear();
        op.visit_operands(&mut |value| {
            let operand = number(slots.len());
            // What somebody freed too early has no uses; the check of the program says so.
            slots.push(values.find_mut(value.0).map_or(0, |data| {
                data.uses.push(Use { user: inst, operand });
                number(data.uses.len() - 1)
            }));
        });
    }

    /// Takes the operands of an instruction from the uses of their values.
    pub(super) fn unlink(&mut self, inst: Inst) {
        let mut operands: SmallVec<[Value; 4]> = SmallVec::new();
        self[inst].op.visit_operands(&mut |value| operands.push(value));
        for (operand, value) in operands.into_iter().enumerate() {
            // Read anew each time: the use that takes the place of another may be one of the same instruction.
            let Some(&slot) = self[inst].slots.get(operand) else { continue };
            let Some(data) = self.values.find_mut(value.0) else { continue };
            if data.uses.get(slot as usize) != Some(&Use { user: inst, operand: number(operand) }) {
                continue;
            }
            data.uses.swap_remove(slot as usize);
            if let Some(&moved) = data.uses.get(slot as usize)
                && let Some(place) = self.insts.get_mut(moved.user.0).slots.get_mut(moved.operand as usize)
            {
                *place = slot;
            }
        }
    }

    /// Returns whether an instruction other than this one and those in its regions uses what they define.
    pub fn is_used_outside(&self, inst: Inst) -> bool {
        self.defines(inst, &|value| self.uses(value).iter().any(|found| !self.is_within(found.user, inst)))
    }

    /// Returns whether an instruction or those in its regions define a value of which something holds.
    fn defines(&self, inst: Inst, holds: &dyn Fn(Value) -> bool) -> bool {
        let data = &self[inst];
        let parameters = data.regions.iter().flat_map(|&region| &self[region].parameters);
        data.results.iter().chain(parameters).any(|&value| holds(value))
            || data.regions.iter().any(|&region| self.insts(region).any(|inner| self.defines(inner, holds)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::super::{Binary, BinaryOp, Builder, Constant, Cursor, Ir, Op, Type, Value, ValueMap};
    use crate::diagnostics::Location;

    /// Checks that the uses of values are exactly the operands of instructions.
    fn check(ir: &Ir, values: &[Value]) {
        for &value in values {
            for found in ir.uses(value) {
                let mut operands = Vec::new();
                ir[found.user].op.visit_operands(&mut |operand| operands.push(operand));
                assert_eq!(operands.get(found.operand as usize), Some(&value));
                ir.check_uses(found.user).unwrap();
            }
        }
    }

    fn sum(ir: &mut Ir, region: crate::ir::Region, a: Value, b: Value) -> Value {
        let mut builder = Builder::new(ir, region, Location::default());
        builder.value(Binary { op: BinaryOp::Add, a, b }, Type::I32).unwrap()
    }

    #[test]
    fn uses_follow_every_change() {
        let mut ir = Ir::default();
        let func = ir.create_function("f", &[Type::I32, Type::I32], Location::default());
        let body = ir[func].body;
        let &[x, y] = ir[body].parameters.as_slice() else { panic!("two parameters") };
        // x twice in one instruction, so that a use takes the place of another of the same instruction.
        let double = sum(&mut ir, body, x, x);
        let both = sum(&mut ir, body, x, y);
        let all = [x, y, double, both];
        assert_eq!(all.map(|value| ir.uses(value).len()), [3, 1, 0, 0]);
        check(&ir, &all);

        let inst = ir.defining_inst(double).unwrap();
        ir.update(inst, |op| {
            if let Op::Binary(op) = op {
                op.b = y;
            }
        });
        assert_eq!(all.map(|value| ir.uses(value).len()), [2, 2, 0, 0]);
        check(&ir, &all);

        ir.replace_all_uses(x, y);
        assert_eq!(all.map(|value| ir.uses(value).len()), [0, 4, 0, 0]);
        check(&ir, &all);

        ir.erase(inst);
        assert_eq!([x, y].map(|value| ir.uses(value).len()), [0, 2]);
        check(&ir, &[x, y]);
        assert_eq!(ir.insts(body).collect::<Vec<_>>(), [ir.defining_inst(both).unwrap()]);
    }

    #[test]
    fn what_only_its_own_regions_use_may_go() {
        let mut ir = Ir::default();
        let func = ir.create_function("f", &[Type::I32], Location::default());
        let body = ir[func].body;
        let n = *ir[body].parameters.first().unwrap();
        let mut b = Builder::new(&mut ir, body, Location::default());
        let zero = b.constant(Constant::Int(0), Type::I32).unwrap();
        let attributes = crate::ir::ForAttributes::default();
        let head = crate::ir::For { from: zero, to: n, step: None, init: vec![zero], attributes };
        let results = b
            .for_loop(head, |b, i, carried| {
                let carried = carried.first().copied().unwrap();
                b.value(Binary { op: BinaryOp::Add, a: i, b: carried }, Type::I32).map(|sum| vec![sum])
            })
            .unwrap();
        let result = *results.first().unwrap();
        let inst = ir.defining_inst(result).unwrap();
        assert!(!ir.is_used_outside(inst));
        let user = sum(&mut ir, body, result, zero);
        assert!(ir.is_used_outside(inst));
        ir.erase(ir.defining_inst(user).unwrap());
        assert!(!ir.is_used_outside(inst));

        // A copy uses copies inside, and the same values from outside.
        let before = ir.uses(n).len();
        ir.copy_insts(&[inst], Cursor::at_start(&ir, body), &mut ValueMap::new()).unwrap();
        assert_eq!(ir.uses(n).len(), 2 * before);
        let copy = ir.insts(body).next().unwrap();
        assert_ne!(copy, inst);
        assert!(!ir.is_used_outside(copy));
        let count = ir.entity_count();
        ir.erase(copy);
        ir.erase(inst);
        assert!(ir.entity_count() < count && !ir.is_used(n));
    }
}
