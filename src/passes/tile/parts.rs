//! Tiles that exceed the registers of a work-group, computed in parts one after the other (tile reference 2.7).
//!
//! Accumulators of which blocks do not depend on each other are a loop over parts of them, in which all tiles have the rows and columns
//! of a part: factors are loaded again for each. What takes its tiles in blocks anyway stays as it is.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::Error;
use crate::ir::{
    BinaryOp, Builder, Cursor, Family, For, ForAttributes, Func, Inst, Ir, MatrixUse, Op, Pipeline, Region,
    Transpose, Type, Unroll, Value,
};
use crate::schedule::Parts;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-parts")?;
    let Some(parts) = Parts::of(ir, func, info) else { return Ok(()) };
    let insts = on_tiles(ir, func);
    let Some(&last) = insts.last() else { return Ok(()) };
    let Parts { whole: [rows, cols], part, .. } = parts;
    context.decide(ir, func, Some(last), || {
        format!("{rows}x{cols} accumulators exceed the registers: parts of {}x{}", part[0], part[1])
    });
    let builder = &mut Builder::after(ir, last)?;
    over(builder, rows, part[0], |builder, row| {
        over(builder, cols, part[1], |builder, col| {
            for &inst in &insts {
                builder.ir.move_inst(inst, builder.cursor);
                shrink(builder.ir, inst, part, [row, col])?;
            }
            Ok(())
        })
    })
}

/// Builds a loop over the parts along a mode.
fn over(
    builder: &mut Builder<'_>,
    whole: i64,
    part: i64,
    body: impl FnOnce(&mut Builder<'_>, Value) -> Result<(), Error>,
) -> Result<(), Error> {
    let [from, to, step] = [builder.index(0)?, builder.index(whole)?, builder.index(part)?];
    if whole == part {
        return body(builder, from);
    }
    let attributes = ForAttributes {
        unroll: Some(Unroll::Never),
        pipeline: Some(Pipeline::None),
        ..ForAttributes::default()
    };
    let range = For { from, to, step: Some(step), init: Vec::new(), attributes };
    builder.for_loop(range, |builder, counter, _| body(builder, counter).map(|()| Vec::new()))?;
    Ok(())
}

/// The instructions of the body of a function that tiles are made by, or that use them, in order. What is between them is scalar arithmetic
/// that none of them has a part in.
fn on_tiles(ir: &Ir, func: Func) -> Vec<Inst> {
    let is_on_tiles = |inst: &Inst| {
        let mut found = false;
        ir.walk_inst(*inst, &mut |inner| {
            found |= ir[inner].op.info().family == Family::Tile;
            found |= ir[inner].results.iter().any(|&result| ir.ty(result).tile().is_some());
        });
        found
    };
    ir.insts(ir[func].body).filter(is_on_tiles).collect()
}

/// Gives the tiles of an instruction, and of those in it, the rows and columns of a part, the first of which are given.
fn shrink(ir: &mut Ir, inst: Inst, part: [i64; 2], first: [Value; 2]) -> Result<(), Error> {
    let mut insts = Vec::new();
    ir.walk_inst(inst, &mut |inner| insts.push(inner));
    for inst in insts {
        shift_access(ir, inst, first)?;
        let regions = ir[inst].regions.clone();
        let parameters = regions.iter().flat_map(|&region| ir[region].parameters.clone());
        for value in parameters.chain(ir[inst].results.clone()).collect::<Vec<Value>>() {
            if let Some(tile) = ir.ty(value).tile() {
                ir[value].ty = Type::Tile(Parts::of_tile(part, tile));
            }
        }
        if let (Op::TileApply(_), Some(&region)) = (&ir[inst].op, regions.first()) {
            shift_entries(ir, inst, region, first)?;
        }
    }
    Ok(())
}

/// Has a load or a store find the part of its tile.
fn shift_access(ir: &mut Ir, inst: Inst, [row, col]: [Value; 2]) -> Result<(), Error> {
    let (tile, transpose, at) = if let Op::TileLoad(load) = &ir[inst].op {
        (ir[inst].results.first().copied(), load.transpose, (load.x, load.y))
    } else if let Op::TileStore(store) = &ir[inst].op {
        (Some(store.value), store.transpose, (store.x, store.y))
    } else {
        return Ok(());
    };
    let usage = tile.and_then(|tile| ir.ty(tile).tile()).map(|tile| tile.usage);
    let builder = &mut Builder::before(ir, inst)?;
    let zero = builder.index(0)?;
    let [row, col] = match usage {
        Some(MatrixUse::A) => [row, zero],
        Some(MatrixUse::B) => [zero, col],
        Some(MatrixUse::Acc) | None => [row, col],
    };
    let [along_x, along_y] = if transpose == Transpose::N { [row, col] } else { [col, row] };
    let x = builder.binary(BinaryOp::Add, at.0, along_x)?;
    let y = builder.binary(BinaryOp::Add, at.1, along_y)?;
    ir.update(inst, |op| {
        if let Op::TileLoad(load) = op {
            (load.x, load.y) = (x, y);
        } else if let Op::TileStore(store) = op {
            (store.x, store.y) = (x, y);
        }
    });
    Ok(())
}

/// Has what is applied to the entries of a part see their rows and columns in the whole.
fn shift_entries(ir: &mut Ir, inst: Inst, region: Region, first: [Value; 2]) -> Result<(), Error> {
    let parameters = ir[region].parameters.clone();
    for (own, first) in parameters.into_iter().zip(first) {
        if ir.uses(own).is_empty() {
            continue;
        }
        let ty = ir.ty(own).clone();
        let first = Builder::before(ir, inst)?.cast(first, ty)?;
        let (cursor, location) = (Cursor::at_start(ir, region), ir[inst].location);
        let shifted = Builder { ir, cursor, location }.binary(BinaryOp::Add, own, first)?;
        ir.replace_all_uses(own, shifted);
        if let Some(sum) = ir.defining_inst(shifted) {
            ir.update(sum, |op| {
                if let Op::Binary(sum) = op {
                    sum.a = own;
                }
            });
        }
    }
    Ok(())
}
