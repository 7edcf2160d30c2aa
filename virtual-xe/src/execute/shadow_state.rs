//! What the checks of races and of initialisation see of each access.

use super::Environment;
use super::place::Place;
use super::races::{AccessKind, BETWEEN, Clock, IN_GROUP, Races, Shadow};
use crate::checks::Checks;
use crate::program::{Access, Atomic, Barrier, BarrierKind, LOCAL_BASE, PRIVATE_BASE};
use crate::report::{Fault, Location};

/// The shadows of what a thread executes.
#[derive(Debug, Default)]
pub(super) struct ShadowState {
    races: Option<RaceState>,
    written: Option<Written>,
}

/// Who accessed what and when.
#[derive(Debug)]
struct RaceState {
    /// Those of the allocations, as far as they have been accessed.
    global: Vec<Option<Shadow>>,
    local: Shadow,
    /// Barriers may order global memory, local memory, or both.
    global_clock: Clock,
    local_clock: Clock,
    /// For each subgroup, what it has been told by atomics.
    sync: Vec<SyncState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct SyncState {
    /// It has read something atomically.
    has_read: bool,
    /// It has acquired what others did before.
    has_acquired: bool,
}

/// For each byte of local and private memory, whether it has been written.
#[derive(Debug)]
struct Written {
    local: Vec<u8>,
    private: Vec<Vec<u8>>,
}

impl ShadowState {
    /// For so much memory; `None` if nothing is to be checked.
    pub fn new(
        checks: Checks,
        allocations: usize,
        local: usize,
        private: usize,
        subgroups: usize,
    ) -> Option<Box<ShadowState>> {
        let races = checks.races.then(|| RaceState {
            global: std::iter::repeat_with(|| None).take(allocations).collect(),
            local: Shadow::new(local),
            global_clock: Clock::new(subgroups),
            local_clock: Clock::new(subgroups),
            sync: vec![SyncState::default(); subgroups],
        });
        let written = checks
            .init
            .then(|| Written { local: vec![0; local], private: vec![vec![0; private]; subgroups] });
        (checks.races || checks.init).then(|| Box::new(ShadowState { races, written }))
    }

    /// A work-group starts: nobody has written its memory.
    pub fn start(&mut self) {
        if let Some(detector) = &mut self.races {
            detector.local.clear();
            detector.global_clock.start();
            detector.local_clock.start();
            detector.sync.fill(SyncState::default());
        }
        if let Some(written) = &mut self.written {
            written.local.fill(0);
            for private in &mut written.private {
                private.fill(0);
            }
        }
    }

    /// So many bytes of a subgroup's private memory hold an argument.
    pub fn fill_private(&mut self, subgroup: usize, start: usize, size: usize) {
        let private = self.written.as_mut().and_then(|written| written.private.get_mut(subgroup));
        if let Some(bytes) = private.and_then(|private| private.get_mut(start..start + size)) {
            bytes.fill(1);
        }
    }

    /// A subgroup is at a barrier.
    pub fn barrier(&mut self, barrier: Barrier, subgroup: u32) {
        let Some(detector) = &mut self.races else { return };
        let clocks =
            [(&mut detector.global_clock, barrier.global), (&mut detector.local_clock, barrier.local)];
        for (clock, _) in clocks.into_iter().filter(|(_, is_ordered)| *is_ordered) {
            match barrier.kind {
                BarrierKind::Group => clock.barrier(subgroup),
                BarrierKind::Subgroup => clock.subgroup_barrier(subgroup),
                BarrierKind::Arrive => clock.arrive(subgroup),
                BarrierKind::Wait => clock.wait(subgroup),
                BarrierKind::Memory => {}
            }
        }
        let sync = detector.sync.get(subgroup as usize).copied().unwrap_or_default();
        match barrier.kind {
            // What it acquired goes on to those that it meets.
            BarrierKind::Group | BarrierKind::Wait if sync.has_acquired => detector.sync.fill(sync),
            BarrierKind::Memory if sync.has_read => detector.acquire(subgroup),
            _ => {}
        }
    }

    /// A subgroup accesses something atomically.
    pub fn atomic(&mut self, subgroup: u32, atomic: &Atomic) {
        let Some(detector) = &mut self.races else { return };
        if let Some(sync) = detector.sync.get_mut(subgroup as usize) {
            sync.has_read |= atomic.kind.is_read();
        }
        if atomic.acquires {
            detector.acquire(subgroup);
        }
    }
}

impl RaceState {
    fn acquire(&mut self, subgroup: u32) {
        if let Some(sync) = self.sync.get_mut(subgroup as usize) {
            sync.has_acquired = true;
        }
    }
}

impl<const S: usize> Environment<'_, S> {
    /// Sees an access that is possible.
    #[inline(never)]
    pub(super) fn check_access(
        &mut self,
        access: &Access,
        place: &Place<'_>,
        (address, size): (u64, u64),
        lane: u32,
        kind: AccessKind,
    ) {
        let Some(shadow) = self.shadow.as_deref_mut() else { return };
        // Whoever found the place has noted the allocation.
        let index = self.last.get(access.place as usize).copied().unwrap_or(u32::MAX) as usize;
        let bytes = size as usize;
        let is_unknown = shadow.written.as_mut().is_some_and(|written| match *place {
            Place::Global(allocation, offset) => {
                let is_unknown = kind.is_read() && !allocation.is_written(offset, size);
                if kind.is_write() {
                    allocation.note_written(offset, size);
                }
                is_unknown
            }
            Place::Local(offset) => is_unknown(&mut written.local, offset, bytes, kind),
            Place::Private(offset) => {
                let private = written.private.get_mut(self.subgroup as usize);
                private.is_some_and(|private| is_unknown(private, offset, bytes, kind))
            }
        });
        let who = (self.subgroup, lane);
        let races = shadow.races.as_mut().map_or(Races::default(), |detector| {
            let mut races = match *place {
                Place::Global(allocation, offset) => {
                    let Some(shadow) = detector.global.get_mut(index) else { return Races::default() };
                    let shadow = shadow.get_or_insert_with(|| Shadow::new(allocation.size as usize));
                    shadow.access(&detector.global_clock, offset as usize, bytes, who, kind)
                }
                Place::Local(offset) => {
                    detector.local.access(&detector.local_clock, offset, bytes, who, kind)
                }
                Place::Private(_) => Races::default(),
            };
            if detector.sync.get(self.subgroup as usize).is_some_and(|sync| sync.has_acquired) {
                races.bits = 0;
            }
            races
        });
        if !is_unknown && races.bits == 0 {
            return;
        }
        let allocation = match place {
            Place::Global(allocation, _) => (allocation.address(), allocation.size),
            Place::Local(_) => (LOCAL_BASE, self.local.len() as u64),
            Place::Private(_) => (PRIVATE_BASE, self.program.private_size),
        };
        let location = Location { address, size, allocation: Some(allocation) };
        if is_unknown {
            self.fault(Fault::Uninitialised, lane, Some(location.clone()));
        }
        if races.bits & IN_GROUP != 0 {
            self.race(Fault::RaceInGroup, lane, location, races.other);
        } else if races.bits & BETWEEN != 0 {
            self.race(Fault::RaceBetweenGroups, lane, location, None);
        }
    }
}

/// Whether bytes are read that nobody has written; notes it if they are now.
fn is_unknown(written: &mut [u8], offset: usize, size: usize, kind: AccessKind) -> bool {
    let Some(bytes) = written.get_mut(offset..offset + size) else { return false };
    let is_unknown = kind.is_read() && bytes.contains(&0);
    if kind.is_write() {
        bytes.fill(1);
    }
    is_unknown
}
