//! Copies to local memory: how subgroups share them, and what they hold of registers (tile reference 2.8).

use super::Schedule;
use crate::device::CoreInfo;
use crate::ir::{Boundary, Inst, Ir, Memref, Op, TileCopy, TileDot};

/// Elements that a lane copies without a loop, at most: as many as a subgroup of 16 has of 64 KiB of 16-bit numbers.
const MAX_UNROLLED: i64 = 2048;

/// The part of a copy that lies together in local memory.
#[derive(Clone, Copy)]
pub enum CopyForm {
    /// Panels, from which a matrix engine takes factors: rows and columns of each, and their number.
    Panels([i64; 3]),
    /// Columns of a matrix: its rows and columns.
    Columns([i64; 2]),
}

impl Schedule {
    /// Bytes of registers in which a subgroup has what it copies for vector code, at most: beyond that it waits for what it loaded first.
    pub fn most_in_flight(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) / 8
    }

    /// The same for panels: an engine holds the factors of a step beside.
    pub fn most_panels_in_flight(&self, info: &CoreInfo) -> i64 {
        i64::from(self.register_space(info)) * 3 / 32
    }

    /// The form in which subgroups share a copy to local memory; `None` if work-items copy elements one by one, since those wrap around,
    /// do not fill the lanes of a subgroup, lie in memory with gaps, or are too many to do without a loop.
    pub fn copy_form(&self, ir: &Ir, copy: &TileCopy, info: &CoreInfo) -> Option<CopyForm> {
        let memref = ir.ty(copy.to).memref()?;
        let shape: Vec<i64> = memref.shape.iter().map(|extent| extent.value()).collect::<Option<_>>()?;
        let is_packed = Memref::packed(memref.element, memref.shape.clone(), memref.space) == *memref;
        if !is_packed || copy.boundary.0.contains(&Boundary::Wrap) {
            return None;
        }
        let lanes = i64::from(self.subgroup_size);
        let elements = shape.iter().try_fold(1_i64, |product, &size| product.checked_mul(size))?;
        if elements / (lanes * self.grid.subgroups()).max(1) > MAX_UNROLLED {
            return None;
        }
        let fills_lanes = |size: i64| size > 0 && size % lanes == 0;
        match *shape.as_slice() {
            [rows, cols] => (fills_lanes(rows) && cols > 0).then_some(CopyForm::Columns([rows, cols])),
            [rows, cols, count] => {
                let depth = self.engine(info)?.depth(memref.element)?;
                (rows == depth && fills_lanes(cols)).then_some(CopyForm::Panels([rows, cols, count]))
            }
            _ => None,
        }
    }
}

/// Copies to local memory beside a product.
#[derive(Clone, Copy, Default)]
pub(super) struct Copied {
    /// Bytes that the work-group stores.
    pub bytes: i64,
    /// True if some are stored in a wider type than they come in.
    pub are_widened: bool,
}

impl Copied {
    /// The copies in the block that a product stands in, for each of its products.
    pub fn beside(ir: &Ir, op: &TileDot) -> Copied {
        let is_this = |inst: &Inst| matches!(&ir[*inst].op, Op::TileDot(dot) if *dot == *op);
        let product = ir.uses(op.c).iter().map(|place| place.user).find(is_this);
        let Some(region) = product.and_then(|inst| ir.parent(inst)) else { return Copied::default() };
        let (mut copied, mut products) = (Copied::default(), 0);
        for inst in ir.insts(region) {
            if let Op::TileCopy(copy) = &ir[inst].op {
                copied.add(ir, copy);
            } else if matches!(ir[inst].op, Op::TileDot(_)) {
                products += 1;
            }
        }
        Copied { bytes: copied.bytes / products.max(1), ..copied }
    }

    fn add(&mut self, ir: &Ir, copy: &TileCopy) {
        let Some((from, to)) = ir.ty(copy.from).memref().zip(ir.ty(copy.to).memref()) else { return };
        self.bytes = self.bytes.saturating_add(to.size_in_bytes().unwrap_or(0));
        self.are_widened |= from.element.bytes() < to.element.bytes();
    }
}
