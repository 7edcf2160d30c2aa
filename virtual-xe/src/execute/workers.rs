//! Spreads work-groups over threads.

use super::count::CounterState;
use super::faults::{Faults, Finding};
use super::group::Executor;
use super::print::Printed;
use crate::checks::Checks;
use crate::memory::Allocation;
use crate::program::{LOCAL_BASE, Parameter, Program};
use crate::report::Fault;
use crate::rows::Rows;
use crate::{Defect, Outcome};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Number of work-items, and their grouping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub groups: [u64; 3],
    pub local: [u64; 3],
    pub offset: [u64; 3],
    pub dimensions: u32,
}

impl Range {
    /// Work-items of a work-group.
    pub fn items(&self) -> u64 {
        self.local.iter().product()
    }

    /// Work-groups.
    pub fn count(&self) -> u64 {
        self.groups.iter().product()
    }

    fn group(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.groups;
        [number % x, number / x % y, number / (x * y)].map(|place| place as u32)
    }
}

/// State that all threads of a launch share.
pub(crate) struct Launch<'a> {
    pub range: Range,
    /// The bytes of each argument; of local memory, its size.
    pub arguments: Vec<&'a [u8]>,
    pub local_arguments: Vec<u64>,
    pub allocations: Vec<Arc<Allocation>>,
    /// Bytes of local memory in all.
    pub local_size: usize,
    /// Steps that a subgroup may execute.
    pub budget: u64,
    /// Steps that all subgroups together may execute.
    pub launch_budget: u64,
    /// Those that they have executed.
    pub spent: AtomicU64,
    pub checks: Checks,
    /// True to count what is executed.
    pub count: bool,
    /// Wrong behaviour of the device.
    pub defect: Option<Defect>,
}

impl Launch<'_> {
    /// Counts steps that have been executed. False if they are more than all subgroups together may execute.
    pub fn spend(&self, steps: u64) -> bool {
        let more = |spent: u64| Some(spent.saturating_add(steps));
        let before = self.spent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        before.unwrap_or_else(|spent| spent).saturating_add(steps) <= self.launch_budget
    }

    /// Puts the arguments into rows.
    pub fn fill<const S: usize>(&self, program: &Program<S>, rows: &mut Rows<S>) {
        let mut local = program.local_size;
        let arguments = self.arguments.iter().zip(&self.local_arguments);
        for (parameter, (bytes, &local_size)) in program.parameters.iter().zip(arguments) {
            match parameter {
                Parameter::Value { parts, .. } => {
                    for (part, row) in parts {
                        let start = part.offset as usize;
                        let size = part.scalar.bytes() as usize;
                        let Some(bytes) = bytes.get(start..start + size) else { continue };
                        let mut word = [0; 8];
                        for (to, from) in word.iter_mut().zip(bytes) {
                            *to = *from;
                        }
                        let word = u64::from_le_bytes(word);
                        rows.fill_bits(*row, part.scalar.bytes(), word);
                    }
                }
                Parameter::Local { row } => {
                    local = local.next_multiple_of(LOCAL_ALIGNMENT);
                    rows.fill(*row, LOCAL_BASE + local);
                    local += local_size;
                }
                Parameter::InMemory { .. } => {}
            }
        }
    }
}

/// That of local memory which arguments ask for: the largest vectors of OpenCL C.
pub(crate) const LOCAL_ALIGNMENT: u64 = 128;

/// Executes all work-groups, on so many threads at most.
pub(crate) fn run<const S: usize>(
    program: &Program<S>,
    launch: &Launch<'_>,
    threads: NonZeroUsize,
) -> Outcome {
    let count = launch.range.count();
    // What one work-group says to another depends on their order, and so does which of two accesses races.
    let threads = if program.is_ordered || launch.checks.races {
        1
    } else {
        threads.get().min(count.try_into().unwrap_or(usize::MAX))
    };
    let next = AtomicU64::new(0);
    if !launch.checks.init {
        for allocation in &launch.allocations {
            allocation.note_all_written();
        }
    }
    let (goes_on, done) = (AtomicBool::new(true), AtomicU64::new(0));
    let found = Mutex::new((Faults::default(), Printed::default(), launch.count.then(CounterState::default)));
    let work = || {
        let mut executor = Executor::new(program, launch);
        while goes_on.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            if executor.run(launch.range.group(number)) {
                done.fetch_add(1, Ordering::Relaxed);
            } else {
                goes_on.store(false, Ordering::Relaxed);
            }
            if let Some(counters) = &mut executor.environment.counters {
                counters.end_group();
            }
        }
        let (faults, printed, counters) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
        faults.merge(executor.environment.faults);
        printed.merge(executor.environment.printed);
        if let (Some(all), Some(counters)) = (counters, executor.environment.counters) {
            all.merge(*counters);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let (mut faults, printed, counters) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    if launch.spent.load(Ordering::Relaxed) > launch.launch_budget {
        let done = done.into_inner();
        let fault = Fault::LaunchTooLong { done, groups: count };
        let group = launch.range.group(done.min(count.saturating_sub(1)));
        let origin = program.blocks.first().map_or(0, |block| block.source);
        faults.add(
            origin,
            fault,
            Finding { group, subgroup: 0, lane: 0, location: None, other: None, count: 1 },
        );
    }
    Outcome {
        reports: faults.into_reports(&program.name, &program.origins),
        printed: printed.finish(),
        counters: counters.map(CounterState::finish),
    }
}
