//! Factors whose columns are no rows of a surface, but several of them together are one (lowering reference 4.4).

use super::Schedule;
use super::access::{AccessTarget, MatrixInMemory, io};
use super::matrices::takes_product;
use crate::analysis::{FoldedSurface, Interval, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{
    AccessClass, AccessReason, Boundary, Coopmatrix, IoClass, Ir, MatrixIo, MatrixUse, Op, Surface, TileDot,
    TileLoad, Transpose, Use, Value,
};

/// Columns of A in a row of its surface and rows of B in a word, of which a product takes the even ones first.
const PARITIES: i64 = 2;

impl Schedule {
    /// Factors A and B of a product of tiles that 2D blocks bring from surfaces whose rows hold several columns each, with nothing to be
    /// checked: they clip what is outside.
    pub fn reads_columns(&self, ir: &Ir, dot: &TileDot, surfaces: &Surfaces, info: &CoreInfo) -> [bool; 2] {
        let is_on_engine = self.has_io(IoClass::Block2d, info) && self.panel_depth(ir, dot, info).is_some();
        let loads = [dot.a, dot.b].map(|factor| {
            let inst = ir.defining_inst(factor).filter(|&inst| is_on_engine && ir.loads_as_it_is(inst))?;
            let Op::TileLoad(load) = &ir[inst].op else { return None };
            Some(load).filter(|load| load.other.is_none())
        });
        let [a, b] = folded_factors(ir, surfaces, loads.map(|load| Some((load?.from, load?.transpose))));
        let [reads_a, reads_b] = loads.map(|load| load.is_some_and(|load| is_clipped(ir, load, surfaces)));
        [a && reads_a, b && reads_b]
    }
}

/// Returns whether messages may begin where a load from a surface whose rows hold several columns does, and clip what it may not read.
fn is_clipped(ir: &Ir, load: &TileLoad, surfaces: &Surfaces) -> bool {
    let Some((surface, reason)) = surfaces.folded(ir, load.from) else { return false };
    let divisors = surfaces.divisors();
    let is_aligned = divisors.number(load.x).saturating_mul(surface.bytes) % Surface::UNIT_BYTES == 0
        && divisors.number(load.y) % surface.columns == 0;
    let is_inside = load.boundary.0 == [Boundary::Unchecked; 2];
    let is_behind_start = [load.x, load.y].iter().all(|&at| Interval::of(ir, at).min >= 0);
    let is_cut = is_behind_start && surface.is_clipped() && reason != AccessReason::Batch;
    is_aligned && (is_inside || is_cut)
}

impl AccessTarget<'_> {
    /// The messages of the load that defines a matrix.
    pub fn load_of(&self, matrix: Value) -> Option<MatrixIo> {
        let from = self.in_memory(matrix)?;
        let even_odd = self.even_odd(matrix, &from).map(|reason| io(AccessClass::Block2dEvenOdd, reason));
        Some(even_odd.unwrap_or_else(|| self.load(&from)))
    }

    /// The reason why 2D blocks of a surface whose rows hold several columns each reach a factor, whose words are then put together from
    /// what they read.
    pub(super) fn folded(&self, from: &MatrixInMemory) -> Option<AccessReason> {
        let found = self.surfaces.folded(self.ir, from.memref).filter(|_| from.transpose == Transpose::N)?;
        self.in_columns(from, found)
    }

    /// The reason why such blocks reach both factors of a product that is all that a factor is for, if they read every second position along K: then
    /// the words of A need not be put together.
    fn even_odd(&self, matrix: Value, from: &MatrixInMemory) -> Option<AccessReason> {
        let only_use = |value: Value| match self.ir.uses(value) {
            [only] => Some(only.user),
            _ => None,
        };
        let product = only_use(matrix)?;
        let Op::CoopmatrixMulAdd(op) = &self.ir[product].op else { return None };
        if only_use(op.a) != Some(product) || only_use(op.b) != Some(product) {
            return None;
        }
        let (a, b) = (self.in_memory(op.a)?, self.in_memory(op.b)?);
        let engine = self.code.fragments(a.matrix)?;
        let depth = engine.depth(a.matrix.component)?;
        let is_possible = takes_product(engine, [a.matrix, b.matrix, self.ir.ty(op.c).coopmatrix()?])
            && a.matrix.cols % (PARITIES * depth) == 0;
        if !is_possible || self.unless_avoided(AccessClass::Block2dTransform, true).is_err() {
            return None;
        }
        let factors = [(a.memref, a.transpose), (b.memref, b.transpose)];
        if !reads_even_odd(self.ir, self.surfaces, factors) {
            return None;
        }
        let found = match self.surfaces.folded(self.ir, b.memref) {
            Some(found) => found,
            None => (FoldedSurface::of(self.ir, b.memref)?, self.known_surface(&b)?),
        };
        let is_read = b.transpose == Transpose::N
            || self.unless_avoided(AccessClass::Block2dTranspose, true).is_ok()
                && (!b.checked.cols() || found.0.is_clipped());
        let of_a = self.in_columns(&a, self.surfaces.folded(self.ir, a.memref)?)?;
        let of_b = self.in_columns(&b, found).filter(|_| is_read)?;
        Some(if from.matrix.usage == MatrixUse::A { of_a } else { of_b })
    }

    /// The matrix in memory that a load reads.
    pub(super) fn in_memory(&self, matrix: Value) -> Option<MatrixInMemory> {
        let Some(Op::CoopmatrixLoad(op)) = self.ir.defining_op(matrix) else { return None };
        let (memref, at, transpose, checked) = (op.from, [op.x, op.y], op.transpose, op.checked);
        let is_stored = |place: &Use| matches!(self.ir[place.user].op, Op::CoopmatrixStore(_));
        let uses = self.ir.uses(matrix);
        let is_copied = !uses.is_empty() && uses.iter().all(is_stored);
        let matrix = self.ir.ty(matrix).coopmatrix()?;
        Some(MatrixInMemory { matrix, memref, at, transpose, checked, is_copied })
    }

    /// The reason why a memref with sizes of its own is a surface.
    fn known_surface(&self, from: &MatrixInMemory) -> Option<AccessReason> {
        let reason =
            self.schedule.surface(self.ir, self.surfaces, (from.memref, from.at[0]), self.info).ok()?;
        let has_sizes = [AccessReason::Type, AccessReason::Promise, AccessReason::Batch].contains(&reason);
        has_sizes.then_some(reason)
    }

    /// Returns whether messages read a factor from a surface whose rows hold several columns.
    fn in_columns(
        &self,
        from: &MatrixInMemory,
        (surface, reason): (FoldedSurface, AccessReason),
    ) -> Option<AccessReason> {
        let Coopmatrix { component, usage, .. } = from.matrix;
        let engine = self.code.fragments(from.matrix)?;
        let limits = self.schedule.block_2d_io(self.info)?;
        let is_allowed = self.schedule.overrides.allows(IoClass::Block2d) && usage != MatrixUse::Acc;
        // Rows of B that are fewer than there are work-items share a register.
        let fills_lanes = engine.depth(component).is_some_and(|depth| depth >= i64::from(limits.lanes));
        let divisors = self.surfaces.divisors();
        let [x, y] = from.at.map(|value| divisors.number(value));
        let is_aligned =
            x.saturating_mul(component.bytes()) % Surface::UNIT_BYTES == 0 && y % surface.columns == 0;
        let (mut down, mut right) = (from.checked.rows(), from.checked.cols());
        if from.transpose == Transpose::T {
            (down, right) = (right, down);
        }
        // What lies before a column is another one, and before the first one of a member a neighbour's.
        let [from_x, from_y] = from.at.map(|value| Interval::of(self.ir, value));
        let is_before = down && from_x.min < 0 || right && from_y.min < 0;
        // What no message clips is put to zero, in whole words.
        let is_inside = from_x.number().is_some_and(|start| {
            let left = surface.shape[0] - start;
            left >= 0 && left * component.bytes() % Surface::UNIT_BYTES == 0
        });
        let is_whole = !down || surface.is_clipped() || is_inside;
        (is_allowed && fills_lanes && is_aligned && !is_before && is_whole).then_some(reason)
    }
}

/// The load that a factor of a product of tiles comes from.
pub(super) fn load_of_tile(ir: &Ir, factor: Value) -> Option<&TileLoad> {
    let Op::TileLoad(load) = ir.defining_op(factor)? else { return None };
    Some(load)
}

/// The memrefs that the factors of a product of tiles are loaded from, A and B.
pub(super) fn factors_in_memory(ir: &Ir, dot: &TileDot) -> Option<[(Value, Transpose); 2]> {
    let of = |factor: Value| {
        let TileLoad { from, transpose, .. } = load_of_tile(ir, factor)?;
        Some((*from, *transpose))
    };
    Some([of(dot.a)?, of(dot.b)?])
}

/// Factors A and B of a product on an engine that 2D blocks may bring from surfaces whose rows hold several columns each, as far as their
/// extents tell; `None` for what does not come from memory as it is.
pub(super) fn folded_factors(
    ir: &Ir,
    surfaces: &Surfaces,
    factors: [Option<(Value, Transpose)>; 2],
) -> [bool; 2] {
    let [a, b] = factors;
    let is_even_odd = a.zip(b).is_some_and(|(a, b)| reads_even_odd(ir, surfaces, [a, b]));
    factors.map(|factor| {
        let Some((memref, transpose)) = factor else { return false };
        let is_narrow = ir.ty(memref).memref().is_some_and(|ty| ty.element.bytes() < Surface::UNIT_BYTES);
        is_narrow && (transpose == Transpose::N || is_even_odd) && surfaces.folded(ir, memref).is_some()
    })
}

/// Returns whether 2D blocks are known to bring both factors of a product to its engine, from surfaces of any kind.
pub(super) fn come_by_blocks(ir: &Ir, surfaces: &Surfaces, factors: [(Value, Transpose); 2]) -> bool {
    let folded = folded_factors(ir, surfaces, factors.map(Some));
    let mut factors = factors.into_iter().zip(folded);
    factors.all(|((memref, _), is_folded)| is_folded || surfaces.answer(ir, memref).is_known())
}

/// Returns whether 2D blocks may read every second position along K of a factor A, which has two columns in a row of its surface, and
/// of a factor B, as far as their extents tell.
pub(super) fn reads_even_odd(ir: &Ir, surfaces: &Surfaces, [a, b]: [(Value, Transpose); 2]) -> bool {
    let folded = |(memref, _)| surfaces.folded(ir, memref).map(|(surface, _)| surface);
    let is_pair = |surface: FoldedSurface| {
        surface.columns == PARITIES && surface.bytes * PARITIES == Surface::UNIT_BYTES
    };
    let takes_b = match b {
        (memref, Transpose::N) => {
            let is_surface =
                || surfaces.answer(ir, memref).is_known() && FoldedSurface::of(ir, memref).is_some();
            folded(b).is_some() || is_surface()
        }
        (_, Transpose::T) => folded(b).is_some_and(is_pair),
    };
    takes_b && a.1 == Transpose::N && folded(a).is_some_and(is_pair)
}
