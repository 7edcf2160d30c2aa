//! Factors of products that pass through local memory unless the program says otherwise (tile reference 2.8).

use super::attributes::Attributes;
use super::panels::TRANSPOSED_BYTES;
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
/// Rows and columns of C are multiples of this, and not both this, for a gemm to be staged: subgroups share smaller tiles badly.
const STAGED_EXTENT: i64 = 64;
/// Bytes along K of what an iteration stages at least if block messages bring it.
const STAGED_BYTES: i64 = 64;
/// Columns of A and rows of B that an iteration stages if work-items bring them one by one.
const STAGED_COLUMNS: i64 = 32;

/// A factor of a product, as it lies in memory.
#[derive(Clone, Copy)]
struct Factor {
    memref: Value,
    transpose: Transpose,
}

/// A product of matrices that is computed as a loop over tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagedProduct {
    /// Component types.
    pub types: ProductTypes,
    /// M, N and K.
    pub extents: [i64; 3],
    /// Columns of A and rows of B of an iteration.
    pub step: i64,
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
        let comes_one_by_one =
            |factor: Option<Factor>| factor.is_some_and(|it| it.is_no_surface(ir, surfaces));
        if !on_engine {
            let is_shared = info.block_2d_io().is_some() && self.grid.subgroups() > 1;
            return factors.map(|factor| is_shared && comes_one_by_one(factor));
        }
        let bytes = |tile| ir.ty(tile).component().map(Scalar::bytes);
        let is_turned = are_turned(factors) && bytes(dot.b) < Some(TRANSPOSED_BYTES);
        let is_widened =
            |factor| matches!(ir.defining_op(factor), Some(Op::Cast(cast)) if bytes(cast.a) < bytes(factor));
        let is_preferred = |value, factor| is_widened(value) || comes_one_by_one(factor);
        let [a, b] = factors;
        [is_preferred(dot.a, a), is_turned || is_preferred(dot.b, b)]
            .map(|is| is || self.block_2d_io(info).is_none())
    }

    /// Returns whether no 2D block messages can bring a factor of a product as it takes them: the device has none, the loads
    /// of a factor read what is never a surface, or B of A·Bᵀ is of elements that they do not transpose.
    pub fn has_no_messages(
        &self,
        ir: &Ir,
        loads: [&TileLoad; 2],
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> bool {
        let factors = loads.map(|load| Factor { memref: load.from, transpose: load.transpose });
        self.lacks_messages(ir, factors, surfaces, info)
    }

    /// The loop over tiles that a large product of matrices is computed as, since no messages bring its factors to an engine; `None` for others,
    /// and where attributes say more than the register file and the precision.
    pub fn staged_product(
        &self,
        ir: &Ir,
        func: Func,
        op: &Gemm,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<StagedProduct> {
        let Attributes { subgroup_size, work_group_size, overrides } = Attributes::of(ir, func);
        let Overrides { register_file, precision, .. } = overrides;
        let FunctionAttributes { orientation, pipeline, .. } = ir[func].attributes;
        let is_free = subgroup_size.is_none()
            && work_group_size.is_none()
            && orientation.is_none()
            && pipeline.is_none();
        if !is_free || overrides != (Overrides { register_file, precision, ..Overrides::default() }) {
            return None;
        }
        let [a, b, c] = [op.a, op.b, op.c].map(|matrix| ir.ty(matrix).memref());
        let (a, b, c) = (a?, b?, c?);
        let types = ProductTypes::of(a.element, b.element, c.element).filter(|types| types.a == types.b)?;
        let engine = self.overrides.with_precision(*info.dpas_engine()?);
        let engine_step = engine.step_k(types.a, types.b, types.accumulator)?;
        let extent = |matrix: &Memref, mode: usize| matrix.shape.get(mode)?.value();
        let depth = extent(a, if op.transpose_a == Transpose::N { 1 } else { 0 })?;
        let extents @ [rows, cols, _] = [extent(c, 0)?, extent(c, 1)?, depth];
        let factors = [(op.a, op.transpose_a), (op.b, op.transpose_b)]
            .map(|(memref, transpose)| Factor { memref, transpose });
        let is_brought = !self.comes_by_lanes(ir, factors.into_iter(), surfaces, info);
        let step = if is_brought { STAGED_BYTES / types.a.bytes() } else { STAGED_COLUMNS };
        let is_even = step % engine_step == 0;
        let is_extent = |&extent: &i64| extent > 0 && extent % STAGED_EXTENT == 0;
        let is_shared = [rows, cols].iter().all(is_extent) && depth / step >= STAGED_ITERATIONS;
        let sizes = STAGED_EXTENT * STAGED_EXTENT + 1..=Tile::MAX_ELEMENTS;
        let is_large = rows.checked_mul(cols).is_some_and(|elements| sizes.contains(&elements));
        let is_global = [a, b].iter().all(|factor| factor.space == AddressSpace::Global);
        let is_possible = is_shared && is_large && is_even && is_global;
        (is_possible && self.lacks_messages(ir, factors, surfaces, info)).then_some(StagedProduct {
            types,
            extents,
            step,
        })
    }

    /// Columns of A and rows of B that an iteration of a loop stages at most, of what instructions load for products on an engine. What block
    /// messages bring is in few registers of a subgroup on its way: each panel takes addresses, and its products the rest.
    pub fn staged_columns(
        &self,
        ir: &Ir,
        loads: &[Inst],
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> Option<i64> {
        let loaded = || loads.iter().filter_map(|&load| ir[load].results.first().copied());
        if self.comes_by_lanes(ir, loaded().filter_map(|value| Factor::of(ir, value)), surfaces, info) {
            return Some(STAGED_COLUMNS);
        }
        let tiles = || loaded().filter_map(|value| ir.ty(value).tile());
        let of_column = |tile: Tile| match tile.usage {
            MatrixUse::B => tile.cols * tile.component.bytes(),
            MatrixUse::A | MatrixUse::Acc => tile.rows * tile.component.bytes(),
        };
        let column: i64 = tiles().map(of_column).sum();
        let most = i64::from(self.register_space(info)) / 32 * self.grid.subgroups() / column.max(1);
        let least = STAGED_BYTES / tiles().map(|tile| tile.component.bytes()).max()?;
        Some(least.max(1 << most.max(1).ilog2()))
    }

    /// Returns whether work-items bring some factor one by one.
    fn comes_by_lanes(
        &self,
        ir: &Ir,
        mut factors: impl Iterator<Item = Factor>,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> bool {
        self.block_2d_io(info).is_none() || factors.any(|factor| factor.is_no_surface(ir, surfaces))
    }

    /// Returns whether no 2D block messages bring some factor as the product takes it.
    fn lacks_messages(&self, ir: &Ir, factors: [Factor; 2], surfaces: &Surfaces, info: &CoreInfo) -> bool {
        let is_narrow = |factor: &Factor| {
            ir.ty(factor.memref).memref().is_some_and(|memref| memref.element.bytes() < TRANSPOSED_BYTES)
        };
        self.comes_by_lanes(ir, factors.into_iter(), surfaces, info)
            || are_turned(factors.map(Some)) && factors.iter().all(is_narrow)
    }
}

impl Factor {
    fn of(ir: &Ir, value: Value) -> Option<Factor> {
        let Op::TileLoad(TileLoad { from, transpose, .. }) = *ir.defining_op(value)? else { return None };
        Some(Factor { memref: from, transpose })
    }

    /// Returns whether the strides of a factor in memory rule out that it is a surface, or folded to one as factors of less than 4 bytes are. A
    /// launch has a variant for strides that are open, and numbers of 8 bytes, which are no surfaces, come as well by other messages.
    fn is_no_surface(&self, ir: &Ir, surfaces: &Surfaces) -> bool {
        let Some(memref) = ir.ty(self.memref).memref() else { return false };
        let is_never = matches!(surfaces.answer(ir, self.memref), SurfaceAnswer::Never(_));
        let is_known = memref.stride.iter().all(|stride| stride.value().is_some());
        let bytes = memref.element.bytes();
        let is_folded = bytes < TRANSPOSED_BYTES && surfaces.folded(ir, self.memref).is_some();
        is_never && is_known && !is_folded && bytes <= TRANSPOSED_BYTES
    }
}

/// Returns whether factors are those of A·Bᵀ.
fn are_turned(factors: [Option<Factor>; 2]) -> bool {
    factors.map(|factor| factor.map(|it| it.transpose)) == [Some(Transpose::N), Some(Transpose::T)]
}
