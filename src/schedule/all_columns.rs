//! Products of few columns on a matrix engine that 2D blocks feed, of which a subgroup takes all columns.
//!
//! The blocks of the reference are as square as they can be (lowering reference 1.11): two subgroups share the columns, and each issues
//! what a subgroup issues once. With all columns in one block of as many rows as there are lanes, B comes in wider messages, and half as
//! many subgroups issue up to a third less.

use super::block::to_i32;
use super::blockwise::all_shapes;
use super::folded::come_by_blocks;
use super::grid::check_work_group_size;
use super::product::{div_ceil, round_up};
use super::shape::factors;
use super::{Grid, Overrides, Schedule};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::ir::{Func, Ir, Transpose};
use std::ops::RangeInclusive;

/// Columns that a subgroup takes all of: more than the squarest block has, and few enough to leave room for a step's factors.
const COLS: RangeInclusive<i64> = 32..=48;
/// Blocks of rows up to which each subgroup has one.
const ONE_EACH: i64 = 4;
/// Blocks that a subgroup has one after the other if there are more.
const OTHERWISE: i64 = 2;

impl Schedule {
    /// The schedule whose subgroups take all columns of a block of rows, if all that a function computes are such products of one shape. For
    /// sizes that no attribute asks for.
    pub(super) fn with_all_columns(
        &self,
        ir: &Ir,
        func: Func,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<Schedule> {
        let Overrides { register_file: None, register_block: None, .. } = self.overrides else { return None };
        let (engine, _) = self.engine(info).zip(self.block_2d_io(info))?;
        let (shapes, products) = (all_shapes(ir, func, surfaces), factors(ir, func));
        let ([shape], [[Some(a), Some(b)]]) = (shapes.as_slice(), products.as_slice()) else { return None };
        let is_on_engine = shape.is_gemm
            && engine.supports_gemm(shape.op1, shape.op2, shape.destination.accumulator())
            && come_by_blocks(ir, surfaces, [*a, *b])
            && b.1 == Transpose::N;
        let (rows, cols) = (shape.rows?, shape.cols.filter(|cols| is_on_engine && COLS.contains(cols))?);
        let lanes = i64::from(self.subgroup_size);
        let most = i64::from(info.max_work_group_size(self.subgroup_size)) / lanes.max(1);
        let blocks = div_ceil(rows.max(1), lanes);
        let subgroups = if blocks <= ONE_EACH { blocks } else { div_ceil(blocks, OTHERWISE) };
        let grid = Grid { rows: to_i32(subgroups.min(most)), cols: 1 };
        let block = (self.subgroup_size, to_i32(round_up(cols, engine.max_cols())));
        let overrides = Overrides { register_block: Some(block), ..self.overrides };
        let fits = check_work_group_size(info, self.subgroup_size, grid.work_items(self.subgroup_size));
        fits.is_ok().then_some(Schedule { grid, overrides, ..*self })
    }
}
