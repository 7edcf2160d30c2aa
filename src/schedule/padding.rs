//! Tiles whose rows leave lanes idle, with more rows.

use super::Schedule;
use super::attributes::Attributes;
use super::blockwise::Blockwise;
use super::product::round_up;
use super::tiles::Tiles;
use crate::device::CoreInfo;
use crate::ir::{Func, Ir, MatrixUse, Memref, Tile};

/// Rows of the accumulators and of A in the products of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaddedRows {
    /// Rows that the program has.
    pub own: i64,
    /// Rows that fill the lanes of a subgroup.
    pub padded: i64,
}

impl PaddedRows {
    /// The rows of tiles that are padded: those of loops which no subgroup size divides, where the work-group takes them in blocks otherwise. These do
    /// well in vector code with known sizes (f32 560×560 in tiles of 56×16 has 5 % fewer cycles on pvc); of open sizes each block checks what it loads, and
    /// an engine takes whole fragments. `None` if the padded tiles exceed the registers, or a grid is asked for, which then says what a subgroup has.
    pub fn of(ir: &Ir, func: Func, info: &CoreInfo) -> Option<PaddedRows> {
        let Attributes { subgroup_size: None, work_group_size: None, overrides } = Attributes::of(ir, func)
        else {
            return None;
        };
        let [own, _] = Blockwise::of(ir, func).filter(|blockwise| blockwise.has_loop)?.extents;
        let mut tiles = Tiles::of(ir, func);
        tiles.pin(overrides);
        let size = tiles.subgroup_size(info);
        let padded = round_up(own, size.into());
        let pad = |tile: Tile| match tile.usage {
            MatrixUse::A | MatrixUse::Acc => Tile { rows: padded, ..tile },
            MatrixUse::B => tile,
        };
        // Blocks hold any tile; what subgroups share has to fit as a whole.
        let is_worth = !info.is_cpu()
            && padded > own
            && (has_open_sizes(ir, func) || is_on_engine(ir, func, info))
            && tiles.in_parts(pad).fitting(size, info).is_some();
        is_worth.then_some(PaddedRows { own, padded })
    }
}

/// Returns whether memory is accessed of which sizes or strides are known at run time only.
fn has_open_sizes(ir: &Ir, func: Func) -> bool {
    let is_open = |memref: &Memref| {
        memref.shape.iter().any(|extent| extent.value().is_none())
            || memref.stride.iter().any(|stride| stride.value().is_none())
    };
    let mut is_any = false;
    ir.walk(ir[func].body, &mut |inst| {
        ir[inst].op.visit_accesses(&mut |value, _| is_any |= ir.ty(value).memref().is_some_and(is_open));
    });
    is_any
}

/// Returns whether an engine computes some product.
fn is_on_engine(ir: &Ir, func: Func, info: &CoreInfo) -> bool {
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return false };
    schedule.has_products_of_panels(ir, func, info)
}
