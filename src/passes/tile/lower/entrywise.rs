//! Entries computed from those at the same place, and reductions of rows and columns.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::entries::map;
use super::share::Part;
use super::{Lowered, Lowering, uncombined};
use crate::ir::{
    Binary, Builder, Cast, Compare, CompareOp, Constant, Coopmatrix, CoopmatrixExtract, CoopmatrixReduce,
    CoopmatrixReduceOp, CoopmatrixScale, CoopmatrixSlice, Math, Op, ReduceMode, Scalar, Select,
    SubgroupBroadcast, Tile, TileReduce, TileReduceOp, Type, Unary, Value,
};

/// Matrices of an operand, of which a single row may stand for all of the result.
pub(super) struct Operand {
    is_spread: bool,
    matrices: Vec<Value>,
}

impl Operand {
    /// The matrix at the place of the matrix `index` of the result.
    pub fn at(&self, builder: &Builder<'_>, index: usize) -> Result<Value, Error> {
        let matrix = self.matrices.get(if self.is_spread { 0 } else { index }).copied();
        matrix.ok_or_else(|| internal(builder.location, "shares of different sizes"))
    }
}

impl Lowering<'_> {
    /// The matrices of operands of which a tile is computed entry by entry.
    pub(super) fn operands(
        &mut self,
        builder: &mut Builder<'_>,
        tile: Tile,
        values: &[Value],
    ) -> Result<Vec<Operand>, Error> {
        let operand = |&value: &Value| {
            let is_spread = builder.ir.ty(value).tile().is_some_and(|own| own.rows != tile.rows);
            Ok(Operand { is_spread, matrices: self.matrices(builder, value)? })
        };
        values.iter().map(operand).collect()
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
        for (index, part) in parts.into_iter().enumerate() {
            let matrices = operands.iter().map(|operand| operand.at(builder, index));
            let matrices: Vec<Value> = matrices.collect::<Result<_, _>>()?;
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
            let &(source, matrix) = found.ok_or_else(|| internal(location, "a share of other entries"))?;
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

    /// Reduces the rows or columns of the share, one matrix below the other; nobody has another part of them.
    pub(super) fn reduce(
        &mut self,
        builder: &mut Builder<'_>,
        op: &TileReduce,
        tile: Tile,
    ) -> Result<Lowered, Error> {
        let reduction = match op.op {
            TileReduceOp::Add => CoopmatrixReduceOp::Add,
            TileReduceOp::Max => CoopmatrixReduceOp::Max,
            TileReduceOp::Min => CoopmatrixReduceOp::Min,
        };
        let [rows, cols] = self.share(tile).extent;
        let mut results: Vec<Value> = Vec::new();
        for matrix in self.matrices(builder, op.tile)? {
            let Some(from) = builder.ir.ty(matrix).coopmatrix() else {
                return Err(internal(builder.location, "a share that is no matrix"));
            };
            let (to, part, parts) = match op.mode {
                ReduceMode::Row => (Coopmatrix { cols, ..from }, [0, cols], from.cols / cols.max(1)),
                ReduceMode::Column => (Coopmatrix { rows, ..from }, [rows, 0], from.rows / rows.max(1)),
            };
            let reduced = if to == from {
                matrix
            } else if part.contains(&1) {
                builder.value(CoopmatrixReduce { op: reduction, mode: op.mode, matrix }, to)?
            } else {
                let slice = |builder: &mut Builder<'_>, index: i64| {
                    let [row, col] = part.map(|size| size * index);
                    builder.value(CoopmatrixSlice { matrix, row, col }, to)
                };
                let mut total = slice(builder, 0)?;
                for index in 1..parts {
                    let b = slice(builder, index)?;
                    total = builder.value(Binary { op: op.op.pair(), a: total, b }, to)?;
                }
                total
            };
            match (op.mode, results.last_mut()) {
                (ReduceMode::Column, Some(total)) => {
                    *total = builder.value(Binary { op: op.op.pair(), a: *total, b: reduced }, to)?;
                }
                (ReduceMode::Row, _) | (ReduceMode::Column, None) => results.push(reduced),
            }
        }
        Ok(Lowered::Matrices(results))
    }
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
