//! Time of an access: segments.
//!
//! A segment is what a subgroup executes without a barrier. Segments are numbered; a number and a lane,
//! together an [`Owner`], say who accessed a byte and when, in 16 bits. When the numbers are used up, a generation
//! ends, and memory that was accessed in it is brought up to date when it is met again.

use super::state::{AccessKind, Relation, is_alike};

/// The number of a segment and, in the lower bits, a lane.
pub(super) type Owner = u16;

const LANE_BITS: u32 = 5;
/// Returns whether two are of the same subgroup, without a barrier between.
pub(super) fn is_same_segment(a: Owner, b: Owner) -> bool {
    a >> LANE_BITS == b >> LANE_BITS
}

/// Segments of a generation.
const SEGMENTS: u16 = u16::MAX >> LANE_BITS;
/// Owner of what was done in the same work-group in an earlier generation.
const EARLIER: u16 = 1;
/// The first number of a segment; zero stands for nothing.
const FIRST: u16 = 2;

/// A segment of the generation.
#[derive(Clone, Copy, Debug, Default)]
struct Segment {
    subgroup: u32,
    /// Barriers at which the subgroup had arrived before.
    phase: u32,
}

/// Barrier that ended a generation.
#[derive(Clone, Copy, Debug)]
struct Generation {
    /// The work-group that was executed.
    group: u64,
    /// Its first segment.
    start: u16,
}

/// The times of the subgroups of a work-group.
#[derive(Debug, Default)]
pub(in super::super) struct Clock {
    /// Those that have ended.
    generations: Vec<Generation>,
    /// The work-group that is executed, counted.
    group: u64,
    /// Its first segment.
    start: u16,
    /// Those of the generation.
    segments: Vec<Segment>,
    /// For each subgroup: its segment, the barriers at which it has arrived, those it has arrived at in
    /// split barriers, and those it knows all others to have arrived at.
    subgroups: Vec<Times>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    segment: u16,
    phase: u32,
    arrived: u32,
    seen: u32,
}

impl Clock {
    pub fn new(subgroups: usize) -> Clock {
        let subgroups = vec![Times::default(); subgroups];
        Clock { segments: vec![Segment::default(); usize::from(FIRST)], subgroups, ..Clock::default() }
    }

    /// A work-group starts.
    pub fn start(&mut self) {
        if self.segments.len() + self.subgroups.len() > usize::from(SEGMENTS) {
            self.end_generation();
        }
        self.group += 1;
        self.start = self.segments.len() as u16;
        self.subgroups.fill(Times::default());
        for subgroup in 0..self.subgroups.len() {
            self.advance(subgroup as u32);
        }
    }

    fn end_generation(&mut self) {
        self.generations.push(Generation { group: self.group, start: self.start });
        self.segments.truncate(usize::from(FIRST));
    }

    /// The subgroup starts a new segment.
    fn advance(&mut self, subgroup: u32) {
        if self.segments.len() > usize::from(SEGMENTS) {
            self.end_generation();
            self.start = EARLIER;
            for (subgroup, times) in (0..).zip(&mut self.subgroups) {
                times.segment = self.segments.len() as u16;
                self.segments.push(Segment { subgroup, phase: times.phase });
            }
        }
        if let Some(times) = self.subgroups.get_mut(subgroup as usize) {
            times.segment = self.segments.len() as u16;
            self.segments.push(Segment { subgroup, phase: times.phase });
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

    /// Owner number of a lane at present.
    pub fn owner(&self, subgroup: u32, lane: u32) -> Owner {
        self.subgroups.get(subgroup as usize).map_or(0, |times| times.segment << LANE_BITS | lane as u16)
    }

    /// The subgroup and lane of an owner of the present generation.
    pub fn who(&self, owner: Owner) -> Option<(u32, u32)> {
        let (segment, lane) = (owner >> LANE_BITS, u32::from(owner) & ((1 << LANE_BITS) - 1));
        let segment = (segment >= FIRST).then(|| self.segments.get(usize::from(segment)))??;
        Some((segment.subgroup, lane))
    }

    /// Relation of the last access to a byte to one of the present owner.
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
        let segment = last >> LANE_BITS;
        if segment == now >> LANE_BITS {
            let is_same = is_alike(state) || kind.is_shared();
            return if is_same { Relation::Same } else { Relation::Peer };
        }
        if segment < self.start {
            return Relation::Past;
        }
        let known = self.segments.get(usize::from(segment)).copied().unwrap_or_default();
        let seen = self.subgroups.get(subgroup as usize).map_or(0, |times| times.seen);
        let is_ordered = segment == EARLIER || known.subgroup == subgroup || known.phase < seen;
        if is_ordered { Relation::Ordered } else { Relation::Other }
    }

    /// The number of the generation.
    #[inline(always)]
    pub fn generation(&self) -> u32 {
        self.generations.len() as u32
    }

    /// Carries an owner of an earlier generation over: the owner, and whether an earlier work-group did it.
    pub fn carry(&self, generation: u32, owner: Owner) -> (Owner, bool) {
        match self.generations.get(generation as usize) {
            Some(generation) if generation.group == self.group && owner >> LANE_BITS >= generation.start => {
                (EARLIER << LANE_BITS, false)
            }
            _ => (0, true),
        }
    }
}
