//! Parts of cooperative matrices.

use super::memory::fill_padding;
use super::partition::{component, lane_constant, layout};
use super::replicated::{distributed, entry, is_replicated};
use crate::ir::Coopmatrix;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::subgroup;
use crate::spirv::values::MatrixValue;
use rspirv::spirv::{BuiltIn, Op, Word};

/// The part of a matrix that begins at a row and a column. Where the work-items hold the entries already that they are to
/// have, and where all are to have all, which products read from wherever they are, it takes no instruction of a GPU.
pub(in crate::spirv::matrix) fn slice(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    [row, col]: [i64; 2],
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let (rows, cols) = (result.rows, result.cols);
    if is_replicated(f, result) {
        let places = (0..cols).flat_map(|j| (0..rows).map(move |i| (row + i, col + j)));
        let entries: Emitted<_> = places.map(|(i, j)| uniform(f, matrix, i, j)).collect();
        return Ok(MatrixValue::new(result, entries?));
    }
    let matrix = distributed(f, matrix)?;
    let (from, to) = (layout(f, matrix.ty())?, layout(f, result)?);
    let mut words = Vec::with_capacity(to.length());
    for place in to.places() {
        let entries = (0..f.subgroup_size).map(|lane| (lane, to.entry(place, lane)));
        let inside = entries.filter(|&(_, (i, j))| i < rows && j < cols);
        let sources: Vec<(i64, (i64, usize))> =
            inside.map(|(lane, (i, j))| (lane, from.find(row + i, col + j))).collect();
        words.push(gathered(f, &matrix, &sources)?);
    }
    let zero = f.module.zero(result.component)?;
    fill_padding(f, (result.component, &to), &mut words, zero)?;
    Ok(MatrixValue::new(result, words))
}

/// An entry, in all work-items.
fn uniform(f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, row: i64, col: i64) -> Emitted<Word> {
    if is_replicated(f, matrix.ty()) {
        return entry(matrix, row, col);
    }
    let (lane, index) = layout(f, matrix.ty())?.find(row, col);
    let lane = lane_constant(f, lane)?;
    subgroup::broadcast(f.module, matrix.ty().component, component(matrix, index)?, lane)
}

/// In each work-item the component of another one; those without a source have anything.
fn gathered(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    sources: &[(i64, (i64, usize))],
) -> Emitted<Word> {
    let scalar = matrix.ty().component;
    let Some((&(own, (source, index)), others)) = sources.split_first() else {
        return f.module.zero(scalar);
    };
    if source == own && others.iter().all(|&(lane, of)| of == (lane, index)) {
        return component(matrix, index);
    }
    let ty = (f.module.bool_type(), f.module.scalar_type(scalar)?);
    let lane_id = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let read = |f: &mut FunctionLowering<'_, '_>, (source, index): (i64, usize)| {
        let source = lane_constant(f, source)?;
        subgroup::broadcast(f.module, scalar, component(matrix, index)?, source)
    };
    let mut words = read(f, (source, index))?;
    for &(lane, of) in others {
        let (value, lane) = (read(f, of)?, lane_constant(f, lane)?);
        let is_here = f.module.value(Op::IEqual, ty.0, &[lane_id, lane])?;
        words = f.module.value(Op::Select, ty.1, &[is_here, value, words])?;
    }
    Ok(words)
}
