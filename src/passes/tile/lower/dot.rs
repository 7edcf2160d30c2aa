//! Products of tiles: steps along K, for which factors that are loaded nowhere else are loaded on the way.

use super::super::super::emit::{Emit as _, Range, Unroll};
use super::super::super::error::{Error, internal};
use super::super::super::prefetch;
use super::super::entry::{in_memory, panel_depth};
use super::memory::{Along, Reach, leaves_undefined};
use super::share::{Part, Piece, Share, equal};
use super::{Lowered, Lowering, Place, TileSteps};
use crate::analysis::integer_of;
use crate::ir::{
    AddressSpace, BinaryOp, Boundary, Builder, CoopmatrixMulAdd, CoopmatrixSlice, Inst, IoClass, Ir,
    MatrixBackendKind, MatrixUse, Op, Tile, TileDot, TileLoad, Transpose, Value,
};

/// Source of a factor.
#[derive(Clone)]
enum Factor {
    /// Matrices of a share.
    Held(Share, Vec<Value>),
    /// A load that each step does a part of.
    Loaded(Share, Inst, TileLoad),
}

impl Lowering<'_> {
    pub(super) fn dot(
        &mut self,
        builder: &mut Builder<'_>,
        op: &TileDot,
        tile: Tile,
    ) -> Result<Vec<Value>, Error> {
        let sums = self.matrices(builder, op.c)?;
        let share = self.share(tile);
        // Of a factor that is loaded a step takes as much as the schedule says, also where the other one is in registers.
        let longest = op.schedule.as_ref().and_then(|schedule| schedule.k_steps.first());
        let step = longest.copied().filter(|_| self.is_held(builder.ir, op.b));
        // Each matrix of a factor in registers has as many rows as there are work-items.
        let step = step.map_or(i64::MAX, |step| step.min(self.settings.schedule.subgroup_size).into());
        let (a, b) = (self.factor(builder, op.a, step)?, self.factor(builder, op.b, step)?);
        let dot = Dot { share, a, b };
        let (Factor::Loaded(share, _, load), Factor::Loaded(..)) = (&dot.a, &dot.b) else {
            return dot.a.share().cols.iter().try_fold(sums, |sums, &piece| {
                let along = Along { k: builder.index(piece.start)?, reach: Reach::Tile };
                self.step(builder, &dot, (piece, along), sums)
            });
        };
        let depth = match share.tile.cols {
            Tile::WHOLE => builder.size(load.from, i64::from(load.transpose == Transpose::N))?,
            cols => self.depth(builder, &dot, cols)?,
        };
        let steps = self.steps(builder, (op, &dot), integer_of(builder.ir, depth))?;
        self.along_k(builder, &dot, &steps, depth, sums)
    }

    /// Columns of A and rows of B of a tile that a product takes: all, or those that are in both memrefs if a factor is undefined outside
    /// of its own.
    fn depth(&self, builder: &mut Builder<'_>, dot: &Dot, cols: i64) -> Result<Value, Error> {
        let mut left = builder.index(cols)?;
        let (Factor::Loaded(_, load_a, a), Factor::Loaded(_, load_b, b)) = (&dot.a, &dot.b) else {
            return Ok(left);
        };
        let is_plain =
            |(inst, load): (Inst, &TileLoad)| builder.ir.loads_as_it_is(inst) && load.other.is_none();
        let ends_early = matches!(self.place, Place::Grid { .. }) && dot.leaves_undefined();
        if !ends_early || ![(*load_a, a), (*load_b, b)].into_iter().all(is_plain) {
            return Ok(left);
        }
        for (load, usage) in [(a, MatrixUse::A), (b, MatrixUse::B)] {
            let Some(mode) = load.transpose.mode_along_k(usage) else { continue };
            if load.boundary.0.get(mode) != Some(&Boundary::Unchecked) {
                let at = if mode == 0 { load.x } else { load.y };
                let size = builder.size(load.from, i64::from(mode == 1))?;
                let own = builder.binary(BinaryOp::Sub, size, at)?;
                left = builder.binary(BinaryOp::Min, left, own)?;
            }
        }
        let zero = builder.index(0)?;
        Ok(builder.binary(BinaryOp::Max, left, zero)?)
    }

    /// The steps along K of a product whose factors are loaded on the way.
    fn steps(
        &self,
        builder: &Builder<'_>,
        (op, dot): (&TileDot, &Dot),
        depth: Option<i64>,
    ) -> Result<Steps, Error> {
        let gathers = self.gathers(builder.ir, (op, dot));
        match &self.place {
            Place::Grid { steps, .. } => {
                let in_panels =
                    [&dot.a, &dot.b].into_iter().any(|factor| factor.panel_depth(builder.ir).is_some());
                if depth.is_none() {
                    return Ok(steps.rest(op, gathers));
                }
                let (step, max_unrolled) = if dot.leaves_undefined() {
                    (steps.compact(op, &dot.share), 1)
                } else if gathers {
                    // Each entry costs an address and a test: the shortest step keeps few of them in registers.
                    (steps.least, 1)
                } else if in_panels {
                    // Which panel a step reads is known, and so is its address.
                    (steps.step, i64::MAX)
                } else {
                    (steps.step, steps.max_unrolled)
                };
                let sizes = (0..=step.max(1).ilog2()).rev().map(|power| 1 << power).collect();
                let reach = Reach::Tile;
                Ok(Steps { sizes, load: step, max_unrolled, gathers, prefetch: 0, is_padded: false, reach })
            }
            Place::Block(block) => {
                let product = op
                    .schedule
                    .as_ref()
                    .ok_or_else(|| internal(builder.location, "a product without schedule"))?;
                let is_whole = block.run.extents.is_none();
                let mut sizes: Vec<i64> = product.steps(depth).iter().copied().map(i64::from).collect();
                // Beyond a tile there is more of its matrix, so that the last steps are short.
                let least = sizes.last().copied().filter(|_| !is_whole).unwrap_or(1);
                sizes.extend((0..least.max(1).ilog2()).rev().map(|power| 1 << power));
                Ok(Steps {
                    sizes,
                    load: product.load_step.into(),
                    max_unrolled: 1,
                    gathers,
                    prefetch: product.prefetch_distance.into(),
                    is_padded: is_whole && product.backend != MatrixBackendKind::Vector,
                    reach: Reach::Tile,
                })
            }
        }
    }

    /// Adds what all steps along K make of the factors to the sums.
    fn along_k(
        &mut self,
        builder: &mut Builder<'_>,
        dot: &Dot,
        steps: &Steps,
        depth: Value,
        mut sums: Vec<Value>,
    ) -> Result<Vec<Value>, Error> {
        let Steps { sizes, max_unrolled, is_padded, .. } = steps;
        let known = integer_of(builder.ir, depth);
        let smallest = sizes.last().copied().unwrap_or(steps.load);
        let mut done = builder.index(0)?;
        for (place, &size) in sizes.iter().enumerate() {
            let is_left = match known {
                Some(depth) => depth >= size,
                // The largest step and one for the rest, which is short.
                None => place == 0 || (size == smallest && !is_padded),
            };
            if !is_left {
                continue;
            }
            let step = builder.index(size)?;
            let left = builder.binary(BinaryOp::Sub, depth, done)?;
            let trips = builder.binary(BinaryOp::Div, left, step)?;
            let length = builder.binary(BinaryOp::Mul, trips, step)?;
            let to = builder.binary(BinaryOp::Add, done, length)?;
            if let [Some(from), Some(end)] = [done, to].map(|value| integer_of(builder.ir, value))
                && (end - from) / size <= *max_unrolled
            {
                for k in (0..(end - from) / size).map(|trip| from + trip * size) {
                    let along = Along { k: builder.index(k)?, reach: steps.reach };
                    sums = self.iteration(builder, dot, steps, (along, size), sums)?;
                }
            } else {
                // Block loads make the loads of the next iteration cheap; copies of a step only cost registers. Processors have none, but
                // Intel's CPU compiler takes ten seconds over copies of a step whose entries are loaded one by one.
                let is_copied = self.settings.info.is_cpu() && !steps.gathers;
                let unroll = if is_copied { Unroll::Default } else { Unroll::Never };
                let range = Range { from: done, to, step, unroll };
                sums = builder.loop_over(range, sums, |builder, k, sums| {
                    let along = Along { k, reach: steps.reach };
                    self.iteration(builder, dot, steps, (along, size), sums.to_vec())
                })?;
            }
            done = to;
        }
        if *is_padded {
            let step = builder.index(smallest)?;
            let range = Range { from: done, to: depth, step, unroll: Unroll::Never };
            sums = builder.loop_over(range, sums, |builder, k, sums| {
                let along = Along { k, reach: Reach::Beyond };
                self.iteration(builder, dot, steps, (along, smallest), sums.to_vec())
            })?;
        }
        Ok(sums)
    }

    /// One step along K, whose factors are loaded part by part.
    fn iteration(
        &mut self,
        builder: &mut Builder<'_>,
        dot: &Dot,
        steps: &Steps,
        (along, size): (Along, i64),
        mut sums: Vec<Value>,
    ) -> Result<Vec<Value>, Error> {
        if steps.prefetch > 0 && along.reach != Reach::Beyond {
            self.fetch_ahead(builder, dot, along.k, (size, steps.prefetch))?;
        }
        let mut done = 0;
        while done < size {
            let by = builder.index(done)?;
            let k = if done == 0 { along.k } else { builder.binary(BinaryOp::Add, along.k, by)? };
            let piece = Piece { start: 0, size: steps.load.clamp(1, size).min(size - done) };
            sums = self.step(builder, dot, (piece, Along { k, ..along }), sums)?;
            done += piece.size;
        }
        Ok(sums)
    }

    /// Fetches what a later step reads into the caches. The subgroups that read the same part of A or of B each fetch
    /// a slice of it.
    fn fetch_ahead(
        &self,
        builder: &mut Builder<'_>,
        dot: &Dot,
        k: Value,
        (size, distance): (i64, i64),
    ) -> Result<(), Error> {
        let Place::Block(block) = &self.place else { return Ok(()) };
        let ahead = builder.index(size.saturating_mul(distance))?;
        let k = builder.binary(BinaryOp::Add, k, ahead)?;
        let [m_partition, n_partition] = block.partitions;
        let mut fetch = |factor: &Factor, partition, at: [Value; 2], mut extent: [i64; 2]| {
            let Factor::Loaded(_, _, load) = factor else { return Ok(()) };
            if load.transpose == Transpose::T {
                extent.reverse();
            }
            let at = in_memory(builder, load.transpose, [load.x, load.y], at)?;
            prefetch::fetch(builder, (load.from, 0), partition, at, extent).map_err(Error::from)
        };
        fetch(&dot.a, n_partition, [block.row, k], [block.rows, size])?;
        fetch(&dot.b, m_partition, [k, block.column], [size, block.cols])
    }

    /// Returns whether both factors are loaded on the way, one of them entry by entry, or not by 2D block messages although
    /// the device has such.
    fn gathers(&self, ir: &Ir, (op, product): (&TileDot, &Dot)) -> bool {
        let (Factor::Loaded(_, load_a, a), Factor::Loaded(_, load_b, b)) = (&product.a, &product.b) else {
            return false;
        };
        if !ir.loads_as_it_is(*load_a) || !ir.loads_as_it_is(*load_b) {
            return true;
        }
        // Local memory has no block messages, and needs none: lanes take vectors of it. Numbers of 8 bytes have none anywhere.
        let super::Settings { schedule, surfaces, info, .. } = &self.settings;
        let has_messages = |load: &TileLoad| {
            let memref = ir.ty(load.from).memref();
            memref.is_some_and(|memref| memref.space == AddressSpace::Local || memref.element.bytes() > 4)
                || surfaces.answer(ir, load.from).is_known()
        };
        let [columns_a, columns_b] = schedule.reads_columns(ir, op, surfaces, info);
        schedule.has_io(IoClass::Block2d, info)
            && !((has_messages(a) || columns_a) && (has_messages(b) || columns_b))
    }

    fn factor(&mut self, builder: &mut Builder<'_>, value: Value, step: i64) -> Result<Factor, Error> {
        let tile = builder.ir.ty(value).tile();
        let tile = tile.ok_or_else(|| internal(builder.location, "a factor is no tile"))?;
        let share = match &self.place {
            Place::Grid { .. } => self.share(tile),
            Place::Block(block) => block.share(tile, step),
        };
        if let Some(&Lowered::Deferred(inst)) = self.values.get(&value)
            && let Op::TileLoad(load) = builder.ir[inst].op.clone()
        {
            return match self.values.get(&load.from).cloned() {
                Some(Lowered::Rows(rows)) => {
                    let rows: Vec<(Part, Value)> = rows
                        .iter()
                        .filter_map(|&(row, matrix)| Some((of_rows(builder.ir, row, matrix)?, matrix)))
                        .collect();
                    let parts = share.parts().map(|part| held(builder, &rows, part));
                    let parts = parts.collect::<Result<_, _>>()?;
                    Ok(Factor::Held(share, parts))
                }
                Some(Lowered::Matrices(_) | Lowered::Deferred(_)) | None => {
                    Ok(Factor::Loaded(share, inst, load))
                }
            };
        }
        Ok(Factor::Held(share, self.matrices(builder, value)?))
    }

    /// Returns whether a factor is read from memory that rows in registers stand for.
    fn is_held(&self, ir: &Ir, factor: Value) -> bool {
        let Some(Op::TileLoad(load)) = ir.defining_op(factor) else { return false };
        matches!(self.values.get(&load.from), Some(Lowered::Rows(_)))
    }

    /// Returns whether a memref stands for registers.
    pub(super) fn is_forwarded(&self, memref: Value) -> bool {
        matches!(&self.place, Place::Block(block) if block.run.forwarded.contains(&memref))
    }

    /// One step along K: some columns of A times the same rows of B, added to the sums.
    fn step(
        &mut self,
        builder: &mut Builder<'_>,
        product: &Dot,
        (piece, along): (Piece, Along),
        sums: Vec<Value>,
    ) -> Result<Vec<Value>, Error> {
        let panels = [&product.a, &product.b].map(|factor| factor.panel_depth(builder.ir));
        if let Some(depth) = panels.into_iter().flatten().min().filter(|&depth| depth < piece.size) {
            return self.panel_steps(builder, product, (piece, along), depth, sums);
        }
        let location = builder.location;
        let missing = || internal(location, "a matrix of a factor is missing");
        let columns = product.share.cols.clone();
        let mut factors = Vec::new();
        for &col in &columns {
            factors.push(self.part_of(builder, &product.b, [piece, col], along)?);
        }
        let mut results = Vec::new();
        let mut old = sums.into_iter();
        for &row in &product.share.rows {
            let a = self.part_of(builder, &product.a, [row, piece], along)?;
            for (&col, &b) in columns.iter().zip(&factors) {
                let c = old.next().ok_or_else(missing)?;
                let ty = product.share.part(row, col).matrix;
                results.push(builder.value(CoopmatrixMulAdd { a, b, c }, ty)?);
            }
        }
        Ok(results)
    }

    /// The parts of a step that lie in a panel each. What no panels divide is loaded for all of them: wide messages cost as much as narrow ones.
    fn panel_steps(
        &mut self,
        builder: &mut Builder<'_>,
        product: &Dot,
        (piece, along): (Piece, Along),
        depth: i64,
        mut sums: Vec<Value>,
    ) -> Result<Vec<Value>, Error> {
        let mut whole = |factor: &Factor| match factor {
            Factor::Loaded(share, ..) if factor.panel_depth(builder.ir).is_none() => {
                let share = share.with_depth(piece);
                let parts: Vec<Part> = share.parts().collect();
                let matrices =
                    parts.iter().map(|part| self.part_of(builder, factor, [part.row, part.col], along));
                Ok(Factor::Held(share.clone(), matrices.collect::<Result<_, _>>()?))
            }
            factor => Ok::<_, Error>(factor.clone()),
        };
        let dot = Dot { share: product.share.clone(), a: whole(&product.a)?, b: whole(&product.b)? };
        for part in equal(piece.size, depth) {
            let by = builder.index(part.start)?;
            let k = if part.start == 0 { along.k } else { builder.binary(BinaryOp::Add, along.k, by)? };
            let part = Piece { start: piece.start + part.start, ..part };
            sums = self.step(builder, &dot, (part, Along { k, ..along }), sums)?;
        }
        Ok(sums)
    }

    /// The matrix at some rows and columns of a factor.
    fn part_of(
        &mut self,
        builder: &mut Builder<'_>,
        factor: &Factor,
        [row, col]: [Piece; 2],
        along: Along,
    ) -> Result<Value, Error> {
        match factor {
            Factor::Held(share, matrices) => {
                let all: Vec<_> = share.parts().zip(matrices.iter().copied()).collect();
                held(builder, &all, share.part(row, col))
            }
            Factor::Loaded(share, inst, load) => {
                self.load_part(builder, (*inst, load), share, share.part(row, col), Some(along))
            }
        }
    }
}

/// Steps along K of a product whose factors are loaded on the way.
struct Steps {
    /// Columns of A and rows of B in a step, largest first; what one leaves the next one takes.
    sizes: Vec<i64>,
    /// Columns of A that are loaded at once.
    load: i64,
    /// Steps of one size that are no loop.
    max_unrolled: i64,
    /// True if entries of a factor are loaded one by one.
    gathers: bool,
    /// Steps that prefetches run ahead; 0 for none.
    prefetch: i64,
    /// True if what is left along K is a checked step, for which there are zeros beyond the end.
    is_padded: bool,
    /// Reach of all other steps.
    reach: Reach,
}

impl TileSteps {
    /// The steps of what is left of a tile along K. They are the shortest, since they come once in a loop.
    fn rest(self, op: &TileDot, gathers: bool) -> Steps {
        let is_padded = is_on_engine(op);
        let (sizes, load) = if is_padded { (Vec::new(), self.least) } else { (vec![1], 1) };
        Steps { sizes, load, max_unrolled: 1, gathers, prefetch: 0, is_padded, reach: Reach::Memref }
    }

    /// A step that keeps vector code short of which there is one version for all sizes.
    fn compact(self, op: &TileDot, sums: &Share) -> i64 {
        let ([rows, cols], mut step) = (sums.extent, self.step);
        while !is_on_engine(op) && step > self.least && step * rows * cols > MAX_COMPACT {
            step /= 2;
        }
        step
    }
}

/// Multiply-adds of a compact step, 1,024 instructions of 16 lanes.
const MAX_COMPACT: i64 = 1 << 14;

fn is_on_engine(product: &TileDot) -> bool {
    product.schedule.as_ref().is_some_and(|schedule| schedule.backend != MatrixBackendKind::Vector)
}

/// A product being lowered.
struct Dot {
    /// Of the sums.
    share: Share,
    a: Factor,
    b: Factor,
}

impl Dot {
    /// Returns whether rows of A or columns of B are undefined outside of the memref.
    fn leaves_undefined(&self) -> bool {
        [&self.a, &self.b].into_iter().any(|factor| {
            matches!(factor, Factor::Loaded(share, _, load) if leaves_undefined(load, share.tile.usage))
        })
    }
}

impl Factor {
    fn share(&self) -> &Share {
        match self {
            Factor::Held(share, _) | Factor::Loaded(share, ..) => share,
        }
    }

    /// Columns of A and rows of B in a panel, where it is loaded from such.
    fn panel_depth(&self, ir: &Ir) -> Option<i64> {
        let Factor::Loaded(_, _, load) = self else { return None };
        panel_depth(ir, load)
    }
}

/// The matrix of a part, itself or a slice of one that holds more.
fn held(builder: &mut Builder<'_>, all: &[(Part, Value)], part: Part) -> Result<Value, Error> {
    let found = all.iter().find(|(whole, _)| whole.holds(&part));
    let &(whole, matrix) =
        found.ok_or_else(|| internal(builder.location, "a matrix of a factor is missing"))?;
    if whole.matrix == part.matrix {
        return Ok(matrix);
    }
    let [row, col] = [part.row.start - whole.row.start, part.col.start - whole.col.start];
    Ok(builder.value(CoopmatrixSlice { matrix, row, col }, part.matrix)?)
}

/// The part of a factor that rows of a matrix in registers are.
fn of_rows(ir: &Ir, row: Piece, matrix: Value) -> Option<Part> {
    let matrix = ir.ty(matrix).coopmatrix()?;
    Some(Part { row, col: Piece { start: 0, size: matrix.cols }, matrix })
}
