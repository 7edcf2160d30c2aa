//! Loads and stores of matrices in the layout of the language.

use super::{access, block, block2d, packed, short};
use crate::ir::AccessClass;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;

/// Reads a matrix by the messages that were chosen for it.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    match from.io.class {
        AccessClass::Block2d | AccessClass::Block2dTranspose => block2d::load(f, from),
        AccessClass::Block1d if from.checked.rows() => short::load(f, from),
        AccessClass::Block1d => block::load(f, from),
        AccessClass::Lanes => access::load(f, from),
        AccessClass::Vectors if from.matrix.component.is_packed() => packed::load(f, from),
        AccessClass::Block2dTransform
        | AccessClass::Panels
        | AccessClass::Vectors
        | AccessClass::Block2dFolded
        | AccessClass::Block2dEvenOdd
        | AccessClass::Tiles
        | AccessClass::Uniform => Err(from.cannot_obey()),
    }
}

/// Writes a matrix by the messages that were chosen for it.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    match to.io.class {
        AccessClass::Block2d => block2d::store(f, to, value),
        AccessClass::Block1d if to.checked.rows() => short::store(f, to, value),
        AccessClass::Block1d => block::store(f, to, value),
        AccessClass::Lanes => access::store(f, to, value),
        AccessClass::Block2dTransform
        | AccessClass::Block2dTranspose
        | AccessClass::Panels
        | AccessClass::Vectors
        | AccessClass::Block2dFolded
        | AccessClass::Block2dEvenOdd
        | AccessClass::Tiles
        | AccessClass::Uniform => Err(to.cannot_obey()),
    }
}
