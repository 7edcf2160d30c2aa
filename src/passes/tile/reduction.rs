//! Loops that only sum products along K, as one product of all they sum (tile reference 2.6).
//!
//! How much of K a subgroup takes at a time, and what it fetches ahead, are then decisions of the schedule, as for a gemm. A loop
//! that names its pipeline, or whose function does, keeps it, but may take several iterations at once.

use super::super::context::Context;
use super::super::error::{Error, internal};
use super::stages::preferred;
use super::steps::{self, Loaded};
use crate::analysis::{Interval, Surfaces};
use crate::ir::{
    Boundary, Builder, Constant, Family, For, ForAttributes, Func, Inst, Ir, MatrixUse, NumStages, Op,
    Pipeline, Tile, TileDot, TileLoad, Value,
};
use crate::schedule::{Blockwise, Parts, STAGED_ITERATIONS, Schedule};

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let mut loops = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::For(_)) && holds_tiles(ir, inst) {
            loops.push(inst);
        }
    });
    let mut reductions: Vec<Reduction> = loops.iter().filter_map(|&inst| Reduction::of(ir, inst)).collect();
    // One that stays is a loop around tiles that are shared evenly, which has steps and a pipeline of its own.
    let is_free = |it: &Reduction| it.op.attributes == ForAttributes::default();
    let may_go = ir[func].attributes.pipeline.is_none() && Blockwise::of(ir, func).is_some();
    let are_known = reductions.len() == loops.len() && reductions.iter().all(|it| it.iterations.is_some());
    if !may_go || !are_known || !reductions.iter().all(is_free) {
        return lengthen(ir, func, reductions, context);
    }
    trim(ir, func, &mut reductions, context);
    if is_staged(ir, func, &reductions, context) {
        return Ok(());
    }
    for reduction in reductions {
        let (Some(iterations), Some(depth)) = (reduction.iterations, reduction.depth) else { continue };
        let step = reduction.step;
        let product = reduction.replace(ir, depth)?;
        context.decide(ir, func, product, || {
            format!("the loop along K is one product: {iterations} iterations of {step}")
        });
    }
    steps::run(ir, func, context)
}

/// Gives loops the steps that the schedule takes at once.
fn lengthen(ir: &mut Ir, func: Func, reductions: Vec<Reduction>, context: &Context<'_>) -> Result<(), Error> {
    let Some(info) = context.device.filter(|_| !reductions.is_empty()) else { return Ok(()) };
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return Ok(()) };
    for reduction in reductions {
        let inst = reduction.inst;
        let pipeline = reduction.op.attributes.pipeline.or(ir[func].attributes.pipeline);
        if pipeline == Some(Pipeline::Slm) || !preferred(ir, func, &schedule, inst, info).is_empty() {
            continue;
        }
        let Reduction { step, product, .. } = &reduction;
        let longer = match reduction.iterations {
            Some(iterations) => Some(step * schedule.iterations_at_once(ir, product, iterations, info)),
            // What is not there of one factor is 0, but may be NaN of the other one.
            None if context.options.allows_unsafe_fp_math() => schedule.open_step(ir, product, info),
            None => None,
        };
        let fits = |longer: &i64| longer > step && reduction.loads(ir, reduction.counter, *longer).is_some();
        if let Some(longer) = longer.filter(fits) {
            context.decide(ir, func, Some(inst), || format!("iterations of {longer} along K, not of {step}"));
            reduction.lengthen(ir, longer)?;
        }
    }
    Ok(())
}

/// Has loops that go on where both factors have ended stop there, or in the step in which they do.
fn trim(ir: &Ir, func: Func, reductions: &mut [Reduction], context: &Context<'_>) {
    let Some(info) = context.device else { return };
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return };
    for reduction in reductions {
        if let (Some(depth), Some(end)) = (reduction.depth, reduction.end(ir))
            && depth > end
        {
            let trimmed = schedule.trimmed_depth(ir, &reduction.product, [depth, end], info);
            reduction.depth = trimmed.or(reduction.depth);
        }
    }
}

/// Returns whether a long loop has its factors staged in its own steps: no block messages bring them, and it is none of the loops that a product becomes.
fn is_staged(ir: &Ir, func: Func, reductions: &[Reduction], context: &Context<'_>) -> bool {
    let is_long = |it: &&Reduction| it.iterations.is_some_and(|iterations| iterations >= STAGED_ITERATIONS);
    let mut long = reductions.iter().filter(is_long).peekable();
    if long.peek().is_none() {
        return false;
    }
    let Ok(info) = context.device("tile-reduction") else { return false };
    let parts = Parts::of(ir, func, info).map(|parts| parts.schedule);
    let Some(schedule) = parts.or_else(|| Schedule::choose(ir, func, info).ok()) else { return false };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    long.any(|it| {
        let loads = it.depth.and_then(|depth| it.loads(ir, it.op.from, depth));
        let Some(product) = loads.and_then(|loads| steps::product(ir, &loads, it.product.c)) else {
            return false;
        };
        let becomes_loop =
            Schedule::is_free(ir, func) && schedule.staged_step(ir, &product, &surfaces, info).is_some();
        schedule.lacks_messages(ir, &product, &surfaces, info)
            && !becomes_loop
            && !preferred(ir, func, &schedule, it.inst, info).is_empty()
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
    op: For,
    /// Constants that the body defines.
    constants: Vec<Inst>,
    counter: Value,
    dot: Inst,
    product: TileDot,
    /// `None` if the loop ends where a factor does, wherever that is.
    iterations: Option<i64>,
    /// Columns of A and rows of B of an iteration.
    step: i64,
    /// Columns of A and rows of B of all iterations, if their number is known.
    depth: Option<i64>,
}

impl Reduction {
    fn of(ir: &Ir, inst: Inst) -> Option<Reduction> {
        let Op::For(op) = &ir[inst].op else { return None };
        let region = *ir[inst].regions.first()?;
        let &[counter, carried] = ir[region].parameters.as_slice() else { return None };
        let (constants, body): (Vec<Inst>, Vec<Inst>) =
            ir.insts(region).partition(|&inst| matches!(ir[inst].op, Op::ConstantInst(_)));
        let &[first, second, dot, end] = body.as_slice() else { return None };
        let (Op::TileDot(product), Op::Yield(end)) = (&ir[dot].op, &ir[end].op) else { return None };
        if end.values.as_slice() != ir[dot].results.as_slice() || product.c != carried {
            return None;
        }
        let number = |value| Interval::of(ir, value).number();
        let step = op.step.map_or(Some(1), number)?;
        let length = match number(op.to).zip(number(op.from)) {
            Some((to, from)) => Some(to.checked_sub(from)?),
            None => None,
        };
        if step <= 0 || length.is_some_and(|length| length <= 0) {
            return None;
        }
        let iterations = length.map(|length| (length - 1) / step + 1);
        let (op, product) = (op.clone(), product.clone());
        let factors = [product.a, product.b].map(|factor| ir.defining_inst(factor));
        if factors.iter().any(|&factor| factor != Some(first) && factor != Some(second)) {
            return None;
        }
        let depth = match iterations {
            Some(iterations) => Some(step.checked_mul(iterations)?),
            None => None,
        };
        let reduction = Reduction { inst, op, constants, counter, dot, product, iterations, step, depth };
        let loads = reduction.loads(ir, reduction.op.from, depth.unwrap_or(step))?;
        (iterations.is_some() || reduction.ends_with_a_factor(ir, &loads)).then_some(reduction)
    }

    /// Columns of A and rows of B up to where both factors are known to end, with zeros behind.
    fn end(&self, ir: &Ir) -> Option<i64> {
        let from = Interval::of(ir, self.op.from).number().filter(|&from| from >= 0)?;
        let loads = self.loads(ir, self.op.from, self.depth?)?;
        let ends = loads.map(|(_, load, tile)| {
            let mode = load.transpose.mode_along_k(tile.usage)?;
            let size = ir.ty(load.from).memref()?.shape.get(mode)?.value()?;
            (load.boundary.0.get(mode) == Some(&Boundary::Zero)).then_some(size - from)
        });
        let [Some(of_a), Some(of_b)] = ends else { return None };
        Some(of_a.max(of_b)).filter(|&end| end > 0)
    }

    /// Returns whether the loop ends where one of its factors does, with zeros behind both, so that longer steps change nothing.
    fn ends_with_a_factor(&self, ir: &Ir, loads: &[Loaded; 2]) -> bool {
        let Some(Op::Size(end)) = ir.defining_op(self.op.to) else { return false };
        let along_k = |(_, load, tile): &Loaded| Some((load.from, load.transpose.mode_along_k(tile.usage)?));
        let has_zeros = |loaded: &Loaded| {
            let mode = along_k(loaded).and_then(|(_, mode)| loaded.1.boundary.0.get(mode));
            mode == Some(&Boundary::Zero)
        };
        let is_end = |loaded| {
            along_k(loaded)
                .is_some_and(|(from, mode)| end.of == from && usize::try_from(end.mode) == Ok(mode))
        };
        loads.iter().all(has_zeros) && loads.iter().any(is_end)
    }

    /// The loads of so many columns of A and rows of B, from a counter on.
    fn loads(&self, ir: &Ir, from: Value, depth: i64) -> Option<[Loaded; 2]> {
        let factor = |value: Value| {
            let load = ir.defining_inst(value)?;
            let (op, tile) = whole(ir, load, (self.counter, from), (self.step, depth))?;
            Some((ir[load].location, op, tile))
        };
        Some([factor(self.product.a)?, factor(self.product.b)?])
    }

    /// Puts one product in the place of the loop, and returns it.
    fn replace(self, ir: &mut Ir, depth: i64) -> Result<Option<Inst>, Error> {
        let ends = self.op.init.first().copied().zip(ir[self.inst].results.first().copied());
        let (init, result) = ends.ok_or_else(|| internal(ir[self.inst].location, "a loop without a sum"))?;
        let before = Builder::before(ir, self.inst)?.cursor;
        self.constants.iter().for_each(|&constant| ir.move_inst(constant, before));
        let sums = self.multiply(ir, self.inst, (self.op.from, depth), init)?;
        ir[sums].name = ir[result].name.take();
        ir.replace_all_uses(result, sums);
        ir.erase(self.inst);
        Ok(ir.defining_inst(sums))
    }

    /// Gives the iterations a longer step, which divides all of K if that is known. What is fetched ahead stays.
    fn lengthen(self, ir: &mut Ir, longer: i64) -> Result<(), Error> {
        let Some(&old) = ir[self.dot].results.first() else { return Ok(()) };
        let sums = self.multiply(ir, self.dot, (self.counter, longer), self.product.c)?;
        ir.replace_all_uses(old, sums);
        let factors = [self.product.a, self.product.b].map(|factor| ir.defining_inst(factor));
        ir.erase(self.dot);
        factors.into_iter().flatten().for_each(|load| ir.erase(load));
        let ty = ir.ty(self.counter).clone();
        let step = Builder::before(ir, self.inst)?.constant(Constant::Int(longer), ty)?;
        ir.update(self.inst, |op| {
            let Op::For(op) = op else { return };
            op.step = Some(step);
            if let Some(NumStages(stages)) = &mut op.attributes.num_stages {
                let ahead = i64::from(*stages - 1) * self.step;
                *stages = i32::try_from((ahead + longer - 1) / longer).unwrap_or_default() + 1;
            }
        });
        Ok(())
    }

    /// Adds the product of so many columns of A and rows of B, from a counter on, to accumulators.
    fn multiply(
        &self,
        ir: &mut Ir,
        before: Inst,
        (from, depth): (Value, i64),
        c: Value,
    ) -> Result<Value, Error> {
        let loads = self.loads(ir, from, depth);
        let loads = loads.ok_or_else(|| internal(ir[self.inst].location, "factors that are not whole"))?;
        let (location, ty) = (ir[self.dot].location, ir.ty(c).clone());
        let builder = &mut Builder::before(ir, before)?;
        let [a, b] = loads
            .map(|(location, load, tile)| builder.at_location(location, |builder| builder.value(load, tile)));
        let product = TileDot { a: a?, b: b?, c, ..self.product.clone() };
        Ok(builder.at_location(location, |builder| builder.value(product, ty))?)
    }
}

/// The load of so much of K as one of a step in a loop, and the tile that it gives; `None` if iterations do not read what lies behind each
/// other, or if more than its position along K follows from the loop.
fn whole(
    ir: &Ir,
    inst: Inst,
    (counter, from): (Value, Value),
    (step, all): (i64, i64),
) -> Option<(TileLoad, Tile)> {
    let Op::TileLoad(load) = &ir[inst].op else { return None };
    let mut load = load.clone();
    let mut tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile())?;
    let mode = load.transpose.mode_along_k(tile.usage);
    let (along, across) = if mode == Some(0) { (&mut load.x, load.y) } else { (&mut load.y, load.x) };
    if *along != counter || across == counter || load.other.is_some() || ir.mask(inst).is_some() {
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
    *depth = all;
    let is_small = tile.rows.checked_mul(tile.cols).is_some_and(|elements| elements <= Tile::MAX_ELEMENTS);
    is_small.then_some((load, tile))
}
