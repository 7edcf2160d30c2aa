//! Turns `foreach` and `foreach_tile` into `parallel` with loops (lowering reference 1.14).
//!
//! Mode 0 goes along the work-items of the subgroups in x, mode 1 along the subgroups in y, further modes
//! one after the other. With one mode, all subgroups share it. Where the bounds are known, whole tiles and the
//! smaller one at the end have code of their own.

use super::context::Context;
use super::emit::{Emit, Range, Unroll};
use super::error::{Error, internal};
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::{Interval, integer_of};
use crate::ir::{
    BinaryOp, Builder, CompareOp, Component, Foreach, ForeachTile, Func, Inst, Ir, LocalSubgroup,
    LocalSubgroupBuiltin, Op, Region, Type, Value, VerifierError,
};
use crate::schedule::Schedule;
use crate::status::Status;

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| needed |= matches!(ir[inst].op, Op::Foreach(_) | Op::ForeachTile(_)));
    if !needed {
        return Ok(());
    }
    let schedule = Schedule::of(ir, func)?;
    rewrite(ir, ir[func].body, &[&|rewriter, inst| lower(rewriter, inst, schedule)])
}

fn lower(rewriter: &mut Rewriter<'_>, inst: Inst, schedule: Schedule) -> Result<bool, Error> {
    let (from, to, tile_shape) = match rewriter.ir[inst].op.clone() {
        Op::Foreach(Foreach { from, to }) => (from, to, None),
        Op::ForeachTile(ForeachTile { from, to, tile_shape }) => {
            check_tile(rewriter.ir, inst, &tile_shape, schedule)?;
            (from, to, Some(tile_shape))
        }
        _ => return Ok(false),
    };
    replace(&mut rewriter.builder(inst)?, inst, &from, &to, tile_shape.as_deref(), schedule)?;
    rewriter.erase(inst);
    Ok(true)
}

/// The first tile size is partitioned among whole subgroups, and no size may be missing or negative.
fn check_tile(ir: &Ir, inst: Inst, tile_shape: &[i64], schedule: Schedule) -> Result<(), Error> {
    let location = ir[inst].location;
    if let Some(&first) = tile_shape.first()
        && first % i64::from(schedule.subgroup_size) != 0
    {
        let detail = format!("{first} with subgroup size {}", schedule.subgroup_size);
        return Err(VerifierError::new(Status::IrTileShape0NotMultipleOfSgs, location, detail).into());
    }
    match tile_shape.iter().find(|&&size| size <= 0) {
        Some(size) => {
            Err(VerifierError::new(Status::IrInvalidShape, location, format!("tile size {size}")).into())
        }
        None => Ok(()),
    }
}

fn replace(
    builder: &mut Builder<'_>,
    inst: Inst,
    from: &[Value],
    to: &[Value],
    tile_shape: Option<&[i64]>,
    schedule: Schedule,
) -> Result<(), Error> {
    let Some(&body) = builder.ir[inst].regions.first() else {
        return Err(internal(builder.location, "foreach has no body"));
    };
    let mut weight = 1;
    builder.ir.walk(body, &mut |_| weight += 1);
    builder.parallel(|builder| {
        let modes = from.iter().zip(to).map(|(&from, &to)| Mode::new(builder, from, to));
        let modes = modes.collect::<Result<Vec<_>, Error>>()?;
        let order = modes.len();
        let shape = tile_shape.unwrap_or_default();
        let mut nest = Nest { schedule, modes, tile_shape: shape, body, weight, copies: 1 };
        if tile_shape.is_none() {
            return nest.serial(builder, order, &mut Vec::new());
        }
        nest.split_modes();
        nest.tiles(builder, order, &mut Vec::new())
    })
}

/// A mode of the range. Where its bounds may be so near to the limits of an integer that a block which reaches
/// beyond the end has positions out of range, they are counted from the start of the mode.
#[derive(Clone, Copy)]
struct Mode {
    start: Value,
    end: Value,
    /// Addend of a position that is counted from the start.
    base: Option<Value>,
    /// The number of positions, if it is known.
    count: Option<i64>,
    /// True if positions that are left over by whole tiles have code of their own.
    split: bool,
}

impl Mode {
    fn new(builder: &mut Builder<'_>, from: Value, to: Value) -> Result<Mode, Error> {
        // In index arithmetic, since blocks may reach beyond the range of a narrow type.
        let (start, mut end) = (builder.cast(from, Type::INDEX)?, builder.cast(to, Type::INDEX)?);
        let known = integer_of(builder.ir, end).zip(integer_of(builder.ir, start));
        let count = known.and_then(|(end, start)| end.max(start).checked_sub(start));
        let mut mode = Mode { start, end, base: None, count, split: false };
        let [first, last] = [start, end].map(|bound| Interval::of(builder.ir, bound));
        let is_far = |bound: Interval| bound.max > i64::MAX / 2;
        if integer_of(builder.ir, start) == Some(0) || !(is_far(first) || is_far(last)) {
            return Ok(mode);
        }
        if !last.difference_fits(first) {
            // What is empty must not become large.
            end = builder.binary(BinaryOp::Max, end, start)?;
        }
        mode.end = builder.binary(BinaryOp::Sub, end, start)?;
        mode.base = Some(start);
        mode.start = builder.index(0)?;
        Ok(mode)
    }

    /// Position as the program sees it.
    fn at(&self, builder: &mut Builder<'_>, position: Value) -> Result<Value, Error> {
        match self.base {
            Some(base) => Ok(builder.binary(BinaryOp::Add, base, position)?),
            None => Ok(position),
        }
    }

    /// Counts the whole blocks and what is left over, if that is known.
    fn blocks(&self, size: i64) -> Option<(i64, i64)> {
        self.count.map(|count| (count / size, count % size))
    }
}

/// The tiles of a mode that a subgroup has: every `parts`-th, from the one with the number `id` on.
#[derive(Clone, Copy)]
struct Partition {
    id: Value,
    parts: i64,
}

/// Instructions that a body may become by copying.
const MAX_COPIED: usize = 1 << 12;

struct Nest<'a> {
    schedule: Schedule,
    modes: Vec<Mode>,
    /// Empty for `foreach`.
    tile_shape: &'a [i64],
    body: Region,
    /// Instructions of the body.
    weight: usize,
    /// Number of times that the body is still to be placed, at most; the last time it need not be copied.
    copies: usize,
}

impl Nest<'_> {
    fn mode(&self, mode: usize, builder: &Builder<'_>) -> Result<Mode, Error> {
        self.modes.get(mode).copied().ok_or_else(|| internal(builder.location, "foreach lacks bounds"))
    }

    /// Loops over the modes below `modes`, outermost first; `indices` are those found so far, from the
    /// outermost mode inwards.
    fn serial(
        &mut self,
        builder: &mut Builder<'_>,
        modes: usize,
        indices: &mut Vec<Value>,
    ) -> Result<(), Error> {
        if modes <= 2 {
            return self.shared(builder, modes, indices);
        }
        let mode = self.mode(modes - 1, builder)?;
        let step = builder.index(1)?;
        // Copies of loops save nothing, and take drivers minutes.
        let range = Range { from: mode.start, to: mode.end, step, unroll: Unroll::Never };
        builder.loop_over(range, Vec::new(), |builder, position, _| {
            indices.push(mode.at(builder, position)?);
            self.serial(builder, modes - 1, indices)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loops over modes 1 and 0, which the subgroups share.
    fn shared(
        &mut self,
        builder: &mut Builder<'_>,
        modes: usize,
        indices: &mut Vec<Value>,
    ) -> Result<(), Error> {
        let (m_tiles, n_tiles) = (i64::from(self.schedule.grid.rows), i64::from(self.schedule.grid.cols));
        if modes == 1 {
            let parts = m_tiles * n_tiles;
            let id = linear_id(builder, parts)?;
            return self.along_lanes(builder, Partition { id, parts }, indices);
        }
        let mode = self.mode(1, builder)?;
        let id = builder.subgroup_id(Component::Y, n_tiles)?;
        let from = builder.binary(BinaryOp::Add, mode.start, id)?;
        let step = builder.index(n_tiles)?;
        let range = Range { from, to: mode.end, step, unroll: Unroll::Never };
        builder.loop_over(range, Vec::new(), |builder, position, _| {
            indices.push(mode.at(builder, position)?);
            let id = builder.subgroup_id(Component::X, m_tiles)?;
            self.along_lanes(builder, Partition { id, parts: m_tiles }, indices)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loops over mode 0, a subgroup's width at a time. If a subgroup is known to get several blocks, what is
    /// left over by whole blocks comes after the loop, which then has no branch.
    fn along_lanes(
        &mut self,
        builder: &mut Builder<'_>,
        partition: Partition,
        indices: &[Value],
    ) -> Result<(), Error> {
        let width = i64::from(self.schedule.subgroup_size);
        let mode = self.mode(0, builder)?;
        let lane = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }, Type::I32)?;
        let lane = builder.cast(lane, Type::INDEX)?;
        let size = builder.index(width)?;
        let offset = builder.binary(BinaryOp::Mul, partition.id, size)?;
        let from = builder.binary(BinaryOp::Add, mode.start, offset)?;
        let step = builder.index(width * partition.parts)?;
        let blocks = mode.blocks(width);
        let left_over = blocks.filter(|&(whole, rest)| {
            rest > 0 && whole >= partition.parts && may_double(self.copies, self.weight)
        });
        let to = match left_over {
            None => mode.end,
            Some((whole, _)) => {
                self.copies += 1;
                let length = builder.index(whole * width)?;
                builder.binary(BinaryOp::Add, mode.start, length)?
            }
        };
        let is_whole = left_over.is_some() || blocks.is_some_and(|(_, rest)| rest == 0);
        let range = Range { from, to, step, unroll: Unroll::Default };
        builder.loop_over(range, Vec::new(), |builder, block, _| {
            let position = builder.binary(BinaryOp::Add, block, lane)?;
            if is_whole {
                self.point(builder, mode, position, indices)?;
            } else {
                let inside = builder.compare(CompareOp::LessThan, position, to)?;
                builder.when(inside, |builder| self.point(builder, mode, position, indices))?;
            }
            Ok(Vec::new())
        })?;
        let Some((whole, rest)) = left_over else { return Ok(()) };
        let is_next = has_tile(builder, partition, whole)?;
        builder.when(is_next, |builder| {
            let rest = builder.index(rest)?;
            let inside = builder.compare(CompareOp::LessThan, lane, rest)?;
            builder.when(inside, |builder| {
                let position = builder.binary(BinaryOp::Add, to, lane)?;
                self.point(builder, mode, position, indices)
            })
        })
    }

    /// Places the body of a `foreach` for a position of mode 0.
    fn point(
        &mut self,
        builder: &mut Builder<'_>,
        mode: Mode,
        position: Value,
        indices: &[Value],
    ) -> Result<(), Error> {
        let index = mode.at(builder, position)?;
        self.place_body(builder, std::iter::once(index).chain(indices.iter().rev().copied()))
    }

    /// Decides which modes are split: those where something is known to be left over by whole tiles.
    fn split_modes(&mut self) {
        for (mode, &length) in self.modes.iter_mut().zip(self.tile_shape) {
            let has_both = |(whole, rest)| whole > 0 && rest > 0;
            mode.split = may_double(self.copies, self.weight) && mode.blocks(length).is_some_and(has_both);
            if mode.split {
                self.copies *= 2;
            }
        }
    }

    /// The length of the tiles in a mode.
    fn tile_length(&self, mode: usize, builder: &Builder<'_>) -> Result<i64, Error> {
        let length = self.tile_shape.get(mode).copied();
        length.ok_or_else(|| internal(builder.location, "foreach_tile lacks a tile size"))
    }

    /// Loops over the tiles of the modes below `modes`; `tiles` holds offset and size in the modes found so
    /// far, from the outermost mode inwards.
    fn tiles(
        &mut self,
        builder: &mut Builder<'_>,
        modes: usize,
        tiles: &mut Vec<(Value, Value)>,
    ) -> Result<(), Error> {
        let Some(number) = modes.checked_sub(1) else {
            let (offsets, sizes): (Vec<Value>, Vec<Value>) = tiles.iter().rev().copied().unzip();
            return self.place_body(builder, offsets.into_iter().chain(sizes));
        };
        let (m_tiles, n_tiles) = (i64::from(self.schedule.grid.rows), i64::from(self.schedule.grid.cols));
        let partition = match number {
            0 if self.modes.len() == 1 => {
                Partition { id: linear_id(builder, m_tiles * n_tiles)?, parts: m_tiles * n_tiles }
            }
            0 => Partition { id: builder.subgroup_id(Component::X, m_tiles)?, parts: m_tiles },
            1 => Partition { id: builder.subgroup_id(Component::Y, n_tiles)?, parts: n_tiles },
            _ => Partition { id: builder.index(0)?, parts: 1 },
        };
        let length = self.tile_length(number, builder)?;
        if length.checked_mul(partition.parts).is_some() {
            return self.tiles_of_mode(builder, number, partition, tiles);
        }
        // So large that their distances leave the range of an integer; there are a few at most.
        let is_first = has_tile(builder, partition, 0)?;
        builder.when(is_first, |builder| {
            let partition = Partition { id: builder.index(0)?, parts: 1 };
            self.tiles_of_mode(builder, number, partition, tiles)
        })
    }

    /// Loops over a subgroup's partition of the tiles of a mode. The smaller tile at the end comes after the loop if
    /// its size is known.
    fn tiles_of_mode(
        &mut self,
        builder: &mut Builder<'_>,
        number: usize,
        partition: Partition,
        tiles: &mut Vec<(Value, Value)>,
    ) -> Result<(), Error> {
        let mode = self.mode(number, builder)?;
        let length = self.tile_length(number, builder)?;
        let blocks = mode.blocks(length);
        let size = builder.index(length)?;
        let mut to = mode.end;
        if let Some((whole, _)) = blocks.filter(|_| mode.split) {
            let length = builder.index(whole * length)?;
            to = builder.binary(BinaryOp::Add, mode.start, length)?;
        }
        if blocks.is_none_or(|(whole, _)| whole > 0) {
            let is_whole = mode.split || blocks.is_some_and(|(_, rest)| rest == 0);
            let offset = builder.binary(BinaryOp::Mul, partition.id, size)?;
            let from = builder.binary(BinaryOp::Add, mode.start, offset)?;
            let step = builder.index(length.saturating_mul(partition.parts))?;
            let range = Range { from, to, step, unroll: Unroll::Default };
            builder.loop_over(range, Vec::new(), |builder, position, _| {
                let mut size = size;
                if !is_whole {
                    let rest = builder.binary(BinaryOp::Sub, to, position)?;
                    size = builder.binary(BinaryOp::Min, size, rest)?;
                }
                self.tile(builder, number, position, size, tiles)?;
                Ok(Vec::new())
            })?;
        }
        match blocks {
            Some((whole, rest)) if rest > 0 && (mode.split || whole == 0) => {
                let is_next = has_tile(builder, partition, whole)?;
                builder.when(is_next, |builder| {
                    let (offset, rest) = (builder.index(whole * length)?, builder.index(rest)?);
                    let position = builder.binary(BinaryOp::Add, mode.start, offset)?;
                    self.tile(builder, number, position, rest, tiles)
                })
            }
            _ => Ok(()),
        }
    }

    /// Goes on with the modes below for a tile of a mode.
    fn tile(
        &mut self,
        builder: &mut Builder<'_>,
        number: usize,
        position: Value,
        size: Value,
        tiles: &mut Vec<(Value, Value)>,
    ) -> Result<(), Error> {
        let at = self.mode(number, builder)?.at(builder, position)?;
        tiles.push((at, size));
        self.tiles(builder, number, tiles)?;
        tiles.pop();
        Ok(())
    }

    /// Puts the body here; the parameters become these values, cast to their types.
    fn place_body(
        &mut self,
        builder: &mut Builder<'_>,
        arguments: impl Iterator<Item = Value>,
    ) -> Result<(), Error> {
        let mut values = Vec::new();
        for (parameter, argument) in builder.ir[self.body].parameters.clone().into_iter().zip(arguments) {
            let ty = builder.ir.ty(parameter).clone();
            values.push((parameter, builder.cast(argument, ty)?));
        }
        self.copies = self.copies.saturating_sub(1);
        if self.copies > 0 {
            let insts: Vec<Inst> = builder.ir.insts(self.body).collect();
            return Ok(builder.ir.copy_insts(&insts, builder.cursor, &mut values.into_iter().collect())?);
        }
        for (parameter, argument) in values {
            builder.ir.replace_all_uses(parameter, argument);
        }
        builder.ir.move_insts(self.body, builder.cursor);
        Ok(())
    }
}

/// Returns whether a body of so many instructions may be placed twice as often.
fn may_double(copies: usize, weight: usize) -> bool {
    2 * copies * weight <= MAX_COPIED
}

/// The number of the subgroup among so many, as an index.
fn linear_id(builder: &mut Builder<'_>, subgroups: i64) -> Result<Value, Error> {
    if subgroups == 1 {
        return Ok(builder.index(0)?);
    }
    let id = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
    Ok(builder.cast(id, Type::INDEX)?)
}

/// Returns whether the tile of a number is in a subgroup's partition.
fn has_tile(builder: &mut Builder<'_>, partition: Partition, number: i64) -> Result<Value, Error> {
    let owner = builder.index(number % partition.parts)?;
    Ok(builder.compare(CompareOp::Equal, partition.id, owner)?)
}
