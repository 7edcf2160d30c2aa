//! The back end without a matrix engine: scalars, fused multiply-adds and subgroup broadcasts.

use super::super::arithmetic::{binary, cast};
use super::super::function::FunctionLowering;
use super::super::module_builder::Emitted;
use super::super::values::Lowered;
use super::super::{complex, subgroup};
use super::{coopmatrix, layout};
use crate::ir::{
    BinaryOp, CoopmatrixMulAdd, CoopmatrixReduce, CoopmatrixReduceOp, ReduceMode, Scalar, SubgroupOp, Type,
    Violation,
};
use crate::status::Status;
use rspirv::spirv::{BuiltIn, Op, OpenclStd100Op, Word};

/// Every product is an instruction of its own; beyond this the code would not fit any instruction cache.
const MAX_PRODUCTS: i64 = 1 << 16;

/// a·b + c, one row of b and one column at a time: the entry of b is broadcast, and every work-item
/// multiplies it with its rows of a (`spec/lowering.md` 4.1).
pub(in crate::spirv) fn mul_add(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixMulAdd,
    ty: &Type,
) -> Emitted<Lowered> {
    let [a, b, c] = [op.a, op.b, op.c].map(|value| t.ir.ty(value));
    let (a, b, c, d) = (coopmatrix(t, a)?, coopmatrix(t, b)?, coopmatrix(t, c)?, coopmatrix(t, ty)?);
    if c.rows % t.subgroup_size != 0 {
        let detail = format!("{} rows with subgroup size {}", c.rows, t.subgroup_size);
        return Err(Violation::new(Status::IrUnsupportedCoopmatrixShape, t.values.location, detail).into());
    }
    let [a_words, b_words, c_words] =
        [op.a, op.b, op.c].map(|value| t.values.matrix(value).map(<[Word]>::to_vec));
    let (a_words, b_words, mut sums) = (a_words?, b_words?, c_words?);
    let size = t.subgroup_size;
    let (a_layout, b_layout, c_layout) = (layout(t, a)?, layout(t, b)?, layout(t, c)?);

    let products = a.cols.saturating_mul(c.cols).saturating_mul(c.rows / size);
    if products > MAX_PRODUCTS {
        let detail = format!("{products} multiply-adds of a work-item, where {MAX_PRODUCTS} are the most");
        return Err(Violation::new(Status::IrUnsupportedCoopmatrixShape, t.values.location, detail).into());
    }

    // Components are converted before they are used, since several products use each.
    let a_words = converted(t, &a_words, a.component, c.component)?;
    let b_words = converted(t, &b_words, b.component, c.component)?;
    for k in 0..a.cols {
        for col in 0..c.cols {
            let (lane, component) = b_layout.find(k, col);
            let Some(&word) = b_words.get(component) else { continue };
            let lane = t.module.i32_constant(u32::try_from(lane).unwrap_or(0));
            let factor = subgroup::broadcast(t.module, c.component, word, lane)?;
            for row in (0..c.rows).step_by(usize::try_from(size).unwrap_or(1)) {
                let (_, a_index) = a_layout.find(row, k);
                let (_, c_index) = c_layout.find(row, col);
                if let (Some(&a_word), Some(sum)) = (a_words.get(a_index), sums.get_mut(c_index)) {
                    *sum = fused_multiply_add(t, c.component, a_word, factor, *sum)?;
                }
            }
        }
    }
    for sum in &mut sums {
        *sum = cast(t.module, c.component, d.component, *sum)?;
    }
    Ok(Lowered::Matrix(sums))
}

fn converted(
    t: &mut FunctionLowering<'_, '_>,
    words: &[Word],
    from: Scalar,
    to: Scalar,
) -> Emitted<Vec<Word>> {
    words.iter().map(|&word| cast(t.module, from, to, word)).collect()
}

fn fused_multiply_add(
    t: &mut FunctionLowering<'_, '_>,
    scalar: Scalar,
    a: Word,
    b: Word,
    c: Word,
) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::multiply_add(t.module, scalar, a, b, c);
    }
    if scalar.is_float() && scalar != Scalar::Bf16 {
        let ty = t.module.scalar_type(scalar)?;
        return t.module.opencl(OpenclStd100Op::fma, ty, &[a, b, c]);
    }
    let product = binary(t.module, BinaryOp::Mul, scalar, a, b)?;
    binary(t.module, BinaryOp::Add, scalar, product, c)
}

/// Combines the entries along rows or columns.
pub(in crate::spirv) fn reduce(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixReduce,
    ty: &Type,
) -> Emitted<Lowered> {
    let (from, to) = (coopmatrix(t, t.ir.ty(op.matrix))?, coopmatrix(t, ty)?);
    if from.rows % t.subgroup_size != 0 {
        let detail = format!("{} rows with subgroup size {}", from.rows, t.subgroup_size);
        return Err(Violation::new(Status::IrUnsupportedCoopmatrixShape, t.values.location, detail).into());
    }
    let words = t.values.matrix(op.matrix)?.to_vec();
    let from_layout = layout(t, from)?;
    let to_layout = layout(t, to)?;
    let (pair, whole) = match op.op {
        CoopmatrixReduceOp::Add => (BinaryOp::Add, SubgroupOp::ReduceAdd),
        CoopmatrixReduceOp::Max => (BinaryOp::Max, SubgroupOp::ReduceMax),
        CoopmatrixReduceOp::Min => (BinaryOp::Min, SubgroupOp::ReduceMin),
    };
    let scalar = from.component;
    let zero = t.module.zero(scalar)?;
    let mut results = vec![zero; to_layout.length()];
    // Every work-item holds whole rows, one in each row block.
    let row_blocks: Vec<i64> =
        (0..from.rows).step_by(usize::try_from(t.subgroup_size).unwrap_or(1)).collect();
    let entry = |row, col| words.get(from_layout.find(row, col).1).copied();
    match op.mode {
        ReduceMode::Row => {
            for &row in &row_blocks {
                let entries: Vec<Word> = (0..from.cols).filter_map(|col| entry(row, col)).collect();
                let total = combine(t, pair, scalar, &entries)?;
                if let (Some(total), Some(result)) = (total, results.get_mut(to_layout.find(row, 0).1)) {
                    *result = total;
                }
            }
        }
        ReduceMode::Column => {
            for col in 0..from.cols {
                let entries: Vec<Word> = row_blocks.iter().filter_map(|&row| entry(row, col)).collect();
                let Some(own) = combine(t, pair, scalar, &entries)? else { continue };
                let total = subgroup::combine(t.module, whole, scalar, own)?;
                let (lane, component) = to_layout.find(0, col);
                if let Some(result) = results.get_mut(component) {
                    *result = on_lane(t, scalar, lane, total, *result)?;
                }
            }
        }
    }
    Ok(Lowered::Matrix(results))
}

/// Combines values of one work-item, from the first on.
fn combine(
    t: &mut FunctionLowering<'_, '_>,
    op: BinaryOp,
    scalar: Scalar,
    words: &[Word],
) -> Emitted<Option<Word>> {
    let Some((&first, rest)) = words.split_first() else { return Ok(None) };
    let mut total = first;
    for &word in rest {
        total = binary(t.module, op, scalar, total, word)?;
    }
    Ok(Some(total))
}

/// `value` in one work-item, `other` in the rest.
fn on_lane(
    t: &mut FunctionLowering<'_, '_>,
    scalar: Scalar,
    lane: i64,
    value: Word,
    other: Word,
) -> Emitted<Word> {
    let own = t.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let lane = t.module.i32_constant(u32::try_from(lane).unwrap_or(0));
    let (boolean, ty) = (t.module.bool_type(), t.module.scalar_type(scalar)?);
    let here = t.module.value(Op::IEqual, boolean, &[own, lane])?;
    if !scalar.is_complex() {
        return t.module.value(Op::Select, ty, &[here, value, other]);
    }
    // A scalar condition selects between vectors only from SPIR-V 1.4 on, and not everywhere then.
    let value = complex::parts(t.module, scalar, value)?;
    let mut parts = complex::parts(t.module, scalar, other)?;
    let part = t.module.scalar_type(scalar.component())?;
    for (part_word, value) in parts.iter_mut().zip(value) {
        *part_word = t.module.value(Op::Select, part, &[here, value, *part_word])?;
    }
    complex::from_parts(t.module, scalar, parts)
}
