//! Types of tiles.

use crate::ir::{Coopmatrix, MatrixUse};
use crate::schedule::JointTile;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::{CooperativeMatrixUse, Word};

/// The type of a tile of a matrix.
pub(super) fn tile_type(
    f: &mut FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
    tile: JointTile,
) -> Emitted<Word> {
    let usage = match matrix.usage {
        MatrixUse::A => CooperativeMatrixUse::MatrixBKHR,
        MatrixUse::B => CooperativeMatrixUse::MatrixAKHR,
        MatrixUse::Acc => CooperativeMatrixUse::MatrixAccumulatorKHR,
    };
    let number =
        |number: i64| u32::try_from(number).map_err(|_| Error::internal(format!("{number} rows of a tile")));
    let (rows, cols) = (number(tile.cols)?, number(tile.rows)?);
    let component = f.module.scalar_type(matrix.component)?;
    Ok(f.module.cooperative_matrix_type(component, rows, cols, usage))
}
