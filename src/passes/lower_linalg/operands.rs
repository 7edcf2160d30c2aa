//! Operands of linear algebra as tiles: loads of factors, and what becomes of the input in C := α·input + β·C.

use super::super::emit::Emit;
use super::super::error::Error;
use super::{Output, atomic_overwrites, internal, is_literal_zero};
use crate::ir::{
    Atomic, BinaryOp, Boundaries, Boundary, Builder, Built, Scalar, StoreBoundary, StoreMode, Tile, TileLoad,
    TileScale, TileStore, Transpose, Value,
};

/// An output, with the factors of the input and of what C was in the type of the input; the latter if C is read.
pub(in super::super) struct Scaled {
    output: Output,
    alpha: Value,
    beta: Option<Value>,
}

impl Scaled {
    pub fn new(builder: &mut Builder<'_>, output: Output, input: Scalar) -> Result<Scaled, Error> {
        let is_read = output.atomic == Atomic::No && !is_literal_zero(builder.ir, output.beta);
        let alpha = builder.cast(output.alpha, input)?;
        let beta = if is_read { Some(builder.cast(output.beta, input)?) } else { None };
        Ok(Scaled { output, alpha, beta })
    }

    /// Builds the store of C, or of its transpose, which the input is for.
    pub fn store(&self, builder: &mut Builder<'_>, transpose: Transpose, input: Value) -> Result<(), Error> {
        let Output { atomic, beta, c, .. } = self.output;
        let tile = builder.ir.ty(input).tile();
        let memref = builder.ir.ty(c).memref().map(|memref| memref.element);
        let (Some(tile), Some(component)) = (tile, memref) else {
            return Err(internal(builder.location, "an input that is no tile, or C that is no memref"));
        };
        let stored = Tile { component, ..tile };
        let mut value = builder.value(TileScale { scalar: self.alpha, tile: input }, tile)?;
        if let Some(scalar) = self.beta {
            let start = (builder.index(0)?, Boundary::Unchecked);
            let old = load(builder, (c, transpose), [start; 2], stored)?;
            let old = builder.cast(old, tile)?;
            let old = builder.value(TileScale { scalar, tile: old }, tile)?;
            value = builder.binary(BinaryOp::Add, value, old)?;
        }
        let value = builder.cast(value, stored)?;
        let mode = match atomic {
            Atomic::Yes if !atomic_overwrites(builder, beta)? => StoreMode::AtomicAdd,
            Atomic::Yes | Atomic::No => StoreMode::Overwrite,
        };
        let (boundary, to) = (StoreBoundary::Unchecked, c);
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
