//! Panels in local memory, from which matrix engines take factors (lowering reference 4.5).

use super::Schedule;
use super::tiles::TileProduct;
use crate::device::CoreInfo;
use crate::ir::{Boundary, Func, Ir, Memref, Op, TileCopy, TileDot};

impl Schedule {
    /// Returns whether loops over tiles stage factors in panels unless they say otherwise: no block messages bring what the engine takes.
    pub fn prefers_panels(&self, info: &CoreInfo) -> bool {
        self.engine(info).is_some() && self.block_2d_io(info).is_none()
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
            }
        });
        has_product
    }

    /// Rows and columns of the panels that a copy goes to, and their number, if the matrix engine takes factors of them; `None` if
    /// elements are copied one by one.
    pub fn panel_shape(&self, ir: &Ir, copy: &TileCopy, info: &CoreInfo) -> Option<[i64; 3]> {
        let memref = ir.ty(copy.to).memref()?;
        let shape: Vec<i64> = memref.shape.iter().map(|extent| extent.value()).collect::<Option<_>>()?;
        let &[rows, cols, count] = shape.as_slice() else { return None };
        let is_packed = Memref::packed(memref.element, memref.shape.clone(), memref.space) == *memref;
        let is_plain = is_packed && !copy.boundary.0.contains(&Boundary::Wrap);
        let depth = self.engine(info)?.depth(memref.element)?;
        let is_even = rows == depth && cols > 0 && cols % i64::from(self.subgroup_size) == 0;
        (is_plain && is_even).then_some([rows, cols, count])
    }
}
