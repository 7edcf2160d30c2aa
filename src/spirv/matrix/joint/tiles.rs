//! Matrices as lists of tiles.

use crate::analysis::Layout;
use crate::device::JointMatrix;
use crate::ir::{Coopmatrix, MatrixUse};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::spirv::{CooperativeMatrixUse, Word};

/// The tiles of a matrix: those of the first rows first, and from left to right. The extension's matrices are the transposes of
/// the language's, so that B is its first factor.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    pub matrix: Coopmatrix,
    pub row_parts: Vec<i64>,
    pub col_parts: Vec<i64>,
    /// Columns of a packed A side by side.
    pub packed_cols: Option<i64>,
}

/// Part of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub row: i64,
    pub col: i64,
    pub rows: i64,
    pub cols: i64,
}

impl Tiles {
    /// The tiles of a matrix; `None` if the engine has none for it. Rows of A and of sums belong to one work-item each.
    pub fn new(matrix: Coopmatrix, engine: &JointMatrix, subgroup_size: i64) -> Option<Tiles> {
        let Coopmatrix { component, rows, cols, usage } = matrix;
        // What no work-item holds has any number of tiles.
        Layout::new(matrix, subgroup_size)?;
        let has_whole_rows = rows % subgroup_size == 0;
        let (row_parts, col_parts, packed_cols) = match usage {
            MatrixUse::A if has_whole_rows => {
                let factor = engine.factor(component)?;
                (engine.split_rows(rows)?, factor.split_depth(cols)?, factor.packed_cols())
            }
            MatrixUse::B => (engine.factor(component)?.split_depth(rows)?, engine.split_cols(cols)?, None),
            MatrixUse::Acc if has_whole_rows && engine.accumulates(component) => {
                (engine.split_rows(rows)?, engine.split_cols(cols)?, None)
            }
            MatrixUse::A | MatrixUse::Acc => return None,
        };
        Some(Tiles { matrix, row_parts, col_parts, packed_cols })
    }

    /// Number of tiles.
    pub fn len(&self) -> usize {
        self.row_parts.len() * self.col_parts.len()
    }

    /// The tiles in order.
    pub fn iter(&self) -> impl Iterator<Item = Tile> {
        starts(&self.row_parts).flat_map(|(row, rows)| {
            starts(&self.col_parts).map(move |(col, cols)| Tile { row, col, rows, cols })
        })
    }

    /// The place of a tile in the list.
    pub fn index(&self, row_part: usize, col_part: usize) -> usize {
        row_part * self.col_parts.len() + col_part
    }

    /// The type of a tile.
    pub fn ty(&self, f: &mut FunctionLowering<'_, '_>, tile: Tile) -> Emitted<Word> {
        let usage = match self.matrix.usage {
            MatrixUse::A => CooperativeMatrixUse::MatrixBKHR,
            MatrixUse::B => CooperativeMatrixUse::MatrixAKHR,
            MatrixUse::Acc => CooperativeMatrixUse::MatrixAccumulatorKHR,
        };
        let number = |number: i64| {
            u32::try_from(number).map_err(|_| Error::internal(format!("{number} rows of a tile")))
        };
        let (rows, cols) = (number(tile.cols)?, number(tile.rows)?);
        let component = f.module.scalar_type(self.matrix.component)?;
        Ok(f.module.cooperative_matrix_type(component, rows, cols, usage))
    }

    /// Bytes of the whole matrix.
    pub fn bytes(&self) -> i64 {
        self.matrix.rows * self.matrix.cols * self.matrix.component.bytes()
    }
}

/// Parts with what lies before them.
fn starts(parts: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    parts.iter().scan(0, |end, &size| {
        let start = *end;
        *end += size;
        Some((start, size))
    })
}
