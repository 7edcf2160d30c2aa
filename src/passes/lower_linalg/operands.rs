//! The operands of a gemm as tiles: loads of A and B, and what becomes of their product in C := α·A·B + β·C.

use super::super::emit::Emit;
use super::super::error::Error;
use super::{atomic_overwrites, internal, is_literal_zero};
use crate::ir::{
    Atomic, BinaryOp, Boundaries, Boundary, Builder, Built, Gemm, Scalar, StoreBoundary, StoreMode, Tile,
    TileLoad, TileScale, TileStore, Transpose, Value,
};

/// The factors of the sums and of what C was, in the type of sums; the latter if C is read.
pub(in super::super) struct Scalars {
    alpha: Value,
    beta: Option<Value>,
}

impl Scalars {
    pub fn new(builder: &mut Builder<'_>, op: &Gemm, accumulator: Scalar) -> Result<Scalars, Error> {
        let is_read = op.atomic == Atomic::No && !is_literal_zero(builder.ir, op.beta);
        let alpha = builder.cast(op.alpha, accumulator)?;
        let beta = if is_read { Some(builder.cast(op.beta, accumulator)?) } else { None };
        Ok(Scalars { alpha, beta })
    }

    /// Builds the store of C, or of its transpose, which the sums are those of.
    pub fn store(
        &self,
        builder: &mut Builder<'_>,
        op: &Gemm,
        transpose: Transpose,
        sums: Value,
    ) -> Result<(), Error> {
        let tile = builder.ir.ty(sums).tile();
        let memref = builder.ir.ty(op.c).memref().map(|memref| memref.element);
        let (Some(tile), Some(component)) = (tile, memref) else {
            return Err(internal(builder.location, "sums that are no tile, or C that is no memref"));
        };
        let stored = Tile { component, ..tile };
        let mut value = builder.value(TileScale { scalar: self.alpha, tile: sums }, tile)?;
        if let Some(scalar) = self.beta {
            let start = (builder.index(0)?, Boundary::Unchecked);
            let old = load(builder, (op.c, transpose), [start; 2], stored)?;
            let old = builder.cast(old, tile)?;
            let old = builder.value(TileScale { scalar, tile: old }, tile)?;
            value = builder.binary(BinaryOp::Add, value, old)?;
        }
        let value = builder.cast(value, stored)?;
        let mode = match op.atomic {
            Atomic::Yes if !atomic_overwrites(builder, op.beta)? => StoreMode::AtomicAdd,
            Atomic::Yes | Atomic::No => StoreMode::Overwrite,
        };
        let (boundary, to) = (StoreBoundary::Unchecked, op.c);
        let [x, y] = [builder.index(0)?; 2];
        builder.emit(TileStore { mode, transpose, boundary, value, to, x, y }, &[])?;
        Ok(())
    }
}

/// Loads a tile of op(from) whose first row and column are given, with what happens at the ends of its rows and columns.
pub(in super::super) fn load(
    builder: &mut Builder<'_>,
    (from, transpose): (Value, Transpose),
    [(row, of_rows), (col, of_cols)]: [(Value, Boundary); 2],
    tile: Tile,
) -> Built<Value> {
    let (x, y, boundary) = match transpose {
        Transpose::N => (row, col, [of_rows, of_cols]),
        Transpose::T => (col, row, [of_cols, of_rows]),
    };
    let boundary = Boundaries(boundary);
    builder.value(TileLoad { transpose, boundary, from, x, y, other: None }, tile)
}
