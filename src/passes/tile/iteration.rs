//! Iterations of a loop, of which passes compute positions ahead.

use crate::analysis::Interval;
use crate::ir::{Binary, BinaryOp, Inst, Ir, Op, Region, SideEffect, Type, Value};
use std::collections::HashSet;

/// Values in the body of a loop that can be computed for another iteration, too.
pub(super) struct Iteration {
    /// Values that follow from the counter alone.
    pub dependent: HashSet<Value>,
    /// Other values that the body defines.
    unknown: HashSet<Value>,
    /// Values that are computed for iterations only that there are: by a division, for which the divisor may be 0 in another one.
    divided: HashSet<Value>,
    /// The instructions that compute the dependent values and the constants among their operands, in order.
    arithmetic: Vec<Inst>,
}

impl Iteration {
    pub fn new(ir: &Ir, region: Region) -> Iteration {
        let mut parameters = ir[region].parameters.iter().copied();
        let dependent = parameters.next().into_iter().collect();
        let (unknown, divided, arithmetic) = (parameters.collect(), HashSet::new(), Vec::new());
        let mut iteration = Iteration { dependent, unknown, divided, arithmetic };
        for inst in ir.insts(region) {
            let data = &ir[inst];
            let (mut is_known, mut depends) = (is_scalar_arithmetic(ir, inst), false);
            let mut is_divided = iteration.divides_by_any(ir, inst);
            data.op.visit_operands(&mut |value| {
                is_known &= iteration.is_known(value);
                depends |= iteration.dependent.contains(&value);
                is_divided |= iteration.divided.contains(&value);
            });
            iteration.divided.extend(data.results.iter().filter(|_| is_divided));
            if is_known {
                iteration.dependent.extend(data.results.iter().filter(|_| depends));
                iteration.arithmetic.push(inst);
            } else {
                iteration.unknown.extend(&data.results);
            }
        }
        iteration
    }

    pub fn is_known(&self, value: Value) -> bool {
        !self.unknown.contains(&value)
    }

    /// Returns whether a value is known for iterations as well that there are none of.
    pub fn is_known_beyond(&self, value: Value) -> bool {
        self.is_known(value) && !self.divided.contains(&value)
    }

    /// Returns whether an instruction is a division by what may be 0 in an iteration that there is none of.
    fn divides_by_any(&self, ir: &Ir, inst: Inst) -> bool {
        let Op::Binary(Binary { op, b, .. }) = &ir[inst].op else { return false };
        let is_any = || self.dependent.contains(b) || Interval::of(ir, *b).min <= 0;
        matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Cdiv) && is_any()
    }

    /// The instructions that positions follow from, in order. What the loops within compute in front of
    /// themselves is not among them: if it were, too, nested loops would double it level by level.
    pub fn arithmetic_of(self, ir: &Ir, positions: impl Iterator<Item = Value>) -> Vec<Inst> {
        let mut needed: HashSet<Value> = positions.collect();
        let mut found: Vec<Inst> = Vec::new();
        for inst in self.arithmetic.into_iter().rev() {
            if ir[inst].results.iter().any(|result| needed.contains(result)) {
                ir[inst].op.visit_operands(&mut |value| {
                    needed.insert(value);
                });
                found.push(inst);
            }
        }
        found.reverse();
        found
    }
}

/// Returns whether an instruction computes numbers or booleans, and does nothing else.
pub(super) fn is_scalar_arithmetic(ir: &Ir, inst: Inst) -> bool {
    let data = &ir[inst];
    let is_scalar =
        data.results.iter().all(|&result| ir.ty(result).scalar().is_some() || *ir.ty(result) == Type::Bool);
    is_scalar && data.op.info().side_effect == SideEffect::Pure && data.regions.is_empty()
}
