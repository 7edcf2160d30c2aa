//! Transformations of counted loops: splitting, peeling, partial unrolling, rotation.
//!
//! Each puts in the place of a loop what does the same in the same order. What follows from constant bounds is
//! decided at once; otherwise a branch makes sure that there is a first turn.

use super::emit::{Emit, Trips, trips};
use super::error::{Error, internal};
use crate::analysis::{Interval, LoopBounds, constant_of, integer_of};
use crate::ir::{BinaryOp, Builder, CompareOp, Constant, Cursor, For, Inst, Ir, Op, Type, Value, ValueMap};

/// A turn that stands at an end of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The first one.
    First,
    /// The last one.
    Last,
}

/// Outcome for a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The loop is as it was: its turns cannot be counted in the type of its counter, its step is not known to
    /// be positive, or a value that would have to be carried cannot be.
    Unchanged,
    /// The loop is gone; the one that most of the turns went to, unless one turn at most is known to be left.
    Replaced(Option<Inst>),
}

/// Takes the first or the last turn out of a loop.
///
/// # Errors
/// Beyond the limit of [`Ir::limit_growth`]; an internal error for what is no loop of a region.
pub fn peel(ir: &mut Ir, inst: Inst, turn: Turn) -> Result<Outcome, Error> {
    let Some(old) = Loop::new(ir, inst)? else { return Ok(Outcome::Unchanged) };
    old.replace(ir, |b| match turn {
        Turn::First => {
            let values = old.turn(b, old.from, &old.init)?;
            let second = old.position(b, old.from, 1)?;
            old.repeat(b, [second, old.to], old.step, values, |b, at, values| old.turn(b, at, values))
        }
        Turn::Last => {
            let last = old.last(b)?;
            let init = old.init.clone();
            let (values, rest) =
                old.repeat(b, [old.from, last], old.step, init, |b, at, values| old.turn(b, at, values))?;
            Ok((old.turn(b, last, &values)?, rest))
        }
    })
}

/// Ends a loop in front of the first turn whose counter is not less than `limit`, and takes the turns that are left in
/// a second loop behind it, which is returned. Either may have no turn.
///
/// # Errors
/// Beyond the limit of [`Ir::limit_growth`]; an internal error for what is no loop of a region.
pub fn split(ir: &mut Ir, inst: Inst, limit: Value) -> Result<Inst, Error> {
    let location = ir[inst].location;
    let Op::For(op) = ir[inst].op.clone() else { return Err(internal(location, "no loop to split")) };
    let builder = &mut Builder::before(ir, inst)?;
    let end = builder.binary(BinaryOp::Min, op.to, limit)?;
    let ty = builder.ir.ty(op.from).clone();
    let step = match op.step {
        Some(step) => step,
        None => builder.constant(Constant::Int(1), ty.clone())?,
    };
    let zero = builder.constant(Constant::Int(0), ty)?;
    let length = builder.binary(BinaryOp::Sub, end, op.from)?;
    let length = builder.binary(BinaryOp::Max, length, zero)?;
    let turns = builder.binary(BinaryOp::Cdiv, length, step)?;
    let done = builder.binary(BinaryOp::Mul, turns, step)?;
    let middle = builder.binary(BinaryOp::Add, op.from, done)?;
    let cursor = Cursor::after(ir, inst).ok_or_else(|| internal(location, "a loop outside of a region"))?;
    let mut values = ValueMap::new();
    ir.copy_insts(&[inst], cursor, &mut values)?;
    let results = ir[inst].results.clone();
    let rest = ir.next_inst(inst).ok_or_else(|| internal(location, "a copy is missing"))?;
    for &result in &results {
        if let Some(&last) = values.get(&result) {
            ir.replace_all_uses(result, last);
        }
    }
    ir.update(rest, |op| {
        if let Op::For(For { from, init, .. }) = op {
            *from = middle;
            *init = results.to_vec();
        }
    });
    ir.update(inst, |op| {
        if let Op::For(For { to, .. }) = op {
            *to = end;
        }
    });
    Ok(rest)
}

/// Makes `factor` turns of a loop one, and a loop of the turns that are left over.
///
/// # Errors
/// As [`peel`].
pub fn unroll(ir: &mut Ir, inst: Inst, factor: u32) -> Result<Outcome, Error> {
    let Some(old) = Loop::new(ir, inst)? else { return Ok(Outcome::Unchanged) };
    let long_step = old.step.checked_mul(i64::from(factor)).filter(|&step| step <= old.limits.max);
    let Some(long_step) = long_step.filter(|_| factor > 1) else { return Ok(Outcome::Unchanged) };
    old.replace(ir, |b| {
        let count = old.count(b)?;
        let factor_value = old.number(b, i64::from(factor))?;
        let long_turns = b.binary(BinaryOp::Div, count, factor_value)?;
        let step = old.number(b, long_step)?;
        let length = b.binary(BinaryOp::Mul, long_turns, step)?;
        let middle = b.binary(BinaryOp::Add, old.from, length)?;
        let several = |b: &mut Builder<'_>, at: Value, values: &[Value]| {
            (0..i64::from(factor)).try_fold(values.to_vec(), |values, number| {
                let at = old.position(b, at, number)?;
                old.turn(b, at, &values)
            })
        };
        let (values, main) = old.repeat(b, [old.from, middle], long_step, old.init.clone(), several)?;
        let (values, _) =
            old.repeat(b, [middle, old.to], old.step, values, |b, at, values| old.turn(b, at, values))?;
        Ok((values, main))
    })
}

/// Moves the instructions of a loop's body before `split` to the end of the turn before: those of the first turn
/// come before the loop, and what is left of the last turn comes after it.
///
/// # Errors
/// As [`peel`]; an internal error if `split` is not in the body.
pub fn rotate(ir: &mut Ir, inst: Inst, split: Inst) -> Result<Outcome, Error> {
    let Some(old) = Loop::new(ir, inst)? else { return Ok(Outcome::Unchanged) };
    let Some(index) = old.insts.iter().position(|&inner| inner == split) else {
        return Err(internal(ir[inst].location, "the place to rotate a loop at is not in its body"));
    };
    let (head, tail) = old.insts.split_at(index);
    let crossing = old.crossing(ir, head);
    let can_be_carried =
        |&value: &Value| matches!(ir.ty(value), Type::Bool | Type::Scalar(_) | Type::Coopmatrix(_));
    if !crossing.iter().all(can_be_carried) {
        return Ok(Outcome::Unchanged);
    }
    // What the head computes for a turn, behind the values that the turn begins with.
    let first = |b: &mut Builder<'_>, at: Value, values: Vec<Value>| {
        let computed = old.copy(b, head, at, &values, &[], &crossing)?;
        Ok::<Vec<Value>, Error>(values.into_iter().chain(computed).collect())
    };
    let rest = |b: &mut Builder<'_>, at: Value, values: &[Value]| {
        let (begin, computed) = values
            .split_at_checked(old.init.len())
            .ok_or_else(|| internal(b.location, "a rotated loop carries too little"))?;
        let known: Vec<(Value, Value)> = crossing.iter().copied().zip(computed.iter().copied()).collect();
        old.copy(b, tail, at, begin, &known, &old.yielded)
    };
    old.replace(ir, |b| {
        let last = old.last(b)?;
        let values = first(b, old.from, old.init.clone())?;
        let (values, main) = old.repeat(b, [old.from, last], old.step, values, |b, at, values| {
            let next = rest(b, at, values)?;
            let at = old.position(b, at, 1)?;
            first(b, at, next)
        })?;
        Ok((rest(b, last, &values)?, main))
    })
}

/// A loop whose turns can be counted.
struct Loop {
    inst: Inst,
    from: Value,
    to: Value,
    step: i64,
    init: Vec<Value>,
    head: For,
    /// Counter and carried values.
    parameters: Vec<Value>,
    /// The body without its end.
    insts: Vec<Inst>,
    /// Values that a turn hands on to the next.
    yielded: Vec<Value>,
    /// The numbers of the counter's type.
    limits: Interval,
}

impl Loop {
    /// Looks at a loop; `None` if its turns cannot be counted.
    fn new(ir: &Ir, inst: Inst) -> Result<Option<Loop>, Error> {
        let data = &ir[inst];
        let (Op::For(head), &[body]) = (&data.op, data.regions.as_slice()) else {
            return Err(internal(data.location, "a transformation of loops for another instruction"));
        };
        let bounds = LoopBounds::of(ir, head);
        let Some(step) = bounds.step.filter(|&step| step > 0) else { return Ok(None) };
        let counter = ir.ty(head.from).scalar();
        let limits =
            Interval::of_type(counter.ok_or_else(|| internal(data.location, "a counter is no number"))?);
        let [from, to] = [head.from, head.to].map(|bound| Interval::of(ir, bound));
        let longest = i128::from(to.max) - i128::from(from.min) + i128::from(step - 1);
        if longest > i128::from(limits.max) || !bounds.counter_stays_in_range() {
            return Ok(None);
        }
        Ok(Some(Loop {
            inst,
            from: head.from,
            to: head.to,
            step,
            init: head.init.clone(),
            head: head.clone(),
            parameters: ir[body].parameters.clone(),
            insts: ir.insts(body).filter(|&inner| !matches!(ir[inner].op, Op::Yield(_))).collect(),
            yielded: ir.yielded(body).to_vec(),
            limits,
        }))
    }

    /// Puts what `build` makes in the place of the loop, if the loop has a turn. `build` returns the results and
    /// the loop that is left.
    fn replace(
        &self,
        ir: &mut Ir,
        build: impl FnOnce(&mut Builder<'_>) -> Result<(Vec<Value>, Option<Inst>), Error>,
    ) -> Result<Outcome, Error> {
        let results = ir[self.inst].results.to_vec();
        let types: Vec<Type> = results.iter().map(|&result| ir.ty(result).clone()).collect();
        let b = &mut Builder::before(ir, self.inst)?;
        let has_turn = b.compare(CompareOp::LessThan, self.from, self.to)?;
        let mut rest = None;
        let values = match constant_of(b.ir, has_turn) {
            Some(Constant::Bool(true)) => {
                let (values, inner) = build(b)?;
                rest = inner;
                values
            }
            Some(Constant::Bool(false)) => self.init.clone(),
            _ => {
                let then = |b: &mut Builder<'_>| {
                    let (values, inner) = build(b)?;
                    rest = inner;
                    Ok::<_, Error>(values)
                };
                b.branch(has_turn, &types, then, |_| Ok(self.init.clone()))?
            }
        };
        for (&result, value) in results.iter().zip(values) {
            ir.replace_all_uses(result, value);
        }
        ir.erase(self.inst);
        Ok(Outcome::Replaced(rest))
    }

    /// A loop like this one with other bounds, or what is left of it if it has one turn at most.
    fn repeat(
        &self,
        b: &mut Builder<'_>,
        [from, to]: [Value; 2],
        step: i64,
        init: Vec<Value>,
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Result<Vec<Value>, Error>,
    ) -> Result<(Vec<Value>, Option<Inst>), Error> {
        let step = self.number(b, step)?;
        match trips(b.ir, from, to, step) {
            Trips::None => Ok((init, None)),
            Trips::One => Ok((body(b, from, &init)?, None)),
            Trips::Any => {
                let attributes = self.head.attributes.clone();
                let values = b.for_loop(For { from, to, step: Some(step), init, attributes }, body)?;
                Ok((values, b.cursor.previous(b.ir)))
            }
        }
    }

    /// Appends the body for a value of the counter; returns what the turn hands on.
    fn turn(&self, b: &mut Builder<'_>, at: Value, values: &[Value]) -> Result<Vec<Value>, Error> {
        self.copy(b, &self.insts, at, values, &[], &self.yielded)
    }

    /// Appends part of the body for a value of the counter and values at the begin of the turn, where more may be
    /// `known`; returns what stands for `wanted`.
    fn copy(
        &self,
        b: &mut Builder<'_>,
        insts: &[Inst],
        at: Value,
        values: &[Value],
        known: &[(Value, Value)],
        wanted: &[Value],
    ) -> Result<Vec<Value>, Error> {
        let arguments = std::iter::once(at).chain(values.iter().copied());
        let mut map: ValueMap = self.parameters.iter().copied().zip(arguments).collect();
        map.extend(known.iter().copied());
        b.ir.copy_insts(insts, b.cursor, &mut map)?;
        Ok(wanted.iter().map(|value| map.get(value).copied().unwrap_or(*value)).collect())
    }

    /// The values that part of the body defines and the rest or the next turn uses.
    fn crossing(&self, ir: &Ir, head: &[Inst]) -> Vec<Value> {
        let is_inside = |user: Inst| head.iter().any(|&inst| ir.is_within(user, inst));
        let defined = head.iter().flat_map(|&inst| ir[inst].results.iter().copied());
        defined.filter(|&value| ir.uses(value).iter().any(|found| !is_inside(found.user))).collect()
    }

    /// A number of the counter's type.
    fn number(&self, b: &mut Builder<'_>, number: i64) -> Result<Value, Error> {
        let ty = b.ir.ty(self.from).clone();
        Ok(b.constant(Constant::Int(number), ty)?)
    }

    /// The counter so many turns later.
    fn position(&self, b: &mut Builder<'_>, at: Value, turns: i64) -> Result<Value, Error> {
        let distance = self.number(b, turns * self.step)?;
        Ok(b.binary(BinaryOp::Add, at, distance)?)
    }

    /// The number of turns, of which there is at least one.
    fn count(&self, b: &mut Builder<'_>) -> Result<Value, Error> {
        if let Some((from, to)) = integer_of(b.ir, self.from).zip(integer_of(b.ir, self.to)) {
            return self.number(b, (to - from - 1) / self.step + 1);
        }
        let length = b.binary(BinaryOp::Sub, self.to, self.from)?;
        let more = self.number(b, self.step - 1)?;
        let rounded = b.binary(BinaryOp::Add, length, more)?;
        let step = self.number(b, self.step)?;
        Ok(b.binary(BinaryOp::Div, rounded, step)?)
    }

    /// The counter of the last turn.
    fn last(&self, b: &mut Builder<'_>) -> Result<Value, Error> {
        let count = self.count(b)?;
        let one = self.number(b, 1)?;
        let before = b.binary(BinaryOp::Sub, count, one)?;
        let step = self.number(b, self.step)?;
        let length = b.binary(BinaryOp::Mul, before, step)?;
        Ok(b.binary(BinaryOp::Add, self.from, length)?)
    }
}

#[cfg(test)]
mod tests;
