//! Panels in local memory, from which matrix engines take factors (lowering reference 4.5).

use super::Schedule;
use super::product_types::ProductTypes;
use super::tiles::TileProduct;
use crate::device::CoreInfo;
use crate::ir::{CoopmatrixMulAdd, Func, Ir, Op, TileDot};

/// Bytes of what block messages transpose as a whole. Of narrower elements, columns share a word.
pub(super) const TRANSPOSED_BYTES: i64 = 4;

impl Schedule {
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
