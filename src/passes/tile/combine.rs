//! Hands what several subgroups have of a row or column of a tile from one to another, through local memory (tile reference 2.4.3).
//!
//! Of a reduction each subgroup reduces its own share and writes the result into a column of its own; then all of them combine these
//! columns, one after the other, so that all find the same numbers, in every run. An accumulator that becomes a factor is written
//! and read again, since a factor has all rows or columns along K.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Binary, Boundaries, Boundary, Builder, Cast, Extent, Func, Inst,
    Ir, MatrixUse, Memref, Op, ReduceMode, ReducePart, StoreBoundary, StoreMode, Tile, TileLoad, TileReduce,
    TileStore, Transpose, Type, Value, VerifierError,
};
use crate::schedule::{Grid, Schedule};
use crate::status::Status;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-combine")?;
    let (mut reductions, mut factors) = (Vec::new(), Vec::new());
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::TileReduce(_)) {
            reductions.push(inst);
        } else if new_use(ir, inst).is_some() {
            factors.push(inst);
        }
    });
    if reductions.is_empty() && factors.is_empty() {
        return Ok(());
    }
    let grid = Schedule::of(ir, func)?.grid;
    reductions.into_iter().try_for_each(|inst| combine(ir, func, inst, grid))?;
    factors.into_iter().try_for_each(|inst| exchange(ir, func, inst, grid, info))
}

/// The factor that an instruction makes of an accumulator.
fn new_use(ir: &Ir, inst: Inst) -> Option<Tile> {
    let Op::Cast(Cast { a }) = ir[inst].op else { return None };
    let (from, to) = (ir.ty(a).tile()?, ir.ty(*ir[inst].results.first()?).tile()?);
    (from.usage != to.usage).then_some(to)
}

/// Replaces a cast to a factor, unless each subgroup has all that it needs of it. A CPU, which has fewer registers than a tile has
/// entries, reads it from its cache in any case.
fn exchange(ir: &mut Ir, func: Func, inst: Inst, grid: Grid, info: &CoreInfo) -> Result<(), Error> {
    let (Some(to), Op::Cast(Cast { a })) = (new_use(ir, inst), ir[inst].op.clone()) else {
        return Err(internal(ir[inst].location, "no accumulator that becomes a factor"));
    };
    let subgroups = match to.usage {
        MatrixUse::A => grid.cols,
        MatrixUse::B => grid.rows,
        MatrixUse::Acc => 1,
    };
    if subgroups == 1 && !info.is_cpu() {
        return Ok(());
    }
    let scratch = scratch(ir, func, to, [to.rows, to.cols])?;
    let builder = &mut Builder::before(ir, inst)?;
    let value = builder.cast(a, Type::Tile(Tile { usage: MatrixUse::Acc, ..to }))?;
    store(builder, value, scratch, Transpose::N)?;
    let factor = load(builder, to, scratch, Transpose::N, 0)?;
    replace(ir, inst, factor);
    Ok(())
}

/// Replaces a reduction if several subgroups have a part of what it combines.
fn combine(ir: &mut Ir, func: Func, inst: Inst, grid: Grid) -> Result<(), Error> {
    let location = ir[inst].location;
    let to = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
    let (Op::TileReduce(op), Some(to)) = (ir[inst].op.clone(), to) else {
        return Err(internal(location, "no reduction of a tile"));
    };
    let from = ir.ty(op.tile).tile().ok_or_else(|| internal(location, "a reduction of no tile"))?;
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
        return Err(VerifierError::new(Status::IrTileUncovered, location, detail).into());
    }
    if op.part == ReducePart::Share || subgroups == 1 {
        return Ok(());
    }
    let scratch = scratch(ir, func, to, [length, subgroups])?;
    let builder = &mut Builder::before(ir, inst)?;
    let value = builder.value(TileReduce { part: ReducePart::Share, ..op }, Type::Tile(shares))?;
    store(builder, value, scratch, transpose)?;
    let mut total = load(builder, to, scratch, transpose, 0)?;
    for column in 1..subgroups {
        let part = load(builder, to, scratch, transpose, column)?;
        total = builder.value(Binary { op: op.op.pair(), a: total, b: part }, Type::Tile(to))?;
    }
    replace(ir, inst, total);
    Ok(())
}

/// Local memory for the whole function.
fn scratch(ir: &mut Ir, func: Func, tile: Tile, shape: [i64; 2]) -> Result<Value, Error> {
    let first = ir.insts(ir[func].body).next();
    let first = first.ok_or_else(|| internal(ir[func].location, "a function without instructions"))?;
    let memref = Memref::packed(tile.component, shape.map(Extent::Static).to_vec(), AddressSpace::Local);
    let alloca = Alloca { attributes: AllocaAttributes::default(), stack_ptr: None };
    Ok(Builder::before(ir, first)?.value(alloca, memref)?)
}

fn store(builder: &mut Builder<'_>, value: Value, to: Value, transpose: Transpose) -> Result<(), Error> {
    let zero = builder.index(0)?;
    let (mode, boundary) = (StoreMode::Overwrite, StoreBoundary::Unchecked);
    builder.emit(TileStore { mode, transpose, boundary, value, to, x: zero, y: zero }, &[])?;
    Ok(())
}

/// The tile that begins at a column.
fn load(
    builder: &mut Builder<'_>,
    tile: Tile,
    from: Value,
    transpose: Transpose,
    column: i64,
) -> Result<Value, Error> {
    let [x, y] = [builder.index(0)?, builder.index(column)?];
    let boundary = Boundaries([Boundary::Unchecked; 2]);
    Ok(builder.value(TileLoad { transpose, boundary, from, x, y, other: None }, Type::Tile(tile))?)
}

fn replace(ir: &mut Ir, inst: Inst, value: Value) {
    ir[inst].results.clone().into_iter().for_each(|result| ir.replace_all_uses(result, value));
    ir.erase(inst);
}
