//! Swizzles of local memory (language reference 3.2): forgotten where nobody can tell, and arithmetic on positions elsewhere.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use super::entry::{self, guarded, in_memory, map};
use crate::ir::{
    AtomicLoad, AtomicStore, AtomicUpdate, BinaryOp, Boundaries, Boundary, Builder, Checked, Constant,
    CoopmatrixLoad, CoopmatrixStore, Family, Func, Inst, Ir, Load, Memref, Op, Store, Swizzle, Transpose,
    Type, Value,
};

/// Leaves to the compiler how a matrix lies that only tiles come from and go to.
pub(super) fn forget(ir: &mut Ir, func: Func, context: &Context<'_>) {
    let mut allocations = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::Alloca(_)) {
            allocations.extend(ir[inst].results.iter().map(|&value| (inst, value)));
        }
    });
    for (inst, value) in allocations {
        let Some(swizzle) = swizzle_of(ir, value) else { continue };
        let is_of_tiles = ir.uses(value).iter().all(|place| {
            let op = &ir[place.user].op;
            matches!(op, Op::TileCopy(_) | Op::TileLoad(_) | Op::TileStore(_) | Op::LifetimeStop(_))
        });
        if is_of_tiles {
            context.decide(ir, func, Some(inst), || {
                format!("{swizzle}: for tiles only, so that the order is the compiler's choice")
            });
            straighten(ir, value);
        }
    }
}

/// Takes the swizzle from the type of a value.
fn straighten(ir: &mut Ir, value: Value) {
    if let Some(memref) = ir.ty(value).memref() {
        ir[value].ty = Memref { swizzle: None, ..memref.clone() }.into();
    }
}

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let (mut memory, mut accesses) = (Vec::new(), Vec::new());
    ir.walk(ir[func].body, &mut |inst| {
        memory.extend(ir[inst].results.iter().copied().filter(|&value| swizzle_of(ir, value).is_some()));
        ir[inst].op.visit_operands(&mut |value| {
            accesses.extend(swizzle_of(ir, value).map(|swizzle| (inst, swizzle)));
        });
    });
    // What tiles come from or go to has no positions yet: `lower-tile` gives them some.
    if accesses.iter().any(|&(inst, _)| ir[inst].op.info().family == Family::Tile) {
        return Ok(());
    }
    for (inst, swizzle) in accesses {
        let op = ir[inst].op.clone();
        if let Op::CoopmatrixLoad(load) = op {
            context.decide(ir, func, Some(inst), || format!("{swizzle}: loaded element by element"));
            load_matrix(ir, inst, &load, swizzle)?;
        } else if let Op::CoopmatrixStore(store) = op {
            context.decide(ir, func, Some(inst), || format!("{swizzle}: stored element by element"));
            store_matrix(ir, inst, &store, swizzle)?;
        } else {
            permute(ir, inst, swizzle)?;
        }
    }
    memory.into_iter().for_each(|value| straighten(ir, value));
    Ok(())
}

fn swizzle_of(ir: &Ir, value: Value) -> Option<Swizzle> {
    ir.ty(value).memref()?.swizzle
}

/// Changes the position of an access to an element.
fn permute(ir: &mut Ir, inst: Inst, swizzle: Swizzle) -> Result<(), Error> {
    let mut op = ir[inst].op.clone();
    let Some(&[row, col, ..]) = indices(&mut op).map(|indices| indices.as_slice()) else { return Ok(()) };
    let builder = &mut Builder::before(ir, inst)?;
    let place = [builder.cast(row, Type::INDEX)?, builder.cast(col, Type::INDEX)?];
    let place = permuted(builder, place, swizzle)?;
    ir.update(inst, |op| {
        for (index, own) in indices(op).into_iter().flatten().zip(place) {
            *index = own;
        }
    });
    Ok(())
}

/// Indices of an access to an element.
fn indices(op: &mut Op) -> Option<&mut Vec<Value>> {
    if let Op::Load(Load { indices, .. })
    | Op::Store(Store { indices, .. })
    | Op::AtomicLoad(AtomicLoad { indices, .. })
    | Op::AtomicStore(AtomicStore { indices, .. })
    | Op::AtomicUpdate(AtomicUpdate { indices, .. }) = op
    {
        Some(indices)
    } else {
        None
    }
}

/// The position at which an element lies. Neither index is negative.
fn permuted(
    builder: &mut Builder<'_>,
    [row, col]: [Value; 2],
    Swizzle { vec, per_phase, max_phase }: Swizzle,
) -> Result<[Value; 2], Error> {
    let phase = quotient(builder, col, per_phase)?;
    let (last, size) = (builder.index(max_phase - 1)?, builder.index(vec)?);
    let phase = builder.binary(BinaryOp::And, phase, last)?;
    // The bits of the place within a group stay.
    if vec.count_ones() == 1 {
        let exchanged = builder.binary(BinaryOp::Mul, phase, size)?;
        return Ok([builder.binary(BinaryOp::Xor, row, exchanged)?, col]);
    }
    let group = quotient(builder, row, vec)?;
    let rest = builder.binary(BinaryOp::Rem, row, size)?;
    let group = builder.binary(BinaryOp::Xor, group, phase)?;
    let first = builder.binary(BinaryOp::Mul, group, size)?;
    Ok([builder.binary(BinaryOp::Add, first, rest)?, col])
}

/// An index that is not negative by a positive number; a shift takes fewer instructions than a division.
fn quotient(builder: &mut Builder<'_>, index: Value, by: i64) -> Result<Value, Error> {
    let (op, by) =
        if by.count_ones() == 1 { (BinaryOp::Shr, by.trailing_zeros().into()) } else { (BinaryOp::Div, by) };
    let by = builder.index(by)?;
    builder.binary(op, index, by).map_err(Error::from)
}

fn load_matrix(ir: &mut Ir, inst: Inst, load: &CoopmatrixLoad, swizzle: Swizzle) -> Result<(), Error> {
    let result = ir[inst].results.first().copied();
    let matrix = result.and_then(|result| ir.ty(result).coopmatrix());
    let (Some(result), Some(matrix)) = (result, matrix) else {
        return Err(internal(ir[inst].location, "no matrix is loaded"));
    };
    let builder = &mut Builder::before(ir, inst)?;
    let zero = builder.constant(Constant::zero(matrix.component), matrix)?;
    let ty = Type::Scalar(matrix.component);
    let loaded = map(builder, &[zero], matrix.into(), |builder, entry, entries| {
        let &[outside] = entries else { return Err(internal(builder.location, "no entry")) };
        let at = [load.x, load.y];
        let (indices, inside) = locate(builder, load.from, (load.transpose, load.checked), at, entry)?;
        let read = |builder: &mut Builder<'_>| {
            let indices = permuted(builder, indices, swizzle)?.to_vec();
            Ok(builder.value(Load { from: load.from, indices }, ty.clone())?)
        };
        guarded(builder, inside, &ty, read, outside)
    })?;
    ir.replace_all_uses(result, loaded);
    ir.erase(inst);
    Ok(())
}

fn store_matrix(ir: &mut Ir, inst: Inst, store: &CoopmatrixStore, swizzle: Swizzle) -> Result<(), Error> {
    let builder = &mut Builder::before(ir, inst)?;
    let ty = builder.ir.ty(store.value).clone();
    map(builder, &[store.value], ty, |builder, entry, entries| {
        let &[value] = entries else { return Err(internal(builder.location, "no entry to store")) };
        let at = [store.x, store.y];
        let (indices, inside) = locate(builder, store.to, (store.transpose, store.checked), at, entry)?;
        let write = |builder: &mut Builder<'_>| {
            let indices = permuted(builder, indices, swizzle)?.to_vec();
            builder.emit(Store { value, to: store.to, indices }, &[])?;
            Ok(())
        };
        match inside {
            Some(inside) => builder.when(inside, write)?,
            None => write(builder)?,
        }
        Ok(value)
    })?;
    ir.erase(inst);
    Ok(())
}

/// Indices of an entry of a cooperative matrix in memory, and the condition for it to be there; `None` if it always is.
fn locate(
    builder: &mut Builder<'_>,
    memory: Value,
    (transpose, checked): (Transpose, Checked),
    at: [Value; 2],
    entry: [Value; 2],
) -> Result<([Value; 2], Option<Value>), Error> {
    let [row, col] = entry;
    let entry = [builder.cast(row, Type::INDEX)?, builder.cast(col, Type::INDEX)?];
    let indices = in_memory(builder, transpose, at, entry)?;
    let mut modes = [checked.rows(), checked.cols()];
    if transpose == Transpose::T {
        modes.reverse();
    }
    let boundary = |is_checked| if is_checked { Boundary::Zero } else { Boundary::Unchecked };
    let sizes = [builder.size(memory, 0)?, builder.size(memory, 1)?];
    entry::inside(builder, indices, sizes, Boundaries(modes.map(boundary)))
}
