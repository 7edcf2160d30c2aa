//! Operations that compute each element of the output on its own.

use super::super::emit::{Emit, Range, Unroll};
use super::super::error::Error;
use super::super::tile::lower::Settings;
use super::super::tile::lower::block::Run;
use super::super::tile::lower::blocks::lower_in_blocks;
use super::operands::{Scaled, load};
use super::{Device, Output, for_each_below, for_each_element, internal, lanes, only, tensor};
use crate::analysis::integer_of;
use crate::ir::{
    AddressSpace, Axpby, BinaryOp, Boundary, Builder, Built, CompareOp, Constant, Extent, Gemv, Ger,
    Hadamard, Inst, Load, MatrixUse, Memref, Scalar, Tile, Transpose, Value,
};

/// B := α·op(A) + β·B
pub(super) fn axpby(builder: &mut Builder<'_>, op: &Axpby, device: &Device<'_>) -> Result<(), Error> {
    let (ty, order) = tensor(builder, op.a)?;
    let output = Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.b };
    let is_transposed = op.transpose == Transpose::T && order == 2;
    if is_transposed && [op.a, op.b].into_iter().all(|matrix| lanes::applies(builder, device, matrix)) {
        let is_done = lanes::transpose(builder, device, op.a, output)?;
        if is_done {
            return Ok(());
        }
    }
    if !is_transposed && update_blocks(builder, device, output, &[op.a])? {
        return Ok(());
    }
    update_each(builder, device, output, |builder, indices| {
        let mut from = indices.to_vec();
        if is_transposed {
            from.reverse();
        }
        Ok(builder.value(Load { from: op.a, indices: from }, ty)?)
    })
}

/// Updates each element of a matrix with the product of those at the same place of others, which subgroups take in blocks: `false` if
/// these are no matrices of known extents with contiguous columns or in local memory, or blocks do not suit the device.
fn update_blocks(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    output: Output,
    factors: &[Value],
) -> Result<bool, Error> {
    // In local memory there are no lines that lanes would have to share.
    let is_near = |memref: &Memref| {
        memref.space == AddressSpace::Local && memref.stride.iter().all(|stride| stride.value().is_some())
    };
    let suits = |memref: &Memref| {
        memref.order() == 2
            && (memref.stride.first() == Some(&Extent::Static(1)) || is_near(memref))
            && memref.shape.iter().all(|extent| extent.value().is_some())
    };
    let memrefs = std::iter::once(&output.c).chain(factors).map(|&matrix| builder.ir.ty(matrix).memref());
    let memrefs = memrefs.collect::<Option<Vec<&Memref>>>().unwrap_or_default();
    let [c, ..] = memrefs.as_slice() else { return Ok(false) };
    let Device { surfaces, schedule, info, .. } = device;
    if !memrefs.iter().all(|memref| suits(memref)) {
        return Ok(false);
    }
    let extents = [c.shape.first(), c.shape.get(1)].map(|extent| extent.and_then(|extent| extent.value()));
    let bytes = memrefs.iter().map(|memref| memref.element.bytes()).sum();
    let block = schedule.elementwise_block(extents, bytes, info);
    if block.is_none() {
        return Ok(false);
    }
    let tile = Tile { component: c.element, rows: Tile::WHOLE, cols: Tile::WHOLE, usage: MatrixUse::Acc };
    let scaled = Scaled::new(builder, output, tile.component)?;
    builder.parallel(|builder| {
        let mut input = None;
        for &matrix in factors {
            let component = tensor(builder, matrix)?.0;
            let start = (builder.index(0)?, Boundary::Unchecked);
            let factor = load(builder, (matrix, Transpose::N), [start; 2], Tile { component, ..tile })?;
            let factor = builder.cast(factor, tile)?;
            input = Some(match input {
                Some(others) => builder.binary(BinaryOp::Mul, others, factor)?,
                None => factor,
            });
        }
        let input = input.ok_or_else(|| internal(builder.location, "nothing to update with"))?;
        scaled.store(builder, Transpose::N, input)?;
        let insts: Vec<Inst> = builder.ir.insts(builder.cursor.region()).collect();
        let (atomic, forwarded, block) = (output.atomic, &[][..], block);
        let run = Run { insts: &insts, extents: None, atomic, forwarded, held: None, block };
        lower_in_blocks(builder, &run, Settings { schedule: *schedule, info, surfaces })
    })?;
    Ok(true)
}

/// Elements of each work-item that are loaded before the first one is stored: the latency of memory is waited for once.
const AT_ONCE: [i64; 3] = [8, 4, 2];

/// The same where only the launch knows how many elements there are, so that some are left over.
const AT_ONCE_OF_ANY: i64 = 4;

/// Bytes of them in an output, so that they and their addresses fit the registers.
const MAX_BYTES_AT_ONCE: i64 = 32;

/// Updates every element of an output with what `input` computes from its indices. On GPUs, a work-item takes several
/// elements at a time, which lie a part of the last mode apart, if all subgroups still have work then, and the mode is known
/// to divide so or not known at all.
fn update_each(
    builder: &mut Builder<'_>,
    device: &Device<'_>,
    output: Output,
    input: impl Fn(&mut Builder<'_>, &[Value]) -> Result<Value, Error>,
) -> Result<(), Error> {
    let (element, order) = tensor(builder, output.c)?;
    let mut to = (0i64..).take(order).map(|mode| builder.size(output.c, mode)).collect::<Built<Vec<_>>>()?;
    let (lanes, grid) = (i64::from(device.schedule.subgroup_size), device.schedule.grid);
    // A vector is shared by all subgroups, of matrices each column by those along x.
    let least = match order {
        1 => grid.subgroups().saturating_mul(lanes),
        _ => i64::from(grid.cols),
    };
    let fits = |count: i64| !device.info.is_cpu() && count * element.bytes() <= MAX_BYTES_AT_ONCE;
    let extent = to.last().and_then(|&last| integer_of(builder.ir, last));
    let divides = |&count: &i64| {
        extent.is_some_and(|extent| extent > 0 && extent % (count * least.max(1)) == 0 && fits(count))
    };
    let updates = Updates { output, input };
    if let (Some(last), Some(extent), Some(count)) =
        (to.last_mut(), extent, AT_ONCE.into_iter().find(divides))
    {
        let distance = builder.index(extent / count)?;
        *last = distance;
        return for_each_below(builder, to, |builder, indices| {
            updates.several(builder, indices, distance, count)
        });
    }
    let Some(last) = to.last_mut().filter(|_| extent.is_none() && fits(AT_ONCE_OF_ANY)) else {
        return for_each_below(builder, to, |builder, indices| updates.one(builder, indices));
    };
    // All of it in one loop, between parts of which no barrier is needed.
    let [unit, least] = [AT_ONCE_OF_ANY * least, least].map(|number| builder.index(number));
    let units = builder.binary(BinaryOp::Div, *last, unit?)?;
    let distance = builder.binary(BinaryOp::Mul, units, least?)?;
    let others = builder.index(AT_ONCE_OF_ANY - 1)?;
    let others = builder.binary(BinaryOp::Mul, distance, others)?;
    *last = builder.binary(BinaryOp::Sub, *last, others)?;
    for_each_below(builder, to, |builder, indices| {
        let place = only(builder, indices.last().map_or(&[], std::slice::from_ref))?;
        let is_shared = builder.compare(CompareOp::LessThan, place, distance)?;
        builder.branch::<Error>(
            is_shared,
            &[],
            |builder| {
                updates.several(builder, indices, distance, AT_ONCE_OF_ANY)?;
                Ok(Vec::new())
            },
            |builder| {
                let indices = further(builder, indices, others)?;
                updates.one(builder, &indices)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    })
}

/// Indices so much further along the last mode.
fn further(builder: &mut Builder<'_>, indices: &[Value], by: Value) -> Built<Vec<Value>> {
    let mut indices = indices.to_vec();
    if let Some(last) = indices.last_mut() {
        *last = builder.binary(BinaryOp::Add, *last, by)?;
    }
    Ok(indices)
}

/// Updates of elements of an output with what is computed from their indices.
struct Updates<Input> {
    output: Output,
    input: Input,
}

impl<Input: Fn(&mut Builder<'_>, &[Value]) -> Result<Value, Error>> Updates<Input> {
    fn one(&self, builder: &mut Builder<'_>, indices: &[Value]) -> Result<(), Error> {
        let input = (self.input)(builder, indices)?;
        self.output.update(builder, input, indices)
    }

    /// Updates elements that lie a distance apart in the last mode, all of which are read before one is written.
    fn several(
        &self,
        builder: &mut Builder<'_>,
        indices: &[Value],
        distance: Value,
        count: i64,
    ) -> Result<(), Error> {
        let mut updates = Vec::new();
        for number in 0..count {
            let at = if number == 0 {
                indices.to_vec()
            } else {
                let number = builder.index(number)?;
                let offset = builder.binary(BinaryOp::Mul, number, distance)?;
                further(builder, indices, offset)?
            };
            let input = (self.input)(builder, &at)?;
            updates.push((self.output.value(builder, input, &at)?, at));
        }
        updates.into_iter().try_for_each(|(value, at)| self.output.write(builder, value, &at))
    }
}

/// C := α·a·bᵀ + β·C
pub(super) fn ger(builder: &mut Builder<'_>, op: &Ger, device: &Device<'_>) -> Result<(), Error> {
    let output = Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.c };
    if lanes::applies(builder, device, op.c) {
        return lanes::outer_product(builder, device, (op.a, op.b), output);
    }
    for_each_element(builder, op.c, |builder, indices| {
        let &[row, col] = indices else { return Err(internal(builder.location, "ger writes a matrix")) };
        let ty = tensor(builder, op.c)?.0;
        let input = product(builder, (op.a, &[row]), (op.b, &[col]), ty)?;
        output.update(builder, input, indices)
    })
}

/// C := α·A∘B + β·C
pub(super) fn hadamard(builder: &mut Builder<'_>, op: &Hadamard, device: &Device<'_>) -> Result<(), Error> {
    let output = Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.c };
    if update_blocks(builder, device, output, &[op.a, op.b])? {
        return Ok(());
    }
    let ty = tensor(builder, op.c)?.0;
    update_each(builder, device, output, |builder, indices| {
        product(builder, (op.a, indices), (op.b, indices), ty)
    })
}

/// c := α·op(A)·b + β·c
pub(super) fn gemv(builder: &mut Builder<'_>, op: &Gemv, device: &Device<'_>) -> Result<(), Error> {
    let output = Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.c };
    let (a, b, c) = (tensor(builder, op.a)?.0, tensor(builder, op.b)?.0, tensor(builder, op.c)?.0);
    let factors = a.promote(b).ok_or_else(|| internal(builder.location, "types of A and b"))?;
    let ty = factors.sum_type(c);
    if lanes::applies(builder, device, op.a) {
        return match op.transpose {
            Transpose::N => lanes::sum_rows(builder, device, (op.a, op.b), ty, output),
            Transpose::T => lanes::sum_columns(builder, device, (op.a, Some(op.b)), ty, output),
        };
    }
    for_each_element(builder, op.c, |builder, indices| {
        let &[row] = indices else { return Err(internal(builder.location, "gemv writes a vector")) };
        let (from, step) = (builder.index(0)?, builder.index(1)?);
        let to = builder.size(op.b, 0)?;
        let zero = builder.constant(Constant::zero(ty), ty)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        let sums = builder.loop_over(range, vec![zero], |builder, k, sums| {
            let at = if op.transpose == Transpose::N { [row, k] } else { [k, row] };
            let term = product(builder, (op.a, &at), (op.b, &[k]), ty)?;
            let sum = only(builder, sums)?;
            Ok(vec![builder.binary(BinaryOp::Add, sum, term)?])
        })?;
        let sum = only(builder, &sums)?;
        output.update(builder, sum, indices)
    })
}

/// The product of two elements, formed in `ty`, to which both are promoted.
fn product(
    builder: &mut Builder<'_>,
    (a, a_at): (Value, &[Value]),
    (b, b_at): (Value, &[Value]),
    ty: Scalar,
) -> Result<Value, Error> {
    let (a_type, b_type) = (tensor(builder, a)?.0, tensor(builder, b)?.0);
    let x = builder.value(Load { from: a, indices: a_at.to_vec() }, a_type)?;
    let y = builder.value(Load { from: b, indices: b_at.to_vec() }, b_type)?;
    let (x, y) = (builder.cast(x, ty)?, builder.cast(y, ty)?);
    Ok(builder.binary(BinaryOp::Mul, x, y)?)
}
