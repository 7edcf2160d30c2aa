//! cumsum: running sums along a mode.
//!
//! Along mode 0 a subgroup scans a column, its width at a time; along other modes every position of the
//! remaining modes has a loop of its own.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::super::prefetch::Partition;
use super::blocks::by_blocks;
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
        let tiles = device.schedule.grid.subgroups();
        builder.parallel(|builder| {
            let id =
                builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
            let partition = Partition { tiles, id: builder.cast(id, Type::INDEX)? };
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

    /// Scans one column, a subgroup's width at a time; the sum so far is carried along.
    fn scan_column(&self, builder: &mut Builder<'_>, rest: &[Value], width: i64) -> Result<(), Error> {
        let (from, step) = (builder.index(0)?, builder.index(width)?);
        let to = self.size(builder, 0)?;
        let zero = builder.constant(Constant::zero(self.ty), self.ty)?;
        let lane = lane(builder)?;
        let lane_index = builder.cast(lane, Type::INDEX)?;
        let last = builder.constant(Constant::Int(width - 1), Type::I32)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        builder.loop_over(range, vec![zero], |builder, chunk, sums| {
            let before = only(builder, sums)?;
            let row = builder.binary(BinaryOp::Add, chunk, lane_index)?;
            let mut indices = vec![row];
            indices.extend(rest);
            let inside = builder.compare(CompareOp::LessThan, row, to)?;
            let ty = Type::Scalar(self.ty);
            let load = |builder: &mut Builder<'_>| -> Result<Vec<Value>, Error> {
                let from = self.op.a;
                let term = builder.value(Load { from, indices: indices.clone() }, self.element)?;
                Ok(vec![builder.cast(term, self.ty)?])
            };
            // Work-items beyond the end contribute nothing.
            let terms =
                builder.branch::<Error>(inside, std::slice::from_ref(&ty), load, |_| Ok(vec![zero]))?;
            let term = only(builder, &terms)?;
            let scan = Subgroup { op: SubgroupOp::InclusiveScanAdd, a: term };
            let scan = builder.value(scan, ty.clone())?;
            let sum = builder.binary(BinaryOp::Add, before, scan)?;
            builder.when(inside, |builder| self.output().update(builder, sum, &indices))?;
            Ok(vec![builder.value(SubgroupBroadcast { a: sum, lane: last }, ty)?])
        })?;
        Ok(())
    }
}
