//! Executes a work-group: its subgroups take turns between barriers.

use super::Environment;
use super::shadow_state::ShadowState;
use super::subgroup::{Stop, Subgroup};
use super::workers::{Launch, Range};
use crate::Defect;
use crate::program::{Input, LaneMask, Parameter, Program};
use crate::report::Fault;
use crate::rows::Rows;

/// Next action of a subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// Waits at the barrier of the step.
    Barrier(u32),
    /// Waits at the step until all have arrived as often as it has.
    Waiting(u32),
    Ended,
}

/// Steps that take as long as to start a subgroup.
const START: u64 = 32;

/// Executes the work-groups of one thread.
pub(super) struct Executor<'p, const S: usize> {
    pub environment: Environment<'p, S>,
    launch: &'p Launch<'p>,
    subgroups: Vec<Subgroup>,
    states: Vec<State>,
    arrivals: Vec<u64>,
    /// One for each subgroup if they have to wait for each other, else one for all.
    files: Vec<Rows<S>>,
}

impl<'p, const S: usize> Executor<'p, S> {
    pub fn new(program: &'p Program<S>, launch: &'p Launch<'p>) -> Executor<'p, S> {
        let count = launch.range.items().div_ceil(S as u64) as usize;
        let files = if program.has_barrier { count } else { 1 };
        let mut file = Rows::new(program.words as usize);
        for &(row, scalar, bits) in &program.constants {
            file.fill_bits(row, scalar.bytes(), bits);
        }
        launch.fill(program, &mut file);
        let private_size = usize::try_from(program.private_size).unwrap_or(0).saturating_mul(S);
        Executor {
            environment: Environment {
                program,
                allocations: &launch.allocations,
                last: vec![u32::MAX; program.accesses as usize],
                local: vec![0; launch.local_size],
                private: vec![vec![0; private_size]; count],
                exchanges: vec![Vec::new(); program.exchanges as usize],
                faults: Default::default(),
                printed: Default::default(),
                checks: launch.checks,
                defect: launch.defect,
                shadow: ShadowState::new(
                    launch.checks,
                    launch.allocations.len(),
                    launch.local_size,
                    private_size,
                    count,
                ),
                counters: launch.count.then(Default::default),
                step: 0,
                group: [0; 3],
                subgroup: 0,
            },
            launch,
            subgroups: vec![Subgroup::default(); count],
            states: vec![State::Running; count],
            arrivals: vec![0; count],
            files: vec![file; files],
        }
    }

    /// Executes a work-group; false if the launch is to end.
    pub fn run(&mut self, group: [u32; 3]) -> bool {
        self.environment.group = group;
        if !self.launch.spend(START * self.subgroups.len() as u64) {
            return false;
        }
        if let Some(shadow) = &mut self.environment.shadow {
            shadow.start();
        }
        let program = self.environment.program;
        if !program.has_barrier {
            for number in 0..self.subgroups.len() {
                self.start(number, group);
                if self.step(number) == Stop::Abort {
                    return false;
                }
            }
            return true;
        }
        for number in 0..self.subgroups.len() {
            self.start(number, group);
        }
        self.states.fill(State::Running);
        self.arrivals.fill(0);
        loop {
            for number in 0..self.subgroups.len() {
                while self.states.get(number) == Some(&State::Running) {
                    let stop = self.step(number);
                    let Some(state) = self.states.get_mut(number) else { break };
                    match stop {
                        Stop::End => *state = State::Ended,
                        Stop::Barrier(step) => *state = State::Barrier(step),
                        Stop::Arrive => {
                            if let Some(count) = self.arrivals.get_mut(number) {
                                *count += 1;
                            }
                        }
                        Stop::Wait(step) => *state = State::Waiting(step),
                        Stop::Abort => return false,
                    }
                }
            }
            if self.states.iter().all(|&state| state == State::Ended) {
                return true;
            }
            if !self.release() {
                return false;
            }
        }
    }

    /// Lets subgroups go on whose wait is over; false if there are none.
    fn release(&mut self) -> bool {
        let mut released = false;
        let all_at_barrier =
            self.states.iter().all(|state| matches!(state, State::Barrier(_) | State::Ended));
        if all_at_barrier {
            let mut steps = self.states.iter().filter_map(|state| match state {
                State::Barrier(step) => Some(*step),
                _ => None,
            });
            let first = steps.next().unwrap_or(0);
            if let Some(missing) = self.states.iter().position(|&state| state != State::Barrier(first)) {
                self.environment.step = first;
                self.environment.subgroup = missing as u32;
                self.environment.fault(Fault::Divergence, 0, None);
            }
            for state in self.states.iter_mut().filter(|state| **state != State::Ended) {
                *state = State::Running;
            }
            return true;
        }
        let least = self.arrivals.iter().copied().min().unwrap_or(0);
        for (state, &count) in self.states.iter_mut().zip(&self.arrivals) {
            if matches!(state, State::Waiting(_)) && count <= least {
                *state = State::Running;
                released = true;
            }
        }
        if !released {
            let mut states = (0..).zip(&self.states);
            let waiting = states.find_map(|(subgroup, state)| match state {
                State::Waiting(step) | State::Barrier(step) => Some((subgroup, *step)),
                _ => None,
            });
            (self.environment.subgroup, self.environment.step) = waiting.unwrap_or_default();
            self.environment.fault(Fault::Deadlock, 0, None);
        }
        released
    }

    fn start(&mut self, number: usize, group: [u32; 3]) {
        let range = &self.launch.range;
        let left = range.items().saturating_sub((number * S) as u64).min(S as u64);
        let lanes = if left >= 32 { u32::MAX } else { (1 << left) - 1 };
        if let Some(subgroup) = self.subgroups.get_mut(number) {
            subgroup.start(lanes, self.launch.budget);
        }
        let program = self.environment.program;
        let file = if program.has_barrier { number } else { 0 };
        let Some(rows) = self.files.get_mut(file) else { return };
        for &(input, row) in &program.inputs {
            let value = |lane| {
                let value = range.input(input, group, number as u64, lane, S as u64);
                match (self.launch.defect, input) {
                    (Some(Defect::GroupIdFlat), Input::GroupId(1)) => 0,
                    _ => value,
                }
            };
            if let Some(dst) = rows.get_mut::<u64>(row) {
                *dst = std::array::from_fn(|lane| value(lane as u64));
            }
        }
        self.fill_private(number);
    }

    /// Structures that are handed over in memory.
    fn fill_private(&mut self, number: usize) {
        let program = self.environment.program;
        let room = usize::try_from(program.private_size).unwrap_or(0);
        let Some(private) = self.environment.private.get_mut(number) else { return };
        for (parameter, argument) in program.parameters.iter().zip(&self.launch.arguments) {
            let &Parameter::InMemory { offset, .. } = parameter else { continue };
            for lane in 0..S {
                let start = lane * room + offset as usize;
                if let Some(place) = private.get_mut(start..start + argument.len()) {
                    place.copy_from_slice(argument);
                    if let Some(shadow) = &mut self.environment.shadow {
                        shadow.fill_private(number, start, argument.len());
                    }
                }
            }
        }
    }

    fn step(&mut self, number: usize) -> Stop {
        let program = self.environment.program;
        let file = if program.has_barrier { number } else { 0 };
        self.environment.subgroup = number as u32;
        let (Some(subgroup), Some(rows)) = (self.subgroups.get_mut(number), self.files.get_mut(file)) else {
            return Stop::Abort;
        };
        let before = subgroup.budget();
        let stop = subgroup.run(program, rows, &mut self.environment);
        if self.launch.spend(before.saturating_sub(subgroup.budget())) { stop } else { Stop::Abort }
    }
}

impl Range {
    /// Value of a built-in variable.
    fn input(&self, input: Input, group: [u32; 3], subgroup: u64, lane: u64, size: u64) -> u64 {
        let of = |values: [u64; 3], index: u8| values.get(usize::from(index)).copied().unwrap_or(1);
        let [x, y, _] = self.local;
        let linear = subgroup * size + lane;
        let local = [linear % x, linear / x % y, linear / (x * y)];
        let group = group.map(u64::from);
        let each = |f: &dyn Fn(usize) -> u64| [f(0), f(1), f(2)];
        let at = |values: [u64; 3], place: usize| values.get(place).copied().unwrap_or(0);
        let global_size = each(&|i| at(self.groups, i).wrapping_mul(at(self.local, i)));
        let relative = each(&|i| at(group, i).wrapping_mul(at(self.local, i)).wrapping_add(at(local, i)));
        let global = each(&|i| at(self.offset, i).wrapping_add(at(relative, i)));
        match input {
            Input::GlobalId(i) => of(global, i),
            Input::LocalId(i) => of(local, i),
            Input::GroupId(i) => of(group, i),
            Input::GroupSize(i) | Input::EnqueuedGroupSize(i) => of(self.local, i),
            Input::GroupItems => self.items(),
            Input::NumGroups(i) => of(self.groups, i),
            Input::GlobalSize(i) => of(global_size, i),
            Input::GlobalOffset(i) => of(self.offset, i),
            Input::WorkDim => u64::from(self.dimensions),
            Input::GlobalLinearId => {
                let [x, y, z] = relative;
                let [width, height, _] = global_size;
                z.wrapping_mul(height).wrapping_add(y).wrapping_mul(width).wrapping_add(x)
            }
            Input::LocalLinearId => linear,
            Input::SubgroupId => subgroup,
            Input::NumSubgroups => self.items().div_ceil(size),
            Input::SubgroupSize => (self.items() - subgroup * size).min(size),
            Input::SubgroupMaxSize => size,
            Input::Lane => lane,
            Input::LaneMask(mask) => {
                let all = if size >= 64 { u64::MAX } else { (1 << size) - 1 };
                let this = 1u64 << lane;
                all & match mask {
                    LaneMask::Eq => this,
                    LaneMask::Ge => !(this - 1),
                    LaneMask::Gt => !(this - 1) & !this,
                    LaneMask::Le => (this - 1) | this,
                    LaneMask::Lt => this - 1,
                }
            }
        }
    }
}
