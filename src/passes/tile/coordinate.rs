//! Coordinates that follow the counter of a loop: scale · counter + base + offset.

use super::super::emit::Emit as _;
use super::super::error::Error;
use crate::analysis::integer_of;
use crate::ir::{BinaryOp, Builder, For, Inst, Ir, Op, Type, Value};

/// A loop of index type with a known step and a first iteration that is not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iterations {
    pub inst: Inst,
    pub counter: Value,
    pub from: Value,
    to: Value,
    step: i64,
}

impl Iterations {
    pub fn of(ir: &Ir, inst: Inst, op: &For) -> Option<Iterations> {
        let step = op.step.map_or(Some(1), |step| integer_of(ir, step)).filter(|&step| step > 0)?;
        let &counter = ir[inst].regions.first().and_then(|&region| ir[region].parameters.first())?;
        (*ir.ty(counter) == Type::INDEX).then_some(Iterations {
            inst,
            counter,
            from: op.from,
            to: op.to,
            step,
        })
    }

    /// The counter in the first and in the last iteration, if they are known and there is one.
    fn range(&self, ir: &Ir) -> Option<(i64, i64)> {
        let (from, to) = (integer_of(ir, self.from)?, integer_of(ir, self.to)?);
        let length = to.checked_sub(from)?.checked_sub(1).filter(|&length| length >= 0)?;
        Some((from, from.checked_add(length / self.step * self.step)?))
    }
}

/// A number as scale · counter + base + offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    scale: i64,
    pub base: Option<Value>,
    offset: i64,
    range: Option<(i64, i64)>,
}

impl Coordinate {
    /// The coordinate, and the loop whose counter it follows; `None` if it is of another form. Whatever is no counter is
    /// taken for a number that is known in front of the loops.
    pub fn of(ir: &Ir, value: Value, iterations: &[Iterations]) -> Option<(Coordinate, Option<Inst>)> {
        let (coordinate, counted) = linear(ir, value, iterations)?;
        let range =
            counted.and_then(|inst| iterations.iter().find(|iterations| iterations.inst == inst)?.range(ir));
        Some((Coordinate { range, ..coordinate }, counted))
    }

    /// First and last number, if the iterations and the base are known.
    pub fn range(&self) -> Option<(i64, i64)> {
        let (first, last) = self.range.filter(|_| self.base.is_none())?;
        let at = |counter: i64| self.scale.checked_mul(counter)?.checked_add(self.offset);
        Some((at(first)?, at(last)?))
    }

    /// The number at a counter.
    pub fn at(&self, builder: &mut Builder<'_>, counter: Value) -> Result<Value, Error> {
        let scale = builder.index(self.scale)?;
        let scaled = builder.binary(BinaryOp::Mul, counter, scale)?;
        let base = self.constant_part(builder)?;
        Ok(builder.binary(BinaryOp::Add, scaled, base)?)
    }

    fn constant_part(&self, builder: &mut Builder<'_>) -> Result<Value, Error> {
        let offset = builder.index(self.offset)?;
        match self.base {
            Some(base) => Ok(builder.binary(BinaryOp::Add, base, offset)?),
            None => Ok(offset),
        }
    }

    /// The first counter from which on `extent` positions reach beyond a mode of a memref.
    pub fn limit(
        &self,
        builder: &mut Builder<'_>,
        memref: Value,
        mode: usize,
        extent: i64,
    ) -> Result<Value, Error> {
        let size = builder.size(memref, i64::from(mode == 1))?;
        let part = self.constant_part(builder)?;
        let room = builder.binary(BinaryOp::Sub, size, part)?;
        let needed = builder.index(extent - self.scale)?;
        let room = builder.binary(BinaryOp::Sub, room, needed)?;
        // Division rounds towards zero.
        let zero = builder.index(0)?;
        let room = builder.binary(BinaryOp::Max, room, zero)?;
        let scale = builder.index(self.scale)?;
        Ok(builder.binary(BinaryOp::Div, room, scale)?)
    }
}

fn linear(ir: &Ir, value: Value, iterations: &[Iterations]) -> Option<(Coordinate, Option<Inst>)> {
    let constant = |offset| Coordinate { scale: 0, base: None, offset, range: None };
    if let Some(number) = integer_of(ir, value) {
        return Some((constant(number), None));
    }
    if let Some(iterations) = iterations.iter().find(|iterations| iterations.counter == value) {
        return Some((Coordinate { scale: 1, ..constant(0) }, Some(iterations.inst)));
    }
    if !depends(ir, value, iterations) {
        return Some((Coordinate { base: Some(value), ..constant(0) }, None));
    }
    let Some(Op::Binary(op)) = ir.defining_op(value) else { return None };
    let (a, in_a) = linear(ir, op.a, iterations)?;
    let (b, in_b) = linear(ir, op.b, iterations)?;
    match op.op {
        BinaryOp::Add if in_a.is_none() || in_b.is_none() => {
            let base = match (a.base, b.base) {
                (Some(_), Some(_)) => return None,
                (base, None) | (None, base) => base,
            };
            let (scale, offset) = (a.scale + b.scale, a.offset.checked_add(b.offset)?);
            Some((Coordinate { scale, base, offset, range: None }, in_a.or(in_b)))
        }
        BinaryOp::Mul if a.base.is_none() && b.base.is_none() && (in_a.is_none() || in_b.is_none()) => {
            let (of, by, counted) = if in_a.is_some() { (a, b, in_a) } else { (b, a, in_b) };
            let scale = of.scale.checked_mul(by.offset).filter(|&scale| scale > 0)?;
            Some((Coordinate { scale, offset: of.offset.checked_mul(by.offset)?, ..of }, counted))
        }
        _ => None,
    }
}

/// Returns whether a number may change from iteration to iteration.
fn depends(ir: &Ir, value: Value, iterations: &[Iterations]) -> bool {
    let Some(inst) = ir.defining_inst(value) else {
        return is_parameter_of(ir, value, iterations);
    };
    iterations.iter().any(|iterations| {
        let mut inside = false;
        ir[iterations.inst]
            .regions
            .iter()
            .for_each(|&region| ir.walk(region, &mut |inner| inside |= inner == inst));
        inside
    })
}

fn is_parameter_of(ir: &Ir, value: Value, iterations: &[Iterations]) -> bool {
    iterations.iter().any(|iterations| {
        ir[iterations.inst].regions.iter().any(|&region| ir[region].parameters.contains(&value))
    })
}
