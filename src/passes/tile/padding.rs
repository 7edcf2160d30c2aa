//! Tiles of rows that lanes cannot share, with more rows (tile reference 2.7).
//!
//! A and the accumulators get as many rows as fill the lanes. What is loaded for the new ones is whatever lies behind the own ones, or zero;
//! accumulators end with the own ones where they are loaded or stored, in a view that has no more rows.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::Error;
use super::mask;
use crate::analysis::AliasSets;
use crate::ir::{
    Access, BinaryOp, Boundary, Builder, Func, Inst, Ir, MatrixUse, Op, StoreBoundary, Tile, Transpose, Type,
    Value,
};
use crate::schedule::PaddedRows;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-padding")?;
    let Some(PaddedRows { own, padded }) = PaddedRows::of(ir, func, info) else { return Ok(()) };
    let mut insts = Vec::new();
    ir.walk(ir[func].body, &mut |inst| insts.push(inst));
    if !insts.iter().all(|&inst| may_have_more_rows(ir, inst)) || loads_what_is_stored(ir, func) {
        return Ok(());
    }
    context.decide(ir, func, None, || format!("tiles of {own} rows are computed as tiles of {padded}"));
    for inst in insts {
        end_with_rows(ir, inst, own)?;
        let parameters = ir[inst].regions.iter().flat_map(|&region| ir[region].parameters.clone());
        for value in parameters.chain(ir[inst].results.clone()).collect::<Vec<Value>>() {
            if let Some(tile) = ir.ty(value).tile().filter(|tile| tile.usage != MatrixUse::B) {
                ir[value].ty = Type::Tile(Tile { rows: padded, ..tile });
            }
        }
    }
    Ok(())
}

/// Returns whether what lies behind the rows that an instruction loads may be loaded, too: nothing must be there, and no number stands for it.
fn may_have_more_rows(ir: &Ir, inst: Inst) -> bool {
    let Op::TileLoad(load) = &ir[inst].op else { return true };
    let Some(tile) = ir[inst].results.first().and_then(|&result| ir.ty(result).tile()) else { return false };
    let rows = load.boundary.0.get(row_mode(load.transpose)).copied();
    tile.usage == MatrixUse::B || rows == Some(Boundary::Zero) && load.other.is_none()
}

/// Returns whether a factor is loaded from memory that is stored to: its new rows may be those of another work-group.
fn loads_what_is_stored(ir: &Ir, func: Func) -> bool {
    let body = ir[func].body;
    let mut sets = AliasSets::new(ir, body);
    let (mut factors, mut stored) = (Vec::new(), Vec::new());
    ir.walk(body, &mut |inst| {
        let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
        let is_factor = tile.is_some_and(|tile| tile.usage != MatrixUse::Acc);
        ir[inst].op.visit_accesses(&mut |value, access| match access {
            Access::Read if is_factor => factors.push(sets.of(ir, value)),
            Access::Write | Access::ReadWrite => stored.push(sets.of(ir, value)),
            Access::Read | Access::Value | Access::Alias => {}
        });
    });
    factors.iter().any(|a| stored.iter().any(|b| a.start < b.end && b.start < a.end))
}

/// Has a load or a store of accumulators end with the rows that they have.
fn end_with_rows(ir: &mut Ir, inst: Inst, rows: i64) -> Result<(), Error> {
    let (transpose, at) = if let Op::TileLoad(load) = &ir[inst].op {
        let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
        if tile.is_none_or(|tile| tile.usage != MatrixUse::Acc) {
            return Ok(());
        }
        (load.transpose, [load.x, load.y])
    } else if let Op::TileStore(store) = &ir[inst].op {
        (store.transpose, [store.x, store.y])
    } else {
        return Ok(());
    };
    ir.update(inst, |op| {
        if let Op::TileStore(store) = op {
            store.boundary = StoreBoundary::Checked;
        }
    });
    let mode = row_mode(transpose);
    let builder = &mut Builder::before(ir, inst)?;
    let rows = builder.index(rows)?;
    let [x, y] = at;
    let bounds = if mode == 0 {
        [vec![builder.binary(BinaryOp::Add, x, rows)?], Vec::new()]
    } else {
        [Vec::new(), vec![builder.binary(BinaryOp::Add, y, rows)?]]
    };
    mask::bounded(ir, inst, bounds)
}

/// The mode of a memref along which the rows of a tile lie.
fn row_mode(transpose: Transpose) -> usize {
    usize::from(transpose == Transpose::T)
}
