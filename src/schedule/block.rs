//! Register block of a product (lowering reference 1.11).
//!
//! Scores are compared as exact fractions, so the choices are the same on every host.

use crate::ir::AccumulatorBlock;

/// Columns of A and rows of B that a gemm holds in registers at a time.
const MAX_K: i64 = 8;

impl AccumulatorBlock {
    /// The block with which the subgroups of a grid take rows and columns, as far as these are known: as many subgroups' rows as
    /// leave none of them idle and compute no block for nothing (lowering reference 1.13), and columns that differ by one at most, or
    /// none beyond the end.
    pub(super) fn shared(
        self,
        [rows, cols]: [Option<i64>; 2],
        grid: [i32; 2],
        lanes: i64,
        on_engine: bool,
    ) -> AccumulatorBlock {
        let (lanes, max) = (lanes.max(1), i64::from(self.rows));
        let subgroups = i64::from(grid[0]).max(1);
        let size = rows.unwrap_or(max);
        let uneven = |blocks: i64| {
            let rows = blocks * lanes;
            let all = blocks_of(size, rows);
            // Where each subgroup has one block of vector code, the last one overlaps with others.
            let overlaps = !on_engine && all <= subgroups;
            let computed = if overlaps { all.saturating_mul(rows) } else { rows };
            all % subgroups != 0 || computed - size >= lanes
        };
        let mut blocks = 1 << (max / lanes).max(1).ilog2();
        while blocks > 1 && uneven(blocks) {
            blocks /= 2;
        }
        let limit = i64::from(self.cols).max(1);
        let cols = match cols.filter(|&cols| cols > 0) {
            Some(cols) if on_engine => cols.min(limit),
            Some(cols) => {
                let subgroups = i64::from(grid[1]).max(1);
                let all = blocks_of(blocks_of(cols, limit), subgroups).saturating_mul(subgroups);
                blocks_of(cols, all)
            }
            None => limit,
        };
        AccumulatorBlock { rows: to_i32(blocks * lanes), cols: to_i32(cols) }
    }
}

/// Blocks of some size that cover a mode, at least one.
fn blocks_of(extent: i64, size: i64) -> i64 {
    1 + (extent - 1).max(0) / size
}

/// The register block of a gemm whose elements of A and B and whose accumulators have these sizes.
///
/// Of all blocks that fit half the registers it is the one with the most arithmetic per element loaded; where
/// none fits, the smallest.
pub(super) fn register_block(
    a_bytes: i64,
    b_bytes: i64,
    c_bytes: i64,
    c_is_complex: bool,
    subgroup_size: i32,
    register_space: i32,
) -> AccumulatorBlock {
    let size = |bytes: i64| bytes.max(1);
    let (a, b, c) = (size(a_bytes) * MAX_K, size(b_bytes) * MAX_K, size(c_bytes));
    // The product of complex numbers needs a second accumulator.
    let c = if c_is_complex { 2 * c } else { c };
    let step = i64::from(subgroup_size.max(1));
    let budget = i64::from(register_space) / 2;

    let max_rows = step * ((budget - b) / (step * (c + a)));
    let mut best = (step, 1);
    let mut best_score = Score::of(0, 0);
    let mut rows = step;
    while rows <= max_rows {
        let cols = (budget - rows * a) / (rows * c + b);
        let score = Score::of(rows, cols);
        if cols >= 1 && score.beats(best_score) {
            (best, best_score) = ((rows, cols), score);
        }
        rows += step;
    }
    AccumulatorBlock { rows: to_i32(best.0), cols: to_i32(best.1) }
}

/// Saturates: block sizes and grids are bounded by the register space, which is an i32.
pub(super) fn to_i32(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// Products a block computes over elements it loads, rows·cols / (rows + cols), as a fraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    products: i128,
    loads: i128,
}

impl Score {
    pub fn of(rows: i64, cols: i64) -> Score {
        let (rows, cols) = (i128::from(rows), i128::from(cols));
        Score { products: rows * cols, loads: (rows + cols).max(1) }
    }

    pub fn beats(self, other: Score) -> bool {
        self.products * other.loads > other.products * self.loads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_blocks() {
        let table = [
            ((4, 4, 4), false, 32, 8192, (32, 19)),
            ((4, 4, 4), false, 16, 8192, (32, 19)),
            ((8, 8, 8), false, 16, 8192, (16, 16)),
            ((8, 8, 8), true, 16, 8192, (16, 9)),
            ((16, 16, 16), true, 16, 8192, (16, 3)),
            ((2, 2, 4), false, 16, 8192, (32, 24)),
            ((1, 1, 4), false, 16, 8192, (32, 28)),
            ((2, 2, 4), false, 16, 16384, (48, 35)),
            ((4, 4, 4), false, 32, 16384, (32, 44)),
            ((8, 8, 8), false, 16, 16384, (32, 19)),
            ((4, 4, 4), false, 16, 4096, (16, 16)),
            ((4, 4, 4), false, 8, 4096, (16, 16)),
            ((8, 8, 8), false, 8, 4096, (8, 12)),
            ((4, 4, 4), false, 16, 2048, (16, 5)),
            ((4, 4, 4), false, 4, 2048, (8, 12)),
        ];
        for ((a, b, c), complex, subgroup_size, space, (rows, cols)) in table {
            assert_eq!(
                register_block(a, b, c, complex, subgroup_size, space),
                AccumulatorBlock { rows, cols },
                "{a},{b},{c} {complex} {subgroup_size} {space}"
            );
        }
    }

    #[test]
    fn too_few_registers_give_the_smallest_block() {
        for space in [i32::MIN, 0, 64, 1024] {
            assert_eq!(register_block(16, 16, 16, true, 64, space), AccumulatorBlock { rows: 64, cols: 1 });
        }
        let huge = register_block(1, 1, 1, false, 32, i32::MAX);
        assert!(huge.rows % 32 == 0 && huge.cols > 1);
    }
}
