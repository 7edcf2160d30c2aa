//! Narrower subgroups for products in vector code, and fewer ones for chains of them.
//!
//! The rules for subgroup and work-group size are those of the reference, and what the pass `work-group-size` prints is
//! what its users know (lowering reference 1.11). They do not know of 2D block messages, which there are for 16
//! work-items only: where these read the first factors, two subgroups of 16 take a work-group's rows in fewer
//! instructions than one of 32. Nor do they know of chains in registers: loads and addresses of f64 take so many instructions
//! that subgroups which compute two blocks of rows from the same entries of B are worth twice as many registers.

use super::grid::check_work_group_size;
use super::shape::first_factors;
use super::surface::Surface;
use super::{Grid, ProductShape, RegisterFile, Schedule};
use crate::device::CoreInfo;
use crate::ir::{AddressSpace, Func, IoClass, Ir, Op, Scalar, Transpose};

impl Schedule {
    /// The schedule with subgroups of 16 for the same work-group, or with fewer of them, if they suit the products of the
    /// function better. For sizes that no attribute asks for.
    pub fn narrowed(self, ir: &Ir, func: Func, info: &CoreInfo) -> Schedule {
        let narrow = Schedule {
            subgroup_size: Surface::LANES,
            grid: Grid { rows: self.grid.rows.saturating_mul(2), ..self.grid },
            ..self
        };
        let (size, group) = (narrow.subgroup_size, narrow.grid.work_items(narrow.subgroup_size));
        let is_wide = self.subgroup_size == 2 * size
            && narrow.has_io(IoClass::Block2d, info)
            && check_work_group_size(info, size, group).is_ok();
        let factors = first_factors(ir, func);
        let by_blocks = factors.iter().any(|(memref, _)| memref.space == AddressSpace::Global)
            && factors.iter().all(|(memref, transpose)| {
                let is_read = memref.element.bytes() == 4 && Surface::takes_element(memref.element);
                let is_surface = memref.space == AddressSpace::Local || Surface::takes(memref);
                is_read && is_surface && *transpose == Transpose::N
            });
        if is_wide && by_blocks { narrow } else { self.taller(ir, func, info).unwrap_or(self) }
    }

    /// The schedule with half as many subgroups, each of which takes two blocks of rows, if the function is a chain of two
    /// products in f64 that stays in registers so.
    fn taller(self, ir: &Ir, func: Func, info: &CoreInfo) -> Option<Schedule> {
        let mut gemms = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::Gemm(op) = &ir[inst].op {
                gemms.push(op.clone());
            }
        });
        let [first, second] = gemms.as_slice() else { return None };
        let is_chain = first.c == second.a && matches!(ir.defining_op(first.c), Some(Op::Alloca(_)));
        let [first, second] = [ProductShape::of(ir, func, first)?, ProductShape::of(ir, func, second)?];
        let in_f64 = [first, second].iter().all(|shape| shape.types.accumulator == Scalar::F64);
        let has_registers =
            info.has_large_register_file() && self.pinned.register_file != Some(RegisterFile::Small);
        if !is_chain || !in_f64 || !has_registers || self.grid.rows % 2 != 0 {
            return None;
        }
        let tall = Schedule { grid: Grid { rows: self.grid.rows / 2, ..self.grid }, ..self };
        let product = tall.chain(first, second, info)?;
        (product.block.rows == 2 * tall.subgroup_size).then_some(tall)
    }
}
