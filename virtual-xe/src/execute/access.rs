//! Loads and stores.

use super::AccessKind;
use super::Environment;
use super::faults::Finding;
use super::place::Place;
use crate::Defect;
use crate::memory::Atom;
use crate::program::{Access, Barrier, BarrierKind, LOCAL_BASE, PRIVATE_BASE};
use crate::report::{Fault, Location};
use crate::rows::{Lane, Rows, lanes_where};

impl<'p, const S: usize> Environment<'p, S> {
    /// Notes what is wrong with a lane.
    pub fn fault(&mut self, fault: Fault, lane: u32, location: Option<Location>) {
        let origin = self.program.sources.get(self.step as usize).copied().unwrap_or(0);
        self.fault_at(origin, fault, lane, location);
    }

    pub fn fault_at(&mut self, origin: u32, fault: Fault, lane: u32, location: Option<Location>) {
        if !self.checks.cover(fault) {
            return;
        }
        let finding =
            Finding { group: self.group, subgroup: self.subgroup, lane, location, other: None, count: 1 };
        self.faults.add(origin, fault, finding);
    }

    /// Notes a race of a lane with another, if that is known.
    pub(super) fn race(&mut self, fault: Fault, lane: u32, location: Location, other: Option<(u32, u32)>) {
        let origin = self.program.sources.get(self.step as usize).copied().unwrap_or(0);
        let location = Some(location);
        let finding = Finding { group: self.group, subgroup: self.subgroup, lane, location, other, count: 1 };
        self.faults.add(origin, fault, finding);
    }

    /// True if a defect leaves a barrier out.
    pub fn ignores(&self, kind: BarrierKind) -> bool {
        match self.defect {
            Some(Defect::BarrierIgnored) => kind == BarrierKind::Group,
            Some(Defect::SplitBarrierIgnored) => kind == BarrierKind::Wait,
            _ => false,
        }
    }

    /// The subgroup is at a barrier.
    pub fn barrier(&mut self, barrier: Barrier) {
        if let Some(shadow) = &mut self.shadow {
            shadow.barrier(barrier, self.subgroup);
        }
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
        let all = u32::MAX >> (32 - S);
        let first = pointers.first().copied().unwrap_or(0);
        if mask == all && first < PRIVATE_BASE && pointers.iter().all(|&pointer| pointer == first) {
            values = [self.load_shared(access, first.wrapping_add(offset)).unwrap_or(T::zeroed()); S];
        } else if mask == all
            && is_row(&pointers, size_of::<T>() as u64)
            && let Some(row) = self.load_row(access, first.wrapping_add(offset))
        {
            values = row;
        } else {
            for (lane, (&pointer, value)) in pointers.iter().zip(&mut values).enumerate() {
                if mask >> lane & 1 == 1 {
                    let address = pointer.wrapping_add(offset);
                    *value = self.load_lane(access, address, lane as u32).unwrap_or(T::zeroed());
                }
            }
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
            self.store_lane(access, address, lane as u32, value);
        }
    }

    #[inline(always)]
    pub(super) fn load_lane<T: Lane + Atom>(
        &mut self,
        access: &Access,
        address: u64,
        lane: u32,
    ) -> Option<T> {
        match self.locate(access, address, size_of::<T>() as u64, lane, AccessKind::Read)? {
            Place::Global(allocation, offset) => allocation.load(offset),
            Place::Local(offset) => read(&self.local, offset),
            Place::Private(offset) => {
                self.private.get(self.subgroup as usize).and_then(|private| read(private, offset))
            }
        }
    }

    /// Reads numbers that follow each other, one a lane, from where the access has been before; `None` if they are not
    /// all there.
    #[inline(always)]
    fn load_row<T: Lane + Atom>(&mut self, access: &Access, address: u64) -> Option<[T; S]> {
        let size = size_of::<T>();
        let (values, start) = if address < LOCAL_BASE {
            let last = self.last.get(access.place as usize).copied()?;
            let allocation = self.allocations.get(last as usize)?;
            let offset = allocation.offset(address, (S * size) as u64)?;
            (allocation.load_row(offset)?, Place::Global(allocation, offset))
        } else {
            let offset = usize::try_from(address - LOCAL_BASE).ok()?;
            let bytes = self.local.get(offset..)?.get(..S * size)?;
            let mut values = [T::zeroed(); S];
            for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(size)) {
                *value = bytemuck::pod_read_unaligned(bytes);
            }
            (values, Place::Local(offset))
        };
        if self.shadow.is_some() {
            for lane in 0..S {
                let by = lane * size;
                let place = match start {
                    Place::Global(allocation, offset) => Place::Global(allocation, offset + by as u64),
                    Place::Local(offset) => Place::Local(offset + by),
                    Place::Private(offset) => Place::Private(offset),
                };
                let at = (address + by as u64, size as u64);
                self.check_access(access, &place, at, lane as u32, AccessKind::Read);
            }
        }
        Some(values)
    }

    /// Reads one number in all lanes. To the checks, the first and the last are as good as all if nothing is wrong with
    /// the first.
    #[inline(always)]
    fn load_shared<T: Lane + Atom>(&mut self, access: &Access, address: u64) -> Option<T> {
        let value = self.load_lane(access, address, 0);
        if value.is_none() || self.shadow.is_some() {
            let from = if value.is_none() { 1 } else { S - 1 };
            for lane in from..S {
                self.locate(access, address, size_of::<T>() as u64, lane as u32, AccessKind::Read);
            }
        }
        value
    }

    #[inline(always)]
    pub(super) fn store_lane<T: Lane + Atom>(&mut self, access: &Access, address: u64, lane: u32, value: T) {
        let size = size_of::<T>() as u64;
        let Some(place) = self.find_writable(access, address, size, lane) else { return };
        if self.shadow.is_some() {
            let kind = if self.holds(&place, value) { AccessKind::Write.alike() } else { AccessKind::Write };
            self.check_access(access, &place, (address, size), lane, kind);
        }
        match place {
            Place::Global(allocation, offset) => drop(allocation.store(offset, value)),
            Place::Local(offset) => write(&mut self.local, offset, value),
            Place::Private(offset) => {
                if let Some(private) = self.private.get_mut(self.subgroup as usize) {
                    write(private, offset, value);
                }
            }
        }
    }

    /// Returns whether memory that others see holds a value.
    pub(super) fn holds<T: Lane + Atom>(&self, place: &Place<'_>, value: T) -> bool {
        match *place {
            Place::Global(allocation, offset) => allocation.load(offset) == Some(value),
            Place::Local(offset) => read(&self.local, offset) == Some(value),
            Place::Private(_) => false,
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
            let allocation = self.allocation_at(address);
            self.fault(Fault::Misaligned, lane, Some(Location { address, size, allocation }));
        }
    }

    /// Place of so many bytes that are accessed in some way; reports what is wrong with that.
    #[inline(always)]
    pub(super) fn locate(
        &mut self,
        access: &Access,
        address: u64,
        size: u64,
        lane: u32,
        kind: AccessKind,
    ) -> Option<Place<'p>> {
        let place = self.find(access, address, size, lane)?;
        if self.shadow.is_some() {
            self.check_access(access, &place, (address, size), lane, kind);
        }
        Some(place)
    }
}

/// Returns whether addresses follow each other, one a number of so many bytes.
#[inline(always)]
fn is_row<const S: usize>(pointers: &[u64; S], size: u64) -> bool {
    let first = pointers.first().copied().unwrap_or(0);
    let places = (0u64..).zip(pointers);
    places.fold(0, |differ, (place, pointer)| differ | (pointer ^ first.wrapping_add(place * size))) == 0
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
