//! Control flow (API reference 4.6).

use super::super::types::*;
use super::site::create;
use super::{Prototype, constructors};
use crate::ir::{For, Foreach, ForeachTile, If, Parallel, Yield};

constructors! {
    CONSTRUCTORS;
    /// A branch on a boolean. Region 0 is taken if it holds, region 1 otherwise. Each result is a boolean, a
    /// number or a cooperative matrix; if there are any, both regions end with a yield of them.
    tiletc_if_inst_create(condition: tiletc_value_t, results_size: usize, results: *const tiletc_type_t) |s| {
        let condition = s.value(condition)?;
        s.results(results_size, results)?;
        If { condition }
    };
    /// A counted loop over [from, to), three integers of one type; step may be NULL, which stands for 1. Each
    /// result is a boolean, a number or a cooperative matrix, and has an initial value of its type. The
    /// parameters of the region are the loop variable, of the type of from, and one for each result; it ends
    /// with a yield of the next values.
    tiletc_for_inst_create(
        from: tiletc_value_t,
        to: tiletc_value_t,
        step: tiletc_value_t,
        iter_init_size: usize,
        iter_init: *const tiletc_value_t,
        results_size: usize,
        results: *const tiletc_type_t,
    ) |s| {
        let (from, to, step) = (s.value(from)?, s.value(to)?, s.optional(step)?);
        let init = s.values(iter_init_size, iter_init)?;
        s.results(results_size, results)?;
        For { from, to, step, init, attributes: None }
    };
    /// Runs its region for each point of a range, spread over the work-items. In each mode from and to are
    /// integers of one type. The parameters of the region are the point.
    tiletc_foreach_inst_create(
        from_size: usize,
        from: *const tiletc_value_t,
        to_size: usize,
        to: *const tiletc_value_t,
    ) |s| Foreach { from: s.values(from_size, from)?, to: s.values(to_size, to)? };
    /// Runs its region for each tile of a range, each by one subgroup. In each mode from and to are integers
    /// of one type, and there is a largest size. The parameters of the region are the first point of the tile
    /// and its sizes.
    tiletc_foreach_tile_inst_create(
        tile_shape_size: usize,
        tile_shape: *const i64,
        from_size: usize,
        from: *const tiletc_value_t,
        to_size: usize,
        to: *const tiletc_value_t,
    ) |s| {
        let tile_shape = s.numbers(tile_shape_size, tile_shape)?;
        ForeachTile { from: s.values(from_size, from)?, to: s.values(to_size, to)?, tile_shape }
    };
    /// Runs its region by every work-item of the work-group.
    tiletc_parallel_inst_create() |s| Parallel {};
    /// Ends a region that returns values.
    tiletc_yield_inst_create(yielded_vals_size: usize, yielded_vals: *const tiletc_value_t)
        |s| Yield { values: s.values(yielded_vals_size, yielded_vals)? };
}
