//! sum: along the rows of a matrix, or over a vector.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::{Device, Output, for_each_element, internal, is_first_work_item, lane, lanes, only, tensor};
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Barrier, BinaryOp, Builder, CompareOp, Constant, Extent,
    FenceGlobal, FenceLocal, LifetimeStop, Load, LocalSubgroup, LocalSubgroupBuiltin, Memref, Scalar, Store,
    Subgroup, SubgroupOp, Sum, Transpose, Type, Value,
};

pub(super) fn lower(builder: &mut Builder<'_>, op: &Sum, device: &Device<'_>) -> Result<(), Error> {
    let (a, order) = tensor(builder, op.a)?;
    let ty = a.sum_type(tensor(builder, op.b)?.0);
    if order == 1 { of_vector(builder, op, ty, device) } else { of_rows(builder, op, ty, device) }
}

fn output(op: &Sum) -> Output {
    Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.b }
}

/// B\[i\] := α·Σ op(A)\[i,j\] + β·B\[i\]
fn of_rows(builder: &mut Builder<'_>, op: &Sum, ty: Scalar, device: &Device<'_>) -> Result<(), Error> {
    if op.transpose == Transpose::T && lanes::applies(builder, device, op.a) {
        return lanes::sum_columns(builder, device, (op.a, None), ty, output(op));
    }
    for_each_element(builder, op.b, |builder, indices| {
        let &[row] = indices else { return Err(internal(builder.location, "sum writes a vector")) };
        let mode = if op.transpose == Transpose::N { 1 } else { 0 };
        let (from, step) = (builder.index(0)?, builder.index(1)?);
        let to = builder.size(op.a, mode)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        let sum = accumulate(builder, op.a, ty, range, |j| {
            if op.transpose == Transpose::N { vec![row, j] } else { vec![j, row] }
        })?;
        output(op).update(builder, sum, indices)
    })
}

/// The sum of the elements that a loop visits.
fn accumulate(
    builder: &mut Builder<'_>,
    a: Value,
    ty: Scalar,
    range: Range,
    at: impl FnOnce(Value) -> Vec<Value>,
) -> Result<Value, Error> {
    let element = tensor(builder, a)?.0;
    let zero = builder.constant(Constant::zero(ty), ty)?;
    let sums = builder.loop_over(range, vec![zero], |builder, i, sums| {
        let term = builder.value(Load { from: a, indices: at(i) }, element)?;
        let term = builder.cast(term, ty)?;
        let sum = only(builder, sums)?;
        Ok(vec![builder.binary(BinaryOp::Add, sum, term)?])
    })?;
    only(builder, &sums)
}

/// B := α·Σ A\[i\] + β·B: every work-item takes its share, then subgroups, then the work-group.
fn of_vector(builder: &mut Builder<'_>, op: &Sum, ty: Scalar, device: &Device<'_>) -> Result<(), Error> {
    let subgroup_size = i64::from(device.schedule.subgroup_size);
    let subgroups = device.schedule.grid.subgroups();
    let partial = if subgroups > 1 { Some(partial_sums(builder, ty, subgroups)?) } else { None };
    builder.parallel(|builder| {
        let lane = lane(builder)?;
        let lane_index = builder.cast(lane, Type::INDEX)?;
        let id = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
        let id_index = builder.cast(id, Type::INDEX)?;
        let width = builder.index(subgroup_size)?;
        let first = builder.binary(BinaryOp::Mul, id_index, width)?;
        let from = builder.binary(BinaryOp::Add, first, lane_index)?;
        let to = builder.size(op.a, 0)?;
        let step = builder.index(subgroup_size * subgroups)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        let own = accumulate(builder, op.a, ty, range, |i| vec![i])?;
        let reduce = SubgroupOp::ReduceAdd;
        let mut total = builder.value(Subgroup { op: reduce, a: own }, ty)?;
        if let Some(partial) = partial {
            let zero = builder.constant(Constant::Int(0), Type::I32)?;
            let is_first_lane = builder.compare(CompareOp::Equal, lane, zero)?;
            builder.when(is_first_lane, |builder| {
                builder.emit(Store { value: total, to: partial, indices: vec![id_index] }, &[])?;
                Ok(())
            })?;
            builder.emit(Barrier { global: FenceGlobal::No, local: FenceLocal::Yes }, &[])?;
            // Every subgroup adds up all partial sums, so that control flow stays uniform.
            let to = builder.index(subgroups)?;
            let range = Range { from: lane_index, to, step: width, unroll: Unroll::Default };
            let own = accumulate(builder, partial, ty, range, |i| vec![i])?;
            total = builder.value(Subgroup { op: reduce, a: own }, ty)?;
        }
        let first = is_first_work_item(builder)?;
        builder.when(first, |builder| output(op).update(builder, total, &[]))
    })?;
    if let Some(of) = partial {
        builder.emit(LifetimeStop { of }, &[])?;
    }
    Ok(())
}

/// Local memory for one sum of each subgroup.
fn partial_sums(builder: &mut Builder<'_>, ty: Scalar, subgroups: i64) -> Result<Value, Error> {
    let memref = Memref::packed(ty, vec![Extent::Static(subgroups)], AddressSpace::Local);
    Ok(builder.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, memref)?)
}
