//! Cooperative matrices, entry by entry.

use super::number::Number;
use super::sum::Sum;
use super::tensors::View;
use super::{Datum, Reference, Run};
use tiletc::ir::{BinaryOp, CompareOp, Coopmatrix, CoopmatrixReduceOp, Inst, ReduceMode, Scalar, Transpose};

/// A matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    pub rows: i64,
    pub cols: i64,
    pub component: Scalar,
    /// Column by column.
    pub entries: Vec<Number>,
}

impl Matrix {
    /// A matrix of a type.
    pub fn new(ty: Coopmatrix, mut entry: impl FnMut(i64, i64) -> Run<Number>) -> Run<Matrix> {
        let Coopmatrix { rows, cols, component, .. } = ty;
        let places = (0..cols).flat_map(|col| (0..rows).map(move |row| (row, col)));
        let entries = places.map(|(row, col)| entry(row, col)).collect::<Run<_>>()?;
        Ok(Matrix { rows, cols, component, entries })
    }

    pub fn at(&self, row: i64, col: i64) -> Number {
        let place = usize::try_from(row + col * self.rows).ok();
        place.and_then(|place| self.entries.get(place)).copied().unwrap_or(Number::Unknown)
    }

    /// The entry, of a matrix whose only row or column stands for all.
    pub fn spread(&self, row: i64, col: i64) -> Number {
        self.at(if self.rows == 1 { 0 } else { row }, if self.cols == 1 { 0 } else { col })
    }

    /// The matrix of what becomes of each entry.
    pub fn map(&self, component: Scalar, entry: impl Fn(Number) -> Number) -> Matrix {
        Matrix { component, entries: self.entries.iter().copied().map(entry).collect(), ..*self }
    }

    pub fn combine(&self, op: BinaryOp, other: &Matrix, ty: Coopmatrix) -> Run<Matrix> {
        Matrix::new(ty, |row, col| {
            let [x, y] = [self, other].map(|matrix| matrix.spread(row, col));
            Ok(x.binary(op, y, Some(ty.component)))
        })
    }

    /// 1 where the comparison holds, 0 elsewhere.
    pub fn compare(&self, op: CompareOp, other: &Matrix, ty: Coopmatrix) -> Run<Matrix> {
        Matrix::new(ty, |row, col| match self.spread(row, col).compare(op, other.spread(row, col)) {
            Number::Bool(holds) => Ok(Number::Int(holds.into())),
            _ => Ok(Number::unknown(ty.component)),
        })
    }

    /// Entries of a where this matrix is not 0, and of b elsewhere.
    pub fn select(&self, a: &Matrix, b: &Matrix, ty: Coopmatrix) -> Run<Matrix> {
        Matrix::new(ty, |row, col| match self.spread(row, col) {
            Number::Int(0) => Ok(b.spread(row, col)),
            Number::Int(_) => Ok(a.spread(row, col)),
            _ => Ok(Number::unknown(ty.component)),
        })
    }

    /// The matrix times another, plus a third.
    pub fn product(&self, other: &Matrix, c: &Matrix, ty: Coopmatrix) -> Run<Matrix> {
        let one = Number::Int(1).cast(ty.component);
        Matrix::new(ty, |row, col| {
            let mut sum = Sum::new(ty.component);
            (0..self.cols).for_each(|k| sum.add(self.at(row, k), other.at(k, col)));
            sum.add(c.at(row, col), one);
            Ok(sum.value())
        })
    }

    /// Rows or columns combined.
    pub fn reduce(&self, op: CoopmatrixReduceOp, mode: ReduceMode, ty: Coopmatrix) -> Run<Matrix> {
        let one = Number::Int(1).cast(ty.component);
        Matrix::new(ty, |row, col| {
            let line: Vec<Number> = match mode {
                ReduceMode::Row => {
                    (col..self.cols).step_by(ty.cols as usize).map(|col| self.at(row, col)).collect()
                }
                ReduceMode::Column => {
                    (row..self.rows).step_by(ty.rows as usize).map(|row| self.at(row, col)).collect()
                }
            };
            let op = match op {
                CoopmatrixReduceOp::Add => {
                    let mut sum = Sum::new(ty.component);
                    line.into_iter().for_each(|entry| sum.add(entry, one));
                    return Ok(sum.value());
                }
                CoopmatrixReduceOp::Max => BinaryOp::Max,
                CoopmatrixReduceOp::Min => BinaryOp::Min,
            };
            let combined = line.into_iter().reduce(|x, y| x.binary(op, y, Some(ty.component)));
            combined.ok_or("a matrix without entries")
        })
    }
}

/// Position of a matrix in memory; entries beyond it are read as 0 and not written.
pub struct Position<'a> {
    pub view: &'a View,
    pub transpose: Transpose,
    pub x: i64,
    pub y: i64,
}

impl Position<'_> {
    fn indices(&self, row: i64, col: i64) -> Option<[i64; 2]> {
        let [row, col] = if self.transpose == Transpose::N { [row, col] } else { [col, row] };
        let indices = [self.x + row, self.y + col];
        let mut modes = indices.iter().zip(&self.view.shape);
        modes.all(|(index, size)| (0..*size).contains(index)).then_some(indices)
    }
}

impl Reference<'_> {
    pub fn load_matrix(&mut self, from: &Position<'_>, ty: Coopmatrix) -> Run<Matrix> {
        Matrix::new(ty, |row, col| {
            self.step()?;
            match from.indices(row, col) {
                Some(indices) => self.get(from.view, &indices),
                None => Ok(Number::zero(ty.component)),
            }
        })
    }

    pub fn store_matrix(&mut self, matrix: &Matrix, to: &Position<'_>) -> Run<()> {
        for col in 0..matrix.cols {
            for row in 0..matrix.rows {
                self.step()?;
                if let Some(indices) = to.indices(row, col) {
                    self.set(to.view, &indices, matrix.at(row, col))?;
                }
            }
        }
        Ok(())
    }

    /// Runs the region of the instruction for each entry.
    pub fn apply(&mut self, inst: Inst, matrix: &Matrix, ty: Coopmatrix) -> Run<Matrix> {
        let region = self.ir[inst].regions[0];
        Matrix::new(ty, |row, col| {
            let numbers = [Number::Int(row), Number::Int(col), matrix.at(row, col)];
            self.bind(region, numbers.map(Datum::Number));
            self.number_of(region)
        })
    }
}
