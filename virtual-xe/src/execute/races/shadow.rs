//! The shadow of an allocation.

use super::clock::{Clock, Owner};
use super::state::{Relation, Touch, fold, step};

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
    pub fn touch(
        &mut self,
        clock: &Clock,
        offset: usize,
        size: usize,
        (subgroup, lane): (u32, u32),
        touch: Touch,
    ) -> Races {
        let end = offset + size;
        for chunk in offset / CHUNK..=end.saturating_sub(1) / CHUNK {
            if self.eras.get(chunk).is_some_and(|&era| era != clock.era()) {
                self.update(clock, chunk);
            }
        }
        let now = clock.owner(subgroup, lane);
        let (Some(states), Some(owners)) =
            (self.states.get_mut(offset..end), self.owners.get_mut(offset..end))
        else {
            return Races::default();
        };
        let mut races = Races::default();
        // Most often all bytes of a number have the same past.
        let mut known: Option<(u8, Owner, u8)> = None;
        for (state, owner) in states.iter_mut().zip(owners) {
            let next = match known {
                Some((known_state, known_owner, next)) if (known_state, known_owner) == (*state, *owner) => {
                    next
                }
                _ => {
                    let relation = clock.relation(*owner, *state, now, subgroup, touch);
                    let (next, bits) = step(*state, relation, touch);
                    races.bits |= bits;
                    if bits != 0 && matches!(relation, Relation::Peer | Relation::Other) {
                        races.other = clock.who(*owner);
                    }
                    known = Some((*state, *owner, next));
                    next
                }
            };
            (*state, *owner) = (next, now);
        }
        races
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
