//! Factors of products that pass through local memory unless the program says otherwise (tile reference 2.8).

use super::attributes::Attributes;
use super::folded::folded_factors;
use super::panels::TRANSPOSED_BYTES;
use super::product::round_up;
use super::product_types::ProductTypes;
use super::{Overrides, Schedule};
use crate::analysis::{SurfaceAnswer, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Func, FunctionAttributes, Gemm, Inst, Ir, MatrixUse, Memref, Op, Scalar, Tile, TileDot,
    TileLoad, Transpose, Value,
};

/// Iterations from which staged factors are worth the wait for the first copies.
pub const STAGED_ITERATIONS: i64 = 16;
/// The same where each subgroup would load a factor element by element.
const LEAST_ITERATIONS: i64 = 3;
/// Rows and columns of C are multiples of this, and C has so many elements, for a gemm to be staged: subgroups share smaller tiles badly.
const STAGED_EXTENT: i64 = 32;
const STAGED_ELEMENTS: i64 = 64 * 64;
/// Bytes along K of what an iteration stages at least if block messages bring it.
const STAGED_BYTES: i64 = 64;
/// Part of its registers that a subgroup has on the way to local memory in an iteration that is longer than that: with more, pvc has 74 % of the loop instead of
/// 80 % for multiply-adds (bf16 A·Bᵀ, 128×128×64), and Xe3 spills.
const STAGED_PART: i64 = 32;
/// Part of local memory that an iteration with several products fills if work-items bring their factors one by one.
const CHAINED_PART: i64 = 8;
/// Columns of A and rows of B that an iteration stages if work-items bring them one by one.
const STAGED_COLUMNS: i64 = 32;

/// A factor of a product, as it lies in memory.
#[derive(Clone, Copy)]
struct Factor {
    memref: Value,
    transpose: Transpose,
}

/// A product of matrices, or of tiles that span all of K.
#[derive(Clone, Copy)]
pub struct WholeProduct {
    /// Component types.
    pub types: ProductTypes,
    /// M, N and K.
    pub extents: [i64; 3],
    factors: [Factor; 2],
    /// True if there are zeros beyond K.
    ends_with_matrix: bool,
}

impl WholeProduct {
    /// The product of a gemm of known sizes in global memory.
    pub fn of(ir: &Ir, op: &Gemm) -> Option<WholeProduct> {
        let [a, b, c] = [op.a, op.b, op.c].map(|matrix| ir.ty(matrix).memref());
        let (a, b, c) = (a?, b?, c?);
        let types = ProductTypes::of(a.element, b.element, c.element)?;
        let extent = |matrix: &Memref, mode: usize| matrix.shape.get(mode)?.value();
        let depth = extent(a, if op.transpose_a == Transpose::N { 1 } else { 0 })?;
        let factors = [(op.a, op.transpose_a), (op.b, op.transpose_b)]
            .map(|(memref, transpose)| Factor { memref, transpose });
        let extents = [extent(c, 0)?, extent(c, 1)?, depth];
        Some(WholeProduct { types, extents, factors, ends_with_matrix: true })
    }

    /// The product of tiles that loads give, with these accumulators.
    pub fn of_tiles(loads: [(&TileLoad, Tile); 2], sums: Tile) -> WholeProduct {
        let [(_, a), (_, b)] = loads;
        let types = ProductTypes { a: a.component, b: b.component, accumulator: sums.component };
        let factors = loads.map(|(load, _)| Factor { memref: load.from, transpose: load.transpose });
        WholeProduct { types, extents: [a.rows, b.cols, a.cols], factors, ends_with_matrix: false }
    }
}

impl Schedule {
    /// Factors A and B of a product that a loop over tiles stages in local memory unless it says otherwise: all that no block messages
    /// bring as the product takes it, B of A·Bᵀ for engines, which each subgroup would transpose for itself, and what each would widen for itself.
    pub fn preferred_in_local_memory(
        &self,
        ir: &Ir,
        dot: &TileDot,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> [bool; 2] {
        let factors = [dot.a, dot.b].map(|factor| Factor::of(ir, factor));
        let on_engine = self.panel_depth(ir, dot, info).is_some();
        let one_by_one = come_one_by_one(ir, surfaces, factors);
        if !on_engine {
            let is_shared = info.block_2d_io().is_some() && self.grid.subgroups() > 1;
            return one_by_one.map(|is| is_shared && is);
        }
        let bytes = |tile| ir.ty(tile).component().map(Scalar::bytes);
        // A comes by messages then, which a mask or what wraps around rules out.
        let is_turned = are_turned(factors)
            && bytes(dot.b) < Some(TRANSPOSED_BYTES)
            && ir.defining_inst(dot.a).is_some_and(|load| ir.loads_as_it_is(load));
        let is_widened =
            |factor| matches!(ir.defining_op(factor), Some(Op::Cast(cast)) if bytes(cast.a) < bytes(factor));
        let [a, b] = one_by_one;
        let preferred = [a || is_widened(dot.a), b || is_turned || is_widened(dot.b)];
        // Beside a factor in panels, folded columns are not read in even and odd ones: each subgroup would put A together, and B of 16 bits,
        // which takes 15 to 25 % more cycles; bytes of B do not take more.
        let [folds_a, folds_b] = folded_factors(ir, surfaces, in_memory(factors));
        let [stages_a, stages_b] = preferred;
        let is_narrow = bytes(dot.b) == Some(Scalar::I8.bytes());
        [stages_a || stages_b && folds_a, stages_b || stages_a && folds_b && !is_narrow]
            .map(|is| is || self.block_2d_io(info).is_none())
    }

    /// Returns whether no 2D block messages bring some factor of a product as it takes it.
    pub fn lacks_messages(
        &self,
        ir: &Ir,
        product: &WholeProduct,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> bool {
        self.iterations_without_messages(ir, product.factors, surfaces, info).is_some()
    }

    /// Returns whether attributes of a function leave it to the compiler how its products are computed: they say no more than the register
    /// file and the precision.
    pub fn is_free(ir: &Ir, func: Func) -> bool {
        let Attributes { subgroup_size, work_group_size, overrides } = Attributes::of(ir, func);
        let Overrides { register_file, precision, .. } = overrides;
        let FunctionAttributes { orientation, pipeline, .. } = ir[func].attributes;
        subgroup_size.is_none()
            && work_group_size.is_none()
            && orientation.is_none()
            && pipeline.is_none()
            && overrides == (Overrides { register_file, precision, ..Overrides::default() })
    }

    /// Columns of A and rows of B of an iteration of the loop that a product is computed as, with factors in local memory, since no messages bring them to an
    /// engine as it takes them. If one takes all of K, B is copied for it. `None` if the product is computed otherwise.
    pub fn staged_step(
        &self,
        ir: &Ir,
        product: &WholeProduct,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<i64> {
        let WholeProduct { types, extents: [rows, cols, depth], factors, ends_with_matrix } = *product;
        let engine = self.overrides.with_precision(*info.dpas_engine()?);
        let engine_step = engine.step_k(types.a, types.b, types.accumulator)?;
        let iterations = self.iterations_without_messages(ir, factors, surfaces, info)?;
        let is_brought = !self.come_by_lanes(ir, factors.map(Some), surfaces, info);
        let longest = if is_brought { STAGED_BYTES / types.a.bytes() } else { STAGED_COLUMNS };
        // Two iterations would copy more than they compute.
        let is_single = iterations == 1 && depth < 2 * longest;
        let fits = |step: &i64| ends_with_matrix || depth % step == 0;
        let step = if is_single {
            Some(round_up(depth, engine_step)).filter(fits)?
        } else {
            let shorter = std::iter::successors(Some(longest), |step| Some(step / 2));
            shorter.take_while(|&step| step >= engine_step).find(fits)?
        };
        let is_extent = |&extent: &i64| extent > 0 && extent % STAGED_EXTENT == 0;
        let is_long = is_single && depth > 0 || depth / step.max(1) >= iterations;
        let is_shared = [rows, cols].iter().all(is_extent) && is_long && step % engine_step == 0;
        let sizes = STAGED_ELEMENTS..=Tile::MAX_ELEMENTS;
        let is_large = rows.checked_mul(cols).is_some_and(|elements| sizes.contains(&elements));
        let is_global = |factor: &Factor| {
            ir.ty(factor.memref).memref().is_some_and(|memref| memref.space == AddressSpace::Global)
        };
        let room = info.local_memory_size().unwrap_or(0);
        let has_room = rows.saturating_add(cols).saturating_mul(step * types.a.bytes()) <= room;
        let is_possible = types.a == types.b && factors.iter().all(is_global) && has_room;
        (is_shared && is_large && is_possible).then_some(step)
    }

    /// Columns of A and rows of B that an iteration of a loop stages at most, of what instructions load for products on an engine.
    pub fn staged_columns(
        &self,
        ir: &Ir,
        loads: &[Inst],
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<i64> {
        let loaded = || loads.iter().filter_map(|&load| ir[load].results.first().copied());
        let comes_by_lanes =
            |value: Value| self.come_by_lanes(ir, [Factor::of(ir, value), None], surfaces, info);
        if loaded().any(comes_by_lanes) {
            return Some(STAGED_COLUMNS);
        }
        let tiles = || loaded().filter_map(|value| ir.ty(value).tile());
        let of_column = |tile: Tile| match tile.usage {
            MatrixUse::B => tile.cols * tile.component.bytes(),
            MatrixUse::A | MatrixUse::Acc => tile.rows * tile.component.bytes(),
        };
        let column: i64 = tiles().map(of_column).sum();
        let most = i64::from(self.register_space(info)) / STAGED_PART * self.grid.subgroups() / column.max(1);
        let least = STAGED_BYTES / tiles().map(|tile| tile.component.bytes()).max()?;
        Some(least.max(1 << most.max(1).ilog2()))
    }

    /// Returns whether a loop with several products stages so many bytes in an iteration. Where work-items copy them, more spill, and less does
    /// not pay (dg2, attention with heads of 64: 8 KB of 32 keys spill nothing, and 28 % of the loop are multiply-adds, where lanes that load
    /// them spill 4.6 KB for 7 %; 16 KB of 64 keys spill 1.3 KB for 28 instead of 29 %, and 4 KB of 16 keys 4.5 KB for 22 instead of 26 %).
    pub fn stages_chained(&self, bytes: i64, info: &CoreInfo) -> bool {
        let most = info.local_memory_size().unwrap_or(0) / CHAINED_PART;
        self.block_2d_io(info).is_some() || (most / 2 + 1..=most).contains(&bytes)
    }

    /// Returns whether work-items bring some factor one by one.
    fn come_by_lanes(
        &self,
        ir: &Ir,
        factors: [Option<Factor>; 2],
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> bool {
        self.block_2d_io(info).is_none() || come_one_by_one(ir, surfaces, factors).contains(&true)
    }

    /// Iterations from which a product is staged since no 2D block messages bring some factor as it takes it; `None` if they do. Bytes come one by one
    /// where they are transposed, so that subgroups that each copy some of them take less time at once; wider numbers take moves.
    fn iterations_without_messages(
        &self,
        ir: &Ir,
        factors: [Factor; 2],
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<i64> {
        let bytes = |factor: &Factor| ir.ty(factor.memref).memref().map(|memref| memref.element.bytes());
        let widest = factors.iter().filter_map(bytes).max()?;
        let is_turned = are_turned(factors.map(Some));
        if self.come_by_lanes(ir, factors.map(Some), surfaces, info) {
            return Some(LEAST_ITERATIONS);
        }
        (is_turned && widest < TRANSPOSED_BYTES).then_some(if widest == 1 { 1 } else { STAGED_ITERATIONS })
    }
}

impl Factor {
    fn of(ir: &Ir, value: Value) -> Option<Factor> {
        let Op::TileLoad(TileLoad { from, transpose, .. }) = *ir.defining_op(value)? else { return None };
        Some(Factor { memref: from, transpose })
    }

    /// Returns whether the strides of a factor in memory rule out that it is a surface. A launch has a variant for strides that are open, and
    /// numbers of 8 bytes, which are no surfaces, come as well by other messages.
    fn is_no_surface(&self, ir: &Ir, surfaces: &Surfaces) -> bool {
        let Some(memref) = ir.ty(self.memref).memref() else { return false };
        let is_never = matches!(surfaces.answer(ir, self.memref), SurfaceAnswer::Never(_));
        let is_known = memref.stride.iter().all(|stride| stride.value().is_some());
        is_never && is_known && memref.element.bytes() <= TRANSPOSED_BYTES
    }
}

/// Memrefs and transpositions of factors.
fn in_memory(factors: [Option<Factor>; 2]) -> [Option<(Value, Transpose)>; 2] {
    factors.map(|factor| factor.map(|it| (it.memref, it.transpose)))
}

/// Factors A and B that no 2D blocks bring, neither as surfaces nor folded to such.
fn come_one_by_one(ir: &Ir, surfaces: &Surfaces, factors: [Option<Factor>; 2]) -> [bool; 2] {
    let [a, b] = folded_factors(ir, surfaces, in_memory(factors));
    let [of_a, of_b] = factors.map(|factor| factor.is_some_and(|it| it.is_no_surface(ir, surfaces)));
    [of_a && !a, of_b && !b]
}

/// Returns whether factors are those of A·Bᵀ.
fn are_turned(factors: [Option<Factor>; 2]) -> bool {
    factors.map(|factor| factor.map(|it| it.transpose)) == [Some(Transpose::N), Some(Transpose::T)]
}
