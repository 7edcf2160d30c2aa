//! The part of a run on whole matrices that a subgroup takes at a time (lowering reference 1.13).

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use super::super::super::prefetch::Partition;
use crate::analysis::integer_of;
use crate::ir::{Atomic, BinaryOp, Builder, Checked, Inst, MatrixUse, Slice, Tile, Value};
use crate::schedule::Product;

/// Instructions on whole matrices, in which every mode of a tile that is [`Tile::WHOLE`] is divided.
pub(in super::super::super) struct Run<'a> {
    /// The instructions; a store is the last one.
    pub insts: &'a [Inst],
    /// Schedules of its products in their order, of which the last one decides how large blocks are.
    pub products: &'a [Product],
    /// Kind of the store.
    pub atomic: Atomic,
    /// Memory in whose place a subgroup keeps its rows in registers, from where a product takes its first factor.
    pub forwarded: Option<Value>,
}

/// Rows and columns of the accumulators that a subgroup computes at a time.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub run: &'a Run<'a>,
    /// Subgroups along the rows and the columns, which share the lines that they prefetch.
    pub partitions: [Partition; 2],
    pub row: Value,
    /// The first row that is not another subgroup's to write, if the block overlaps with others.
    pub own_row: Option<Value>,
    pub column: Value,
    pub rows: i64,
    pub cols: i64,
    pub check: Checked,
}

impl Block<'_> {
    /// Rows and columns of a tile that belong to the block: all that are not divided.
    pub fn share_of(&self, tile: Tile) -> [i64; 2] {
        let divided = |size, of_block| if size == Tile::WHOLE { of_block } else { size };
        match tile.usage {
            MatrixUse::A => [divided(tile.rows, self.rows), tile.cols],
            MatrixUse::B => [tile.rows, divided(tile.cols, self.cols)],
            MatrixUse::Acc => [divided(tile.rows, self.rows), divided(tile.cols, self.cols)],
        }
    }

    /// First row and column of the part of a tile, where it does not begin with the tile itself.
    pub fn origin(&self, tile: Tile) -> [Option<Value>; 2] {
        let row = (tile.rows == Tile::WHOLE && tile.usage != MatrixUse::B).then_some(self.row);
        let column = (tile.cols == Tile::WHOLE && tile.usage != MatrixUse::A).then_some(self.column);
        [row, column]
    }

    /// Returns whether rows and columns of a tile may reach beyond its matrix.
    pub fn checks(&self, tile: Tile) -> [bool; 2] {
        let [row, column] = self.origin(tile);
        [row.is_some() && self.check.rows(), column.is_some() && self.check.cols()]
    }
}

/// Rows of a block that are its subgroup's to write: the last ones.
#[derive(Clone)]
pub(super) struct OwnRows {
    /// The first one.
    first: Value,
    /// The matrices so far, and their views from there on: rows of other subgroups lie in front, where checks find them.
    views: Vec<[Value; 2]>,
}

impl OwnRows {
    /// The rows from `first` on.
    pub fn from(first: Value) -> OwnRows {
        OwnRows { first, views: Vec::new() }
    }

    /// The part of a matrix from the first own row on.
    pub fn view(&mut self, builder: &mut Builder<'_>, of: Value) -> Result<Value, Error> {
        if let Some(&[_, view]) = self.views.iter().find(|[matrix, _]| *matrix == of) {
            return Ok(view);
        }
        let [rows, cols] = [builder.size(of, 0)?, builder.size(of, 1)?];
        let rows = builder.binary(BinaryOp::Sub, rows, self.first)?;
        let cols = match integer_of(builder.ir, cols) {
            Some(cols) => Slice::range(0, cols),
            None => Slice::range(0, cols),
        };
        let view = builder.subview(of, &[Slice::range(self.first, rows), cols])?;
        self.views.push([of, view]);
        Ok(view)
    }
}
