//! Splits counted loops.

use super::emit::Emit;
use super::error::{Error, internal};
use crate::ir::{BinaryOp, Builder, Constant, Cursor, For, Inst, Ir, Op, Value, ValueMap};

/// Ends a loop in front of the first iteration whose counter is not less than `limit`, and takes the iterations that are left in
/// a second loop behind it, which is returned. Either may have no iteration.
///
/// # Errors
/// Beyond the limit of [`Ir::limit_growth`]; an internal error for what is no loop of a region.
pub fn split(ir: &mut Ir, inst: Inst, limit: Value) -> Result<Inst, Error> {
    let location = ir[inst].location;
    let Op::For(op) = ir[inst].op.clone() else { return Err(internal(location, "no loop to split")) };
    let builder = &mut Builder::before(ir, inst)?;
    let end = builder.binary(BinaryOp::Min, op.to, limit)?;
    let ty = builder.ir.ty(op.from).clone();
    let step = match op.step {
        Some(step) => step,
        None => builder.constant(Constant::Int(1), ty.clone())?,
    };
    let zero = builder.constant(Constant::Int(0), ty)?;
    let length = builder.binary(BinaryOp::Sub, end, op.from)?;
    let length = builder.binary(BinaryOp::Max, length, zero)?;
    let iterations = builder.binary(BinaryOp::Cdiv, length, step)?;
    let done = builder.binary(BinaryOp::Mul, iterations, step)?;
    let middle = builder.binary(BinaryOp::Add, op.from, done)?;
    let cursor = Cursor::after(ir, inst).ok_or_else(|| internal(location, "a loop outside of a region"))?;
    let mut values = ValueMap::new();
    ir.copy_insts(&[inst], cursor, &mut values)?;
    let results = ir[inst].results.clone();
    let rest = ir.next_inst(inst).ok_or_else(|| internal(location, "a copy is missing"))?;
    for &result in &results {
        if let Some(&last) = values.get(&result) {
            ir.replace_all_uses(result, last);
        }
    }
    ir.update(rest, |op| {
        if let Op::For(For { from, init, .. }) = op {
            *from = middle;
            *init = results.to_vec();
        }
    });
    ir.update(inst, |op| {
        if let Op::For(For { to, .. }) = op {
            *to = end;
        }
    });
    Ok(rest)
}

#[cfg(test)]
mod tests;
