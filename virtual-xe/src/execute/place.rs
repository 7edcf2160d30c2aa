//! Memory at an address.

use super::Environment;
use crate::Defect;
use crate::memory::Allocation;
use crate::program::{Access, LOCAL_BASE, PRIVATE_BASE};
use crate::report::{Fault, Location};

/// Target of an address.
pub(super) enum Place<'p> {
    Global(&'p Allocation, u64),
    Local(usize),
    Private(usize),
}

/// The first address that is neither the host's nor a work-item's.
const PRIVATE_END: u64 = PRIVATE_BASE << 1;

impl<'p, const S: usize> Environment<'p, S> {
    /// Finds the place of so many bytes; reports if there is nothing.
    #[inline(always)]
    pub(super) fn find(&mut self, access: &Access, address: u64, size: u64, lane: u32) -> Option<Place<'p>> {
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
            let offset = if self.defect == Some(Defect::LocalMemoryWraps) { offset % 512 } else { offset };
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

    /// Finds the place of so many bytes that are to be written; reports if there is nothing, or if they may only be read.
    #[inline(always)]
    pub(super) fn find_writable(
        &mut self,
        access: &Access,
        address: u64,
        size: u64,
        lane: u32,
    ) -> Option<Place<'p>> {
        let place = self.find(access, address, size, lane)?;
        let is_read_only = match place {
            Place::Global(allocation, _) => access.is_read_only || allocation.is_read_only,
            Place::Local(_) | Place::Private(_) => access.is_read_only,
        };
        if is_read_only {
            let allocation = self.allocation_at(address);
            self.fault(Fault::ReadOnly, lane, Some(Location { address, size, allocation }));
            return None;
        }
        Some(place)
    }

    /// Allocation that holds an address.
    pub(super) fn allocation_at(&self, address: u64) -> Option<(u64, u64)> {
        if address >= PRIVATE_BASE {
            return Some((PRIVATE_BASE, self.program.private_size));
        }
        if address >= LOCAL_BASE {
            return Some((LOCAL_BASE, self.local.len() as u64));
        }
        let behind = self.allocations.partition_point(|allocation| allocation.address() <= address);
        let allocation = behind.checked_sub(1).and_then(|index| self.allocations.get(index))?;
        allocation.offset(address, 0).map(|_| (allocation.address(), allocation.size))
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
