//! Matrices without an engine: scalars, fused multiply-adds and subgroup broadcasts.
//!
//! A matrix is the list of the components that a work-item holds, in the order of [`Layout`](crate::analysis::Layout), but for small factors B
//! that are [`replicated`].

mod access;
mod block;
mod block2d;
mod clamped;
mod elements;
mod memory;
mod messages;
mod packed;
mod partition;
mod product;
mod redistribute;
mod reduce;
mod replicated;
mod short;
mod slice;

use super::access::MatrixAccess;
use crate::ir::{AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode};
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::AtomicAccess;
use crate::spirv::values::MatrixValue;
use partition::layout;
use rspirv::spirv::Word;

pub(super) use elements::{binary, scale, unary};
pub(super) use product::mul_add;
pub(super) use slice::slice;

/// The SPIR-V types of the components of a matrix.
pub(super) fn value_types(f: &mut FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<Vec<Word>> {
    let ty = f.module.scalar_type(matrix.component)?;
    Ok(vec![ty; length(f, matrix)?])
}

/// A matrix with one number in every entry.
pub(super) fn construct(
    f: &FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
    entry: Word,
) -> Emitted<MatrixValue> {
    Ok(MatrixValue::new(matrix, vec![entry; length(f, matrix)?]))
}

/// The component `index` of the work-item.
pub(super) fn extract(f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
    if replicated::is_replicated(f, matrix.ty()) {
        return replicated::extract(f, matrix, index);
    }
    elements::extract(f, matrix, index)
}

/// The matrix with the component `index` of the work-item replaced.
pub(super) fn insert(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    index: i64,
    entry: Word,
) -> Emitted<MatrixValue> {
    if replicated::is_replicated(f, matrix.ty()) {
        return replicated::insert(f, matrix, index, entry);
    }
    elements::insert(f, matrix, index, entry)
}

/// The same entries with another component type or use.
pub(super) fn cast(
    f: &mut FunctionLowering<'_, '_>,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    if replicated::is_replicated(f, a.ty()) && replicated::is_replicated(f, result) {
        return elements::converted(f, a, result);
    }
    let a = replicated::distributed(f, a)?;
    let matrix = elements::cast(f, &a, result)?;
    replicated::replicated(f, matrix)
}

/// The entries combined along rows or columns.
pub(super) fn reduce(
    f: &mut FunctionLowering<'_, '_>,
    op: CoopmatrixReduceOp,
    mode: ReduceMode,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let a = replicated::distributed(f, a)?;
    let matrix = reduce::reduce(f, op, mode, &a, result)?;
    replicated::replicated(f, matrix)
}

/// Reads a matrix; entries that fail a check are 0.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    if replicated::is_replicated(f, from.matrix) {
        return replicated::load(f, from);
    }
    messages::load(f, from)
}

/// Writes a matrix; entries that fail a check are skipped.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let value = replicated::distributed(f, value)?;
    messages::store(f, to, &value)
}

/// Reads a matrix with an atomic access for each entry.
pub(super) fn atomic_load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    atomic: AtomicAccess,
) -> Emitted<MatrixValue> {
    let matrix = access::atomic_load(f, from, atomic)?;
    replicated::replicated(f, matrix)
}

/// Writes a matrix with an atomic access for each entry.
pub(super) fn atomic_store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    atomic: AtomicAccess,
    value: &MatrixValue,
) -> Emitted<()> {
    let value = replicated::distributed(f, value)?;
    access::atomic_store(f, to, atomic, &value)
}

/// Combines a matrix in memory with another; returns what was there before.
pub(super) fn atomic_update(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    atomic: AtomicAccess,
    op: AtomicUpdateOp,
    value: &MatrixValue,
) -> Emitted<MatrixValue> {
    let value = replicated::distributed(f, value)?;
    let matrix = access::atomic_update(f, to, atomic, op, &value)?;
    replicated::replicated(f, matrix)
}

/// The number of ids of a matrix.
fn length(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<usize> {
    if replicated::is_replicated(f, matrix) {
        return Ok(replicated::length(matrix));
    }
    Ok(layout(f, matrix)?.length())
}
