//! Entries of tiles in memory: their positions, and what is outside of a memref.

use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use crate::ir::{
    Binary, BinaryOp, Boundaries, Boundary, Builder, CompareOp, CoopmatrixMap, Inst, Ir, Op, Select,
    TileLoad, Transpose, Type, Value, Yield,
};

/// Returns whether the product that uses a load may carry it out: nothing between them changes memory.
pub(super) fn defers(ir: &Ir, inst: Inst) -> bool {
    let data = &ir[inst];
    let (Op::TileLoad(_), Some(&result)) = (&data.op, data.results.first()) else { return false };
    let [only] = ir.uses(result) else { return false };
    let user = only.user;
    if !matches!(ir[user].op, Op::TileDot(_)) || ir.parent(user) != ir.parent(inst) {
        return false;
    }
    let mut next = ir.next_inst(inst);
    while let Some(between) = next.filter(|&between| between != user) {
        if !matches!(ir[between].op, Op::TileLoad(_) | Op::TilePrefetch(_))
            && !ir[between].op.is_removable_if_unused()
        {
            return false;
        }
        next = ir.next_inst(between);
    }
    next.is_some()
}

/// Rows along K in each of the panels that a load of a factor reads; `None` if it reads a matrix.
pub(super) fn panel_depth(ir: &Ir, load: &TileLoad) -> Option<i64> {
    let memref = ir.ty(load.from).memref()?;
    match memref.shape.as_slice() {
        [depth, _, _] => depth.value(),
        _ => None,
    }
}

/// Position in a memref of an entry of a tile that begins at `at`.
pub(super) fn in_memory(
    builder: &mut Builder<'_>,
    transpose: Transpose,
    at: [Value; 2],
    [row, col]: [Value; 2],
) -> Result<[Value; 2], Error> {
    let [first, second] = if transpose == Transpose::N { [row, col] } else { [col, row] };
    let x = builder.binary(BinaryOp::Add, at[0], first)?;
    Ok([x, builder.binary(BinaryOp::Add, at[1], second)?])
}

/// The indices by which an entry is found in a memref of such sizes, and the condition for it to be there; `None` if it always is.
pub(super) fn inside(
    builder: &mut Builder<'_>,
    mut indices: [Value; 2],
    sizes: [Value; 2],
    Boundaries(modes): Boundaries,
) -> Result<([Value; 2], Option<Value>), Error> {
    let mut allowed = None;
    for ((index, size), boundary) in indices.iter_mut().zip(sizes).zip(modes) {
        let inside = match boundary {
            Boundary::Unchecked => continue,
            Boundary::Zero | Boundary::Undefined => is_inside(builder, *index, size)?,
            Boundary::Wrap => {
                *index = wrapped(builder, *index, size)?;
                let zero = builder.index(0)?;
                builder.compare(CompareOp::GreaterThan, size, zero)?
            }
        };
        allowed = Some(match allowed {
            Some(allowed) => both(builder, allowed, inside)?,
            None => inside,
        });
    }
    Ok((indices, allowed))
}

/// The value read if that is allowed, and another one otherwise.
pub(super) fn guarded(
    builder: &mut Builder<'_>,
    allowed: Option<Value>,
    ty: &Type,
    read: impl FnOnce(&mut Builder<'_>) -> Result<Value, Error>,
    other: Value,
) -> Result<Value, Error> {
    let Some(allowed) = allowed else { return read(builder) };
    let types = std::slice::from_ref(ty);
    let values =
        builder.branch::<Error>(allowed, types, |builder| Ok(vec![read(builder)?]), |_| Ok(vec![other]))?;
    values.first().copied().ok_or_else(|| internal(builder.location, "a branch without a result"))
}

/// A matrix whose entries `body` computes from row, column and the entries of others.
pub(super) fn map(
    builder: &mut Builder<'_>,
    matrices: &[Value],
    ty: Type,
    body: impl FnOnce(&mut Builder<'_>, [Value; 2], &[Value]) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let inst = builder.emit(CoopmatrixMap { matrices: matrices.to_vec() }, &[ty])?;
    let data = &builder.ir[inst];
    let (Some(&region), Some(&result)) = (data.regions.first(), data.results.first()) else {
        return Err(internal(builder.location, "a map without a body"));
    };
    let parameters = builder.ir[region].parameters.clone();
    let [row, col, entries @ ..] = parameters.as_slice() else {
        return Err(internal(builder.location, "a map without a place"));
    };
    let mut inner = builder.inside(region);
    let value = body(&mut inner, [*row, *col], entries)?;
    inner.emit(Yield { values: vec![value] }, &[])?;
    Ok(result)
}

pub(super) fn is_inside(builder: &mut Builder<'_>, index: Value, size: Value) -> Result<Value, Error> {
    let zero = builder.index(0)?;
    let begins = builder.compare(CompareOp::GreaterThanEqual, index, zero)?;
    let ends = builder.compare(CompareOp::LessThan, index, size)?;
    both(builder, begins, ends)
}

/// An index modulo a size, which is not negative. A size of 0 is taken for 1: nothing is read then.
fn wrapped(builder: &mut Builder<'_>, index: Value, size: Value) -> Result<Value, Error> {
    let one = builder.index(1)?;
    let size = builder.binary(BinaryOp::Max, size, one)?;
    let rest = builder.binary(BinaryOp::Rem, index, size)?;
    // A second division would cost more than all else.
    let zero = builder.index(0)?;
    let condition = builder.compare(CompareOp::LessThan, rest, zero)?;
    let positive = builder.binary(BinaryOp::Add, rest, size)?;
    Ok(builder.folded(Select { condition, a: positive, b: rest }, Type::INDEX)?)
}

/// Both conditions.
pub(super) fn both(builder: &mut Builder<'_>, a: Value, b: Value) -> Result<Value, Error> {
    Ok(builder.folded(Binary { op: BinaryOp::And, a, b }, Type::Bool)?)
}
