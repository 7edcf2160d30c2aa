//! Block reads and writes of SPV_INTEL_subgroups: component after component, in each one lane after the other.

use super::Environment;
use crate::Defect;
use crate::memory::Atom;
use crate::program::BlockAccess;
use crate::report::Fault;
use crate::rows::{Lane, Rows};

impl<const S: usize> Environment<'_, S> {
    pub fn block(&mut self, rows: &mut Rows<S>, block: &BlockAccess) {
        match block.scalar.bytes() {
            1 => self.block_of::<u8>(rows, block),
            2 => self.block_of::<u16>(rows, block),
            4 => self.block_of::<u32>(rows, block),
            _ => self.block_of::<u64>(rows, block),
        }
    }

    fn block_of<T: Lane + Atom>(&mut self, rows: &mut Rows<S>, block: &BlockAccess) {
        let size = size_of::<T>() as u64;
        let addresses: [u64; S] = rows.get(block.pointer.pointer);
        let start = addresses.first().copied().unwrap_or(0);
        if let Some(lane) = addresses.iter().position(|&address| address != start) {
            self.fault(Fault::NotUniform, lane as u32, None);
        }
        self.check_alignment(rows, &block.pointer, 1);
        let is_misplaced = !block.is_store && self.defect == Some(Defect::Block1dMisplaced);
        let start = if is_misplaced { start.wrapping_add(size) } else { start };
        for (component, &row) in (0u64..).zip(&block.rows) {
            let mut values: [T; S] = rows.get(row);
            for (lane, value) in values.iter_mut().enumerate() {
                let address = start.wrapping_add((component * S as u64 + lane as u64).wrapping_mul(size));
                if block.is_store {
                    self.store_lane(&block.pointer, address, lane as u32, *value);
                } else {
                    *value = self.load_lane(&block.pointer, address, lane as u32).unwrap_or(T::zeroed());
                }
            }
            if !block.is_store
                && let Some(dst) = rows.get_mut::<T>(row)
            {
                *dst = values;
            }
        }
    }
}
