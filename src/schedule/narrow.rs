//! Narrower subgroups for products in vector code, and fewer ones for chains of them.
//!
//! The rules for subgroup and work-group size are those of the reference, and what the pass `work-group-size` prints is
//! what its users know (lowering reference 1.11). They do not know of 2D block messages, which there are for 16
//! work-items only: where these read the first factors, two subgroups of 16 take a work-group's rows in fewer
//! instructions than one of 32. Nor do they know of chains in registers: loads and addresses of f64 take so many instructions
//! that subgroups which compute two blocks of rows from the same entries of B are worth twice as many registers.

use super::grid::check_work_group_size;
use super::shape::first_factors;
use super::{Blockwise, Grid, ProductShape, RegisterFile, Schedule};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::ir::{AddressSpace, Func, Ir, Memref, Op, Scalar, Surface, Transpose, Value};

impl Schedule {
    /// The schedule with subgroups of 16 for the same work-group, or with fewer of them, if they suit the products of the
    /// function better. For sizes that no attribute asks for.
    pub(super) fn narrowed(self, ir: &Ir, func: Func, info: &CoreInfo) -> Schedule {
        let surfaces = Surfaces::new(ir, func, info.default_alignment());
        let narrow = self.halved(ir, func, &surfaces, info);
        narrow.or_else(|| self.taller(ir, func, &surfaces, info)).unwrap_or(self)
    }

    /// The schedule with twice as many subgroups of half the size, if 2D block messages read the first factors then.
    fn halved(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let io = info.block_2d_io().filter(|io| self.subgroup_size == 2 * io.lanes)?;
        let grid = Grid { rows: self.grid.rows.saturating_mul(2), ..self.grid };
        let narrow = Schedule { subgroup_size: io.lanes, grid, ..self };
        let fits = check_work_group_size(info, io.lanes, grid.work_items(io.lanes)).is_ok();
        let is_shared = Blockwise::of(ir, func).is_some() && self.blockwise(ir, func).is_none();
        let factors = if is_shared { Vec::new() } else { first_factors(ir, func) };
        let is_in =
            |value: Value, space| ir.ty(value).memref().is_some_and(|memref: &Memref| memref.space == space);
        let by_blocks = |&(value, transpose): &(Value, Transpose)| {
            let is_read = |memref: &Memref| {
                memref.element.bytes() == io.word_bytes && Surface::takes_element(memref.element)
            };
            transpose == Transpose::N
                && ir.ty(value).memref().is_some_and(is_read)
                && (is_in(value, AddressSpace::Local) || surfaces.answer(ir, value).is_known())
        };
        let are_global = factors.iter().any(|&(value, _)| is_in(value, AddressSpace::Global));
        let has_messages = narrow.block_2d_io(info).is_some();
        (fits && has_messages && are_global && factors.iter().all(by_blocks)).then_some(narrow)
    }

    /// The schedule with half as many subgroups, each of which takes two blocks of rows, if the function is a chain of two
    /// products in f64 that stays in registers so.
    fn taller(self, ir: &Ir, func: Func, surfaces: &Surfaces, info: &CoreInfo) -> Option<Schedule> {
        let mut gemms = Vec::new();
        ir.walk(ir[func].body, &mut |inst| {
            if let Op::Gemm(op) = &ir[inst].op {
                gemms.push(op.clone());
            }
        });
        let [first, second] = gemms.as_slice() else { return None };
        let is_chain = first.c == second.a && matches!(ir.defining_op(first.c), Some(Op::Alloca(_)));
        let [first, second] =
            [ProductShape::of(ir, surfaces, first)?, ProductShape::of(ir, surfaces, second)?];
        let in_f64 = [first, second].iter().all(|shape| shape.types.accumulator == Scalar::F64);
        let has_registers =
            info.has_large_register_file() && self.overrides.register_file != Some(RegisterFile::Small);
        if !is_chain || !in_f64 || !has_registers || self.grid.rows % 2 != 0 {
            return None;
        }
        let tall = Schedule { grid: Grid { rows: self.grid.rows / 2, ..self.grid }, ..self };
        let product = tall.chain(first, second, info)?;
        (product.block.rows == 2 * tall.subgroup_size).then_some(tall)
    }
}
