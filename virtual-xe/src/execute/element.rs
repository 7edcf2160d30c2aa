//! Single numbers in memory, for instructions in which the subgroup accesses memory as a whole.

use super::Environment;
use super::access::read;
use super::place::Place;
use crate::program::{Access, Copy, GroupCopy};
use crate::report::Fault;
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

    /// Copies what falls to the lanes of a copy of the work-group.
    pub fn group_copy(&mut self, rows: &Rows<S>, copy: &GroupCopy, mask: u32) {
        let shared = |lane: usize| {
            [copy.from.pointer, copy.to.pointer, copy.count, copy.stride]
                .map(|row| rows.lane::<u64>(row, lane))
        };
        let first = shared(mask.trailing_zeros() as usize);
        if let Some(lane) = (0..S).find(|&lane| mask >> lane & 1 == 1 && shared(lane) != first) {
            self.fault(Fault::NotUniform, lane as u32, None);
        }
        self.check_alignment(rows, &copy.from, mask);
        self.check_alignment(rows, &copy.to, mask);
        // The largest numbers that elements consist of.
        let bytes = 1 << copy.size.trailing_zeros().min(3);
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            for (from, to) in copy.elements(rows, lane) {
                for at in (0..copy.size).step_by(bytes as usize) {
                    let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
                    let bits = self.read_number(&copy.from, from, bytes, lane as u32);
                    self.write_number(&copy.to, to, bytes, lane as u32, bits);
                }
            }
        }
    }
}

impl GroupCopy {
    /// Elements of a copy at most: more than local memory has bytes, where one side of it is.
    pub const MAX_ELEMENTS: u64 = 1 << 20;

    /// Where the elements of a lane lie, and where they go.
    pub fn elements<const S: usize>(
        &self,
        rows: &Rows<S>,
        lane: usize,
    ) -> impl Iterator<Item = (u64, u64)> + use<S> {
        let [from, to, count, stride, item, items] =
            [self.from.pointer, self.to.pointer, self.count, self.stride, self.item, self.items]
                .map(|row| rows.lane::<u64>(row, lane));
        let (from_stride, to_stride) = if self.is_store { (1, stride) } else { (stride, 1) };
        let size = self.size;
        let place = move |start: u64, stride: u64, number: u64| {
            start.wrapping_add(number.wrapping_mul(stride).wrapping_mul(size))
        };
        let numbers = item..count.min(GroupCopy::MAX_ELEMENTS);
        let numbers = numbers.step_by(usize::try_from(items.max(1)).unwrap_or(usize::MAX));
        numbers.map(move |number| (place(from, from_stride, number), place(to, to_stride, number)))
    }
}
