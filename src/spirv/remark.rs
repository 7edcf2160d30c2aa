//! Remarks about how matrices are loaded and stored.

use crate::diagnostics::Location;
use crate::ir::{MatrixIo, MatrixUse, Scalar, Transpose};

/// Loads or stores of matrices of one kind, as often as they stand in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Name of the function.
    pub function: String,
    /// The instruction of the program that they come from, as far as it is known.
    pub location: Location,
    /// True for stores.
    pub is_store: bool,
    /// Part that the matrix plays in products.
    pub usage: MatrixUse,
    /// Type of its components.
    pub component: Scalar,
    /// Rows and columns.
    pub extents: [i64; 2],
    /// T if it lies transposed in memory.
    pub transpose: Transpose,
    /// Messages, and why these.
    pub io: MatrixIo,
    /// Number of times.
    pub count: u32,
}
