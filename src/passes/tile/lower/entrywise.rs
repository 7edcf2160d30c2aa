//! Entries computed from those at the same place, and reductions of rows and columns.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::map;
use super::share::Part;
use super::{Lowered, Lowering, uncombined};
use crate::diagnostics::Location;
use crate::ir::{
    Binary, Builder, Cast, Compare, CompareOp, Constant, Coopmatrix, CoopmatrixExtract, CoopmatrixReduce,
    CoopmatrixReduceOp, CoopmatrixScale, CoopmatrixSlice, Math, Op, ReduceMode, Scalar, Select,
    SubgroupBroadcast, Tile, TileReduce, TileReduceOp, Type, Unary, Value, VerifierError,
};
use crate::status::Status;

impl Lowering<'_> {
    /// The matrices of operands that each matrix of a tile is computed from entry by entry, in the order of the share. A single row or
    /// column stands for all.
    pub(super) fn operands(
        &mut self,
        builder: &mut Builder<'_>,
        tile: Tile,
        values: &[Value],
    ) -> Result<Vec<Vec<Value>>, Error> {
        let share = self.share(tile);
        let count = share.cols.len().max(1);
        let mut operands = vec![Vec::new(); share.parts().count()];
        let location = builder.location;
        let missing = || internal(location, "shares of different sizes");
        for &value in values {
            let own = builder.ir.ty(value).tile().map(|own| self.share(own)).ok_or_else(missing)?;
            let matrices = self.matrices(builder, value)?;
            for (index, at) in operands.iter_mut().enumerate() {
                let row = if own.tile.rows == tile.rows { index / count } else { 0 };
                let col = if own.tile.cols == tile.cols { index % count } else { 0 };
                at.push(*matrices.get(row * own.cols.len() + col).ok_or_else(missing)?);
            }
        }
        Ok(operands)
    }

    /// Lowers what is computed entry by entry.
    pub(super) fn entrywise(
        &mut self,
        builder: &mut Builder<'_>,
        op: &Op,
        tile: Tile,
    ) -> Result<Lowered, Error> {
        match op {
            Op::TileScale(op) => self.each(builder, tile, [op.tile], |builder, part, [matrix]| {
                Ok(builder.folded(CoopmatrixScale { scalar: op.scalar, matrix }, part)?)
            }),
            Op::Cast(Cast { a }) if builder.ir.ty(*a).tile().is_some_and(|from| from.usage != tile.usage) => {
                self.as_factor(builder, *a, tile)
            }
            Op::Cast(op) => {
                self.each(builder, tile, [op.a], |builder, part, [a]| Ok(builder.folded(Cast { a }, part)?))
            }
            Op::Unary(Unary { op, a }) => self.each(builder, tile, [*a], |builder, part, [a]| {
                Ok(builder.folded(Unary { op: *op, a }, part)?)
            }),
            Op::Binary(Binary { op, a, b }) => self.each(builder, tile, [*a, *b], |builder, part, [a, b]| {
                let ty = Type::Coopmatrix(part);
                if [a, b].iter().all(|&matrix| *builder.ir.ty(matrix) == ty) {
                    return Ok(builder.folded(Binary { op: *op, a, b }, part)?);
                }
                of_entries(builder, part, [a, b], |builder, [a, b]| Ok(builder.binary(*op, a, b)?))
            }),
            Op::Math(Math { op, a }) => self.each(builder, tile, [*a], |builder, part, matrices| {
                of_entries(builder, part, matrices, |builder, [a]| {
                    Ok(builder.folded(Math { op: *op, a }, part.component)?)
                })
            }),
            Op::Compare(Compare { op, a, b }) => {
                self.each(builder, tile, [*a, *b], |builder, part, matrices| {
                    of_entries(builder, part, matrices, |builder, [a, b]| {
                        let condition = builder.compare(*op, a, b)?;
                        let [a, b] = [truth(builder, 1)?, truth(builder, 0)?];
                        Ok(builder.folded(Select { condition, a, b }, part.component)?)
                    })
                })
            }
            Op::Select(Select { condition, a, b }) => {
                self.each(builder, tile, [*condition, *a, *b], |builder, part, matrices| {
                    of_entries(builder, part, matrices, |builder, [condition, a, b]| {
                        let zero = truth(builder, 0)?;
                        let condition = builder.compare(CompareOp::NotEqual, condition, zero)?;
                        Ok(builder.folded(Select { condition, a, b }, part.component)?)
                    })
                })
            }
            _ => Err(internal(builder.location, "there is no lowering of it on tiles")),
        }
    }

    /// Computes each matrix of a share from the matrices of others at the same place.
    fn each<const N: usize>(
        &mut self,
        builder: &mut Builder<'_>,
        tile: Tile,
        operands: [Value; N],
        mut compute: impl FnMut(&mut Builder<'_>, Coopmatrix, [Value; N]) -> Result<Value, Error>,
    ) -> Result<Lowered, Error> {
        let operands = self.operands(builder, tile, &operands)?;
        let parts: Vec<Part> = self.share(tile).parts().collect();
        let mut results = Vec::new();
        for (part, matrices) in parts.into_iter().zip(operands) {
            let matrices = all_of(builder, &matrices)?;
            results.push(compute(builder, part.matrix, matrices)?);
        }
        Ok(Lowered::Matrices(results))
    }

    /// The matrices of a factor whose share is that of an accumulator.
    fn as_factor(&mut self, builder: &mut Builder<'_>, value: Value, tile: Tile) -> Result<Lowered, Error> {
        let (location, Tile { component, usage, .. }) = (builder.location, tile);
        let from = builder.ir.ty(value).tile().ok_or_else(|| internal(location, "a factor of no tile"))?;
        let mut sources = Vec::new();
        for (part, a) in self.share(from).parts().zip(self.matrices(builder, value)?) {
            let matrix = builder.folded(Cast { a }, Coopmatrix { component, usage, ..part.matrix })?;
            sources.push((part, matrix));
        }
        let mut results = Vec::new();
        for part in self.share(tile).parts() {
            let found = sources.iter().find(|(source, _)| source.holds(&part));
            let &(source, matrix) = found.ok_or_else(|| unlike(location, "a factor"))?;
            let [row, col] = [part.row.start - source.row.start, part.col.start - source.col.start];
            let is_whole = (source.matrix.rows, source.matrix.cols) == (part.matrix.rows, part.matrix.cols);
            let slice = CoopmatrixSlice { matrix, row, col };
            results.push(if is_whole { matrix } else { builder.value(slice, part.matrix)? });
        }
        Ok(Lowered::Matrices(results))
    }

    /// Returns whether the only entry of a tile is greater than 0.
    pub(super) fn any(&mut self, builder: &mut Builder<'_>, tile: Value) -> Result<Value, Error> {
        let matrices = self.matrices(builder, tile)?;
        let is_one = builder.ir.ty(tile).tile().is_some_and(|tile| [tile.rows, tile.cols] == [1, 1]);
        let (&[matrix], Some(ty), true) = (matrices.as_slice(), builder.ir.ty(tile).component(), is_one)
        else {
            return Err(uncombined(builder, "tile-combine"));
        };
        let lane = builder.constant(Constant::Int(0), Scalar::I32)?;
        let zero = builder.constant(Constant::Int(0), ty)?;
        let a = builder.value(CoopmatrixExtract { matrix, index: 0 }, ty)?;
        // Only the first work-item is sure to have it.
        let entry = builder.value(SubgroupBroadcast { a, lane }, ty)?;
        Ok(builder.compare(CompareOp::GreaterThan, entry, zero)?)
    }

    /// Reduces the rows or columns of the share, matrices below or beside each other to one; nobody has another part of them.
    pub(super) fn reduce(
        &mut self,
        builder: &mut Builder<'_>,
        op: &TileReduce,
        tile: Tile,
    ) -> Result<Lowered, Error> {
        let of = builder.ir.ty(op.tile).tile();
        let of = of.ok_or_else(|| internal(builder.location, "a reduction of no tile"))?;
        let parts: Vec<Part> = self.share(of).parts().collect();
        let extent = self.share(tile).extent;
        let mut results: Vec<(i64, Value)> = Vec::new();
        for (part, matrix) in parts.into_iter().zip(self.matrices(builder, op.tile)?) {
            let reduced = reduced(builder, op, (matrix, part.matrix), extent)?;
            let kept = if op.mode == ReduceMode::Row { part.row.start } else { part.col.start };
            match results.iter_mut().find(|(start, _)| *start == kept) {
                Some((_, total)) => {
                    let ty = builder.ir.ty(reduced).clone();
                    *total = builder.value(Binary { op: op.op.pair(), a: *total, b: reduced }, ty)?;
                }
                None => results.push((kept, reduced)),
            }
        }
        Ok(Lowered::Matrices(results.into_iter().map(|(_, matrix)| matrix).collect()))
    }
}

/// The rows or columns of a matrix combined to as many as the share of the result has.
fn reduced(
    builder: &mut Builder<'_>,
    op: &TileReduce,
    (matrix, from): (Value, Coopmatrix),
    [rows, cols]: [i64; 2],
) -> Result<Value, Error> {
    let reduction = match op.op {
        TileReduceOp::Add => CoopmatrixReduceOp::Add,
        TileReduceOp::Max => CoopmatrixReduceOp::Max,
        TileReduceOp::Min => CoopmatrixReduceOp::Min,
    };
    let (to, part, sizes) = match op.mode {
        ReduceMode::Row => (Coopmatrix { cols, ..from }, [0, cols], [from.cols, cols]),
        ReduceMode::Column => (Coopmatrix { rows, ..from }, [rows, 0], [from.rows, rows]),
    };
    let [size, combined] = sizes;
    if to == from {
        return Ok(matrix);
    }
    if size % combined.max(1) != 0 {
        return Err(unlike(builder.location, "a reduction"));
    }
    if combined == 1 {
        return Ok(builder.value(CoopmatrixReduce { op: reduction, mode: op.mode, matrix }, to)?);
    }
    let slice = |builder: &mut Builder<'_>, index: i64| {
        let [row, col] = part.map(|size| size * index);
        builder.value(CoopmatrixSlice { matrix, row, col }, to)
    };
    let mut total = slice(builder, 0)?;
    for index in 1..size / combined.max(1) {
        let b = slice(builder, index)?;
        total = builder.value(Binary { op: op.op.pair(), a: total, b }, to)?;
    }
    Ok(total)
}

/// The error about a tile that is cut into fragments otherwise than what it is computed from.
fn unlike(location: Location, what: &str) -> Error {
    let detail = format!("fragments that are smaller than what {what} takes of the tile at a time");
    VerifierError::new(Status::IrTileFragmentShape, location, detail).into()
}

/// An entry of what comparing tiles gives.
fn truth(builder: &mut Builder<'_>, value: i64) -> Result<Value, Error> {
    Ok(builder.constant(Constant::Int(value), Scalar::I8)?)
}

/// A matrix each of whose entries is computed from those of others.
fn of_entries<const N: usize>(
    builder: &mut Builder<'_>,
    part: Coopmatrix,
    matrices: [Value; N],
    compute: impl FnOnce(&mut Builder<'_>, [Value; N]) -> Result<Value, Error>,
) -> Result<Value, Error> {
    map(builder, &matrices, part.into(), |builder, _, entries| {
        let entries = all_of(builder, entries)?;
        compute(builder, entries)
    })
}

fn all_of<const N: usize>(builder: &Builder<'_>, values: &[Value]) -> Result<[Value; N], Error> {
    values.try_into().map_err(|_| internal(builder.location, "an operand is missing"))
}
