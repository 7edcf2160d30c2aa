//! cumsum: running sums along a mode.
//!
//! Along mode 0 a subgroup scans a column, four times its width at a time; along other modes every position of the
//! remaining modes has a loop of its own.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::super::partition::{Partition, by_blocks};
use super::{Device, Output, for_each_below, internal, lane, only, tensor};
use crate::ir::{
    BinaryOp, Builder, CompareOp, Constant, Cumsum, Load, LocalSubgroup, LocalSubgroupBuiltin, Scalar,
    Subgroup, SubgroupBroadcast, SubgroupOp, Type, Value, VerifierError,
};
use crate::status::Status;

pub(super) fn lower(builder: &mut Builder<'_>, op: &Cumsum, device: &Device<'_>) -> Result<(), Error> {
    let (element, order) = tensor(builder, op.a)?;
    let ty = element.sum_type(tensor(builder, op.b)?.0);
    let Some(mode) = usize::try_from(op.mode).ok().filter(|&mode| mode < order) else {
        let detail = format!("mode {} of {order}, counted from 0", op.mode);
        return Err(VerifierError::new(Status::IrOutOfBounds, builder.location, detail).into());
    };
    let sum = RunningSum { op, element, ty, mode };
    if mode == 0 { sum.by_subgroups(builder, order, device) } else { sum.by_work_items(builder, order) }
}

/// Chunks of a column, each as wide as the subgroup, that are loaded before the first one is written.
const CHUNKS: i64 = 4;

/// Code at the given indices.
type Body<'b> = dyn FnMut(&mut Builder<'_>, &[Value]) -> Result<(), Error> + 'b;

struct RunningSum<'a> {
    op: &'a Cumsum,
    element: Scalar,
    /// Type of the sums.
    ty: Scalar,
    mode: usize,
}

impl RunningSum<'_> {
    fn output(&self) -> Output {
        Output { atomic: self.op.atomic, alpha: self.op.alpha, beta: self.op.beta, c: self.op.b }
    }

    fn size(&self, builder: &mut Builder<'_>, mode: usize) -> Result<Value, Error> {
        let mode = i64::try_from(mode).map_err(|_| internal(builder.location, "a mode without a number"))?;
        Ok(builder.size(self.op.a, mode)?)
    }

    /// One work-item for each position of the other modes.
    fn by_work_items(&self, builder: &mut Builder<'_>, order: usize) -> Result<(), Error> {
        let mut to = Vec::new();
        for mode in (0..order).filter(|&mode| mode != self.mode) {
            to.push(self.size(builder, mode)?);
        }
        for_each_below(builder, to, |builder, others| {
            let (from, step) = (builder.index(0)?, builder.index(1)?);
            let to = self.size(builder, self.mode)?;
            let zero = builder.constant(Constant::zero(self.ty), self.ty)?;
            let range = Range { from, to, step, unroll: Unroll::Default };
            builder.loop_over(range, vec![zero], |builder, j, sums| {
                let mut indices = others.to_vec();
                indices.insert(self.mode.min(indices.len()), j);
                let from = self.op.a;
                let term = builder.value(Load { from, indices: indices.clone() }, self.element)?;
                let term = builder.cast(term, self.ty)?;
                let sum = only(builder, sums)?;
                let sum = builder.binary(BinaryOp::Add, sum, term)?;
                self.output().update(builder, sum, &indices)?;
                Ok(vec![sum])
            })?;
            Ok(())
        })
    }

    /// Subgroups take columns in turn.
    fn by_subgroups(
        &self,
        builder: &mut Builder<'_>,
        order: usize,
        device: &Device<'_>,
    ) -> Result<(), Error> {
        let subgroups = device.schedule.grid.subgroups();
        builder.parallel(|builder| {
            let id =
                builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
            let partition = Partition { subgroups, id: builder.cast(id, Type::INDEX)? };
            let columns = if order > 1 { self.size(builder, 1)? } else { builder.index(1)? };
            self.outer_modes(builder, order, &mut Vec::new(), &mut |builder, outer| {
                by_blocks(builder, columns, 1, partition, &mut |builder, column, _| {
                    let mut rest: Vec<Value> = if order > 1 { vec![column] } else { Vec::new() };
                    rest.extend(outer);
                    self.scan_column(builder, &rest, i64::from(device.schedule.subgroup_size))
                })
            })
        })
    }

    /// Loops over the modes behind the second, the last one outermost; `outer` holds their indices from
    /// the innermost mode outwards.
    fn outer_modes(
        &self,
        builder: &mut Builder<'_>,
        modes: usize,
        outer: &mut Vec<Value>,
        body: &mut Body<'_>,
    ) -> Result<(), Error> {
        if modes <= 2 {
            return body(builder, outer);
        }
        let (from, step) = (builder.index(0)?, builder.index(1)?);
        let to = self.size(builder, modes - 1)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, index, _| {
            outer.insert(0, index);
            self.outer_modes(builder, modes - 1, outer, body)?;
            outer.remove(0);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Scans one column, several times a subgroup's width at a time, then what is left; the sum so far is carried along.
    fn scan_column(&self, builder: &mut Builder<'_>, rest: &[Value], width: i64) -> Result<(), Error> {
        let lane = lane(builder)?;
        let lane = builder.cast(lane, Type::INDEX)?;
        let column = Column { rest, lane, width };
        let (zero, to) = (builder.index(0)?, self.size(builder, 0)?);
        let mut sum = builder.constant(Constant::zero(self.ty), self.ty)?;
        let step = builder.index(width.saturating_mul(CHUNKS))?;
        let steps = builder.binary(BinaryOp::Div, to, step)?;
        let whole = builder.binary(BinaryOp::Mul, steps, step)?;
        for (from, to, step, chunks, end) in
            [(zero, whole, step, CHUNKS, None), (whole, to, builder.index(width)?, 1, Some(to))]
        {
            let range = Range { from, to, step, unroll: Unroll::Default };
            let sums = builder.loop_over(range, vec![sum], |builder, row, sums| {
                let before = only(builder, sums)?;
                Ok(vec![self.scan_chunks(builder, &column, (row, chunks), end, before)?])
            })?;
            sum = only(builder, &sums)?;
        }
        Ok(())
    }

    /// Scans neighbouring chunks of a column, each as wide as the subgroup, of which some rows may lie behind the end;
    /// returns the sum of all up to there. All are loaded before the first one is written, so that their latencies overlap.
    fn scan_chunks(
        &self,
        builder: &mut Builder<'_>,
        column: &Column<'_>,
        (first, chunks): (Value, i64),
        end: Option<Value>,
        before: Value,
    ) -> Result<Value, Error> {
        let ty = Type::Scalar(self.ty);
        let mut terms = Vec::new();
        for chunk in 0..chunks {
            let offset = builder.index(chunk * column.width)?;
            let row = builder.binary(BinaryOp::Add, first, offset)?;
            let row = builder.binary(BinaryOp::Add, row, column.lane)?;
            let indices: Vec<Value> = std::iter::once(row).chain(column.rest.iter().copied()).collect();
            let inside = match end {
                Some(end) => Some(builder.compare(CompareOp::LessThan, row, end)?),
                None => None,
            };
            let load = |builder: &mut Builder<'_>| -> Result<Value, Error> {
                let from = self.op.a;
                let term = builder.value(Load { from, indices: indices.clone() }, self.element)?;
                Ok(builder.cast(term, self.ty)?)
            };
            let term = match inside {
                None => load(builder)?,
                // Work-items beyond the end contribute nothing.
                Some(inside) => {
                    let zero = builder.constant(Constant::zero(self.ty), self.ty)?;
                    let types = std::slice::from_ref(&ty);
                    let load = |builder: &mut Builder<'_>| Ok(vec![load(builder)?]);
                    let terms = builder.branch::<Error>(inside, types, load, |_| Ok(vec![zero]))?;
                    only(builder, &terms)?
                }
            };
            terms.push((term, indices, inside));
        }
        let mut scans = Vec::new();
        for (term, indices, inside) in terms {
            let scan = Subgroup { op: SubgroupOp::InclusiveScanAdd, a: term };
            scans.push((builder.value(scan, ty.clone())?, indices, inside));
        }
        let last = builder.constant(Constant::Int(column.width - 1), Type::I32)?;
        let mut sum = before;
        for (scan, indices, inside) in scans {
            let sums = builder.binary(BinaryOp::Add, sum, scan)?;
            let update = |builder: &mut Builder<'_>| self.output().update(builder, sums, &indices);
            match inside {
                Some(inside) => builder.when(inside, update)?,
                None => update(builder)?,
            }
            sum = builder.value(SubgroupBroadcast { a: sums, lane: last }, ty.clone())?;
        }
        Ok(sum)
    }
}

/// A column that a subgroup scans.
struct Column<'a> {
    /// Indices behind the first one.
    rest: &'a [Value],
    /// Place of the work-item in the subgroup.
    lane: Value,
    /// Work-items of the subgroup.
    width: i64,
}
