//! Executes a subgroup until it ends or has to wait.
//!
//! Lanes that part at a branch are executed one path after the other and reconverge at the immediate post-dominator of
//! the branch, whatever the shape of the graph. A stack holds what is still to be done.

use super::Environment;
use crate::Defect;
use crate::operations;
use crate::program::{BarrierKind, Edge, End, GroupCopy, Program, Step};
use crate::report::Fault;
use crate::rows::Rows;

/// The state of a subgroup.
#[derive(Clone, Debug, Default)]
pub(super) struct Subgroup {
    /// The lanes that exist.
    pub lanes: u32,
    /// Paths that are to be executed, innermost last.
    stack: Vec<Path>,
    /// Lanes that have ended.
    ended: u32,
    /// Step to go on with in the block at the top of the stack.
    resume: Option<u32>,
    /// Instructions that it may still execute.
    budget: u64,
}

/// Lanes that are together.
#[derive(Clone, Copy, Debug)]
struct Path {
    lanes: u32,
    block: u32,
    /// The block where they reconverge with the lanes of the path below.
    reconvergence: Option<u32>,
}

/// Reason why a subgroup stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has ended.
    End,
    /// It waits at the barrier of the step.
    Barrier(u32),
    /// It has arrived at the first half of a barrier and could go on.
    Arrive,
    /// It waits for the others at the second half of a barrier, the step.
    Wait(u32),
    /// It is not to go on.
    Abort,
}

impl Subgroup {
    pub fn start(&mut self, lanes: u32, budget: u64) {
        self.lanes = lanes;
        self.stack.clear();
        self.stack.push(Path { lanes, block: 0, reconvergence: None });
        self.ended = 0;
        self.resume = None;
        self.budget = budget;
    }

    /// Instructions that it may still execute.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Executes until something else has to happen first.
    pub fn run<const S: usize>(
        &mut self,
        program: &Program<S>,
        rows: &mut Rows<S>,
        environment: &mut Environment<'_, S>,
    ) -> Stop {
        loop {
            let Some(&path) = self.stack.last() else { return Stop::End };
            let mask = path.lanes & !self.ended;
            if mask == 0 {
                self.stack.pop();
                continue;
            }
            let Some(block) = program.blocks.get(path.block as usize) else { return Stop::Abort };
            let start = self.resume.take().unwrap_or(block.steps.start);
            let steps = program.steps.get(start as usize..block.steps.end as usize).unwrap_or_default();
            let count = steps.len() as u64 + 1;
            if self.budget < count {
                environment.fault_at(block.source, Fault::Endless, mask.trailing_zeros(), None);
                return Stop::Abort;
            }
            self.budget -= count;
            let is_whole = mask == self.lanes;
            for (at, step) in (start..).zip(steps) {
                match step {
                    Step::Compute { run, args, .. } if is_whole => run(rows, args),
                    Step::Compute { run, args, bytes } => {
                        let (dst, mut args) = (args.dst, *args);
                        args.dst = program.scratch;
                        run(rows, &args);
                        rows.blend(dst, program.scratch, *bytes, mask);
                    }
                    Step::Load(access) => {
                        environment.step = at;
                        self.spend(mask, access.parts.len() as u64);
                        environment.load(rows, access, mask);
                    }
                    Step::Store(access) => {
                        environment.step = at;
                        self.spend(mask, access.parts.len() as u64);
                        environment.store(rows, access, mask);
                    }
                    Step::Test { test, args, fault } => {
                        let bad = test(rows, args) & mask;
                        if bad != 0 {
                            environment.step = at;
                            environment.fault(*fault, bad.trailing_zeros(), None);
                        }
                    }
                    Step::Prefetch => {}
                    Step::Converged => {
                        if !is_whole {
                            environment.step = at;
                            let missing = self.lanes & !mask;
                            environment.fault(Fault::Divergence, missing.trailing_zeros(), None);
                        }
                    }
                    Step::Combine { args, how, reach, scalar } => {
                        let (dst, mut args) = (args.dst, *args);
                        args.dst = program.scratch;
                        let last = 1 << (S - 1);
                        let loses = environment.defect == Some(Defect::ReduceLosesLane);
                        let counted = if loses { mask & !last } else { mask };
                        operations::combine(rows, &args, counted, (*how, *reach), *scalar);
                        rows.blend(dst, program.scratch, scalar.bytes(), mask);
                    }
                    Step::Barrier(barrier) if environment.ignores(barrier.kind) => {}
                    Step::Barrier(barrier) => {
                        environment.barrier(*barrier);
                        let stop = match barrier.kind {
                            BarrierKind::Group => Stop::Barrier(at),
                            BarrierKind::Subgroup | BarrierKind::Memory => continue,
                            BarrierKind::Arrive => Stop::Arrive,
                            BarrierKind::Wait => Stop::Wait(at),
                        };
                        if let Some(counters) = &mut environment.counters {
                            counters.count(program, rows, start..at + 1, mask);
                        }
                        self.resume = Some(at + 1);
                        self.budget += u64::from(block.steps.end.saturating_sub(at + 1));
                        return stop;
                    }
                    Step::Atomic(atomic) => {
                        environment.step = at;
                        self.spend(mask, 1);
                        environment.atomic(rows, atomic, mask);
                    }
                    Step::Block(block) => {
                        environment.step = at;
                        self.spend(mask, block.rows.len() as u64);
                        environment.block(rows, block);
                    }
                    Step::Surface(surface) => {
                        environment.step = at;
                        self.spend(1, surface.shape.numbers());
                        environment.surface(rows, surface, mask);
                    }
                    Step::Matrix(access) => {
                        environment.step = at;
                        self.spend(mask, access.values.len() as u64);
                        environment.matrix(rows, access, mask);
                    }
                    Step::Engine(engine) => engine.run(rows, environment.defect),
                    Step::Multiply(multiply) => {
                        if !self.spend(1, multiply.shape.products()) {
                            environment.step = at;
                            environment.fault(Fault::Endless, mask.trailing_zeros(), None);
                            return Stop::Abort;
                        }
                        multiply.run(rows);
                    }
                    Step::GroupCopy(copy) => {
                        environment.step = at;
                        let count: u64 = rows.lane(copy.count, mask.trailing_zeros() as usize);
                        self.spend(1, count.min(GroupCopy::MAX_ELEMENTS));
                        environment.group_copy(rows, copy, mask);
                    }
                    Step::Print(print) => {
                        environment.step = at;
                        environment.print(rows, print, mask);
                    }
                    Step::Publish(publish) => environment.publish(rows, publish, mask),
                    Step::Gather(gather) => environment.gather(rows, gather, mask),
                    Step::Copy(copy) => {
                        environment.step = at;
                        if !self.spend(mask, copy.size) {
                            environment.fault(Fault::Endless, mask.trailing_zeros(), None);
                            return Stop::Abort;
                        }
                        environment.copy(rows, copy, mask);
                    }
                }
            }
            if let Some(counters) = &mut environment.counters {
                counters.count(program, rows, start..block.steps.end, mask);
                if matches!(block.end, End::Branch { .. } | End::Switch { .. }) {
                    counters.branch(mask);
                }
            }
            match &block.end {
                End::Jump(edge) => self.go(program, rows, edge, mask),
                End::Branch { condition, yes, no } => {
                    let condition = rows.get::<u8>(*condition);
                    let chosen = crate::rows::lanes_where::<S>(|lane| condition.get(lane) == Some(&1)) & mask;
                    if chosen == mask {
                        self.go(program, rows, yes, mask);
                    } else if chosen == 0 {
                        self.go(program, rows, no, mask);
                    } else {
                        self.part(program, rows, block.reconvergence, &[(yes, chosen), (no, mask & !chosen)]);
                    }
                }
                End::Switch { selector, scalar, cases, default } => {
                    let mut left = mask;
                    let mut paths = Vec::new();
                    let values: [u64; S] =
                        std::array::from_fn(|lane| rows.bits(*selector, scalar.bytes(), lane));
                    for (value, edge) in cases {
                        let chosen =
                            crate::rows::lanes_where::<S>(|lane| values.get(lane) == Some(value)) & left;
                        if chosen != 0 {
                            paths.push((edge, chosen));
                            left &= !chosen;
                        }
                    }
                    if left != 0 {
                        paths.push((default, left));
                    }
                    match paths.as_slice() {
                        [(edge, lanes)] => self.go(program, rows, edge, *lanes),
                        paths => self.part(program, rows, block.reconvergence, paths),
                    }
                }
                End::Return => {
                    self.ended |= mask;
                    self.stack.pop();
                }
                End::Unreachable => {
                    environment.fault_at(block.source, Fault::Unreachable, mask.trailing_zeros(), None);
                    self.ended |= mask;
                    self.stack.pop();
                }
            }
        }
    }

    /// Takes from the budget what a step costs that handles so many numbers in each lane of a mask. False if there is not
    /// as much; the end of the block finds that out for steps that take little time.
    fn spend(&mut self, mask: u32, numbers: u64) -> bool {
        let cost = numbers.saturating_mul(u64::from(mask.count_ones()));
        let is_enough = cost <= self.budget;
        self.budget = self.budget.saturating_sub(cost);
        is_enough
    }

    /// All lanes of the path at the top take one path.
    fn go<const S: usize>(&mut self, program: &Program<S>, rows: &mut Rows<S>, edge: &Edge, mask: u32) {
        self.take(program, rows, edge, mask);
        if let Some(top) = self.stack.last_mut() {
            if top.reconvergence == Some(edge.target) {
                self.stack.pop();
            } else {
                top.block = edge.target;
            }
        }
    }

    /// The lanes of the path at the top take different paths.
    fn part<const S: usize>(
        &mut self,
        program: &Program<S>,
        rows: &mut Rows<S>,
        reconvergence: Option<u32>,
        paths: &[(&Edge, u32)],
    ) {
        for (edge, lanes) in paths {
            self.take(program, rows, edge, *lanes);
        }
        let Some(top) = self.stack.last_mut() else { return };
        match reconvergence {
            // They wait for each other where the path itself ends.
            Some(block) if top.reconvergence == Some(block) => drop(self.stack.pop()),
            Some(block) => top.block = block,
            None => drop(self.stack.pop()),
        }
        for (edge, lanes) in paths {
            if reconvergence != Some(edge.target) {
                self.stack.push(Path { lanes: *lanes, block: edge.target, reconvergence });
            }
        }
    }

    /// The phis at the end of an edge get their values.
    fn take<const S: usize>(&self, program: &Program<S>, rows: &mut Rows<S>, edge: &Edge, mask: u32) {
        let range = edge.moves.start as usize..edge.moves.end as usize;
        let moves = program.moves.get(range).unwrap_or_default();
        if mask == self.lanes {
            for step in moves {
                rows.copy(step.dst, step.src, step.bytes);
            }
        } else {
            for step in moves {
                rows.blend(step.dst, step.src, step.bytes, mask);
            }
        }
    }
}
