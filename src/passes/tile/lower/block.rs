//! The part of a run on whole matrices that a subgroup takes at a time (lowering reference 1.13).

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use super::super::super::partition::Partition;
use super::share::{Piece, Share};
use crate::analysis::integer_of;
use crate::ir::{
    AccumulatorBlock, Atomic, BinaryOp, Builder, Checked, Inst, Ir, MatrixUse, Op, ProductSchedule, Slice,
    Tile, Value,
};

/// Instructions on tiles that subgroups take in blocks.
pub(in super::super::super) struct Run<'a> {
    /// The instructions.
    pub insts: &'a [Inst],
    /// Rows and columns of all accumulators. Without them the tiles span whole matrices, the last instruction stores one, and
    /// what is divided are the modes that are [`Tile::WHOLE`].
    pub extents: Option<[i64; 2]>,
    /// Kind of the store.
    pub atomic: Atomic,
    /// Memory in whose place a subgroup keeps its rows in registers.
    pub forwarded: &'a [Value],
    /// Memory in whose place a subgroup has all rows in registers, and these.
    pub held: Option<(Value, Rows)>,
    /// Rows and columns that a subgroup computes at a time where no product decides it.
    pub block: Option<AccumulatorBlock>,
}

/// Rows in registers, in matrices one below the other.
pub(in super::super::super) type Rows = Vec<(Piece, Value)>;

impl Run<'_> {
    /// Schedule of the last of its products, which decides how large blocks are.
    pub fn schedule(&self, ir: &Ir) -> Option<ProductSchedule> {
        let mut last = None;
        for &inst in self.insts {
            ir.walk_inst(inst, &mut |inner| {
                if let Op::TileDot(op) = &ir[inner].op {
                    last.clone_from(&op.schedule);
                }
            });
        }
        last
    }
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
    /// Matrices that the rows are in, which may overlap; without them those of powers of two.
    pub pieces: Option<&'a [Piece]>,
    pub check: Checked,
}

impl Block<'_> {
    /// Returns whether subgroups share a mode of such a size.
    fn divides(&self, size: i64) -> bool {
        size == Tile::WHOLE || self.run.extents.is_some()
    }

    /// Rows and columns of a tile that belong to the block: all that are not divided.
    pub fn share_of(&self, tile: Tile) -> [i64; 2] {
        let divided = |size, of_block| if self.divides(size) { of_block } else { size };
        match tile.usage {
            MatrixUse::A => [divided(tile.rows, self.rows), tile.cols],
            MatrixUse::B => [tile.rows, divided(tile.cols, self.cols)],
            MatrixUse::Acc => [divided(tile.rows, self.rows), divided(tile.cols, self.cols)],
        }
    }

    /// First row and column of the part of a tile, where it does not begin with the tile itself.
    pub fn origin(&self, tile: Tile) -> [Option<Value>; 2] {
        let row = (self.divides(tile.rows) && tile.usage != MatrixUse::B).then_some(self.row);
        let column = (self.divides(tile.cols) && tile.usage != MatrixUse::A).then_some(self.column);
        [row, column]
    }

    /// Returns whether rows and columns of a tile may reach beyond its matrix.
    pub fn checks(&self, tile: Tile) -> [bool; 2] {
        let [row, column] = self.origin(tile);
        [row.is_some() && self.check.rows(), column.is_some() && self.check.cols()]
    }

    /// The share of a tile that belongs to the block, of which a product takes `step` columns of A and rows of B at a time.
    pub fn share(&self, tile: Tile, step: i64) -> Share {
        let share = Share::new(tile, self.share_of(tile), step, [None; 2]);
        match self.pieces.filter(|_| tile.usage != MatrixUse::B && self.divides(tile.rows)) {
            Some(pieces) => Share { rows: pieces.to_vec(), ..share },
            None => share,
        }
    }
}

/// Rows of a block that are its subgroup's to write.
#[derive(Clone, Copy)]
pub(super) enum OwnRows {
    /// Those from a row of the tile on, since those before are other subgroups' to write.
    From(Value),
    /// Those before the end of a tile of so many rows.
    Below(i64),
}

impl OwnRows {
    /// A view of a matrix, outside of which lie the rows that others write, for a tile that begins at a row or column of it;
    /// with the position of the tile's rows in it, those of the block counted from the first one of the view.
    pub fn view(
        self,
        builder: &mut Builder<'_>,
        (of, mode): (Value, usize),
        at: Value,
        block_row: Value,
    ) -> Result<[Value; 2], Error> {
        let sizes = [builder.size(of, 0)?, builder.size(of, 1)?];
        let mut slices = Vec::new();
        let mut position = builder.binary(BinaryOp::Add, at, block_row)?;
        for (place, size) in sizes.into_iter().enumerate() {
            let known = integer_of(builder.ir, size);
            slices.push(match (self, known) {
                (OwnRows::From(first), _) if place == mode => {
                    let from = builder.binary(BinaryOp::Add, at, first)?;
                    let rows = builder.binary(BinaryOp::Sub, size, from)?;
                    position = builder.binary(BinaryOp::Sub, block_row, first)?;
                    Slice::range(from, rows)
                }
                (OwnRows::Below(rows), _) if place == mode => {
                    let rows = builder.index(rows)?;
                    let end = builder.binary(BinaryOp::Add, at, rows)?;
                    if integer_of(builder.ir, end) == known && known.is_some() {
                        return Ok([of, position]);
                    }
                    let end = builder.binary(BinaryOp::Min, end, size)?;
                    Slice::range(0, end)
                }
                (_, Some(size)) => Slice::range(0, size),
                (_, None) => Slice::range(0, size),
            });
        }
        Ok([builder.subview(of, &slices)?, position])
    }
}
