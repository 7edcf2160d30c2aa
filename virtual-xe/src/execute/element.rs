//! Single numbers in memory, for instructions in which the subgroup accesses memory as a whole.

use super::Environment;
use super::access::read;
use super::place::Place;
use crate::program::{Access, Copy};
use crate::rows::Rows;

impl<const S: usize> Environment<'_, S> {
    /// Reads a number of so many bytes on behalf of a lane; zero where there is none.
    pub fn read_number(&mut self, access: &Access, address: u64, bytes: u32, lane: u32) -> u64 {
        match bytes {
            1 => self.load_lane::<u8>(access, address, lane).unwrap_or(0).into(),
            2 => self.load_lane::<u16>(access, address, lane).unwrap_or(0).into(),
            4 => self.load_lane::<u32>(access, address, lane).unwrap_or(0).into(),
            _ => self.load_lane::<u64>(access, address, lane).unwrap_or(0),
        }
    }

    /// Writes a number of so many bytes on behalf of a lane.
    pub fn write_number(&mut self, access: &Access, address: u64, bytes: u32, lane: u32, bits: u64) {
        match bytes {
            1 => self.store_lane(access, address, lane, bits as u8),
            2 => self.store_lane(access, address, lane, bits as u16),
            4 => self.store_lane(access, address, lane, bits as u32),
            _ => self.store_lane(access, address, lane, bits),
        }
    }

    /// Copies bytes, one lane after the other.
    pub fn copy(&mut self, rows: &Rows<S>, copy: &Copy, mask: u32) {
        self.check_alignment(rows, &copy.from, mask);
        self.check_alignment(rows, &copy.to, mask);
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            let (from, to) = (rows.lane::<u64>(copy.from.pointer, lane), rows.lane(copy.to.pointer, lane));
            for at in 0..copy.size {
                let address = from.wrapping_add(at);
                let byte = match self.find(&copy.from, address, 1, lane as u32) {
                    // Gaps between members are copied, too, and nobody has written them.
                    Some(Place::Private(offset)) => {
                        let private = self.private.get(self.subgroup as usize);
                        private.and_then(|private| read::<u8>(private, offset)).unwrap_or(0).into()
                    }
                    Some(_) => self.read_number(&copy.from, address, 1, lane as u32),
                    None => 0,
                };
                self.write_number(&copy.to, u64::wrapping_add(to, at), 1, lane as u32, byte);
            }
        }
    }
}
