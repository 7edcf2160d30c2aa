//! The rewrite driver: tries patterns on the instructions of a region until none of them matches.

use super::error::Error;
use crate::ir::{Builder, Entity as _, Inst, Ir, Op, Region, Value};
use std::collections::VecDeque;

/// Looks at an instruction and changes the program if it is one that it is for; whether it was.
pub(super) type Pattern<'p> = &'p dyn Fn(&mut Rewriter<'_>, Inst) -> Result<bool, Error>;

/// Tries the patterns in order on each instruction of a region and of the regions in it. Definitions come before
/// uses, and instructions before those that hold them. Whatever a change may have made a candidate is tried
/// again; what a pattern makes itself is not.
pub(super) fn rewrite(ir: &mut Ir, region: Region, patterns: &[Pattern<'_>]) -> Result<(), Error> {
    let mut rewriter = Rewriter { ir, worklist: VecDeque::new() };
    rewriter.enqueue_region(region);
    while let Some((inst, generation)) = rewriter.worklist.pop_front() {
        // The number of what is gone may be that of another instruction now.
        for pattern in patterns {
            if inst.generation(rewriter.ir) != Some(generation) {
                break;
            }
            let applied = pattern(&mut rewriter, inst).map_err(|error| rewriter.at(inst, error))?;
            if applied {
                rewriter.enqueue(inst);
                break;
            }
        }
    }
    Ok(())
}

/// Interface with which patterns change the program.
pub(super) struct Rewriter<'a> {
    pub ir: &'a mut Ir,
    worklist: VecDeque<(Inst, u32)>,
}

impl Rewriter<'_> {
    fn enqueue(&mut self, inst: Inst) {
        self.worklist.extend(inst.generation(self.ir).map(|generation| (inst, generation)));
    }

    /// Says of an internal error which instruction it is about.
    fn at(&self, inst: Inst, error: Error) -> Error {
        match inst.generation(self.ir) {
            Some(_) => error.in_instruction(self.ir[inst].op.mnemonic(), self.ir[inst].location),
            None => error,
        }
    }

    fn enqueue_region(&mut self, region: Region) {
        let ir = &*self.ir;
        let mut insts = Vec::new();
        walk_inside_out(ir, region, &mut |inst| insts.push(inst));
        self.worklist.extend(insts.into_iter().filter_map(|inst| Some((inst, inst.generation(ir)?))));
    }

    /// A builder before an instruction, with its place in the text.
    pub fn builder(&mut self, inst: Inst) -> Result<Builder<'_>, Error> {
        Ok(Builder::before(self.ir, inst)?)
    }

    /// Makes every operand that is `old` be `new`.
    pub fn replace_uses(&mut self, old: Value, new: Value) {
        let users: Vec<Inst> = self.ir.uses(old).iter().map(|found| found.user).collect();
        self.ir.replace_all_uses(old, new);
        users.into_iter().for_each(|user| self.enqueue(user));
    }

    /// Frees an instruction. What only it used may be dead now.
    pub fn erase(&mut self, inst: Inst) {
        let mut insts = vec![inst];
        self.ir[inst].regions.iter().for_each(|&region| self.ir.walk(region, &mut |inner| insts.push(inner)));
        let mut used = Vec::new();
        for inner in insts {
            self.ir[inner].op.visit_operands(&mut |value| used.extend(self.ir.defining_inst(value)));
        }
        self.ir.erase(inst);
        used.into_iter().for_each(|inst| self.enqueue(inst));
    }

    /// Puts the instructions of a region of an instruction in its place, and what they yield in the place of its
    /// results.
    pub fn inline(&mut self, inst: Inst, region: Region) -> Result<(), Error> {
        let yields: Vec<Inst> =
            self.ir.insts(region).filter(|&inner| matches!(self.ir[inner].op, Op::Yield(_))).collect();
        for end in yields {
            if let Op::Yield(end) = &self.ir[end].op {
                let values = end.values.clone();
                for (result, value) in self.ir[inst].results.clone().into_iter().zip(values) {
                    self.replace_uses(result, value);
                }
            }
            self.erase(end);
        }
        let place = self.builder(inst)?.cursor;
        self.ir.move_insts(region, place);
        self.erase(inst);
        Ok(())
    }
}

/// Calls `f` with every instruction of a region, in text order but after those in its own regions.
fn walk_inside_out(ir: &Ir, region: Region, f: &mut dyn FnMut(Inst)) {
    for inst in ir.insts(region) {
        ir[inst].regions.iter().for_each(|&inner| walk_inside_out(ir, inner, f));
        f(inst);
    }
}
