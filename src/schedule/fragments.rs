//! Fragments: the cooperative matrices, all of one shape, that the shares of a tile are made of where a program opens it (tile
//! reference 2.4.4).

use super::Error;
use super::grid::Grid;
use crate::ir::{
    Coopmatrix, Func, Inst, Ir, MatrixUse, Op, Tile, TileFragment, TileWithFragment, Type, VerifierError,
};
use crate::status::Status;

/// Fragments of a function's tiles. Modes along the same side of a product that have one size are cut alike, whatever tiles they
/// are of, so that entries of one tile meet those of another.
#[derive(Clone, Debug, Default)]
pub struct Fragments(Vec<Fragment>);

/// A fragment that an instruction names.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    inst: Inst,
    tile: Tile,
    matrix: Coopmatrix,
    /// Row and column of blocks of the share.
    at: [i64; 2],
}

/// Sides of a product A·B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Rows of A.
    M,
    /// Columns of B.
    N,
    /// Columns of A and rows of B.
    K,
}

/// The sides that the modes of a tile lie along, and their sizes.
fn modes(tile: Tile) -> [(Side, i64); 2] {
    let [first, second] = match tile.usage {
        MatrixUse::A => [Side::M, Side::K],
        MatrixUse::B => [Side::K, Side::N],
        MatrixUse::Acc => [Side::M, Side::N],
    };
    [(first, tile.rows), (second, tile.cols)]
}

impl Fragment {
    fn of(ir: &Ir, inst: Inst) -> Option<Fragment> {
        let op = &ir[inst].op;
        let (tile, matrix, at) = if let &Op::TileFragment(TileFragment { tile, row, col }) = op {
            (tile, *ir[inst].results.first()?, [row, col])
        } else if let &Op::TileWithFragment(TileWithFragment { fragment, tile, row, col }) = op {
            (tile, fragment, [row, col])
        } else {
            return None;
        };
        Some(Fragment { inst, tile: ir.ty(tile).tile()?, matrix: ir.ty(matrix).coopmatrix()?, at })
    }

    /// The sides that its modes lie along with their sizes in the tile, and its own sizes.
    fn parts(&self) -> impl Iterator<Item = ((Side, i64), i64)> {
        modes(self.tile).into_iter().zip([self.matrix.rows, self.matrix.cols])
    }

    /// Returns whether blocks of its shape make up the share that a subgroup of a grid has of the tile, and it is one of them.
    fn fits(&self, grid: Grid) -> bool {
        let mut modes = grid.share_of(self.tile).into_iter().zip(self.parts()).zip(self.at);
        modes.all(|((size, (_, part)), at)| part > 0 && size % part == 0 && at < size / part)
    }
}

impl Fragments {
    /// The fragments of a function.
    pub fn of(ir: &Ir, func: Func) -> Fragments {
        let mut fragments = Vec::new();
        ir.walk(ir[func].body, &mut |inst| fragments.extend(Fragment::of(ir, inst)));
        Fragments(fragments)
    }

    /// Rows and columns of the matrices that the shares of a tile are made of, as far as the program says so.
    pub fn shape_of(&self, tile: Tile) -> [Option<i64>; 2] {
        modes(tile).map(|mode| {
            let mut parts = self.0.iter().flat_map(Fragment::parts);
            parts.find(|&(other, _)| other == mode).map(|(_, part)| part)
        })
    }

    /// Returns whether the shares that the subgroups of a grid have of each tile are made of its fragments.
    pub(super) fn fit(&self, grid: Grid) -> bool {
        self.0.iter().all(|fragment| fragment.fits(grid))
    }

    /// Checks that fragments cut modes of one size along a side into as many.
    ///
    /// # Errors
    /// The first fragment that does not.
    pub fn check_shapes(&self, ir: &Ir) -> Result<(), Error> {
        self.0.iter().try_for_each(
            |&Fragment { inst, tile, matrix: Coopmatrix { rows, cols, .. }, .. }| {
                let [first_rows, first_cols] = self.shape_of(tile).map(Option::unwrap_or_default);
                if [first_rows, first_cols] == [rows, cols] {
                    return Ok(());
                }
                let of = Type::Tile(tile);
                let detail = format!(
                    "{rows}x{cols} blocks of {of}, which other fragments cut into {first_rows}x{first_cols}"
                );
                Err(VerifierError::new(Status::IrTileFragmentShape, ir[inst].location, detail).into())
            },
        )
    }

    /// Checks that every share is made of fragments of one shape.
    pub(super) fn check(&self, ir: &Ir, grid: Grid) -> Result<(), Error> {
        self.check_shapes(ir)?;
        let Some(fragment) = self.0.iter().find(|fragment| !fragment.fits(grid)) else { return Ok(()) };
        let Fragment { inst, tile, matrix: Coopmatrix { rows, cols, .. }, at: [row, col] } = *fragment;
        let [own_rows, own_cols] = grid.share_of(tile);
        let detail = format!(
            "block [{row},{col}] of {rows}x{cols} is no part of the {own_rows}x{own_cols} of {} that each of {}x{} subgroups has",
            Type::Tile(tile),
            grid.rows,
            grid.cols
        );
        Err(VerifierError::new(Status::IrTileFragmentShape, ir[inst].location, detail).into())
    }
}
