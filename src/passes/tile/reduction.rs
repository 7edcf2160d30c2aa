//! Loops that only sum products along K, as one product of all they sum (tile reference 2.6).
//!
//! How much of K a subgroup takes at a time, and what it fetches ahead, are then decisions of the schedule, as for a gemm. A loop
//! that names its pipeline, or whose function does, keeps it.

use super::super::context::Context;
use super::super::error::Error;
use super::stages::preferred;
use crate::analysis::{Interval, Surfaces};
use crate::diagnostics::Location;
use crate::ir::{
    Builder, Family, For, ForAttributes, Func, Inst, Ir, MatrixUse, Op, Tile, TileDot, TileLoad, Transpose,
    Value,
};
use crate::schedule::{Blockwise, Schedule};

/// Iterations from which staged factors are worth the wait for the first copies.
const STAGED_ITERATIONS: i64 = 16;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    if ir[func].attributes.pipeline.is_some() || Blockwise::of(ir, func).is_none() {
        return Ok(());
    }
    let mut loops = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::For(_)) && holds_tiles(ir, inst) {
            loops.push(inst);
        }
    });
    // One that stays is a loop around tiles that are shared evenly, which has steps and a pipeline of its own.
    let reductions: Option<Vec<Reduction>> = loops.into_iter().map(|inst| Reduction::of(ir, inst)).collect();
    let reductions = reductions.unwrap_or_default();
    if is_staged(ir, func, &reductions, context) {
        return Ok(());
    }
    for reduction in reductions {
        let Reduction { iterations, step, .. } = reduction;
        let product = reduction.replace(ir)?;
        context.decide(ir, func, product, || {
            format!("the loop along K is one product: {iterations} iterations of {step}")
        });
    }
    Ok(())
}

/// Returns whether a long loop has its factors staged, which no block messages feed to an engine: a product reads them by lanes.
fn is_staged(ir: &Ir, func: Func, reductions: &[Reduction], context: &Context<'_>) -> bool {
    let mut long = reductions.iter().filter(|it| it.iterations >= STAGED_ITERATIONS).peekable();
    if long.peek().is_none() {
        return false;
    }
    let Ok(info) = context.device("tile-reduction") else { return false };
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return false };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let has_no_messages =
        |(_, load, _): &(Location, TileLoad, Tile)| schedule.has_no_messages(ir, load, &surfaces, info);
    long.any(|it| {
        it.loads.iter().any(has_no_messages) && !preferred(ir, func, &schedule, it.inst, info).is_empty()
    })
}

fn holds_tiles(ir: &Ir, inst: Inst) -> bool {
    let mut found = false;
    ir.walk_inst(inst, &mut |inner| found |= ir[inner].op.info().family == Family::Tile);
    found
}

/// A loop that adds products of two loads to its accumulator.
struct Reduction {
    inst: Inst,
    product: TileDot,
    /// Of the product.
    location: Location,
    /// The accumulator in front of the loop, and that behind it.
    sums: [Value; 2],
    /// The loads of all of A and of B, with their place in the text.
    loads: [(Location, TileLoad, Tile); 2],
    iterations: i64,
    /// Columns of A and rows of B of an iteration.
    step: i64,
}

impl Reduction {
    fn of(ir: &Ir, inst: Inst) -> Option<Reduction> {
        let Op::For(For { from, to, step, init, attributes }) = &ir[inst].op else { return None };
        let region = *ir[inst].regions.first()?;
        let &[counter, carried] = ir[region].parameters.as_slice() else { return None };
        let sums = [*init.first()?, *ir[inst].results.first()?];
        let body: Vec<Inst> = ir.insts(region).collect();
        let &[first, second, dot, end] = body.as_slice() else { return None };
        let (Op::TileDot(product), Op::Yield(end)) = (&ir[dot].op, &ir[end].op) else { return None };
        let is_sum = end.values.as_slice() == ir[dot].results.as_slice() && product.c == carried;
        if !is_sum || *attributes != ForAttributes::default() {
            return None;
        }
        let number = |value| Interval::of(ir, value).number();
        let step = step.map_or(Some(1), number)?;
        let length = number(*to)?.checked_sub(number(*from)?)?;
        if step <= 0 || length <= 0 {
            return None;
        }
        let iterations = (length - 1) / step + 1;
        let factor = |value: Value| {
            let load = ir.defining_inst(value).filter(|load| [first, second].contains(load))?;
            let (op, tile) = whole(ir, load, (counter, *from), (step, iterations))?;
            Some((ir[load].location, op, tile))
        };
        let loads = [factor(product.a)?, factor(product.b)?];
        Some(Reduction {
            inst,
            product: product.clone(),
            location: ir[dot].location,
            sums,
            loads,
            iterations,
            step,
        })
    }

    /// Puts one product in the place of the loop, and returns it.
    fn replace(self, ir: &mut Ir) -> Result<Option<Inst>, Error> {
        let [init, result] = self.sums;
        let ty = ir.ty(result).clone();
        let builder = &mut Builder::before(ir, self.inst)?;
        let [a, b] = self
            .loads
            .map(|(location, load, tile)| builder.at_location(location, |builder| builder.value(load, tile)));
        let product = TileDot { a: a?, b: b?, c: init, ..self.product };
        let sums = builder.at_location(self.location, |builder| builder.value(product, ty))?;
        ir[sums].name = ir[result].name.take();
        ir.replace_all_uses(result, sums);
        ir.erase(self.inst);
        Ok(ir.defining_inst(sums))
    }
}

/// The load of all that a load in a loop reads, and the tile that it gives; `None` if that is not as many columns of A or rows of B as
/// there are behind each other, or if more than its position along K follows from the loop.
fn whole(
    ir: &Ir,
    inst: Inst,
    (counter, from): (Value, Value),
    (step, iterations): (i64, i64),
) -> Option<(TileLoad, Tile)> {
    let Op::TileLoad(load) = &ir[inst].op else { return None };
    let mut load = load.clone();
    let mut tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile())?;
    let along_x = (tile.usage == MatrixUse::B) == (load.transpose == Transpose::N);
    let (along, across) = if along_x { (&mut load.x, load.y) } else { (&mut load.y, load.x) };
    if *along != counter || across == counter || load.other.is_some() {
        return None;
    }
    *along = from;
    let depth = match tile.usage {
        MatrixUse::A => &mut tile.cols,
        MatrixUse::B => &mut tile.rows,
        MatrixUse::Acc => return None,
    };
    if *depth != step {
        return None;
    }
    *depth = step.checked_mul(iterations)?;
    let is_small = tile.rows.checked_mul(tile.cols).is_some_and(|elements| elements <= Tile::MAX_ELEMENTS);
    is_small.then_some((load, tile))
}
