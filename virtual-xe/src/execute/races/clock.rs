//! When something was done: stretches.
//!
//! A stretch is what a subgroup executes without a barrier. Stretches are numbered; a number and a lane,
//! together an [`Owner`], say who accessed a byte and when, in 16 bits. When the numbers are used up, an era
//! ends, and memory that was accessed in it is brought up to date when it is met again.

use super::state::{AccessKind, Relation, is_alike};

/// The number of a stretch and, in the lower bits, a lane.
pub(super) type Owner = u16;

const LANE_BITS: u32 = 5;
/// Whether two are of the same subgroup, without a barrier between.
pub(super) fn is_same_stretch(a: Owner, b: Owner) -> bool {
    a >> LANE_BITS == b >> LANE_BITS
}

/// Stretches of an era.
const STRETCHES: u16 = u16::MAX >> LANE_BITS;
/// What was done in the same work-group in an earlier era.
const EARLIER: u16 = 1;
/// The first number of a stretch; zero stands for nothing.
const FIRST: u16 = 2;

/// A stretch of the era.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    subgroup: u32,
    /// Barriers at which the subgroup had arrived before.
    phase: u32,
}

/// How an era ended.
#[derive(Clone, Copy, Debug)]
struct Era {
    /// The work-group that was executed.
    group: u64,
    /// Its first stretch.
    start: u16,
}

/// The times of the subgroups of a work-group.
#[derive(Debug, Default)]
pub(in super::super) struct Clock {
    /// Those that have ended.
    eras: Vec<Era>,
    /// The work-group that is executed, counted.
    group: u64,
    /// Its first stretch.
    start: u16,
    /// Those of the era.
    stretches: Vec<Stretch>,
    /// For each subgroup: its stretch, the barriers at which it has arrived, those it has arrived at in
    /// split barriers, and those it knows all others to have arrived at.
    subgroups: Vec<Times>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    stretch: u16,
    phase: u32,
    arrived: u32,
    seen: u32,
}

impl Clock {
    pub fn new(subgroups: usize) -> Clock {
        let subgroups = vec![Times::default(); subgroups];
        Clock { stretches: vec![Stretch::default(); usize::from(FIRST)], subgroups, ..Clock::default() }
    }

    /// A work-group starts.
    pub fn start(&mut self) {
        if self.stretches.len() + self.subgroups.len() > usize::from(STRETCHES) {
            self.end_era();
        }
        self.group += 1;
        self.start = self.stretches.len() as u16;
        self.subgroups.fill(Times::default());
        for subgroup in 0..self.subgroups.len() {
            self.advance(subgroup as u32);
        }
    }

    fn end_era(&mut self) {
        self.eras.push(Era { group: self.group, start: self.start });
        self.stretches.truncate(usize::from(FIRST));
    }

    /// The subgroup starts a new stretch.
    fn advance(&mut self, subgroup: u32) {
        if self.stretches.len() > usize::from(STRETCHES) {
            self.end_era();
            self.start = EARLIER;
            for (subgroup, times) in (0..).zip(&mut self.subgroups) {
                times.stretch = self.stretches.len() as u16;
                self.stretches.push(Stretch { subgroup, phase: times.phase });
            }
        }
        if let Some(times) = self.subgroups.get_mut(subgroup as usize) {
            times.stretch = self.stretches.len() as u16;
            self.stretches.push(Stretch { subgroup, phase: times.phase });
        }
    }

    /// The subgroup is at a barrier of its own.
    pub fn subgroup_barrier(&mut self, subgroup: u32) {
        self.advance(subgroup);
    }

    /// The subgroup is at a barrier of the work-group; it goes on when all others are there.
    pub fn barrier(&mut self, subgroup: u32) {
        if let Some(times) = self.subgroups.get_mut(subgroup as usize) {
            times.phase += 1;
            times.seen = times.phase;
        }
        self.advance(subgroup);
    }

    /// The subgroup arrives at a split barrier.
    pub fn arrive(&mut self, subgroup: u32) {
        if let Some(times) = self.subgroups.get_mut(subgroup as usize) {
            times.phase += 1;
            times.arrived = times.phase;
        }
        self.advance(subgroup);
    }

    /// The subgroup waits at a split barrier for all others to arrive.
    pub fn wait(&mut self, subgroup: u32) {
        if let Some(times) = self.subgroups.get_mut(subgroup as usize) {
            times.seen = times.seen.max(times.arrived);
        }
    }

    /// Who a lane is now.
    pub fn owner(&self, subgroup: u32, lane: u32) -> Owner {
        self.subgroups.get(subgroup as usize).map_or(0, |times| times.stretch << LANE_BITS | lane as u16)
    }

    /// The subgroup and lane of an owner of the present era.
    pub fn who(&self, owner: Owner) -> Option<(u32, u32)> {
        let (stretch, lane) = (owner >> LANE_BITS, u32::from(owner) & ((1 << LANE_BITS) - 1));
        let stretch = (stretch >= FIRST).then(|| self.stretches.get(usize::from(stretch)))??;
        Some((stretch.subgroup, lane))
    }

    /// How the last access to a byte stands to one of the present owner.
    #[inline(always)]
    pub(super) fn relation(
        &self,
        last: Owner,
        state: u8,
        now: Owner,
        subgroup: u32,
        kind: AccessKind,
    ) -> Relation {
        if last == now {
            return Relation::Same;
        }
        let stretch = last >> LANE_BITS;
        if stretch == now >> LANE_BITS {
            let is_same = is_alike(state) || kind.is_shared();
            return if is_same { Relation::Same } else { Relation::Peer };
        }
        if stretch < self.start {
            return Relation::Past;
        }
        let known = self.stretches.get(usize::from(stretch)).copied().unwrap_or_default();
        let seen = self.subgroups.get(subgroup as usize).map_or(0, |times| times.seen);
        let is_ordered = stretch == EARLIER || known.subgroup == subgroup || known.phase < seen;
        if is_ordered { Relation::Ordered } else { Relation::Other }
    }

    /// The number of the era.
    #[inline(always)]
    pub fn era(&self) -> u32 {
        self.eras.len() as u32
    }

    /// What becomes of an owner of an earlier era: the owner, and whether an earlier work-group did it.
    pub fn carry(&self, era: u32, owner: Owner) -> (Owner, bool) {
        match self.eras.get(era as usize) {
            Some(era) if era.group == self.group && owner >> LANE_BITS >= era.start => {
                (EARLIER << LANE_BITS, false)
            }
            _ => (0, true),
        }
    }
}
