//! Single numbers in memory, for instructions in which the subgroup accesses memory as a whole.

use super::Environment;
use super::access::{Place, read, write};
use crate::memory::Atom;
use crate::program::{Access, Copy};
use crate::rows::{Lane, Rows};

impl<const S: usize> Environment<'_, S> {
    /// Reads a number of so many bytes on behalf of a lane; zero where there is none.
    pub fn read_number(&mut self, access: &Access, address: u64, bytes: u32, lane: u32) -> u64 {
        match bytes {
            1 => self.read_as::<u8>(access, address, lane).into(),
            2 => self.read_as::<u16>(access, address, lane).into(),
            4 => self.read_as::<u32>(access, address, lane).into(),
            _ => self.read_as::<u64>(access, address, lane),
        }
    }

    /// Writes a number of so many bytes on behalf of a lane.
    pub fn write_number(&mut self, access: &Access, address: u64, bytes: u32, lane: u32, bits: u64) {
        match bytes {
            1 => self.write_as(access, address, lane, bits as u8),
            2 => self.write_as(access, address, lane, bits as u16),
            4 => self.write_as(access, address, lane, bits as u32),
            _ => self.write_as(access, address, lane, bits),
        }
    }

    fn read_as<T: Lane + Atom>(&mut self, access: &Access, address: u64, lane: u32) -> T {
        match self.locate(access, address, size_of::<T>() as u64, lane) {
            Some(Place::Global(allocation, offset)) => allocation.load(offset),
            Some(Place::Local(offset)) => read(&self.local, offset),
            Some(Place::Private(offset)) => {
                self.private.get(self.subgroup as usize).and_then(|private| read(private, offset))
            }
            None => None,
        }
        .unwrap_or(T::zeroed())
    }

    fn write_as<T: Lane + Atom>(&mut self, access: &Access, address: u64, lane: u32, value: T) {
        match self.locate(access, address, size_of::<T>() as u64, lane) {
            Some(Place::Global(allocation, offset)) => drop(allocation.store(offset, value)),
            Some(Place::Local(offset)) => write(&mut self.local, offset, value),
            Some(Place::Private(offset)) => {
                if let Some(private) = self.private.get_mut(self.subgroup as usize) {
                    write(private, offset, value);
                }
            }
            None => {}
        }
    }

    /// Copies bytes, one lane after the other.
    pub fn copy(&mut self, rows: &Rows<S>, copy: &Copy, mask: u32) {
        self.check_alignment(rows, &copy.from, mask);
        self.check_alignment(rows, &copy.to, mask);
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            let (from, to) = (rows.lane::<u64>(copy.from.pointer, lane), rows.lane(copy.to.pointer, lane));
            for at in 0..copy.size {
                let byte = self.read_number(&copy.from, from.wrapping_add(at), 1, lane as u32);
                self.write_number(&copy.to, u64::wrapping_add(to, at), 1, lane as u32, byte);
            }
        }
    }
}
