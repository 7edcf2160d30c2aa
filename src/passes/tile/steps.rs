//! Products of tiles as loops along K, whose factors pass through local memory (lowering reference 1.16).

use super::super::context::Context;
use super::super::emit::{Emit as _, Range, Unroll};
use super::super::error::{Error, internal};
use super::entry::defers;
use super::stages::copy_factors;
use crate::analysis::Surfaces;
use crate::diagnostics::Location;
use crate::ir::{BinaryOp, Builder, Func, Inst, Ir, MatrixUse, Op, Tile, TileDot, TileLoad, Value};
use crate::schedule::{Schedule, WholeProduct};

/// The load of a factor, its place in the text, and the tile that it gives.
pub(super) type Loaded = (Location, TileLoad, Tile);

/// Makes loops of the products of a function that its schedule stages.
pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let Some(info) = context.device.filter(|_| Schedule::is_free(ir, func)) else { return Ok(()) };
    let mut products = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if let Op::TileDot(dot) = &ir[inst].op {
            products.push((inst, dot.clone()));
        }
    });
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return Ok(()) };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    for (inst, dot) in products {
        let [Some(a), Some(b)] = [dot.a, dot.b].map(|factor| loaded(ir, factor)) else { continue };
        let loads = [a, b];
        let Some(product) = product(ir, &loads, dot.c) else { continue };
        let Some(step) = schedule.staged_step(ir, &product, &surfaces, info) else { continue };
        context.decide(ir, func, Some(inst), || decision(product.extents[2], step));
        let sums = build(ir, func, inst, &loads, (&dot, step))?;
        let old = ir[inst].results.first().copied();
        old.into_iter().for_each(|old| ir.replace_all_uses(old, sums));
        ir.erase(inst);
        let loads = [dot.a, dot.b].map(|factor| ir.defining_inst(factor));
        loads.into_iter().flatten().for_each(|load| ir.erase(load));
    }
    Ok(())
}

/// The product of what loads give.
pub(super) fn product(ir: &Ir, [a, b]: &[Loaded; 2], c: Value) -> Option<WholeProduct> {
    Some(WholeProduct::of_tiles([(&a.1, a.2), (&b.1, b.2)], ir.ty(c).tile()?))
}

/// The load of a factor that may as well be done where the product is, and in parts.
fn loaded(ir: &Ir, factor: Value) -> Option<Loaded> {
    let inst = ir.defining_inst(factor)?;
    let Op::TileLoad(load) = &ir[inst].op else { return None };
    let is_split = defers(ir, inst) && ir.loads_as_it_is(inst) && load.other.is_none();
    let tile = ir.ty(factor).tile().filter(|_| is_split)?;
    Some((ir[inst].location, load.clone(), tile))
}

/// The sentence about a product of so much along K that is computed so many columns of A and rows of B at a time.
pub(in super::super) fn decision(depth: i64, step: i64) -> String {
    if step < depth {
        format!("the product is a loop over tiles: {step} of {depth} along K at a time")
    } else {
        "the product is one of tiles, for which B is copied to local memory".to_owned()
    }
}

/// Builds the product of what loads give in front of an instruction, so many columns of A and rows of B at a time; for a single step B is copied to local
/// memory. Returns the sums.
pub(in super::super) fn build(
    ir: &mut Ir,
    func: Func,
    before: Inst,
    loads: &[Loaded; 2],
    (dot, step): (&TileDot, i64),
) -> Result<Value, Error> {
    let [(_, _, a), _] = loads;
    let depth = a.cols;
    let builder = &mut Builder::before(ir, before)?;
    let (location, ty) = (builder.location, builder.ir.ty(dot.c).clone());
    let multiply = |builder: &mut Builder<'_>, k: Value, c: Value| -> Result<[Value; 2], Error> {
        let [a, b] = [part(builder, &loads[0], k, step)?, part(builder, &loads[1], k, step)?];
        Ok([builder.value(TileDot { a, b, c, ..dot.clone() }, ty.clone())?, b])
    };
    let from = builder.index(0)?;
    if step >= depth {
        let [sums, b] = multiply(builder, from, dot.c)?;
        let copied = builder.ir.defining_inst(b);
        copy_factors(ir, func, copied.into_iter().collect())?;
        return Ok(sums);
    }
    let [to, step] = [builder.index(depth)?, builder.index(step)?];
    let range = Range { from, to, step, unroll: Unroll::Default };
    let ends = builder.loop_over(range, vec![dot.c], |builder, k, carried| {
        let &[c] = carried else { return Err(internal(location, "a loop without a sum")) };
        let [sums, _] = multiply(builder, k, c)?;
        Ok(vec![sums])
    })?;
    ends.first().copied().ok_or_else(|| internal(location, "a loop without a sum"))
}

/// Loads the columns of A or rows of B of a step that begins at `k`.
fn part(
    builder: &mut Builder<'_>,
    (location, load, tile): &Loaded,
    k: Value,
    step: i64,
) -> Result<Value, Error> {
    builder.at_location(*location, |builder| {
        let (mut load, mut tile) = (load.clone(), *tile);
        let mode = load.transpose.mode_along_k(tile.usage);
        let along = if mode == Some(0) { &mut load.x } else { &mut load.y };
        *along = builder.binary(BinaryOp::Add, *along, k)?;
        match tile.usage {
            MatrixUse::A => tile.cols = step,
            MatrixUse::B | MatrixUse::Acc => tile.rows = step,
        }
        Ok(builder.value(load, tile)?)
    })
}
