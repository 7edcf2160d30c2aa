//! Shorter iterations of loops that sum products, of which work-items have a part of the copies in registers while they compute.

use super::super::super::emit::Emit as _;
use super::super::super::error::Error;
use super::super::iteration::{Iteration, is_scalar_arithmetic};
use crate::analysis::integer_of;
use crate::ir::{
    BinaryOp, Builder, Constant, For, Inst, Ir, MatrixUse, Op, Region, Tile, Transpose, Type, Value,
};

/// Makes iterations of a loop take so many columns of A and rows of B, if they take a multiple of that now and all they do follows
/// from what is loaded there. Returns whether it did.
pub(super) fn shorten(ir: &mut Ir, inst: Inst, columns: i64) -> Result<bool, Error> {
    let (Op::For(op), Some(&region)) = (ir[inst].op.clone(), ir[inst].regions.first()) else {
        return Ok(false);
    };
    let Some(step) = op.step.and_then(|step| integer_of(ir, step)) else { return Ok(false) };
    let is_longer = step > columns && step % columns == 0;
    let iteration = Iteration::new(ir, region);
    if !is_longer || !ir.insts(region).all(|inner| is_of_factors(ir, (region, &iteration), inner, step)) {
        return Ok(false);
    }
    let factors: Vec<(Value, Tile)> = ir.insts(region).filter_map(|inner| factor(ir, inner)).collect();
    for (value, tile) in factors {
        ir[value].ty = Type::Tile(with_depth(tile, columns));
    }
    let builder = &mut Builder::before(ir, inst)?;
    let ty = builder.ir.ty(op.from).clone();
    let length = builder.binary(BinaryOp::Sub, op.to, op.from)?;
    let (whole, short) =
        (builder.constant(Constant::Int(step), ty.clone())?, builder.constant(Constant::Int(columns), ty)?);
    // The last iteration may have gone beyond the end.
    let iterations = builder.binary(BinaryOp::Cdiv, length, whole)?;
    let length = builder.binary(BinaryOp::Mul, iterations, whole)?;
    let to = builder.binary(BinaryOp::Add, op.from, length)?;
    ir.update(inst, |op| {
        if let Op::For(For { to: end, step, .. }) = op {
            (*end, *step) = (to, Some(short));
        }
    });
    Ok(true)
}

/// A factor that an instruction makes.
fn factor(ir: &Ir, inst: Inst) -> Option<(Value, Tile)> {
    let &[value] = ir[inst].results.as_slice() else { return None };
    let tile = ir.ty(value).tile().filter(|tile| tile.usage != MatrixUse::Acc)?;
    Some((value, tile))
}

fn with_depth(tile: Tile, depth: i64) -> Tile {
    match tile.usage {
        MatrixUse::A => Tile { cols: depth, ..tile },
        MatrixUse::B => Tile { rows: depth, ..tile },
        MatrixUse::Acc => tile,
    }
}

/// Returns whether an instruction of a loop loads or casts a factor of as many columns or rows as its counter goes on by, multiplies such, or does
/// the same in each iteration.
fn is_of_factors(ir: &Ir, (region, iteration): (Region, &Iteration), inst: Inst, step: i64) -> bool {
    let is_whole = || factor(ir, inst).is_some_and(|(_, tile)| tile == with_depth(tile, step));
    let Op::TileLoad(load) = &ir[inst].op else {
        let depends = ir[inst].results.iter().any(|result| iteration.dependent.contains(result));
        return matches!(ir[inst].op, Op::TileDot(_) | Op::Yield(_))
            || matches!(ir[inst].op, Op::Cast(_)) && is_whole()
            || is_scalar_arithmetic(ir, inst) && !depends;
    };
    let counter = ir[region].parameters.first().copied();
    let is_b = factor(ir, inst).is_some_and(|(_, tile)| tile.usage == MatrixUse::B);
    let along_x = is_b == (load.transpose == Transpose::N);
    let (along, across) = if along_x { (load.x, load.y) } else { (load.y, load.x) };
    let is_plain = load.other.is_none() && ir.mask(inst).is_none();
    is_whole() && is_plain && Some(along) == counter && Some(across) != counter
}
