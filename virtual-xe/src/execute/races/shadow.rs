//! The shadow of an allocation.

use super::clock::{Clock, Owner, is_same_stretch};
use super::state::{AccessKind, Relation, fold, is_only_read, step};

/// Bytes that are brought up to date together.
const CHUNK: usize = 4096;

/// Three bytes for each byte of memory.
#[derive(Debug, Default)]
pub(in super::super) struct Shadow {
    states: Vec<u8>,
    owners: Vec<Owner>,
    /// The era up to which each chunk is up to date.
    eras: Vec<u32>,
}

/// What an access races with: bits of what, and the other work-item if it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Races {
    pub bits: u8,
    pub other: Option<(u32, u32)>,
}

impl Shadow {
    /// The shadow of so many bytes that nobody has accessed.
    pub fn new(size: usize) -> Shadow {
        Shadow { states: vec![0; size], owners: vec![0; size], eras: vec![0; size.div_ceil(CHUNK)] }
    }

    /// Forgets all accesses.
    pub fn clear(&mut self) {
        self.states.fill(0);
        self.owners.fill(0);
    }

    /// Notes an access.
    #[inline]
    pub fn access(
        &mut self,
        clock: &Clock,
        offset: usize,
        size: usize,
        (subgroup, lane): (u32, u32),
        kind: AccessKind,
    ) -> Races {
        let end = offset + size;
        for chunk in offset / CHUNK..=end.saturating_sub(1) / CHUNK {
            if self.eras.get(chunk).is_some_and(|&era| era != clock.era()) {
                self.update(clock, chunk);
            }
        }
        let access = Access { clock, now: clock.owner(subgroup, lane), subgroup, kind };
        match size {
            8 => self.access_all::<8>(&access, offset),
            4 => self.access_all::<4>(&access, offset),
            2 => self.access_all::<2>(&access, offset),
            _ => self.access_each(&access, offset, size),
        }
    }

    /// Notes an access to bytes that most often have the same past.
    #[inline(always)]
    fn access_all<const N: usize>(&mut self, access: &Access<'_>, offset: usize) -> Races {
        let states = self.states.get_mut(offset..).and_then(|states| states.first_chunk_mut::<N>());
        let owners = self.owners.get_mut(offset..).and_then(|owners| owners.first_chunk_mut::<N>());
        let (Some(states), Some(owners)) = (states, owners) else { return Races::default() };
        let (state, owner) = (states.first().copied().unwrap_or(0), owners.first().copied().unwrap_or(0));
        let differ = states.iter().fold(0, |differ, other| differ | (other ^ state)) != 0
            || owners.iter().fold(0, |differ, other| differ | (other ^ owner)) != 0;
        if differ {
            return self.access_each(access, offset, N);
        }
        if access.is_nothing_new(state, owner) {
            return Races::default();
        }
        let (next, races) = access.step(state, owner);
        (*states, *owners) = ([next; N], [access.now; N]);
        races
    }

    #[cold]
    fn access_each(&mut self, access: &Access<'_>, offset: usize, size: usize) -> Races {
        let (states, owners) = (self.states.iter_mut().skip(offset), self.owners.iter_mut().skip(offset));
        let mut all = Races::default();
        for (state, owner) in states.zip(owners).take(size) {
            let (next, races) = access.step(*state, *owner);
            (*state, *owner) = (next, access.now);
            all = Races { bits: all.bits | races.bits, other: races.other.or(all.other) };
        }
        all
    }

    /// Brings a chunk from an earlier era to the present one.
    #[cold]
    fn update(&mut self, clock: &Clock, chunk: usize) {
        let Some(era) = self.eras.get_mut(chunk) else { return };
        let range = chunk * CHUNK..(chunk + 1) * CHUNK;
        let range = range.start..range.end.min(self.states.len());
        if let (Some(states), Some(owners)) = (self.states.get_mut(range.clone()), self.owners.get_mut(range))
        {
            for (state, owner) in states.iter_mut().zip(owners) {
                let (carried, is_past) = clock.carry(*era, *owner);
                (*state, *owner) = (fold(*state, is_past), carried);
            }
        }
        *era = clock.era();
    }
}

/// An access by a lane.
struct Access<'c> {
    clock: &'c Clock,
    now: Owner,
    subgroup: u32,
    kind: AccessKind,
}

impl Access<'_> {
    /// Whether several lanes of the stretch have read already.
    #[inline(always)]
    fn is_nothing_new(&self, state: u8, owner: Owner) -> bool {
        self.kind == AccessKind::Read && is_only_read(state) && is_same_stretch(owner, self.now)
    }

    #[inline(always)]
    fn step(&self, state: u8, owner: Owner) -> (u8, Races) {
        let relation = self.clock.relation(owner, state, self.now, self.subgroup, self.kind);
        let (next, bits) = step(state, relation, self.kind);
        let is_known = bits != 0 && matches!(relation, Relation::Peer | Relation::Other);
        (next, Races { bits, other: if is_known { self.clock.who(owner) } else { None } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Initialisation takes another one (`memory/written.rs`), so there are four together.
    #[test]
    fn a_byte_of_memory_has_three_of_shadow() {
        let size = 1 << 20;
        let shadow = Shadow::new(size);
        assert_eq!(size_of_val(&*shadow.states) + size_of_val(&*shadow.owners), 3 * size);
        assert!(size_of_val(&*shadow.eras) <= size / 1000);
    }
}
