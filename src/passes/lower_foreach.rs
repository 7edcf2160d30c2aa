//! Turns `foreach` and `foreach_tile` into `parallel` with loops (`spec/lowering.md` 1.14).
//!
//! Mode 0 goes along the work-items of the subgroups in x, mode 1 along the subgroups in y, further modes
//! one after the other. With one mode, all subgroups share it.

use super::emit::{Emit, Range, Unroll};
use super::error::{Error, internal};
use super::fold::integer_of;
use super::rewrite::Substitution;
use super::tiling::Tiling;
use crate::ir::{
    BinaryOp, Builder, CompareOp, Component, Foreach, ForeachTile, Func, Inst, Ir, LocalSubgroup,
    LocalSubgroupBuiltin, Op, Region, Type, Value, Violation,
};
use crate::status::Status;
use crate::target::CoreInfo;

pub(super) fn run(ir: &mut Ir, func: Func, _info: &CoreInfo) -> Result<(), Error> {
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| needed |= matches!(ir[inst].op, Op::Foreach(_) | Op::ForeachTile(_)));
    if !needed {
        return Ok(());
    }
    let tiling = Tiling::of(ir, func)?;
    lower(ir, ir[func].body, tiling)
}

fn lower(ir: &mut Ir, region: Region, tiling: Tiling) -> Result<(), Error> {
    for inst in std::mem::take(&mut ir[region].insts) {
        for inner in ir[inst].regions.clone() {
            lower(ir, inner, tiling)?;
        }
        match ir[inst].op.clone() {
            Op::Foreach(Foreach { from, to }) => replace(ir, region, inst, &from, &to, None, tiling)?,
            Op::ForeachTile(ForeachTile { from, to, tile_shape }) => {
                check_tile(ir, inst, &tile_shape, tiling)?;
                replace(ir, region, inst, &from, &to, Some(&tile_shape), tiling)?;
            }
            _ => ir[region].insts.push(inst),
        }
    }
    Ok(())
}

/// The first tile size is dealt out to whole subgroups, and no size may be missing or negative.
fn check_tile(ir: &Ir, inst: Inst, tile_shape: &[i64], tiling: Tiling) -> Result<(), Error> {
    let location = ir[inst].location;
    if let Some(&first) = tile_shape.first()
        && first % tiling.subgroup_size != 0
    {
        let detail = format!("{first} with subgroup size {}", tiling.subgroup_size);
        return Err(Violation::new(Status::IrTileShape0NotMultipleOfSgs, location, detail).into());
    }
    match tile_shape.iter().find(|&&size| size <= 0) {
        Some(size) => {
            Err(Violation::new(Status::IrInvalidShape, location, format!("tile size {size}")).into())
        }
        None => Ok(()),
    }
}

fn replace(
    ir: &mut Ir,
    region: Region,
    inst: Inst,
    from: &[Value],
    to: &[Value],
    tile_shape: Option<&[i64]>,
    tiling: Tiling,
) -> Result<(), Error> {
    let location = ir[inst].location;
    let Some(&body) = ir[inst].regions.first() else { return Ok(()) };
    let mut builder = Builder::new(ir, region, location);
    builder.parallel(|builder| {
        let mut bounds = Vec::new();
        for (&from, &to) in from.iter().zip(to) {
            // In index arithmetic, since blocks may reach beyond the range of a narrow type.
            bounds.push((builder.cast(from, Type::INDEX)?, builder.cast(to, Type::INDEX)?));
        }
        let nest = Nest { tiling, bounds: &bounds, body };
        match tile_shape {
            None => nest.serial(builder, bounds.len(), &mut Vec::new()),
            Some(tile_shape) => nest.tiles(builder, tile_shape, bounds.len(), &mut Vec::new()),
        }
    })?;
    ir.remove_inst(inst);
    Ok(())
}

struct Nest<'a> {
    tiling: Tiling,
    bounds: &'a [(Value, Value)],
    body: Region,
}

impl Nest<'_> {
    fn bounds(&self, mode: usize, builder: &Builder<'_>) -> Result<(Value, Value), Error> {
        self.bounds.get(mode).copied().ok_or_else(|| internal(builder.location, "foreach lacks bounds"))
    }

    /// Loops over the modes below `modes`, outermost first; `indices` are those found so far, from the
    /// outermost mode inwards.
    fn serial(&self, builder: &mut Builder<'_>, modes: usize, indices: &mut Vec<Value>) -> Result<(), Error> {
        if modes <= 2 {
            return self.shared(builder, modes, indices);
        }
        let (from, to) = self.bounds(modes - 1, builder)?;
        let step = builder.index(1)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, index, _| {
            indices.push(index);
            self.serial(builder, modes - 1, indices)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loops over modes 1 and 0, which the subgroups share.
    fn shared(&self, builder: &mut Builder<'_>, modes: usize, indices: &mut Vec<Value>) -> Result<(), Error> {
        let Tiling { m_tiles, n_tiles, .. } = self.tiling;
        if modes == 1 {
            let op = LocalSubgroupBuiltin::SubgroupLinearId;
            let id = builder.value(LocalSubgroup { op }, Type::I32)?;
            let id = builder.cast(id, Type::INDEX)?;
            return self.along_lanes(builder, id, m_tiles * n_tiles, indices);
        }
        let (from, to) = self.bounds(1, builder)?;
        let id = builder.subgroup_id(Component::Y)?;
        let from = builder.binary(BinaryOp::Add, from, id)?;
        let step = builder.index(n_tiles)?;
        let range = Range { from, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, index, _| {
            indices.push(index);
            let id = builder.subgroup_id(Component::X)?;
            self.along_lanes(builder, id, m_tiles, indices)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loops over mode 0, a subgroup's width at a time.
    fn along_lanes(
        &self,
        builder: &mut Builder<'_>,
        id: Value,
        tiles: i64,
        indices: &mut Vec<Value>,
    ) -> Result<(), Error> {
        let width = self.tiling.subgroup_size;
        let (from, to) = self.bounds(0, builder)?;
        let lane = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }, Type::I32)?;
        let lane = builder.cast(lane, Type::INDEX)?;
        let size = builder.index(width)?;
        let offset = builder.binary(BinaryOp::Mul, id, size)?;
        let first = builder.binary(BinaryOp::Add, from, offset)?;
        let step = builder.index(width * tiles)?;
        let trip = builder.binary(BinaryOp::Sub, to, from)?;
        let whole = integer_of(builder.ir, trip).is_some_and(|trip| trip % width == 0);
        let range = Range { from: first, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, block, _| {
            let index = builder.binary(BinaryOp::Add, block, lane)?;
            indices.push(index);
            if whole {
                self.place_body(builder, indices.iter().rev().copied())?;
            } else {
                let inside = builder.compare(CompareOp::LessThan, index, to)?;
                builder.when(inside, |builder| self.place_body(builder, indices.iter().rev().copied()))?;
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loops over the tiles of the modes below `modes`; `tiles` holds offset and size in the modes found so
    /// far, from the outermost mode inwards.
    fn tiles(
        &self,
        builder: &mut Builder<'_>,
        tile_shape: &[i64],
        modes: usize,
        tiles: &mut Vec<(Value, Value)>,
    ) -> Result<(), Error> {
        let Some(mode) = modes.checked_sub(1) else {
            let (offsets, sizes): (Vec<Value>, Vec<Value>) = tiles.iter().rev().copied().unzip();
            return self.place_body(builder, offsets.into_iter().chain(sizes));
        };
        let (from, to) = self.bounds(mode, builder)?;
        let Tiling { m_tiles, n_tiles, .. } = self.tiling;
        let (id, sharers) = match mode {
            0 if self.bounds.len() == 1 => {
                let op = LocalSubgroupBuiltin::SubgroupLinearId;
                let id = builder.value(LocalSubgroup { op }, Type::I32)?;
                (builder.cast(id, Type::INDEX)?, m_tiles * n_tiles)
            }
            0 => (builder.subgroup_id(Component::X)?, m_tiles),
            1 => (builder.subgroup_id(Component::Y)?, n_tiles),
            _ => (builder.index(0)?, 1),
        };
        let length = tile_shape.get(mode).copied().unwrap_or(1);
        let size = builder.index(length)?;
        let offset = builder.binary(BinaryOp::Mul, id, size)?;
        let first = builder.binary(BinaryOp::Add, from, offset)?;
        let step = builder.index(length.saturating_mul(sharers))?;
        let trip = builder.binary(BinaryOp::Sub, to, from)?;
        let whole = integer_of(builder.ir, trip).is_some_and(|trip| trip % length == 0);
        let range = Range { from: first, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, at, _| {
            let rest = builder.binary(BinaryOp::Sub, to, at)?;
            let size = if whole { size } else { builder.binary(BinaryOp::Min, size, rest)? };
            tiles.push((at, size));
            self.tiles(builder, tile_shape, mode, tiles)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Moves the body here; the parameters become these values, cast to their types.
    fn place_body(
        &self,
        builder: &mut Builder<'_>,
        arguments: impl Iterator<Item = Value>,
    ) -> Result<(), Error> {
        let mut substitution = Substitution::default();
        let parameters = builder.ir[self.body].parameters.clone();
        for (&parameter, argument) in parameters.iter().zip(arguments) {
            let ty = builder.ir.ty(parameter).clone();
            let argument = builder.cast(argument, ty)?;
            substitution.replace(parameter, argument);
        }
        let insts = std::mem::take(&mut builder.ir[self.body].insts);
        for &inst in &insts {
            substitute_below(builder.ir, inst, &substitution);
        }
        let region = builder.region;
        builder.ir[region].insts.extend(insts);
        Ok(())
    }
}

fn substitute_below(ir: &mut Ir, inst: Inst, substitution: &Substitution) {
    let mut all = vec![inst];
    for &region in &ir[inst].regions {
        ir.walk(region, &mut |inner| all.push(inner));
    }
    for inst in all {
        substitution.apply(ir, inst);
    }
}
