//! Atomic accesses.

use super::Environment;
use super::place::Place;
use crate::Defect;
use crate::memory::Atom;
use crate::program::Atomic;
use crate::rows::{Lane, Rows};

impl<const S: usize> Environment<'_, S> {
    /// Executes an atomic access, one lane after the other.
    pub fn atomic(&mut self, rows: &mut Rows<S>, atomic: &Atomic, mask: u32) {
        let bytes = atomic.scalar.bytes();
        self.check_alignment(rows, &atomic.pointer, mask);
        if let Some(shadow) = &mut self.shadow {
            shadow.atomic(self.subgroup, atomic);
        }
        for lane in (0..S).filter(|lane| mask >> lane & 1 == 1) {
            let pointer = rows.lane::<u64>(atomic.pointer.pointer, lane);
            let operand = |row: Option<u32>| row.map_or(0, |row| rows.bits(row, bytes, lane));
            let (value, comparator) = (operand(atomic.value), operand(atomic.comparator));
            let (access, size) = (&atomic.pointer, u64::from(bytes));
            let place = if atomic.kind.is_write() {
                self.find_writable(access, pointer, size, lane as u32)
            } else {
                self.find(access, pointer, size, lane as u32)
            };
            let Some(place) = place else { continue };
            if self.shadow.is_some() {
                let is_alike = match bytes {
                    1 => self.holds(&place, value as u8),
                    2 => self.holds(&place, value as u16),
                    4 => self.holds(&place, value as u32),
                    _ => self.holds(&place, value),
                };
                let kind = if is_alike { atomic.kind.alike() } else { atomic.kind };
                self.check_access(&atomic.pointer, &place, (pointer, bytes.into()), lane as u32, kind);
            }
            let is_lost = lane + 1 == S && self.defect == Some(Defect::AtomicUpdateLost);
            let update = |old| if is_lost { old } else { (atomic.update)(old, value, comparator) };
            let old = match bytes {
                1 => self.replace::<u8>(place, |old| update(old.into()) as u8, u64::from),
                2 => self.replace::<u16>(place, |old| update(old.into()) as u16, u64::from),
                4 => self.replace::<u32>(place, |old| update(old.into()) as u32, u64::from),
                _ => self.replace::<u64>(place, update, u64::from),
            };
            if let (Some(row), Some(old)) = (atomic.result, old) {
                rows.set_bits(row, bytes, lane, old);
            }
        }
    }

    fn replace<T: Lane + Atom>(
        &mut self,
        place: Place<'_>,
        update: impl Fn(T) -> T,
        bits: impl Fn(T) -> u64,
    ) -> Option<u64> {
        match place {
            Place::Global(allocation, offset) => allocation.update(offset, update).map(bits),
            Place::Local(offset) => {
                let old = super::access::read(&self.local, offset)?;
                super::access::write(&mut self.local, offset, update(old));
                Some(bits(old))
            }
            Place::Private(offset) => {
                let private = self.private.get_mut(self.subgroup as usize)?;
                let old = super::access::read(private, offset)?;
                super::access::write(private, offset, update(old));
                Some(bits(old))
            }
        }
    }
}
