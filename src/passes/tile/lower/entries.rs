//! Entries of tiles one by one: `tile_apply`, masks, and what is outside of a memref.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::{self, both, guarded, in_memory, is_inside, map};
use super::Lowering;
use super::share::{Part, Share};
use crate::ir::{
    AtomicUpdate, AtomicUpdateOp, BinaryOp, Boundaries, Boundary, Builder, Constant, Coopmatrix, Inst, Ir,
    Load, MemorySemantics, Op, Region, Select, Store, StoreBoundary, StoreMode, Tile, TileApply, TileLoad,
    TileStore, Type, Value, ValueMap, Yield,
};

/// Loads entries for which a mask holds and that are in the memref, or are found there modulo its sizes, of a matrix that
/// begins at a position of the memref.
pub(super) fn load_entries(
    builder: &mut Builder<'_>,
    (inst, load): (Inst, &TileLoad),
    matrix: Coopmatrix,
    at: [Value; 2],
) -> Result<Value, Error> {
    let (mask, component) = (builder.ir.mask(inst), matrix.component);
    let sizes = [builder.size(load.from, 0)?, builder.size(load.from, 1)?];
    let zero = builder.constant(Constant::zero(component), matrix)?;
    map(builder, &[zero], matrix.into(), |builder, [row, col], _| {
        let entry = [builder.cast(row, Type::INDEX)?, builder.cast(col, Type::INDEX)?];
        let entry = in_memory(builder, load.transpose, at, entry)?;
        let (indices, inside) = entry::inside(builder, entry, sizes, load.boundary)?;
        let masked = match mask {
            Some(mask) => Some(copied(builder, mask, &entry)?),
            None => None,
        };
        let allowed = match (masked, inside) {
            (Some(masked), Some(inside)) => Some(both(builder, masked, inside)?),
            (masked, inside) => masked.or(inside),
        };
        let (from, ty) = (load.from, Type::Scalar(component));
        let other = match load.other {
            Some(other) => other,
            None => builder.constant(Constant::zero(component), component)?,
        };
        let read = |builder: &mut Builder<'_>| {
            Ok(builder.value(Load { from, indices: indices.to_vec() }, ty.clone())?)
        };
        guarded(builder, allowed, &ty, read, other)
    })
}

/// A matrix that was loaded from a position of the memref, with the load's `other` in the place of entries outside.
pub(super) fn fill_outside(
    builder: &mut Builder<'_>,
    load: &TileLoad,
    loaded: Value,
    matrix: Coopmatrix,
    at: [Value; 2],
) -> Result<Value, Error> {
    let Boundaries(modes) = load.boundary;
    let Some(other) = load.other.filter(|_| modes.contains(&Boundary::Zero)) else { return Ok(loaded) };
    let sizes = [builder.size(load.from, 0)?, builder.size(load.from, 1)?];
    map(builder, &[loaded], matrix.into(), |builder, [row, col], entries| {
        let &[entry] = entries else { return Err(internal(builder.location, "no entry that was loaded")) };
        let place = [builder.cast(row, Type::INDEX)?, builder.cast(col, Type::INDEX)?];
        let indices = in_memory(builder, load.transpose, at, place)?;
        let mut is_there = None;
        for ((index, size), boundary) in indices.into_iter().zip(sizes).zip(modes) {
            if boundary == Boundary::Zero {
                let inside = is_inside(builder, index, size)?;
                is_there = Some(match is_there {
                    Some(is_there) => both(builder, is_there, inside)?,
                    None => inside,
                });
            }
        }
        match is_there {
            Some(condition) => {
                Ok(builder.folded(Select { condition, a: entry, b: other }, matrix.component)?)
            }
            None => Ok(entry),
        }
    })
}

impl Lowering<'_> {
    /// Writes the entries for which a mask holds.
    pub(super) fn store_entries(
        &mut self,
        builder: &mut Builder<'_>,
        op: &TileStore,
        share: &Share,
        matrices: &[Value],
        mask: Region,
    ) -> Result<(), Error> {
        let parts: Vec<Part> = share.parts().collect();
        for (part, &matrix) in parts.into_iter().zip(matrices) {
            let position = self.position(builder, share, part, None)?;
            let at = in_memory(builder, op.transpose, [op.x, op.y], position)?;
            let sizes = [builder.size(op.to, 0)?, builder.size(op.to, 1)?];
            map(builder, &[matrix], part.matrix.into(), |builder, [row, col], entries| {
                let &[value] = entries else { return Err(internal(builder.location, "no entry to store")) };
                let entry = [builder.cast(row, Type::INDEX)?, builder.cast(col, Type::INDEX)?];
                let indices = in_memory(builder, op.transpose, at, entry)?;
                let mut allowed = copied(builder, mask, &indices)?;
                if op.boundary == StoreBoundary::Checked {
                    for (index, size) in indices.into_iter().zip(sizes) {
                        let inside = is_inside(builder, index, size)?;
                        allowed = both(builder, allowed, inside)?;
                    }
                }
                let (to, indices) = (op.to, indices.to_vec());
                builder.when(allowed, |builder| {
                    match op.mode {
                        StoreMode::Overwrite => {
                            builder.emit(Store { value, to, indices }, &[])?;
                        }
                        StoreMode::AtomicAdd => {
                            let (scope, semantics) = (builder.atomic_scope(to), MemorySemantics::Relaxed);
                            let ty = builder.ir.ty(value).clone();
                            let op = AtomicUpdateOp::Add;
                            builder.value(AtomicUpdate { op, scope, semantics, value, to, indices }, ty)?;
                        }
                    }
                    Ok(())
                })?;
                Ok(value)
            })?;
        }
        Ok(())
    }

    /// Computes the entries of a tile.
    pub(super) fn apply(
        &mut self,
        builder: &mut Builder<'_>,
        inst: Inst,
        op: &TileApply,
        tile: Tile,
    ) -> Result<Vec<Value>, Error> {
        let Some(&body) = builder.ir[inst].regions.first() else {
            return Err(internal(builder.location, "tile_apply has no body"));
        };
        let operands = self.operands(builder, tile, &op.tiles)?;
        let share = self.share(tile);
        let mut results = Vec::new();
        for (part, matrices) in share.parts().zip(operands) {
            let mut first = self.position(builder, &share, part, None)?;
            for place in &mut first {
                *place = builder.cast(*place, Type::I32)?;
            }
            results.push(map(builder, &matrices, part.matrix.into(), |builder, [row, col], entries| {
                let row = builder.binary(BinaryOp::Add, first[0], row)?;
                let col = builder.binary(BinaryOp::Add, first[1], col)?;
                let arguments: Vec<Value> = [row, col].into_iter().chain(entries.iter().copied()).collect();
                copied(builder, body, &arguments)
            })?);
        }
        Ok(results)
    }
}

/// Appends a copy of a region for some arguments; returns what it yields.
fn copied(builder: &mut Builder<'_>, region: Region, arguments: &[Value]) -> Result<Value, Error> {
    let mut values: ValueMap =
        builder.ir[region].parameters.iter().copied().zip(arguments.iter().copied()).collect();
    let mut insts: Vec<Inst> = builder.ir.insts(region).collect();
    let end = insts.pop();
    let result = end.and_then(|end| match &builder.ir[end].op {
        Op::Yield(Yield { values }) => values.first().copied(),
        _ => None,
    });
    let result = result.ok_or_else(|| internal(builder.location, "a region yields nothing"))?;
    builder.ir.copy_insts(&insts, builder.cursor, &mut values)?;
    Ok(values.get(&result).copied().unwrap_or(result))
}

/// Keeps loads for entries of tiles within their memrefs, which are not empty: rows and columns beyond the end have no bias and no mask, and
/// nobody stores their entries (tile reference 2.9). An index is moved rather than a load skipped, since branches cost registers.
pub(super) fn clamp_loads(ir: &mut Ir, body: Region) -> Result<(), Error> {
    let mut loads = Vec::new();
    ir.walk(body, &mut |inst| {
        if matches!(ir[inst].op, Op::TileApply(_) | Op::TileLoad(_) | Op::TileStore(_)) {
            for &region in &ir[inst].regions {
                ir.walk(region, &mut |inner| {
                    loads.extend(matches!(ir[inner].op, Op::Load(_)).then_some(inner))
                });
            }
        }
    });
    for inst in loads {
        let Op::Load(Load { from, indices }) = ir[inst].op.clone() else { continue };
        if ir.ty(from).memref().is_none() {
            continue;
        }
        let builder = &mut Builder::before(ir, inst)?;
        let mut clamped = Vec::new();
        for (&index, mode) in indices.iter().zip(0i64..) {
            let size = builder.size(from, mode)?;
            let (zero, one) = (builder.index(0)?, builder.index(1)?);
            let last = builder.binary(BinaryOp::Sub, size, one)?;
            let index = builder.cast(index, Type::INDEX)?;
            let index = builder.binary(BinaryOp::Min, index, last)?;
            clamped.push(builder.binary(BinaryOp::Max, index, zero)?);
        }
        ir.update(inst, |op| {
            if let Op::Load(load) = op {
                load.indices = clamped;
            }
        });
    }
    Ok(())
}
