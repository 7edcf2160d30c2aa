//! Sums, maxima and minima of the rows or columns of cooperative matrices.

use super::partition::{check_whole_rows, component, component_mut, lane_constant, layout, row_blocks};
use super::redistribute::redistributed;
use crate::analysis::Layout;
use crate::ir::{BinaryOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode, Scalar, SubgroupOp};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{binary, complex, subgroup};
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{BuiltIn, Op, Word};

/// Combines the entries along rows or columns. Every work-item holds whole rows, one in each row block, or there is one row.
pub(super) fn reduce(
    f: &mut FunctionLowering<'_, '_>,
    op: CoopmatrixReduceOp,
    mode: ReduceMode,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let from = a.ty();
    let is_single_row = from.rows == 1 && mode == ReduceMode::Row;
    if !is_single_row {
        check_whole_rows(f, from)?;
    }
    let (held, returned) = (layout(f, from)?, layout(f, result)?);
    let from_layout = Layout::new(from, f.subgroup_size).unwrap_or(held);
    let to_layout = Layout::new(result, f.subgroup_size).unwrap_or(returned);
    let a = &MatrixValue::new(from, redistributed(f, a, &held, &from_layout)?);
    let (pair, whole) = match op {
        CoopmatrixReduceOp::Add => (BinaryOp::Add, SubgroupOp::ReduceAdd),
        CoopmatrixReduceOp::Max => (BinaryOp::Max, SubgroupOp::ReduceMax),
        CoopmatrixReduceOp::Min => (BinaryOp::Min, SubgroupOp::ReduceMin),
    };
    let scalar = from.component;
    let zero = f.module.zero(scalar)?;
    let mut results = vec![zero; to_layout.length()];
    let entry = |row, col| component(a, from_layout.find(row, col).1);
    match mode {
        ReduceMode::Row if is_single_row => {
            let total = combined_row(f, (pair, whole), a, &from_layout)?;
            *component_mut(&mut results, to_layout.find(0, 0).1)? = total;
        }
        ReduceMode::Row => {
            for row in row_blocks(f, from) {
                let entries: Emitted<Vec<Word>> = (0..from.cols).map(|col| entry(row, col)).collect();
                // What has no entries adds up to 0.
                if let Some(total) = combine(f, pair, scalar, &entries?)? {
                    *component_mut(&mut results, to_layout.find(row, 0).1)? = total;
                }
            }
        }
        ReduceMode::Column => {
            for col in 0..from.cols {
                let entries: Emitted<Vec<Word>> = row_blocks(f, from).map(|row| entry(row, col)).collect();
                let own = combine(f, pair, scalar, &entries?)?;
                let own = own.ok_or_else(|| Error::internal(format!("column {col} has no entries")))?;
                let total = subgroup::combine(f.module, whole, scalar, own)?;
                let (lane, index) = to_layout.find(0, col);
                let slot = component_mut(&mut results, index)?;
                *slot = on_lane(f, scalar, lane, total, *slot)?;
            }
        }
    }
    let results = MatrixValue::new(result, results);
    let results = redistributed(f, &results, &to_layout, &returned)?;
    Ok(MatrixValue::new(result, results))
}

/// Combines the entries of a single row, which the work-items share.
fn combined_row(
    f: &mut FunctionLowering<'_, '_>,
    (pair, whole): (BinaryOp, SubgroupOp),
    a: &MatrixValue,
    layout: &Layout,
) -> Emitted<Word> {
    let scalar = a.ty().component;
    let own = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let mut entries = Vec::new();
    for place in layout.places() {
        let entry = component(a, layout.component_at(place))?;
        let left = layout.cols - layout.first_col(place);
        // Where there is no entry, a sum gets 0, and the first entry of the row changes no maximum or minimum.
        entries.push(if left < layout.stripe_cols {
            let other = match pair {
                BinaryOp::Add => f.module.zero(scalar)?,
                _ => {
                    let first = lane_constant(f, 0)?;
                    subgroup::broadcast(f.module, scalar, component(a, 0)?, first)?
                }
            };
            let (boolean, left) = (f.module.bool_type(), lane_constant(f, left)?);
            let is_there = f.module.value(Op::ULessThan, boolean, &[own, left])?;
            selected(f, scalar, is_there, entry, other)?
        } else {
            entry
        });
    }
    let own = combine(f, pair, scalar, &entries)?;
    let own = own.ok_or_else(|| Error::internal("a row without entries"))?;
    subgroup::combine(f.module, whole, scalar, own)
}

/// Combines values of one work-item, from the first on.
fn combine(
    f: &mut FunctionLowering<'_, '_>,
    op: BinaryOp,
    scalar: Scalar,
    words: &[Word],
) -> Emitted<Option<Word>> {
    let Some((&first, rest)) = words.split_first() else { return Ok(None) };
    let mut total = first;
    for &word in rest {
        total = binary(f.module, op, scalar, total, word)?;
    }
    Ok(Some(total))
}

/// `value` in one work-item, `other` in the rest.
fn on_lane(
    f: &mut FunctionLowering<'_, '_>,
    scalar: Scalar,
    lane: i64,
    value: Word,
    other: Word,
) -> Emitted<Word> {
    let own = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let lane = lane_constant(f, lane)?;
    let boolean = f.module.bool_type();
    let here = f.module.value(Op::IEqual, boolean, &[own, lane])?;
    selected(f, scalar, here, value, other)
}

/// `value` where a condition holds, `other` elsewhere.
fn selected(
    f: &mut FunctionLowering<'_, '_>,
    scalar: Scalar,
    here: Word,
    value: Word,
    other: Word,
) -> Emitted<Word> {
    let ty = f.module.scalar_type(scalar)?;
    if !scalar.is_complex() {
        return f.module.value(Op::Select, ty, &[here, value, other]);
    }
    // A scalar condition selects between vectors only from SPIR-V 1.4 on, and not everywhere then.
    let value = complex::parts(f.module, scalar, value)?;
    let mut parts = complex::parts(f.module, scalar, other)?;
    let part = f.module.scalar_type(scalar.component())?;
    for (part_word, value) in parts.iter_mut().zip(value) {
        *part_word = f.module.value(Op::Select, part, &[here, value, *part_word])?;
    }
    complex::from_parts(f.module, scalar, parts)
}
