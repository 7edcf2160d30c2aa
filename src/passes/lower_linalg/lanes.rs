//! Operations on matrices in global memory whose lanes follow memory, whatever the transposition, so that an access
//! touches no more cache lines than it moves (lowering reference 1.13).

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::super::partition::{Partition, by_blocks, scaled};
use super::{Device, Output, internal, lane, tensor};
use crate::analysis::integer_of;
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Barrier, BinaryOp, Builder, Built, CompareOp, Constant, Extent,
    FenceGlobal, FenceLocal, Func, Ir, LifetimeStop, Load, LocalSubgroup, LocalSubgroupBuiltin, Memref, Op,
    Scalar, Select, Store, Subgroup, SubgroupBroadcast, SubgroupOp, Type, Value,
};

/// Columns that a subgroup adds up at a time: as many find what they are multiplied by in registers.
const COLUMNS: i64 = 16;
/// Bytes of local memory that transpositions take.
const LOCAL_BYTES: i64 = 32 << 10;

/// Returns whether lanes had better follow a matrix: it is in global memory, whose cache lines are long, and its columns are
/// known to be contiguous. A CPU reads what others need as well from its first-level cache.
pub(super) fn applies(builder: &Builder<'_>, device: &Device<'_>, matrix: Value) -> bool {
    let first = Some(Extent::Static(1));
    let suits = |memref: &Memref| {
        memref.space == AddressSpace::Global && memref.order() == 2 && memref.stride.first().copied() == first
    };
    !device.info.is_cpu() && builder.ir.ty(matrix).memref().is_some_and(suits)
}

/// The lanes of a subgroup, and which of the subgroups this is.
#[derive(Clone, Copy)]
struct Lanes {
    /// Number of the lane.
    lane: Value,
    size: i64,
    partition: Partition,
}

/// Runs code once for each subgroup.
fn in_subgroups(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    body: impl FnOnce(&mut Builder<'_>, Lanes) -> Result<(), Error>,
) -> Result<(), Error> {
    builder.parallel(|builder| {
        let lane = lane(builder)?;
        let lane = builder.cast(lane, Type::INDEX)?;
        let id = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
        let id = builder.cast(id, Type::INDEX)?;
        let partition = Partition { subgroups: device.schedule.grid.subgroups(), id };
        body(builder, Lanes { lane, size: i64::from(device.schedule.subgroup_size), partition })
    })
}

/// A position that does not reach beyond the last one below `end`.
pub(in super::super) fn clamped(builder: &mut Builder<'_>, position: Value, end: Value) -> Built<Value> {
    let one = builder.index(1)?;
    let last = builder.binary(BinaryOp::Sub, end, one)?;
    builder.binary(BinaryOp::Min, position, last)
}

/// Returns whether a size is known to be a multiple of a number.
fn is_multiple(builder: &Builder<'_>, size: Value, of: i64) -> bool {
    integer_of(builder.ir, size).is_some_and(|size| size % of == 0)
}

impl Lanes {
    /// The position of this lane in a row of them, and the same where memory surely is: beyond the end it is the last one.
    fn position(&self, builder: &mut Builder<'_>, from: Value, end: Value) -> Built<[Value; 2]> {
        let own = builder.binary(BinaryOp::Add, from, self.lane)?;
        let safe = if is_multiple(builder, end, self.size) { own } else { clamped(builder, own, end)? };
        Ok([own, safe])
    }

    /// Calls `body` with each position and element of a part of a vector, which lanes load together and which begins at a
    /// multiple of their number; values are carried from one to the next.
    fn elements(
        &self,
        builder: &mut Builder<'_>,
        (vector, ty): (Value, Scalar),
        [from, to]: [Value; 2],
        init: Vec<Value>,
        mut body: impl FnMut(&mut Builder<'_>, [Value; 2], &[Value]) -> Result<Vec<Value>, Error>,
    ) -> Result<Vec<Value>, Error> {
        let element = tensor(builder, vector)?.0;
        let size = builder.size(vector, 0)?;
        let step = builder.index(self.size)?;
        let range = Range { from, to, step, unroll: Unroll::Never };
        builder.loop_over(range, init, |builder, start, carried| {
            let [_, safe] = self.position(builder, start, size)?;
            let own = builder.value(Load { from: vector, indices: vec![safe] }, element)?;
            let own = builder.cast(own, ty)?;
            let left = builder.binary(BinaryOp::Sub, to, start)?;
            let has_all = is_multiple(builder, size, self.size);
            let to = if has_all { step } else { builder.binary(BinaryOp::Min, left, step)? };
            let (from, step) = (builder.index(0)?, builder.index(1)?);
            let range = Range { from, to, step, unroll: Unroll::Default };
            builder.loop_over(range, carried.to_vec(), |builder, offset, carried| {
                let position = builder.binary(BinaryOp::Add, start, offset)?;
                let lane = builder.cast(offset, Type::I32)?;
                let value = builder.value(SubgroupBroadcast { a: own, lane }, ty)?;
                body(builder, [position, value], carried)
            })
        })
    }
}

/// c\[j\] := α·Σ A\[i,j\]·x\[i\] + β·c\[j\], or without x the sums of the columns: lanes go down some columns at a time.
pub(super) fn sum_columns(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    (a, x): (Value, Option<Value>),
    ty: Scalar,
    output: Output,
) -> Result<(), Error> {
    let element = tensor(builder, a)?.0;
    let [rows, cols] = [builder.size(a, 0)?, builder.size(a, 1)?];
    let columns = COLUMNS.min(i64::from(device.schedule.subgroup_size));
    in_subgroups(builder, device, |builder, lanes| {
        by_blocks(builder, cols, columns, lanes.partition, &mut |builder, first, is_rest| {
            let column = |builder: &mut Builder<'_>, number: i64| {
                let offset = builder.index(number)?;
                let own = builder.binary(BinaryOp::Add, first, offset)?;
                if is_rest { clamped(builder, own, cols) } else { Ok(own) }
            };
            let at = (0..columns).map(|number| column(builder, number)).collect::<Built<Vec<_>>>()?;
            let zero = builder.constant(Constant::zero(ty), ty)?;
            let step = builder.index(lanes.size)?;
            let range = Range { from: lanes.lane, to: rows, step, unroll: Unroll::Never };
            let sums = builder.loop_over(range, vec![zero; at.len()], |builder, row, sums| {
                let factor = match x {
                    Some(x) => {
                        let element = tensor(builder, x)?.0;
                        let factor = builder.value(Load { from: x, indices: vec![row] }, element)?;
                        Some(builder.cast(factor, ty)?)
                    }
                    None => None,
                };
                let mut next = Vec::new();
                for (&col, &sum) in at.iter().zip(sums) {
                    let term = builder.value(Load { from: a, indices: vec![row, col] }, element)?;
                    let mut term = builder.cast(term, ty)?;
                    if let Some(factor) = factor {
                        term = builder.binary(BinaryOp::Mul, term, factor)?;
                    }
                    next.push(builder.binary(BinaryOp::Add, sum, term)?);
                }
                Ok(next)
            })?;
            // Each lane stores the sum of one column.
            let mut own: Option<Value> = None;
            for (number, sum) in (0i64..).zip(sums) {
                let total = builder.value(Subgroup { op: SubgroupOp::ReduceAdd, a: sum }, ty)?;
                own = Some(match own {
                    Some(others) => {
                        let number = builder.index(number)?;
                        let condition = builder.compare(CompareOp::Equal, lanes.lane, number)?;
                        builder.folded(Select { condition, a: total, b: others }, ty)?
                    }
                    None => total,
                });
            }
            let own = own.ok_or_else(|| internal(builder.location, "no columns to add up"))?;
            let col = builder.binary(BinaryOp::Add, first, lanes.lane)?;
            let block = builder.index(columns)?;
            let end = builder.binary(BinaryOp::Add, first, block)?;
            let end = builder.binary(BinaryOp::Min, end, cols)?;
            let inside = builder.compare(CompareOp::LessThan, col, end)?;
            builder.when(inside, |builder| output.update(builder, own, &[col]))
        })
    })
}

/// c\[i\] := α·Σ A\[i,j\]·x\[j\] + β·c\[i\]: a lane has a row, and the lanes load x for each other.
pub(super) fn sum_rows(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    (a, x): (Value, Value),
    ty: Scalar,
    output: Output,
) -> Result<(), Error> {
    let element = tensor(builder, a)?.0;
    let (rows, cols) = (builder.size(output.c, 0)?, builder.size(x, 0)?);
    in_subgroups(builder, device, |builder, lanes| {
        by_blocks(builder, rows, lanes.size, lanes.partition, &mut |builder, first, is_rest| {
            let [own, mut row] = [builder.binary(BinaryOp::Add, first, lanes.lane)?; 2];
            if is_rest {
                row = clamped(builder, own, rows)?;
            }
            let zero = builder.constant(Constant::zero(ty), ty)?;
            let from = builder.index(0)?;
            let sums = lanes.elements(builder, (x, ty), [from, cols], vec![zero], |builder, at, sums| {
                let [col, factor] = at;
                let term = builder.value(Load { from: a, indices: vec![row, col] }, element)?;
                let term = builder.cast(term, ty)?;
                let term = builder.binary(BinaryOp::Mul, term, factor)?;
                Ok(vec![builder.binary(BinaryOp::Add, super::only(builder, sums)?, term)?])
            })?;
            let sum = super::only(builder, &sums)?;
            let inside = builder.compare(CompareOp::LessThan, own, rows)?;
            builder.when(inside, |builder| output.update(builder, sum, &[own]))
        })
    })
}

/// C := α·a·bᵀ + β·C in blocks of rows, a lane each, and columns, for which the lanes load b for each other.
pub(super) fn outer_product(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    (a, b): (Value, Value),
    output: Output,
) -> Result<(), Error> {
    // Elements of a and b take less than a tenth of the accesses to C.
    let columns = 2 * i64::from(device.schedule.subgroup_size).max(COLUMNS);
    let (element, ty) = (tensor(builder, a)?.0, tensor(builder, output.c)?.0);
    let [rows, cols] = [builder.size(output.c, 0)?, builder.size(output.c, 1)?];
    in_subgroups(builder, device, |builder, lanes| {
        let height = builder.index(lanes.size)?;
        let width = builder.index(columns)?;
        let down = cdiv(builder, rows, lanes.size)?;
        let right = cdiv(builder, cols, columns)?;
        let blocks = builder.binary(BinaryOp::Mul, down, right)?;
        by_blocks(builder, blocks, 1, lanes.partition, &mut |builder, block, _| {
            let row = builder.binary(BinaryOp::Rem, block, down)?;
            let row = builder.binary(BinaryOp::Mul, row, height)?;
            let [own, safe] = lanes.position(builder, row, rows)?;
            let x = builder.value(Load { from: a, indices: vec![safe] }, element)?;
            let x = builder.cast(x, ty)?;
            let col = builder.binary(BinaryOp::Div, block, down)?;
            let from = builder.binary(BinaryOp::Mul, col, width)?;
            let end = builder.binary(BinaryOp::Add, from, width)?;
            let to = builder.binary(BinaryOp::Min, end, cols)?;
            let inside = builder.compare(CompareOp::LessThan, own, rows)?;
            lanes.elements(builder, (b, ty), [from, to], Vec::new(), |builder, [col, y], _| {
                let input = builder.binary(BinaryOp::Mul, x, y)?;
                builder.when(inside, |builder| output.update(builder, input, &[own, col]))?;
                Ok(Vec::new())
            })?;
            Ok(())
        })
    })
}

fn cdiv(builder: &mut Builder<'_>, number: Value, by: i64) -> Built<Value> {
    let (more, by) = (builder.index(by - 1)?, builder.index(by)?);
    let number = builder.binary(BinaryOp::Add, number, more)?;
    builder.binary(BinaryOp::Div, number, by)
}

/// Subgroups that transpose at a time, as local memory allows that the function leaves; `None` if it leaves none. Blocks of
/// several transpositions take turns in it.
fn transposing(device: &Device<'_>, element: Scalar) -> Option<i64> {
    let lanes = i64::from(device.schedule.subgroup_size);
    let block = (lanes + 1).saturating_mul(lanes).saturating_mul(element.bytes());
    let subgroups = (device.free_local.min(LOCAL_BYTES) / block).min(device.schedule.grid.subgroups());
    (subgroups > 0).then_some(subgroups)
}

/// Bytes of local memory that the allocations of a function leave, were they all alive at a time.
pub(super) fn free_local(ir: &Ir, func: Func, info: &CoreInfo) -> i64 {
    let mut free = info.local_memory_size().unwrap_or(LOCAL_BYTES);
    ir.walk(ir[func].body, &mut |inst| {
        if let (Op::Alloca(_), Some(&memory)) = (&ir[inst].op, ir[inst].results.first()) {
            let bytes = ir.ty(memory).memref().and_then(Memref::size_in_bytes);
            free = free.saturating_sub(bytes.unwrap_or(i64::MAX));
        }
    });
    free
}

/// B := α·Aᵀ + β·B in square blocks: lanes follow the columns of A into local memory, and those of B out of it. False if
/// there is no local memory left.
pub(super) fn transpose(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    a: Value,
    output: Output,
) -> Result<bool, Error> {
    let element = tensor(builder, a)?.0;
    let Some(subgroups) = transposing(device, element) else { return Ok(false) };
    let size = i64::from(device.schedule.subgroup_size);
    // A row more than there are lanes, so that lanes reach different banks in either direction.
    let shape = vec![Extent::Static(size + 1), Extent::Static(size * subgroups)];
    let block = Memref::packed(element, shape, AddressSpace::Local);
    let block = builder.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, block)?;
    let [rows, cols] = [builder.size(output.c, 0)?, builder.size(output.c, 1)?];
    in_subgroups(builder, device, |builder, lanes| {
        let (down, right) = (cdiv(builder, rows, size)?, cdiv(builder, cols, size)?);
        let blocks = builder.binary(BinaryOp::Mul, down, right)?;
        let (from, step) = (builder.index(0)?, builder.index(subgroups)?);
        let own = scaled(builder, lanes.partition.id, size)?;
        // All subgroups take every iteration, since they meet at barriers.
        let range = Range { from, to: blocks, step, unroll: Unroll::Never };
        builder.loop_over(range, Vec::new(), |builder, iteration, _| {
            let number = builder.binary(BinaryOp::Add, iteration, lanes.partition.id)?;
            let count = builder.binary(BinaryOp::Add, iteration, step)?;
            let end = builder.binary(BinaryOp::Min, count, blocks)?;
            let has_block = builder.compare(CompareOp::LessThan, number, end)?;
            let row = builder.binary(BinaryOp::Rem, number, down)?;
            let row = scaled(builder, row, size)?;
            let col = builder.binary(BinaryOp::Div, number, down)?;
            let col = scaled(builder, col, size)?;
            let from_a = |builder: &mut Builder<'_>, own_col: Value, inner: Value, at: Value| {
                let value = builder.value(Load { from: a, indices: vec![own_col, at] }, element)?;
                let place = builder.binary(BinaryOp::Add, own, inner)?;
                builder.emit(Store { value, to: block, indices: vec![lanes.lane, place] }, &[]).map(|_| ())
            };
            let to_b = |builder: &mut Builder<'_>, own_row: Value, inner: Value, at: Value| {
                let place = builder.binary(BinaryOp::Add, own, lanes.lane)?;
                let value = builder.value(Load { from: block, indices: vec![inner, place] }, element)?;
                output.update(builder, value, &[own_row, at])
            };
            builder.when(has_block, |builder| {
                lanes.lines(builder, [col, cols], [row, rows], |builder, [lane, inner, at]| {
                    Ok(from_a(builder, lane, inner, at)?)
                })
            })?;
            builder.emit(Barrier { global: FenceGlobal::No, local: FenceLocal::Yes }, &[])?;
            builder.when(has_block, |builder| {
                lanes.lines(builder, [row, rows], [col, cols], |builder, [lane, inner, at]| {
                    to_b(builder, lane, inner, at)
                })
            })?;
            builder.emit(Barrier { global: FenceGlobal::No, local: FenceLocal::Yes }, &[])?;
            Ok(Vec::new())
        })?;
        Ok(())
    })?;
    builder.emit(LifetimeStop { of: block }, &[])?;
    Ok(true)
}

impl Lanes {
    /// The lines of a square block that begins at a position, of which each lane has an element: `body` gets the element's
    /// position, the number of the line in the block, and the line's position, as far as both are below their ends.
    fn lines(
        &self,
        builder: &mut Builder<'_>,
        [first, end]: [Value; 2],
        [line, lines]: [Value; 2],
        body: impl FnOnce(&mut Builder<'_>, [Value; 3]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let own = builder.binary(BinaryOp::Add, first, self.lane)?;
        let inside = builder.compare(CompareOp::LessThan, own, end)?;
        builder.when(inside, |builder| {
            let size = builder.index(self.size)?;
            let left = builder.binary(BinaryOp::Sub, lines, line)?;
            let has_all = is_multiple(builder, lines, self.size);
            let to = if has_all { size } else { builder.binary(BinaryOp::Min, left, size)? };
            let (from, step) = (builder.index(0)?, builder.index(1)?);
            let range = Range { from, to, step, unroll: Unroll::Default };
            builder.loop_over(range, Vec::new(), |builder, inner, _| {
                let at = builder.binary(BinaryOp::Add, line, inner)?;
                body(builder, [own, inner, at]).map(|()| Vec::new())
            })?;
            Ok(())
        })
    }
}
