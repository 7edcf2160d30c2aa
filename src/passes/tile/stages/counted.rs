//! Iterations of a loop in rounds of stages.

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use crate::analysis::{Interval, integer_of};
use crate::ir::{BinaryOp, Builder, CompareOp, Constant, For, Select, Type, Value};

/// The iterations of a loop with stages.
pub(super) struct Counted {
    ty: Type,
    pub step: Value,
    pub iterations: Value,
    /// Counter of the last iteration.
    last: Value,
    /// Counter behind the iterations of whole rounds, and the number of those left.
    pub whole_end: Value,
    pub left: Value,
}

impl Counted {
    pub fn new(builder: &mut Builder<'_>, op: &For, rounds: i64) -> Result<Counted, Error> {
        let ty = builder.ir.ty(op.from).clone();
        let number = |builder: &mut Builder<'_>, number| builder.constant(Constant::Int(number), ty.clone());
        let step = match op.step {
            Some(step) => step,
            None => number(builder, 1)?,
        };
        let (zero, one, stages) = (number(builder, 0)?, number(builder, 1)?, number(builder, rounds)?);
        let length = builder.binary(BinaryOp::Sub, op.to, op.from)?;
        let length = builder.binary(BinaryOp::Max, length, zero)?;
        // A loop whose step is not positive has no iterations.
        let iterations = if Interval::of(builder.ir, step).min > 0 {
            builder.binary(BinaryOp::Cdiv, length, step)?
        } else {
            let divisor = builder.binary(BinaryOp::Max, step, one)?;
            let some = builder.binary(BinaryOp::Cdiv, length, divisor)?;
            let counts_up = builder.compare(CompareOp::GreaterThan, step, zero)?;
            builder.folded(Select { condition: counts_up, a: some, b: zero }, ty.clone())?
        };
        let ahead = builder.binary(BinaryOp::Sub, stages, one)?;
        let is_whole = integer_of(builder.ir, iterations).is_some_and(|iterations| iterations % rounds == 0);
        let most = if is_whole { iterations } else { builder.binary(BinaryOp::Sub, iterations, ahead)? };
        let most = builder.binary(BinaryOp::Max, most, zero)?;
        let rest = builder.binary(BinaryOp::Rem, most, stages)?;
        let whole = builder.binary(BinaryOp::Sub, most, rest)?;
        let left = builder.binary(BinaryOp::Sub, iterations, whole)?;
        let counter = |builder: &mut Builder<'_>, iteration| {
            let distance = builder.binary(BinaryOp::Mul, iteration, step)?;
            builder.binary(BinaryOp::Add, op.from, distance)
        };
        let whole_end = counter(builder, whole)?;
        let last = builder.binary(BinaryOp::Sub, iterations, one)?;
        let last = counter(builder, last)?;
        Ok(Counted { ty, step, iterations, last, whole_end, left })
    }

    pub fn number(&self, builder: &mut Builder<'_>, number: i64) -> Result<Value, Error> {
        Ok(builder.constant(Constant::Int(number), self.ty.clone())?)
    }

    /// The counter so many iterations later.
    pub fn later(&self, builder: &mut Builder<'_>, counter: Value, iterations: i64) -> Result<Value, Error> {
        let iterations = self.number(builder, iterations)?;
        let distance = builder.binary(BinaryOp::Mul, self.step, iterations)?;
        Ok(builder.binary(BinaryOp::Add, counter, distance)?)
    }

    /// The counter so many iterations later, or the last one: a copy that nobody reads is one of what is there.
    pub fn clamped(
        &self,
        builder: &mut Builder<'_>,
        counter: Value,
        iterations: i64,
    ) -> Result<Value, Error> {
        let later = self.later(builder, counter, iterations)?;
        Ok(builder.binary(BinaryOp::Min, later, self.last)?)
    }
}
