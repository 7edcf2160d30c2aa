//! Positions, boundaries and masks of the accesses of tiles.

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use crate::ir::{BinaryOp, Builder, Inst, Ir, Region, Transpose, Value};

/// The mask of an access, if it has one.
pub(super) fn mask(ir: &Ir, inst: Inst) -> Option<Region> {
    ir[inst].regions.first().copied().filter(|&mask| ir.last_inst(mask).is_some())
}

/// Position in a memref of an entry of a tile that begins at `at`.
pub(super) fn in_memory(
    builder: &mut Builder<'_>,
    transpose: Transpose,
    at: [Value; 2],
    [row, col]: [Value; 2],
) -> Result<[Value; 2], Error> {
    let [first, second] = if transpose == Transpose::N { [row, col] } else { [col, row] };
    let x = builder.binary(BinaryOp::Add, at[0], first)?;
    Ok([x, builder.binary(BinaryOp::Add, at[1], second)?])
}
