//! Panels in local memory, from which matrix engines take factors (lowering reference 4.5).

use super::Schedule;
use super::product_types::ProductTypes;
use super::tiles::TileProduct;
use crate::analysis::{SurfaceAnswer, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{CoopmatrixMulAdd, Func, Ir, Op, Scalar, TileDot, TileLoad, Transpose};

/// Bytes of what block messages transpose as a whole. Of narrower elements, columns share a word.
pub(super) const TRANSPOSED_BYTES: i64 = 4;

impl Schedule {
    /// Factors A and B of a product that a loop over tiles stages in local memory unless it says otherwise: all that no block messages
    /// bring as the product takes it, both of A·Bᵀ for engines, which each subgroup would transpose for itself, whichever way it computes it, and
    /// what each would widen for itself.
    pub fn preferred_in_local_memory(
        &self,
        ir: &Ir,
        dot: &TileDot,
        surfaces: &Surfaces,
        info: &CoreInfo,
    ) -> [bool; 2] {
        let factors = [dot.a, dot.b];
        let load_of = |factor| {
            let Some(Op::TileLoad(load)) = ir.defining_op(factor) else { return None };
            Some(load)
        };
        let comes_one_by_one = |factor| load_of(factor).is_some_and(|load| is_no_surface(ir, load, surfaces));
        if self.panel_depth(ir, dot, info).is_none() {
            let is_shared = info.block_2d_io().is_some() && self.grid.subgroups() > 1;
            return factors.map(|factor| is_shared && comes_one_by_one(factor));
        }
        let transposes = factors.map(|factor| load_of(factor).map(|load| load.transpose));
        let is_narrow = ir.ty(dot.b).tile().is_some_and(|tile| tile.component.bytes() < TRANSPOSED_BYTES);
        let is_turned = is_narrow && transposes == [Some(Transpose::N), Some(Transpose::T)];
        let bytes = |tile| ir.ty(tile).component().map(Scalar::bytes);
        let is_widened =
            |factor| matches!(ir.defining_op(factor), Some(Op::Cast(cast)) if bytes(cast.a) < bytes(factor));
        let has_blocks = self.block_2d_io(info).is_some();
        factors.map(|factor| !has_blocks || is_turned || is_widened(factor) || comes_one_by_one(factor))
    }

    /// Returns whether no 2D block messages can bring what a load reads: the device has none, or it is never a surface.
    pub fn has_no_messages(&self, ir: &Ir, load: &TileLoad, surfaces: &Surfaces, info: &CoreInfo) -> bool {
        self.block_2d_io(info).is_none() || is_no_surface(ir, load, surfaces)
    }

    /// Rows of the panels that the factors of a product lie in when they are in local memory: the columns of A and rows of B that an
    /// instruction of the matrix engine takes. `None` if it does not compute the product.
    pub fn panel_depth(&self, ir: &Ir, dot: &TileDot, info: &CoreInfo) -> Option<i64> {
        self.engine(info)?;
        TileProduct::of(ir, dot)?.step_of_engine(&self.overrides, info)
    }

    /// The same for a product of a subgroup.
    pub fn panel_depth_of_matrices(&self, ir: &Ir, op: &CoopmatrixMulAdd, info: &CoreInfo) -> Option<i64> {
        let types = ProductTypes::of_matrices(ir, op)?;
        self.engine(info)?.step_k(types.a, types.b, types.accumulator)
    }

    /// Returns whether a function has products for the matrix engine: without them, panels that a program asks for are copied element by
    /// element.
    pub fn has_products_of_panels(&self, ir: &Ir, func: Func, info: &CoreInfo) -> bool {
        let mut has_product = false;
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::TileDot(dot) = &ir[inst].op {
                has_product |= self.panel_depth(ir, dot, info).is_some();
            } else if let Op::CoopmatrixMulAdd(op) = &ir[inst].op {
                has_product |= self.panel_depth_of_matrices(ir, op, info).is_some();
            }
        });
        has_product
    }
}

/// Returns whether the strides of what a load reads rule out that it is a surface, or folded to one as factors of less than 4 bytes are. A launch has a
/// variant for strides that are open, and numbers of 8 bytes, which are no surfaces, come as well by other messages.
fn is_no_surface(ir: &Ir, load: &TileLoad, surfaces: &Surfaces) -> bool {
    let Some(memref) = ir.ty(load.from).memref() else { return false };
    let is_never = matches!(surfaces.answer(ir, load.from), SurfaceAnswer::Never(_));
    let is_known = memref.stride.iter().all(|stride| stride.value().is_some());
    let bytes = memref.element.bytes();
    let is_folded = bytes < TRANSPOSED_BYTES && surfaces.folded(ir, load.from).is_some();
    is_never && is_known && !is_folded && bytes <= TRANSPOSED_BYTES
}
