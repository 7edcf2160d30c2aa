//! A subgroup's share of a tile, as cooperative matrices (tile reference 2.4.4).

use crate::ir::{Coopmatrix, MatrixUse, Tile};

/// Positions of a mode that one matrix holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super::super) struct Piece {
    pub start: i64,
    pub size: i64,
}

/// The matrices that a subgroup's share of a tile is made of, row after row.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub tile: Tile,
    /// Rows and columns of the share.
    pub extent: [i64; 2],
    pub rows: Vec<Piece>,
    pub cols: Vec<Piece>,
}

/// A matrix of a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub row: Piece,
    pub col: Piece,
    pub matrix: Coopmatrix,
}

impl Part {
    /// Returns whether all entries of another part are of this one.
    pub fn holds(&self, other: &Part) -> bool {
        let holds = |own: Piece, other: Piece| {
            own.start <= other.start && other.start + other.size <= own.start + own.size
        };
        holds(self.row, other.row) && holds(self.col, other.col)
    }
}

impl Share {
    /// The share of a tile with so many rows and columns, of which a product takes `step` columns of A and rows of B at a
    /// time, in matrices of as many rows and columns as fragments have, where there are any.
    pub fn new(tile: Tile, [rows, cols]: [i64; 2], step: i64, fragment: [Option<i64>; 2]) -> Share {
        let whole = |size| vec![Piece { start: 0, size }];
        let (row_pieces, col_pieces) = match tile.usage {
            MatrixUse::A => (powers(rows, i64::MAX), powers(cols, step)),
            MatrixUse::B => (powers(rows, step), whole(cols)),
            MatrixUse::Acc => (powers(rows, i64::MAX), whole(cols)),
        };
        let [fragment_rows, fragment_cols] = fragment;
        Share {
            tile,
            extent: [rows, cols],
            rows: fragment_rows.map_or(row_pieces, |part| equal(rows, part)),
            cols: fragment_cols.map_or(col_pieces, |part| equal(cols, part)),
        }
    }

    /// The share of a factor in matrices of the same columns of A or rows of B.
    pub fn with_depth(&self, piece: Piece) -> Share {
        let mut share = self.clone();
        match self.tile.usage {
            MatrixUse::A => share.cols = vec![piece],
            MatrixUse::B => share.rows = vec![piece],
            MatrixUse::Acc => {}
        }
        share
    }

    /// The matrices, in order.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.rows.iter().flat_map(move |&row| self.cols.iter().map(move |&col| self.part(row, col)))
    }

    /// The matrix at some rows and columns.
    pub fn part(&self, row: Piece, col: Piece) -> Part {
        let Tile { component, usage, .. } = self.tile;
        Part { row, col, matrix: Coopmatrix { component, rows: row.size, cols: col.size, usage } }
    }
}

/// A size as a sum of parts of one size, which divides it.
pub(super) fn equal(size: i64, part: i64) -> Vec<Piece> {
    (0..size / part.max(1)).map(|number| Piece { start: number * part, size: part }).collect()
}

/// A size as a sum of powers of two, none larger than `most`, largest first.
pub(super) fn powers(size: i64, most: i64) -> Vec<Piece> {
    let (mut start, mut pieces) = (0, Vec::new());
    while start < size {
        let piece = Piece { start, size: (1 << (size - start).ilog2()).min(most.max(1)) };
        pieces.push(piece);
        start += piece.size;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_sums_of_powers_of_two() {
        let sizes = |size, most| powers(size, most).iter().map(|piece| piece.size).collect::<Vec<_>>();
        assert_eq!(sizes(48, i64::MAX), [32, 16]);
        assert_eq!(sizes(72, 32), [32, 32, 8]);
        assert_eq!(sizes(7, 4), [4, 2, 1]);
        assert_eq!(powers(48, i64::MAX).last(), Some(&Piece { start: 32, size: 16 }));
    }
}
