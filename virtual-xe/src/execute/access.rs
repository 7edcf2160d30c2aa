//! Loads and stores.

use super::Environment;
use super::faults::Finding;
use crate::memory::{Allocation, Atom};
use crate::program::{Access, LOCAL_BASE, PRIVATE_BASE};
use crate::report::{Fault, Location};
use crate::rows::{Lane, Rows, lanes_where};

/// Where an address leads.
pub(super) enum Place<'p> {
    Global(&'p Allocation, u64),
    Local(usize),
    Private(usize),
}

/// The first address that is neither the host's nor a work-item's.
const PRIVATE_END: u64 = PRIVATE_BASE << 1;

impl<'p, const S: usize> Environment<'p, S> {
    /// Notes what is wrong with a lane.
    pub fn fault(&mut self, fault: Fault, lane: u32, location: Option<Location>) {
        let origin = self.program.sources.get(self.step as usize).copied().unwrap_or(0);
        self.fault_at(origin, fault, lane, location);
    }

    pub fn fault_at(&mut self, origin: u32, fault: Fault, lane: u32, location: Option<Location>) {
        let finding = Finding { group: self.group, subgroup: self.subgroup, lane, location, count: 1 };
        self.faults.add(origin, fault, finding);
    }

    /// Reads the numbers of all lanes of the mask.
    pub fn load(&mut self, rows: &mut Rows<S>, access: &Access, mask: u32) {
        self.check_alignment(rows, access, mask);
        for (part, row) in &access.parts {
            match part.scalar.bytes() {
                1 => self.load_part::<u8>(rows, access, part.offset, *row, mask),
                2 => self.load_part::<u16>(rows, access, part.offset, *row, mask),
                4 => self.load_part::<u32>(rows, access, part.offset, *row, mask),
                _ => self.load_part::<u64>(rows, access, part.offset, *row, mask),
            }
        }
    }

    /// Writes the numbers of all lanes of the mask.
    pub fn store(&mut self, rows: &Rows<S>, access: &Access, mask: u32) {
        self.check_alignment(rows, access, mask);
        for (part, row) in &access.parts {
            match part.scalar.bytes() {
                1 => self.store_part::<u8>(rows, access, part.offset, *row, mask),
                2 => self.store_part::<u16>(rows, access, part.offset, *row, mask),
                4 => self.store_part::<u32>(rows, access, part.offset, *row, mask),
                _ => self.store_part::<u64>(rows, access, part.offset, *row, mask),
            }
        }
    }

    fn load_part<T: Lane + Atom>(
        &mut self,
        rows: &mut Rows<S>,
        access: &Access,
        offset: u64,
        row: u32,
        mask: u32,
    ) {
        let pointers: [u64; S] = rows.get(access.pointer);
        let mut values: [T; S] = rows.get(row);
        for (lane, (&pointer, value)) in pointers.iter().zip(&mut values).enumerate() {
            if mask >> lane & 1 == 0 {
                continue;
            }
            let address = pointer.wrapping_add(offset);
            *value = match self.locate(access, address, size_of::<T>() as u64, lane as u32) {
                Some(Place::Global(allocation, offset)) => allocation.load(offset),
                Some(Place::Local(offset)) => read(&self.local, offset),
                Some(Place::Private(offset)) => {
                    self.private.get(self.subgroup as usize).and_then(|private| read(private, offset))
                }
                None => None,
            }
            .unwrap_or(T::zeroed());
        }
        if let Some(dst) = rows.get_mut::<T>(row) {
            *dst = values;
        }
    }

    fn store_part<T: Lane + Atom>(
        &mut self,
        rows: &Rows<S>,
        access: &Access,
        offset: u64,
        row: u32,
        mask: u32,
    ) {
        let pointers: [u64; S] = rows.get(access.pointer);
        let values: [T; S] = rows.get(row);
        for (lane, (&pointer, &value)) in pointers.iter().zip(&values).enumerate() {
            if mask >> lane & 1 == 0 {
                continue;
            }
            let address = pointer.wrapping_add(offset);
            match self.locate(access, address, size_of::<T>() as u64, lane as u32) {
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
    }

    /// Reports lanes whose address is not as aligned as the instruction promises.
    #[inline(always)]
    pub(super) fn check_alignment(&mut self, rows: &Rows<S>, access: &Access, mask: u32) {
        let pointers: [u64; S] = rows.get(access.pointer);
        let bits = access.alignment - 1;
        if pointers.iter().fold(0, |all, pointer| all | pointer) & bits == 0 {
            return;
        }
        let bad =
            lanes_where::<S>(|lane| pointers.get(lane).is_some_and(|pointer| pointer & bits != 0)) & mask;
        if bad != 0 {
            let lane = bad.trailing_zeros();
            let (address, size) = (pointers.get(lane as usize).copied().unwrap_or(0), access.size());
            self.fault(Fault::Misaligned, lane, Some(Location { address, size, allocation: None }));
        }
    }

    /// Where so many bytes lie; reports if there is nothing.
    #[inline(always)]
    pub(super) fn locate(
        &mut self,
        access: &Access,
        address: u64,
        size: u64,
        lane: u32,
    ) -> Option<Place<'p>> {
        if address < LOCAL_BASE {
            let allocations = self.allocations;
            let last = self.last.get(access.place as usize).copied().unwrap_or(u32::MAX);
            if let Some(allocation) = allocations.get(last as usize)
                && let Some(offset) = allocation.offset(address, size)
            {
                return Some(Place::Global(allocation, offset));
            }
            self.search(access.place, address, size, lane)
        } else if address < PRIVATE_BASE {
            let offset = (address - LOCAL_BASE) as usize;
            if offset <= self.local.len() && size as usize <= self.local.len() - offset {
                return Some(Place::Local(offset));
            }
            let allocation = Some((LOCAL_BASE, self.local.len() as u64));
            self.fault(Fault::LocalOutOfBounds, lane, Some(Location { address, size, allocation }));
            None
        } else {
            let (offset, room) = (address.wrapping_sub(PRIVATE_BASE), self.program.private_size);
            if address < PRIVATE_END && offset <= room && size <= room - offset {
                return Some(Place::Private((u64::from(lane) * room + offset) as usize));
            }
            let is_private = address < PRIVATE_END;
            let fault = if is_private { Fault::PrivateOutOfBounds } else { Fault::OutOfBounds };
            let allocation = is_private.then_some((PRIVATE_BASE, room));
            self.fault(fault, lane, Some(Location { address, size, allocation }));
            None
        }
    }

    /// Looks for an allocation among all of them.
    #[cold]
    fn search(&mut self, place: u32, address: u64, size: u64, lane: u32) -> Option<Place<'p>> {
        let allocations = self.allocations;
        let behind = allocations.partition_point(|allocation| allocation.address() <= address);
        let index = behind.checked_sub(1);
        let before = index.and_then(|index| allocations.get(index));
        if let (Some(index), Some(allocation)) = (index, before)
            && let Some(offset) = allocation.offset(address, size)
        {
            if !allocation.is_freed() {
                if let Some(last) = self.last.get_mut(place as usize) {
                    *last = index as u32;
                }
                return Some(Place::Global(allocation, offset));
            }
            let allocation = Some((allocation.address(), allocation.size));
            self.fault(Fault::UseAfterFree, lane, Some(Location { address, size, allocation }));
            return None;
        }
        let after = allocations.get(behind);
        let distance = |allocation: &Allocation| {
            let start = allocation.address();
            address.saturating_sub(start + allocation.size).max(start.saturating_sub(address))
        };
        let nearest = before.into_iter().chain(after).min_by_key(|allocation| distance(allocation));
        let allocation = nearest.map(|allocation| (allocation.address(), allocation.size));
        self.fault(Fault::OutOfBounds, lane, Some(Location { address, size, allocation }));
        None
    }
}

pub(super) fn read<T: Lane>(memory: &[u8], offset: usize) -> Option<T> {
    let bytes = memory.get(offset..)?.get(..size_of::<T>())?;
    Some(bytemuck::pod_read_unaligned(bytes))
}

pub(super) fn write<T: Lane>(memory: &mut [u8], offset: usize, value: T) {
    let place = memory.get_mut(offset..).and_then(|memory| memory.get_mut(..size_of::<T>()));
    if let Some(place) = place {
        place.copy_from_slice(bytemuck::bytes_of(&value));
    }
}
