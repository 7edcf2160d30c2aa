//! Blocks of matrices whose elements depend on those at the same place of others only (lowering reference 1.13).

use super::Schedule;
use super::block::to_i32;
use super::product::div_ceil;
use crate::device::CoreInfo;
use crate::ir::AccumulatorBlock;

/// Blocks of as many rows as lanes that a subgroup takes at a time.
const MAX_ROW_BLOCKS: i64 = 4;

impl Schedule {
    /// Rows and columns that a subgroup takes at a time of a matrix whose elements depend on those of others at the same place only, for which
    /// it holds so many bytes each: all that is loaded for them is waited for once. `None` on CPUs if columns are longer than
    /// [`MAX_ROW_BLOCKS`]: they read those faster one after the other, from the first number to the last.
    pub fn elementwise_block(
        &self,
        extents: [Option<i64>; 2],
        bytes: i64,
        info: &CoreInfo,
    ) -> Option<AccumulatorBlock> {
        let lanes = i64::from(self.subgroup_size).max(1);
        if info.is_cpu() && extents[0].is_none_or(|rows| rows > MAX_ROW_BLOCKS * lanes) {
            return None;
        }
        let elements = i64::from(self.register_space(info)) * 3 / 8 / bytes.max(1) / lanes;
        let columns = extents[1].map_or(1, |cols| div_ceil(cols, i64::from(self.grid.cols)).max(1));
        let blocks = 1 << (elements / columns).clamp(1, MAX_ROW_BLOCKS).ilog2();
        let rows = blocks * lanes;
        let block = AccumulatorBlock { rows: to_i32(rows), cols: to_i32((elements / blocks).max(1)) };
        Some(block.shared(extents, [self.grid.rows, self.grid.cols], lanes, false))
    }
}
