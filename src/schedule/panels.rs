//! Panels in local memory, from which matrix engines take factors (lowering reference 4.5).

use super::Schedule;
use super::product_types::ProductTypes;
use super::tiles::TileProduct;
use crate::device::CoreInfo;
use crate::ir::{Cast, Func, Ir, Op, Scalar, TileDot, Transpose};

/// Bytes of what block messages transpose as a whole. Of narrower elements, columns share a word.
const TRANSPOSED_BYTES: i64 = 4;

impl Schedule {
    /// Factors A and B of a product that a loop over tiles stages in panels unless it says otherwise: all that no block messages bring
    /// as the engine takes it, both of A·Bᵀ, which each subgroup would transpose for itself, whichever way it computes it, and what each
    /// would widen for itself.
    pub fn preferred_in_panels(&self, ir: &Ir, dot: &TileDot, info: &CoreInfo) -> [bool; 2] {
        if self.engine(info).is_none() {
            return [false; 2];
        }
        let factors = [dot.a, dot.b];
        let transposes = factors.map(|factor| {
            let Some(Op::TileLoad(load)) = ir.defining_op(factor) else { return None };
            Some(load.transpose)
        });
        let is_narrow = ir.ty(dot.b).tile().is_some_and(|tile| tile.component.bytes() < TRANSPOSED_BYTES);
        let is_turned = is_narrow && transposes == [Some(Transpose::N), Some(Transpose::T)];
        let has_blocks = self.block_2d_io(info).is_some();
        factors.map(|factor| {
            let bytes = |tile| ir.ty(tile).component().map(Scalar::bytes);
            let is_widened = |cast: &Cast| bytes(cast.a) < bytes(factor);
            let cast =
                ir.defining_op(factor).and_then(|op| if let Op::Cast(cast) = op { Some(cast) } else { None });
            !has_blocks || is_turned || cast.is_some_and(is_widened)
        })
    }

    /// Rows of the panels that the factors of a product lie in when they are in local memory: the columns of A and rows of B that an
    /// instruction of the matrix engine takes. `None` if it does not compute the product.
    pub fn panel_depth(&self, ir: &Ir, dot: &TileDot, info: &CoreInfo) -> Option<i64> {
        self.engine(info)?;
        TileProduct::of(ir, dot)?.step_of_engine(&self.overrides, info)
    }

    /// Returns whether a function has products for the matrix engine: what is copied for others is copied element by element.
    pub fn has_products_of_panels(&self, ir: &Ir, func: Func, info: &CoreInfo) -> bool {
        let mut has_product = false;
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::TileDot(dot) = &ir[inst].op {
                has_product |= self.panel_depth(ir, dot, info).is_some();
            } else if let Op::CoopmatrixMulAdd(op) = &ir[inst].op
                && let (Some(engine), Some(types)) = (self.engine(info), ProductTypes::of_matrices(ir, op))
            {
                has_product |= engine.step_k(types.a, types.b, types.accumulator).is_some();
            }
        });
        has_product
    }
}
