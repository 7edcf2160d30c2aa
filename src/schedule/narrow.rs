//! Narrower subgroups for products in vector code.
//!
//! The rules for subgroup and work-group size are those of the reference, and what the pass `work-group-size` prints is
//! what its users know (lowering reference 1.11). They do not know of 2D block messages, which there are for 16
//! work-items only: where these read the first factors, two subgroups of 16 take a work-group's rows in fewer
//! instructions than one of 32.

use super::grid::check_work_group_size;
use super::shape::first_factors;
use super::surface::Surface;
use super::{Grid, Schedule};
use crate::device::CoreInfo;
use crate::ir::{AddressSpace, Func, IoClass, Ir, Transpose};

impl Schedule {
    /// The schedule with subgroups of 16 for the same work-group, if they suit the products of the function better. For
    /// a subgroup size that no attribute asks for.
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
        if is_wide && by_blocks { narrow } else { self }
    }
}
