//! Large products of matrices as loops over tiles, which stage their factors in local memory (lowering reference 1.16): where no 2D
//! block messages bring these, each subgroup of a product would load them element by element.

use super::context::Context;
use super::emit::{Emit as _, Range, Unroll};
use super::error::{Error, internal};
use super::lower_linalg::{Output, Scaled, load};
use crate::analysis::Surfaces;
use crate::ir::{
    Boundary, Builder, Constant, Family, Func, Gemm, Inst, Ir, MatrixUse, Op, Tile, TileDot,
    TileDotAttributes, Transpose,
};
use crate::schedule::{Schedule, StagedProduct};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("gemm-tiles")?;
    let Some((inst, op)) = only_product(ir, func) else { return Ok(()) };
    let Ok(schedule) = Schedule::choose(ir, func, info) else { return Ok(()) };
    let surfaces = Surfaces::new(ir, func, info.default_alignment());
    let Some(product) = schedule.staged_product(ir, func, &op, &surfaces, info) else { return Ok(()) };
    context.decide(ir, func, Some(inst), || {
        let StagedProduct { extents: [_, _, depth], step, .. } = product;
        format!("the product is a loop over tiles: {step} of {depth} along K at a time")
    });
    build(&mut Builder::before(ir, inst)?, &op, &product)?;
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
    (ir.parent(inst) == Some(ir[func].body)).then(|| (inst, op.clone()))
}

/// Builds the loop, and the store of what it sums.
fn build(builder: &mut Builder<'_>, op: &Gemm, product: &StagedProduct) -> Result<(), Error> {
    let StagedProduct { types, extents: [rows, cols, depth], step } = *product;
    let a = Tile { component: types.a, rows, cols: step, usage: MatrixUse::A };
    let b = Tile { component: types.b, rows: step, cols, usage: MatrixUse::B };
    let sums = Tile { component: types.accumulator, rows, cols, usage: MatrixUse::Acc };
    let output = Scaled::new(builder, Output::of(op), types.accumulator)?;
    let zero = builder.constant(Constant::zero(types.accumulator), sums)?;
    // What the last iteration takes beyond K adds nothing.
    let at_end = if depth % step == 0 { Boundary::Unchecked } else { Boundary::Zero };
    let [from, to, step] = [builder.index(0)?, builder.index(depth)?, builder.index(step)?];
    let range = Range { from, to, step, unroll: Unroll::Default };
    let ends = builder.loop_over(range, vec![zero], |builder, along, carried| {
        let &[c] = carried else { return Err(internal(builder.location, "a loop without a sum")) };
        let start = (builder.index(0)?, Boundary::Unchecked);
        let a = load(builder, (op.a, op.transpose_a), [start, (along, at_end)], a)?;
        let b = load(builder, (op.b, op.transpose_b), [(along, at_end), start], b)?;
        let dot = TileDot { a, b, c, attributes: TileDotAttributes::default(), schedule: None };
        Ok(vec![builder.value(dot, sums)?])
    })?;
    let &[product] = ends.as_slice() else {
        return Err(internal(builder.location, "a loop without a sum"));
    };
    output.store(builder, Transpose::N, product)
}
