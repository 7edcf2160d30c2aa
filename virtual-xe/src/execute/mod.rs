//! Runs programs: work-groups on all cores, in each one subgroup after the other between barriers.

mod access;
mod atomic;
mod block;
mod count;
mod element;
mod exchange;
mod faults;
mod group;
mod matrix;
mod place;
mod print;
mod races;
mod shadow_state;
mod subgroup;
mod surface;
mod traffic;
mod workers;

pub(crate) use races::{AccessKind, AtomicScope};
pub(crate) use workers::{LOCAL_ALIGNMENT, Launch, Range, run};

use crate::Defect;
use crate::checks::Checks;
use crate::memory::Allocation;
use crate::program::Program;
use count::CounterState;
use faults::Faults;
use print::Printed;
use shadow_state::ShadowState;
use std::sync::Arc;

/// Environment of a thread that executes work-groups.
pub(crate) struct Environment<'p, const S: usize> {
    pub program: &'p Program<S>,
    /// By address.
    allocations: &'p [Arc<Allocation>],
    /// The allocation that each access met last.
    last: Vec<u32>,
    /// The memory of the work-group.
    local: Vec<u8>,
    /// The memory of the work-items of each subgroup, lane by lane.
    private: Vec<Vec<u8>>,
    /// Numbers that each subgroup has published for the others.
    exchanges: Vec<Vec<Option<u64>>>,
    pub faults: Faults,
    pub printed: Printed,
    checks: Checks,
    /// Wrong behaviour of the device.
    defect: Option<Defect>,
    /// Absent unless accesses are checked.
    shadow: Option<Box<ShadowState>>,
    /// Counters of what has been executed, if anybody wants to know.
    pub counters: Option<Box<CounterState>>,
    /// The step that is being executed.
    step: u32,
    group: [u32; 3],
    subgroup: u32,
}
