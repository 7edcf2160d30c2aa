//! Accesses of tiles to memory, and where they lie.

use super::super::coordinate::{Coordinate, Iterations};
use crate::analysis::Interval;
use crate::ir::{
    Boundary, Inst, Ir, MatrixUse, Op, StoreBoundary, TileCopy, TileLoad, TileStore, Transpose, Value,
};

/// An access of a tile to memory.
pub(super) struct Access {
    pub inst: Inst,
    pub memref: Value,
    /// Position and extent along the modes of the memref.
    pub at: [Value; 2],
    pub extent: [i64; 2],
    pub boundary: [Boundary; 2],
    /// The mode along which a subgroup never has rows of A, or columns of B, of another one.
    pub outer_mode: Option<usize>,
    /// True if what is outside reads as a number other than 0.
    pub has_other: bool,
    pub is_store: bool,
    /// True if what is read becomes a factor of a product.
    pub is_of_factor: bool,
    /// True if a mask says what is there; nothing is known of such an access.
    pub has_mask: bool,
    /// Loops around it, outermost first, with their iterations.
    pub iterations: Vec<Iterations>,
    /// Modes that are known to stay inside.
    pub is_inside: [bool; 2],
}

/// Collects the accesses of an instruction and of those in its regions; masks are left as they are.
pub(super) fn collect(ir: &Ir, inst: Inst, iterations: &mut Vec<Iterations>, accesses: &mut Vec<Access>) {
    let data = &ir[inst];
    let has_mask = data.regions.first().is_some_and(|&mask| ir.last_inst(mask).is_some());
    match &data.op {
        Op::TileLoad(load) if !has_mask => accesses.extend(load_access(ir, inst, load, iterations)),
        Op::TileLoad(_) => {}
        Op::TileCopy(copy) => accesses.extend(copy_access(ir, inst, copy, iterations)),
        Op::TileStore(store) => accesses
            .extend(store_access(ir, inst, store, iterations).map(|access| Access { has_mask, ..access })),
        op => {
            let iteration = match op {
                Op::For(op) if !ir.ends_early(inst) => Iterations::of(ir, inst, op),
                _ => None,
            };
            let depth = iterations.len();
            iterations.extend(iteration);
            for &region in &data.regions {
                ir.insts(region).for_each(|inner| collect(ir, inner, iterations, accesses));
            }
            iterations.truncate(depth);
        }
    }
}

pub(super) fn load_access(ir: &Ir, inst: Inst, load: &TileLoad, iterations: &[Iterations]) -> Option<Access> {
    let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile())?;
    // Of A the rows are the result's, of B the columns.
    let outer_mode = load.transpose.mode_along_k(tile.usage).map(|mode| 1 - mode);
    Some(Access {
        inst,
        memref: load.from,
        at: [load.x, load.y],
        extent: in_memory([tile.rows, tile.cols], load.transpose),
        boundary: load.boundary.0,
        outer_mode,
        has_other: load.other.is_some(),
        is_store: false,
        is_of_factor: tile.usage != MatrixUse::Acc,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

pub(super) fn copy_access(ir: &Ir, inst: Inst, copy: &TileCopy, iterations: &[Iterations]) -> Option<Access> {
    let shape = &ir.ty(copy.to).memref()?.shape;
    let shape: Vec<i64> = shape.iter().map(|extent| extent.value()).collect::<Option<_>>()?;
    let extent = match *shape.as_slice() {
        [rows, cols] => [rows, cols],
        [rows, cols, panels] => [rows.checked_mul(panels)?, cols],
        _ => return None,
    };
    Some(Access {
        inst,
        memref: copy.from,
        at: [copy.x, copy.y],
        extent: in_memory(extent, copy.transpose),
        boundary: copy.boundary.0,
        outer_mode: None,
        has_other: false,
        is_store: false,
        is_of_factor: true,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

pub(super) fn store_access(
    ir: &Ir,
    inst: Inst,
    store: &TileStore,
    iterations: &[Iterations],
) -> Option<Access> {
    let tile = ir.ty(store.value).tile()?;
    let boundary =
        if store.boundary == StoreBoundary::Checked { Boundary::Zero } else { Boundary::Unchecked };
    Some(Access {
        inst,
        memref: store.to,
        at: [store.x, store.y],
        extent: in_memory([tile.rows, tile.cols], store.transpose),
        boundary: [boundary; 2],
        outer_mode: None,
        has_other: false,
        is_store: true,
        is_of_factor: false,
        has_mask: false,
        iterations: iterations.to_vec(),
        is_inside: [false; 2],
    })
}

pub(super) fn in_memory(mut extent: [i64; 2], transpose: Transpose) -> [i64; 2] {
    if transpose == Transpose::T {
        extent.reverse();
    }
    extent
}

/// Returns whether positions stay within a static size.
pub(super) fn is_inside(ir: &Ir, access: &Access, mode: usize) -> Option<bool> {
    let size = ir.ty(access.memref).memref()?.shape.get(mode)?.value()?;
    let &at = access.at.get(mode)?;
    let &extent = access.extent.get(mode)?;
    let (first, last) = match Coordinate::of(ir, at, &access.iterations) {
        Some((coordinate, Some(_))) => coordinate.range()?,
        _ => {
            let Interval { min, max } = Interval::of(ir, at);
            (min, max)
        }
    };
    Some(first >= 0 && last.checked_add(extent)? <= size)
}

/// The instructions and those in their regions, in text order.
pub(super) fn all_insts(ir: &Ir, insts: &[Inst]) -> Vec<Inst> {
    let mut all = Vec::new();
    insts.iter().for_each(|&inst| ir.walk_inst(inst, &mut |inner| all.push(inner)));
    all
}
