//! Products of tiles: steps along K, for which factors that are loaded nowhere else are loaded on the way.

use super::super::super::emit::{Emit as _, Range, Unroll};
use super::super::super::error::{Error, internal};
use super::share::{Piece, Share, powers};
use super::{Lowered, Lowering};
use crate::ir::{Builder, CoopmatrixMulAdd, Inst, IoClass, Ir, Op, Tile, TileDot, TileLoad, Value};
use crate::schedule::TileSteps;

/// Source of a factor.
enum Factor {
    /// Matrices of a share.
    Held(Share, Vec<Value>),
    /// A load that each step does a part of.
    Loaded(Share, Inst, TileLoad),
}

impl Lowering<'_> {
    /// Returns whether the product that uses a load may carry it out: nothing between them changes memory.
    pub(super) fn defers(&self, ir: &Ir, inst: Inst) -> bool {
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

    pub(super) fn dot(
        &mut self,
        builder: &mut Builder<'_>,
        op: &TileDot,
        tile: Tile,
    ) -> Result<Vec<Value>, Error> {
        let sums = self.matrices(builder, op.c)?;
        let share = self.share(tile);
        let (a, b) = (self.factor(builder, op.a)?, self.factor(builder, op.b)?);
        let mut steps = a.share().cols.clone();
        let TileSteps { mut step, least, mut max_unrolled } = self.settings.steps;
        let product = Dot { share, a, b };
        if self.gathers(builder.ir, &product) {
            // Each entry costs an address and a test: the shortest step keeps few of them in registers.
            (step, max_unrolled) = (least, 1);
            let [_, depth] = product.a.share().extent;
            steps = powers(depth, step);
        }
        let whole = i64::try_from(steps.iter().filter(|piece| piece.size == step).count()).unwrap_or(0);
        if whole <= max_unrolled || !product.is_loaded() {
            return steps.iter().try_fold(sums, |sums, &piece| {
                let start = builder.index(piece.start)?;
                self.step(builder, &product, (piece, start), sums)
            });
        }
        let [from, to, by] = [builder.index(0)?, builder.index(whole * step)?, builder.index(step)?];
        let unroll = if self.settings.info.is_cpu() { Unroll::Default } else { Unroll::Never };
        let range = Range { from, to, step: by, unroll };
        let sums = builder.loop_over(range, sums, |builder, k, sums| {
            self.step(builder, &product, (Piece { start: 0, size: step }, k), sums.to_vec())
        })?;
        steps.iter().filter(|piece| piece.size != step).try_fold(sums, |sums, &piece| {
            let start = builder.index(piece.start)?;
            self.step(builder, &product, (piece, start), sums)
        })
    }

    /// Returns whether both factors are loaded on the way, one of them entry by entry, or not by 2D block messages although
    /// the device has such.
    fn gathers(&self, ir: &Ir, product: &Dot) -> bool {
        let (Factor::Loaded(_, load_a, a), Factor::Loaded(_, load_b, b)) = (&product.a, &product.b) else {
            return false;
        };
        if !self.is_plain(ir, *load_a, a) || !self.is_plain(ir, *load_b, b) {
            return true;
        }
        let is_surface = |load: &TileLoad| self.settings.surfaces.answer(ir, load.from).is_known();
        self.settings.schedule.has_io(IoClass::Block2d, self.settings.info)
            && !(is_surface(a) && is_surface(b))
    }

    fn factor(&mut self, builder: &mut Builder<'_>, value: Value) -> Result<Factor, Error> {
        let tile = builder.ir.ty(value).tile();
        let share = self.share(tile.ok_or_else(|| internal(builder.location, "a factor is no tile"))?);
        if let Some(&Lowered::Deferred(inst)) = self.values.get(&value)
            && let Op::TileLoad(load) = &builder.ir[inst].op
        {
            return Ok(Factor::Loaded(share, inst, load.clone()));
        }
        Ok(Factor::Held(share, self.matrices(builder, value)?))
    }

    /// One step along K: some columns of A times the same rows of B, added to the sums.
    fn step(
        &mut self,
        builder: &mut Builder<'_>,
        product: &Dot,
        (piece, k): (Piece, Value),
        sums: Vec<Value>,
    ) -> Result<Vec<Value>, Error> {
        let location = builder.location;
        let missing = || internal(location, "a matrix of a factor is missing");
        let columns = product.share.cols.clone();
        let mut factors = Vec::new();
        for &col in &columns {
            factors.push(match &product.b {
                Factor::Held(share, matrices) => held(share, matrices, piece, col).ok_or_else(missing)?,
                Factor::Loaded(share, inst, load) => {
                    let part = share.part(piece, col);
                    self.load_part(builder, (*inst, load), share, part, [Some(k), None])?
                }
            });
        }
        let mut results = Vec::new();
        let mut old = sums.into_iter();
        for &row in &product.share.rows {
            let a = match &product.a {
                Factor::Held(share, matrices) => held(share, matrices, row, piece).ok_or_else(missing)?,
                Factor::Loaded(share, inst, load) => {
                    let part = share.part(row, piece);
                    self.load_part(builder, (*inst, load), share, part, [None, Some(k)])?
                }
            };
            for (&col, &b) in columns.iter().zip(&factors) {
                let c = old.next().ok_or_else(missing)?;
                let ty = product.share.part(row, col).matrix;
                results.push(builder.value(CoopmatrixMulAdd { a, b, c }, ty)?);
            }
        }
        Ok(results)
    }
}

/// A product being lowered.
struct Dot {
    /// Of the sums.
    share: Share,
    a: Factor,
    b: Factor,
}

impl Dot {
    fn is_loaded(&self) -> bool {
        matches!((&self.a, &self.b), (Factor::Loaded(..), Factor::Loaded(..)))
    }
}

impl Factor {
    fn share(&self) -> &Share {
        match self {
            Factor::Held(share, _) | Factor::Loaded(share, ..) => share,
        }
    }
}

/// The matrix at some rows and columns of a share.
fn held(share: &Share, matrices: &[Value], row: Piece, col: Piece) -> Option<Value> {
    let index = share.parts().position(|part| part.row == row && part.col == col)?;
    matrices.get(index).copied()
}
