//! Steps in which a subgroup accesses a part of a matrix in memory.

use super::Access;
use crate::layout::Scalar;

/// Action of a 2D block access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceAction {
    Load,
    /// Packs neighbouring rows into words of four bytes.
    Transform,
    /// Loads columns for rows.
    Transpose,
    Prefetch,
    Store,
}

/// A block of a matrix in global memory (SPV_INTEL_2d_block_io).
pub(crate) struct Surface {
    pub action: SurfaceAction,
    pub shape: BlockShape,
    /// Start of the matrix.
    pub base: Access,
    /// Memory of the lane that the block goes to or comes from; none for a prefetch.
    pub private: Option<Access>,
    /// Bytes of a row, rows, and bytes from one row to the next (i32).
    pub width: u32,
    pub height: u32,
    pub pitch: u32,
    /// The column and the row that the block starts at (i32).
    pub column: u32,
    pub row: u32,
    /// Divisor that the device wants of pitches.
    pub pitch_alignment: u32,
}

/// Blocks that follow each other in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockShape {
    /// Bytes of an element.
    pub element: u32,
    /// Elements in each row of a block.
    pub width: u32,
    pub height: u32,
    pub count: u32,
}

impl BlockShape {
    /// Elements of all blocks.
    pub fn numbers(self) -> u64 {
        [self.height, self.count]
            .into_iter()
            .fold(self.width.into(), |n: u64, size| n.saturating_mul(size.into()))
    }
}

/// Layout of a matrix in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatrixLayout {
    RowMajor,
    ColumnMajor,
    /// So many rows are interleaved, column by column.
    Packed(u32),
}

/// A load or store of a cooperative matrix.
pub(crate) struct MatrixAccess {
    pub pointer: Access,
    pub layout: MatrixLayout,
    /// From one row or column to the next: a row of numbers of so many bytes, in units of so many bytes.
    pub stride: (u32, u32),
    pub unit: u64,
    pub rows: u32,
    pub columns: u32,
    pub scalar: Scalar,
    pub values: Vec<u32>,
    pub is_store: bool,
}
