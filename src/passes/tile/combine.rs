//! Hands what several subgroups have of a row or column of a tile from one to another, through local memory (tile reference 2.4.3).
//!
//! Of a reduction each subgroup reduces its own share and writes the result into a column of its own; then all of them combine these
//! columns, one after the other, so that all find the same numbers, in every run. An accumulator that becomes a factor is written
//! and read again, since a factor has all rows or columns along K; so is one that is transposed.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, Binary, Boundaries, Boundary, Builder, Cast, Extent, Func, Inst,
    Ir, MatrixUse, Memref, Op, ReduceMode, ReducePart, Scalar, StoreBoundary, StoreMode, Tile, TileAny,
    TileLoad, TileReduce, TileReduceOp, TileStore, TileTranspose, Transpose, Type, Value, VerifierError,
};
use crate::schedule::{Grid, Schedule};
use crate::status::Status;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-combine")?;
    let (mut reductions, mut others) = (Vec::new(), Vec::new());
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::TileReduce(_)) {
            reductions.push(inst);
        } else if matches!(ir[inst].op, Op::TileAny(_) | Op::TileTranspose(_)) || new_use(ir, inst).is_some()
        {
            others.push(inst);
        }
    });
    if reductions.is_empty() && others.is_empty() {
        return Ok(());
    }
    let grid = Schedule::of(ir, func)?.grid;
    for inst in others {
        if let Op::TileAny(TileAny { tile }) = ir[inst].op {
            reductions.extend(one_entry(ir, inst, tile)?);
        } else if let Op::TileTranspose(TileTranspose { tile }) = ir[inst].op {
            exchange(ir, func, inst, tile, Transpose::T)?;
        } else if let Op::Cast(Cast { a }) = ir[inst].op
            && !has_factor(ir, inst, grid, info)
        {
            exchange(ir, func, inst, a, Transpose::N)?;
        }
    }
    reductions.into_iter().try_for_each(|inst| combine(ir, func, inst, grid))
}

/// Makes a question about all entries of a tile one about the largest; returns the reductions.
fn one_entry(ir: &mut Ir, inst: Inst, value: Value) -> Result<Vec<Inst>, Error> {
    let from = tile(ir, value)?;
    if [from.rows, from.cols] == [1, 1] {
        return Ok(Vec::new());
    }
    let builder = &mut Builder::before(ir, inst)?;
    // Subgroups reduce numbers of 32 bits without conversions.
    let component = if from.component.bytes() < 4 { Scalar::I32 } else { from.component };
    let from = Tile { component, ..from };
    let mut tile = builder.cast(value, Type::Tile(from))?;
    let mut reductions = Vec::new();
    // A work-item has whole rows.
    for (mode, rows) in [(ReduceMode::Row, from.rows), (ReduceMode::Column, 1)] {
        let reduce = TileReduce { op: TileReduceOp::Max, mode, part: ReducePart::Whole, tile };
        tile = builder.value(reduce, Type::Tile(Tile { rows, cols: 1, ..from }))?;
        reductions.extend(builder.ir.defining_inst(tile));
    }
    ir.update(inst, |op| *op = TileAny { tile }.into());
    Ok(reductions)
}

/// The factor that an instruction makes of an accumulator.
fn new_use(ir: &Ir, inst: Inst) -> Option<Tile> {
    let Op::Cast(Cast { a }) = ir[inst].op else { return None };
    let (from, to) = (ir.ty(a).tile()?, ir.ty(*ir[inst].results.first()?).tile()?);
    (from.usage != to.usage).then_some(to)
}

/// Returns whether each subgroup has all that it needs of a factor made of an accumulator. A CPU, which has fewer registers than a
/// tile has entries, reads it from its cache in any case.
fn has_factor(ir: &Ir, inst: Inst, grid: Grid, info: &CoreInfo) -> bool {
    let subgroups = match new_use(ir, inst).map(|to| to.usage) {
        Some(MatrixUse::A) => grid.cols,
        Some(MatrixUse::B) => grid.rows,
        Some(MatrixUse::Acc) | None => 1,
    };
    subgroups == 1 && !info.is_cpu()
}

/// Replaces an instruction by its operand, written to local memory and read again as what the result is.
fn exchange(ir: &mut Ir, func: Func, inst: Inst, a: Value, transpose: Transpose) -> Result<(), Error> {
    let location = ir[inst].location;
    let to = ir[inst].results.first().copied().ok_or_else(|| internal(location, "no result"))?;
    let (from, to) = (tile(ir, a)?, tile(ir, to)?);
    let scratch = scratch(ir, func, to, [from.rows, from.cols])?;
    let builder = &mut Builder::before(ir, inst)?;
    let value = builder.cast(a, Type::Tile(Tile { component: to.component, ..from }))?;
    store(builder, value, scratch, Transpose::N)?;
    let read = load(builder, to, scratch, transpose, 0)?;
    replace(ir, inst, read);
    Ok(())
}

/// Replaces a reduction if several subgroups have a part of what it combines.
fn combine(ir: &mut Ir, func: Func, inst: Inst, grid: Grid) -> Result<(), Error> {
    let location = ir[inst].location;
    let (Op::TileReduce(op), Some(&to)) = (ir[inst].op.clone(), ir[inst].results.first()) else {
        return Err(internal(location, "no reduction of a tile"));
    };
    let (from, to) = (tile(ir, op.tile)?, tile(ir, to)?);
    let (subgroups, of_all, transpose) = match op.mode {
        ReduceMode::Row => (grid.cols, from.cols, Transpose::N),
        ReduceMode::Column => (grid.rows, from.rows, Transpose::T),
    };
    // Of a single row or column, all subgroups have all.
    let subgroups = if of_all == 1 { 1 } else { i64::from(subgroups) };
    let (part, length, shares) = match op.mode {
        ReduceMode::Row => (to.cols, to.rows, Tile { cols: to.cols.saturating_mul(subgroups), ..to }),
        ReduceMode::Column => (to.rows, to.cols, Tile { rows: to.rows.saturating_mul(subgroups), ..to }),
    };
    let is_shared = part % subgroups == 0 && (part / subgroups).count_ones() == 1;
    if op.part == ReducePart::Share && !is_shared {
        let detail = format!("{}, but {subgroups} subgroups have a part of what it combines", Type::Tile(to));
        return Err(VerifierError::new(Status::IrTileUncovered, location, detail).into());
    }
    if op.part == ReducePart::Share || subgroups == 1 {
        return Ok(());
    }
    // What a subgroup has may be no multiple of what is left, which then comes from the tile as it is.
    let reduces_shares = of_all % part.saturating_mul(subgroups) == 0;
    let all = if reduces_shares { part.saturating_mul(subgroups) } else { of_all };
    let scratch = scratch(ir, func, to, [length, all])?;
    let builder = &mut Builder::before(ir, inst)?;
    let value = if reduces_shares {
        builder.value(TileReduce { part: ReducePart::Share, ..op.clone() }, Type::Tile(shares))?
    } else {
        op.tile
    };
    store(builder, value, scratch, transpose)?;
    let mut total = load(builder, to, scratch, transpose, 0)?;
    for first in (part..all).step_by(usize::try_from(part).unwrap_or(usize::MAX)) {
        let other = load(builder, to, scratch, transpose, first)?;
        total = builder.value(Binary { op: op.op.pair(), a: total, b: other }, Type::Tile(to))?;
    }
    replace(ir, inst, total);
    Ok(())
}

fn tile(ir: &Ir, value: Value) -> Result<Tile, Error> {
    ir.ty(value).tile().ok_or_else(|| internal(ir[value].location, "a value that is no tile"))
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
