//! Large products of matrices as loops over tiles, which stage their factors in local memory (lowering reference 1.16): where no 2D
//! block messages bring these, each subgroup of a product would load them element by element. Short ones are one product of tiles, with a copy of B.

use super::context::Context;
use super::emit::Emit as _;
use super::error::Error;
use super::lower_linalg::{Output, Scaled};
use super::tile::steps;
use crate::analysis::{Surfaces, constant_of};
use crate::ir::{
    Atomic, Boundaries, Boundary, Builder, Constant, Family, Func, Gemm, Inst, Ir, MatrixUse, Op, Tile,
    TileDot, TileDotAttributes, TileLoad, Transpose,
};
use crate::schedule::{Schedule, WholeProduct};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("gemm-tiles")?;
    let Some((inst, op)) = only_product(ir, func) else { return Ok(()) };
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return Ok(()) };
    let Some(product) = WholeProduct::of(ir, &op).filter(|_| Schedule::is_free(ir, func)) else {
        return Ok(());
    };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let Some(step) = schedule.staged_step(ir, &product, &surfaces, info) else { return Ok(()) };
    context.decide(ir, func, Some(inst), || steps::decision(product.extents[2], step));
    build(ir, func, (inst, &op), &product, step)?;
    ir.erase(inst);
    Ok(())
}

/// The product of a function that nothing else shares a work-group with.
fn only_product(ir: &Ir, func: Func) -> Option<(Inst, Gemm)> {
    let mut insts = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(
            ir[inst].op.info().family,
            Family::LinearAlgebra | Family::Tile | Family::CooperativeMatrix
        ) || matches!(ir[inst].op, Op::Parallel(_) | Op::Foreach(_))
        {
            insts.push(inst);
        }
    });
    let &[inst] = insts.as_slice() else { return None };
    let Op::Gemm(op) = &ir[inst].op else { return None };
    // What replaces a matrix atomically is no tile that is stored.
    let replaces = op.atomic == Atomic::Yes && constant_of(ir, op.beta).is_some_and(|beta| beta.is(0));
    (ir.parent(inst) == Some(ir[func].body) && !replaces).then(|| (inst, op.clone()))
}

/// Builds the product of tiles, and the store of what it sums.
fn build(
    ir: &mut Ir,
    func: Func,
    (inst, op): (Inst, &Gemm),
    product: &WholeProduct,
    step: i64,
) -> Result<(), Error> {
    let WholeProduct { types, extents: [rows, cols, depth], .. } = *product;
    let location = ir[inst].location;
    let builder = &mut Builder::before(ir, inst)?;
    let output = Scaled::new(builder, Output::of(op), types.accumulator)?;
    let sums = Tile { component: types.accumulator, rows, cols, usage: MatrixUse::Acc };
    let c = builder.constant(Constant::zero(types.accumulator), sums)?;
    let zero = builder.index(0)?;
    // What the last step takes beyond K adds nothing.
    let at_end = if depth % step == 0 { Boundary::Unchecked } else { Boundary::Zero };
    let a = Tile { component: types.a, rows, cols: depth, usage: MatrixUse::A };
    let b = Tile { component: types.b, rows: depth, cols, usage: MatrixUse::B };
    let loads = [(op.a, op.transpose_a, a), (op.b, op.transpose_b, b)].map(|(from, transpose, tile)| {
        let boundary = match transpose.mode_along_k(tile.usage) {
            Some(0) => [at_end, Boundary::Unchecked],
            _ => [Boundary::Unchecked, at_end],
        };
        let boundary = Boundaries(boundary);
        (location, TileLoad { transpose, boundary, from, x: zero, y: zero, other: None }, tile)
    });
    let [a, b] = [op.a, op.b];
    let dot = TileDot { a, b, c, attributes: TileDotAttributes::default(), schedule: None };
    let sums = steps::build(ir, func, inst, &loads, (&dot, step))?;
    output.store(&mut Builder::before(ir, inst)?, Transpose::N, sums)
}
