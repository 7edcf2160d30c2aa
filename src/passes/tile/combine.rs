//! Combines what several subgroups have of a row or column of a tile, through local memory (tile reference 2.4.3).
//!
//! Each subgroup reduces its own share and writes the result into a column of its own; then all of them combine these columns, one
//! after the other, so that all find the same numbers, in every run.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::Error;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Binary, Boundaries, Boundary, Builder, Extent, Func, Inst, Ir,
    Memref, Op, ReduceMode, ReducePart, StoreBoundary, StoreMode, Tile, TileLoad, TileReduce, TileStore,
    Transpose, Type, Value, VerifierError,
};
use crate::schedule::{Grid, Schedule};
use crate::status::Status;

pub(in super::super) fn run(ir: &mut Ir, func: Func, _: &Context<'_>) -> Result<(), Error> {
    let mut reductions = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::TileReduce(_)) {
            reductions.push(inst);
        }
    });
    if reductions.is_empty() {
        return Ok(());
    }
    let grid = Schedule::of(ir, func)?.grid;
    reductions.into_iter().try_for_each(|inst| combine(ir, func, inst, grid))
}

/// Replaces a reduction if several subgroups have a part of what it combines.
fn combine(ir: &mut Ir, func: Func, inst: Inst, grid: Grid) -> Result<(), Error> {
    let Op::TileReduce(op) = ir[inst].op.clone() else { return Ok(()) };
    let from = ir.ty(op.tile).tile();
    let result = ir[inst].results.first().copied();
    let (Some(from), Some(result), Some(start)) = (from, result, ir.insts(ir[func].body).next()) else {
        return Ok(());
    };
    let Some(to) = ir.ty(result).tile() else { return Ok(()) };
    let (subgroups, of_all, transpose) = match op.mode {
        ReduceMode::Row => (grid.cols, from.cols, Transpose::N),
        ReduceMode::Column => (grid.rows, from.rows, Transpose::T),
    };
    // Of a single row or column, all subgroups have all.
    let subgroups = if of_all == 1 { 1 } else { i64::from(subgroups) };
    let (shares, length) = match op.mode {
        ReduceMode::Row => (Tile { cols: subgroups, ..to }, to.rows),
        ReduceMode::Column => (Tile { rows: subgroups, ..to }, to.cols),
    };
    if op.part == ReducePart::Share && to != shares {
        let detail = format!("{}, but {subgroups} subgroups have a part of what it combines", Type::Tile(to));
        return Err(VerifierError::new(Status::IrTileUncovered, ir[inst].location, detail).into());
    }
    if op.part == ReducePart::Share || subgroups == 1 {
        return Ok(());
    }
    let scratch = scratch(&mut Builder::before(ir, start)?, to, [length, subgroups])?;
    let builder = &mut Builder::before(ir, inst)?;
    let share = TileReduce { part: ReducePart::Share, ..op };
    let value = builder.value(share, Type::Tile(shares))?;
    let zero = builder.index(0)?;
    let (mode, boundary) = (StoreMode::Overwrite, StoreBoundary::Unchecked);
    builder.emit(TileStore { mode, transpose, boundary, value, to: scratch, x: zero, y: zero }, &[])?;
    let mut total = None;
    for column in 0..subgroups {
        let y = builder.index(column)?;
        let boundary = Boundaries([Boundary::Unchecked; 2]);
        let load = TileLoad { transpose, boundary, from: scratch, x: zero, y, other: None };
        let part = builder.value(load, Type::Tile(to))?;
        total = Some(match total {
            None => part,
            Some(total) => builder.value(Binary { op: op.op.pair(), a: total, b: part }, Type::Tile(to))?,
        });
    }
    if let Some(total) = total {
        ir.replace_all_uses(result, total);
        ir.erase(inst);
    }
    Ok(())
}

/// Local memory with a column for each subgroup.
fn scratch(builder: &mut Builder<'_>, tile: Tile, shape: [i64; 2]) -> Result<Value, Error> {
    let memref = Memref::packed(tile.component, shape.map(Extent::Static).to_vec(), AddressSpace::Local);
    Ok(builder.value(Alloca { attributes: AllocaAttributes::default(), stack_ptr: None }, memref)?)
}
