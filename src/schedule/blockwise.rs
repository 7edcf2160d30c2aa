//! Tiles that the subgroups of a work-group take in blocks, as they take the matrices of a gemm (tile reference 2.7): those that they
//! cannot share evenly, such as 56 rows, and those of functions without loops.

use super::Schedule;
use super::folded::{come_by_blocks, factors_in_memory, load_of_tile};
use super::grid::Grid;
use super::product::ProductShape;
use super::product_types::ProductTypes;
use super::shape::{FactorSurfaces, Shape, shapes};
use crate::analysis::Surfaces;
use crate::ir::{
    Boundary, Family, Func, Inst, Ir, MatrixUse, Op, SideEffect, StoreMode, Tile, TileDot, TileLoad,
    Transpose, Type, Value,
};

/// Instructions on tiles of which each block of rows and columns is computed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blockwise {
    /// Rows and columns of all accumulators.
    pub extents: [i64; 2],
    /// True if what was in memory is added to the accumulators.
    reads_c: bool,
    /// True if there is a loop, whose pipeline is for tiles that are shared evenly.
    pub(super) has_loop: bool,
}

impl Schedule {
    /// The tiles of a function if the subgroups take them in blocks.
    pub fn blockwise(&self, ir: &Ir, func: Func) -> Option<Blockwise> {
        Blockwise::chosen(ir, func, self.subgroup_size.into(), self.grid)
    }

    /// Returns whether the subgroups share all tiles of a function evenly.
    pub fn shares_evenly(&self, ir: &Ir, func: Func) -> bool {
        is_even(ir, func, self.subgroup_size.into(), self.grid)
    }
}

/// Returns whether the subgroups share a tile exactly. Those along a direction in which an accumulator has a single row or column
/// all have that, and as many rows as there are subgroups are one for each of them.
pub(super) fn covers(tile: Tile, subgroup_size: i64, grid: Grid) -> bool {
    let is_accumulator = tile.usage == MatrixUse::Acc;
    let (grid_rows, grid_cols) = (i64::from(grid.rows), i64::from(grid.cols));
    let rows = subgroup_size.saturating_mul(grid_rows);
    let is_single_row = is_accumulator && (tile.rows == 1 || tile.rows == grid_rows);
    let rows_fit = tile.usage == MatrixUse::B || tile.rows % rows.max(1) == 0 || is_single_row;
    let cols_fit = tile.usage == MatrixUse::A || tile.cols % grid_cols == 0;
    rows_fit && (cols_fit || is_accumulator && tile.cols == 1)
}

/// Returns whether the subgroups share all tiles of a function evenly.
pub(super) fn is_even(ir: &Ir, func: Func, subgroup_size: i64, grid: Grid) -> bool {
    let mut is_even = true;
    ir.walk(ir[func].body, &mut |inst| {
        let tiles = ir[inst].results.iter().filter_map(|&result| ir.ty(result).tile());
        is_even &= tiles.into_iter().all(|tile| covers(tile, subgroup_size, grid));
    });
    is_even
}

impl Blockwise {
    /// The tiles of a function, if blocks of them do not depend on each other: all have the same rows and columns, none but those
    /// along K, and nothing between the first and the last instruction on them is for the work-group as a whole.
    pub fn of(ir: &Ir, func: Func) -> Option<Blockwise> {
        let is_on_tiles = |inst: Inst| {
            let mut found = false;
            ir.walk_inst(inst, &mut |inner| found |= ir[inner].op.info().family == Family::Tile);
            found
        };
        let body: Vec<Inst> = ir.insts(ir[func].body).collect();
        let first = body.iter().position(|&inst| is_on_tiles(inst))?;
        let last = body.iter().rposition(|&inst| is_on_tiles(inst))?;
        let run = body.get(first..=last)?;
        if !run.iter().all(|&inst| is_independent(ir, inst)) {
            return None;
        }
        let (mut sums, mut reads_c, mut has_product, mut has_loop) = (None, false, false, false);
        let mut is_uniform = true;
        let mut look = |inst: Inst| {
            for tile in ir[inst].results.iter().filter_map(|&result| ir.ty(result).tile()) {
                if tile.usage == MatrixUse::Acc {
                    reads_c |= matches!(ir[inst].op, Op::TileLoad(_));
                    is_uniform &= *sums.get_or_insert([tile.rows, tile.cols]) == [tile.rows, tile.cols];
                }
            }
            reads_c |= matches!(&ir[inst].op, Op::TileStore(store) if store.mode == StoreMode::AtomicAdd);
            has_loop |= matches!(ir[inst].op, Op::For(_));
            has_product |= matches!(ir[inst].op, Op::TileDot(_));
        };
        run.iter().for_each(|&inst| ir.walk_inst(inst, &mut look));
        let extents = sums.filter(|_| is_uniform && has_product)?;
        Some(Blockwise { extents, reads_c, has_loop })
    }

    /// The tiles of a function if subgroups of some grid take them in blocks.
    pub(super) fn chosen(ir: &Ir, func: Func, subgroup_size: i64, grid: Grid) -> Option<Blockwise> {
        let blockwise = Blockwise::of(ir, func)?;
        (!blockwise.has_loop || !is_even(ir, func, subgroup_size, grid)).then_some(blockwise)
    }

    pub(super) fn product_shape(&self, ir: &Ir, surfaces: &Surfaces, dot: &TileDot) -> Option<ProductShape> {
        let [a, b, c] = [dot.a, dot.b, dot.c].map(|value| ir.ty(value).tile());
        let types = ProductTypes { a: a?.component, b: b?.component, accumulator: c?.component };
        let loads = [dot.a, dot.b].map(|factor| load_of_tile(ir, factor));
        let transposes = loads.map(|load| load.map_or(Transpose::N, |load| load.transpose));
        let is_checked = |load: &TileLoad| {
            let modes = load.boundary.0;
            !modes.contains(&Boundary::Undefined) && modes.iter().any(|&mode| mode != Boundary::Unchecked)
        };
        Some(ProductShape {
            types,
            extents: self.extents.map(Some),
            transposes,
            holds_b: false,
            reads_c: self.reads_c,
            by_entries: transposes_bytes(ir, dot)
                || factors_in_memory(ir, dot).is_none_or(|factors| !come_by_blocks(ir, surfaces, factors)),
            is_checked: loads.into_iter().flatten().any(is_checked),
        })
    }

    /// Requirements of the products of a function on its schedule, each distinct one once.
    pub(super) fn shapes(&self, ir: &Ir, func: Func, surfaces: &Surfaces) -> Vec<Shape> {
        let [rows, cols] = self.extents.map(Some);
        let mut shapes = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            let Op::TileDot(dot) = &ir[inst].op else { return };
            let component = |value: Value| ir.ty(value).tile().map(|tile| tile.component);
            let (Some(op1), Some(op2), Some(destination)) =
                (component(dot.a), component(dot.b), component(dot.c))
            else {
                return;
            };
            let surfaces = factor_surfaces(ir, surfaces, dot);
            let shape = Shape { op1, op2, destination, rows, cols, is_gemm: true, surfaces };
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        });
        shapes
    }
}

/// Requirements of each linear algebra instruction, and of each product of tiles that subgroups take in blocks, on the schedule.
pub(super) fn all_shapes(ir: &Ir, func: Func, surfaces: &Surfaces) -> Vec<Shape> {
    let mut all = shapes(ir, func, surfaces);
    if let Some(blockwise) = Blockwise::of(ir, func) {
        all.extend(blockwise.shapes(ir, func, surfaces));
    }
    all
}

/// The block messages that read the factors of a product, if both are known to be surfaces.
fn factor_surfaces(ir: &Ir, surfaces: &Surfaces, dot: &TileDot) -> Option<FactorSurfaces> {
    let (a, b) = (load_of_tile(ir, dot.a)?, load_of_tile(ir, dot.b)?);
    let are_surfaces = [a, b].into_iter().all(|load| surfaces.answer(ir, load.from).is_known());
    let transposes_b = b.transpose == Transpose::T && a.transpose == Transpose::N;
    (are_surfaces && !transposes_bytes(ir, dot)).then_some(FactorSurfaces { transposes_b })
}

/// Returns whether each subgroup transposes bytes of B, for which there are no messages.
fn transposes_bytes(ir: &Ir, dot: &TileDot) -> bool {
    let transposes = [dot.a, dot.b].map(|factor| load_of_tile(ir, factor).map(|load| load.transpose));
    let bytes = ir.ty(dot.b).component().map_or(1, |component| component.bytes());
    transposes == [Some(Transpose::N), Some(Transpose::T)] && bytes == 1
}

/// Returns whether an instruction does for each block what it does for all of them.
fn is_independent(ir: &Ir, inst: Inst) -> bool {
    let data = &ir[inst];
    match &data.op {
        Op::TileLoad(load) => load.other.is_none() && ir.loads_as_it_is(inst),
        Op::TileStore(_) => ir.mask(inst).is_none(),
        Op::For(_) | Op::If(_) => {
            let carries_tiles = data.results.iter().all(|&result| matches!(ir.ty(result), Type::Tile(_)));
            let mut inner = data.regions.iter().flat_map(|&region| ir.insts(region));
            carries_tiles && inner.all(|inner| is_independent(ir, inner))
        }
        // A factor has all that is along K, of which a block of accumulators has a part.
        Op::Cast(cast) => data.results.iter().all(|&result| {
            ir.ty(result).tile().map(|tile| tile.usage) == ir.ty(cast.a).tile().map(|tile| tile.usage)
        }),
        Op::TileDot(_) | Op::TileScale(_) | Op::TileApply(_) | Op::TilePrefetch(_) | Op::Yield(_) => true,
        op => {
            let info = op.info();
            let is_scalar = info.family != Family::Tile || matches!(op, Op::TileOrder(_));
            is_scalar && info.side_effect == SideEffect::Pure && data.regions.is_empty()
        }
    }
}
