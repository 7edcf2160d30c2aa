//! Matrices without an engine: scalars, fused multiply-adds and subgroup broadcasts.
//!
//! A matrix is the list of the components that a work-item holds, in the order of [`Layout`], but for small factors B
//! that are [`replicated`].

mod access;
mod block;
mod block2d;
mod elements;
mod memory;
mod product;
mod redistribute;
mod reduce;
mod replicated;
mod short;

use super::access::MatrixAccess;
use super::backend::MatrixValue;
use crate::analysis::Layout;
use crate::ir::{AtomicUpdateOp, Coopmatrix, CoopmatrixReduceOp, ReduceMode, Type, VerifierError};
use crate::schedule;
use crate::spirv::atomic::Access as AtomicAccess;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::status::Status;
pub(super) use elements::{binary, scale, unary};
pub(super) use product::mul_add;
use rspirv::spirv::Word;

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
    let matrix = replicated::distributed(f, matrix)?;
    elements::extract(f, &matrix, index)
}

/// The matrix with the component `index` of the work-item replaced.
pub(super) fn insert(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    index: i64,
    entry: Word,
) -> Emitted<MatrixValue> {
    let matrix = replicated::distributed(f, matrix)?;
    let matrix = elements::insert(f, &matrix, index, entry)?;
    replicated::replicated(f, matrix)
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
    load_distributed(f, from)
}

/// Writes a matrix; entries that fail a check are skipped.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let value = replicated::distributed(f, value)?;
    if block2d::store(f, to, &value)? || block::store(f, to, &value)? || short::store(f, to, &value)? {
        return Ok(());
    }
    access::store(f, to, &value)
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

/// Reads a matrix in the layout of the language, by the best messages that there are.
fn load_distributed(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    if let Some(matrix) = block2d::load(f, from)? {
        return Ok(matrix);
    }
    if let Some(matrix) = block::load(f, from)? {
        return Ok(matrix);
    }
    match short::load(f, from)? {
        Some(matrix) => Ok(matrix),
        None => access::load(f, from),
    }
}

/// The partition of a matrix among the work-items of the subgroup.
fn layout(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<Layout> {
    let engine = f.schedule.engine(f.module.info);
    schedule::layout(matrix, f.subgroup_size, engine).ok_or_else(|| {
        let detail = format!("{} takes too many registers", Type::Coopmatrix(matrix));
        VerifierError::new(Status::IrUnsupportedCoopmatrixShape, f.values.location, detail).into()
    })
}

/// The number of ids of a matrix.
fn length(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<usize> {
    if replicated::is_replicated(f, matrix) {
        return Ok(replicated::length(matrix));
    }
    Ok(layout(f, matrix)?.length())
}

/// The component `index` of a matrix that the layout says is there.
fn component(matrix: &MatrixValue, index: usize) -> Emitted<Word> {
    matrix.ids().get(index).copied().ok_or_else(|| {
        let (ty, length) = (Type::Coopmatrix(matrix.ty()), matrix.ids().len());
        Error::internal(format!("component {index} of {length} of a {ty}"))
    })
}

/// The component `index` of a list that is as long as the layout says.
fn component_mut(components: &mut [Word], index: usize) -> Emitted<&mut Word> {
    let length = components.len();
    components.get_mut(index).ok_or_else(|| Error::internal(format!("component {index} of {length}")))
}

/// The refusal of a matrix that leaves lanes without a row.
fn check_whole_rows(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<()> {
    if matrix.rows % f.subgroup_size == 0 {
        return Ok(());
    }
    let detail = format!("{} rows with subgroup size {}", matrix.rows, f.subgroup_size);
    Err(VerifierError::new(Status::IrUnsupportedCoopmatrixShape, f.values.location, detail).into())
}

/// The first row of each row block; every work-item holds one row of each.
fn row_blocks(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> impl Iterator<Item = i64> + use<> {
    let size = f.subgroup_size;
    (0..matrix.rows / size).map(move |block| block * size)
}

/// The number of a work-item as a constant.
fn lane_constant(f: &mut FunctionLowering<'_, '_>, lane: i64) -> Emitted<Word> {
    let lane = u32::try_from(lane).map_err(|_| Error::internal(format!("work-item {lane}")))?;
    Ok(f.module.i32_constant(lane))
}
