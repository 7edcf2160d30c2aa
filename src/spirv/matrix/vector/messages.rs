//! Loads and stores of matrices in the layout of the language, by the best messages that there are.

use super::{access, block, block2d, short};
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;

/// Reads a matrix.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
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

/// Writes a matrix.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    if block2d::store(f, to, value)? || block::store(f, to, value)? || short::store(f, to, value)? {
        return Ok(());
    }
    access::store(f, to, value)
}
