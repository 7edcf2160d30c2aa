//! Matrices of a function as lists of the tiles of SPV_KHR_cooperative_matrix (lowering reference 4.7).

use super::Schedule;
use crate::analysis::{Layout, local_bytes};
use crate::device::{CoreInfo, JointMatrix};
use crate::ir::{Coopmatrix, CoopmatrixMulAdd, Func, Ir, MatrixUse, Op, Value};
use std::collections::HashSet;

/// The matrices of a function that are lists of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointMatrices {
    /// The engine.
    pub engine: &'static JointMatrix,
    subgroup_size: i64,
    types: HashSet<Coopmatrix>,
    /// Bytes of local memory by which each subgroup exchanges components for tiles.
    pub scratch_bytes: i64,
}

impl JointMatrices {
    /// Divides the addresses of scratch memory, in bytes.
    pub const SCRATCH_ALIGNMENT: i64 = 64;

    /// The tiles of a function that has a product for the engine, and local memory left; `None` for all others.
    pub(super) fn of(ir: &Ir, func: Func, schedule: &Schedule, info: &CoreInfo) -> Option<JointMatrices> {
        let subgroup_size = i64::from(schedule.subgroup_size);
        let engine = info.joint_matrix().filter(|engine| engine.takes_subgroups(subgroup_size))?;
        let types = tiled_types(ir, func, engine, subgroup_size);
        let tiles = types.iter().filter_map(|&matrix| JointTiles::new(matrix, engine, subgroup_size));
        let unit = JointMatrices::SCRATCH_ALIGNMENT;
        let scratch_bytes = tiles.map(|tiles| tiles.bytes()).max()?.saturating_add(unit - 1) / unit * unit;
        let available = info.local_memory_size().unwrap_or(CoreInfo::MIN_LOCAL_MEMORY);
        let left = available.saturating_sub(local_bytes(ir, ir[func].body));
        let has_room = scratch_bytes.saturating_mul(schedule.grid.subgroups()) <= left;
        has_room.then_some(JointMatrices { engine, subgroup_size, types, scratch_bytes })
    }

    /// The tiles of a matrix; `None` if it is no list of tiles in this function.
    pub fn tiles(&self, matrix: Coopmatrix) -> Option<JointTiles> {
        let is_tiled = self.types.contains(&matrix);
        is_tiled.then(|| JointTiles::new(matrix, self.engine, self.subgroup_size)).flatten()
    }

    /// Returns whether the engine has products of these component types.
    pub fn takes(&self, product: [Coopmatrix; 3]) -> bool {
        takes(self.engine, product)
    }
}

/// The tiles of a matrix: those of the first rows first, and from left to right. The extension's matrices are the transposes of
/// the language's, so that B is its first factor.
#[derive(Clone, Debug)]
pub struct JointTiles {
    /// The matrix.
    pub matrix: Coopmatrix,
    /// Rows of the tiles below each other.
    pub row_parts: Vec<i64>,
    /// Columns of the tiles side by side.
    pub col_parts: Vec<i64>,
    /// Columns of a packed A side by side.
    pub packed_cols: Option<i64>,
}

/// Part of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointTile {
    /// First row.
    pub row: i64,
    /// First column.
    pub col: i64,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
}

impl JointTiles {
    /// The tiles of a matrix; `None` if the engine has none for it. Rows of A and of sums belong to one work-item each.
    pub fn new(matrix: Coopmatrix, engine: &JointMatrix, subgroup_size: i64) -> Option<JointTiles> {
        let Coopmatrix { component, rows, cols, usage } = matrix;
        // What no work-item holds has any number of tiles.
        Layout::new(matrix, subgroup_size)?;
        let has_whole_rows = rows % subgroup_size == 0;
        let (row_parts, col_parts, packed_cols) = match usage {
            MatrixUse::A if has_whole_rows => {
                let factor = engine.factor(component)?;
                (engine.split_rows(rows)?, factor.split_depth(cols)?, factor.packed_cols())
            }
            MatrixUse::B => (engine.factor(component)?.split_depth(rows)?, engine.split_cols(cols)?, None),
            MatrixUse::Acc if has_whole_rows && engine.accumulates(component) => {
                (engine.split_rows(rows)?, engine.split_cols(cols)?, None)
            }
            MatrixUse::A | MatrixUse::Acc => return None,
        };
        Some(JointTiles { matrix, row_parts, col_parts, packed_cols })
    }

    /// Number of tiles.
    #[allow(clippy::len_without_is_empty, reason = "a matrix has a tile")]
    pub fn len(&self) -> usize {
        self.row_parts.len() * self.col_parts.len()
    }

    /// The tiles in order.
    pub fn iter(&self) -> impl Iterator<Item = JointTile> {
        starts(&self.row_parts).flat_map(|(row, rows)| {
            starts(&self.col_parts).map(move |(col, cols)| JointTile { row, col, rows, cols })
        })
    }

    /// The place of a tile in the list.
    pub fn index(&self, row_part: usize, col_part: usize) -> usize {
        row_part * self.col_parts.len() + col_part
    }

    /// Bytes of the whole matrix.
    pub fn bytes(&self) -> i64 {
        self.matrix.rows * self.matrix.cols * self.matrix.component.bytes()
    }
}

/// Parts with what lies before them.
fn starts(parts: &[i64]) -> impl Iterator<Item = (i64, i64)> {
    parts.iter().scan(0, |end, &size| {
        let start = *end;
        *end += size;
        Some((start, size))
    })
}

/// The types of the matrices that are tiles: the operands of the products for the engine. Consumers store sums only, so that
/// a factor is one of tiles if nobody but such products takes any of its type.
fn tiled_types(ir: &Ir, func: Func, engine: &JointMatrix, subgroup_size: i64) -> HashSet<Coopmatrix> {
    let matrix = |value: Value| ir.ty(value).coopmatrix();
    let operands = |op: &CoopmatrixMulAdd| Some([matrix(op.a)?, matrix(op.b)?, matrix(op.c)?]);
    let mut products = Vec::new();
    let mut others = HashSet::new();
    ir.walk(ir[func].body, &mut |inst| match &ir[inst].op {
        Op::CoopmatrixMulAdd(op) => products.extend(operands(op)),
        // Loops carry tiles, and branches components.
        Op::For(_) | Op::Yield(_) => {}
        Op::If(_) => {
            others.extend(ir[inst].results.iter().filter_map(|&value| matrix(value)).filter(is_factor))
        }
        op => op.visit_operands(&mut |value| others.extend(matrix(value).filter(is_factor))),
    });
    let has_tiles = |&matrix: &Coopmatrix| JointTiles::new(matrix, engine, subgroup_size).is_some();
    let is_possible = |product: &[Coopmatrix; 3]| takes(engine, *product) && product.iter().all(has_tiles);
    // A product for the vector back end takes components of its factors, and so do all others with a factor of that type.
    let (mut tiled, mut left): (Vec<_>, Vec<_>) = products.into_iter().partition(is_possible);
    loop {
        others.extend(left.iter().flatten().copied().filter(is_factor));
        let (still, taken): (Vec<_>, Vec<_>) =
            tiled.into_iter().partition(|product| !product.iter().any(|matrix| others.contains(matrix)));
        tiled = still;
        if taken.is_empty() {
            return tiled.into_iter().flatten().collect();
        }
        left = taken;
    }
}

/// Returns whether the engine has products of these component types.
fn takes(engine: &JointMatrix, [a, b, c]: [Coopmatrix; 3]) -> bool {
    a.component == b.component && engine.supports(a.component, c.component)
}

fn is_factor(matrix: &Coopmatrix) -> bool {
    matrix.usage != MatrixUse::Acc
}
