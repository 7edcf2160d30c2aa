//! Counts what subgroups execute.
//!
//! It looks at the steps of a block after they have been executed, so that nothing is lost where nobody counts.

use super::traffic::Span;
use crate::counters::{Class, Counters, Executed, Traffic, Work};
use crate::program::{LOCAL_BASE, PRIVATE_BASE, Program};
use crate::rows::Rows;
use std::collections::HashSet;
use std::ops::Range;

/// Bytes of a cache line of every GPU there is.
const LINE: u64 = 64;

/// The counters of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct CounterState {
    counters: Counters,
    read: Lines,
    written: Lines,
}

/// Cache lines that have been touched.
#[derive(Clone, Debug, Default)]
struct Lines {
    all: HashSet<u64>,
    /// Most accesses touch the line of the one before.
    last: Option<u64>,
}

impl Lines {
    fn insert(&mut self, address: u64, size: u64) {
        let Some(end) = size.checked_sub(1) else { return };
        for line in address / LINE..=address.saturating_add(end) / LINE {
            if self.last.replace(line) != Some(line) {
                self.all.insert(line);
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.all.len() as u64 * LINE
    }
}

impl CounterState {
    /// Counts steps that the lanes of a mask have executed; rows are as they left them.
    pub fn count<const S: usize>(
        &mut self,
        program: &Program<S>,
        rows: &Rows<S>,
        steps: Range<u32>,
        mask: u32,
    ) {
        for at in steps {
            let Some(step) = program.steps.get(at as usize) else { continue };
            let source =
                program.sources.get(at as usize).and_then(|&source| program.origins.get(source as usize));
            let Some(work) = source.map(|origin| origin.work) else { continue };
            let Some(class) = step.class(work.class) else { continue };
            step.visit_accesses(rows, mask, |span| self.span(span));
            self.instruction(Work { class, ..work }, mask);
        }
    }

    /// Counts a conditional branch.
    pub fn branch(&mut self, mask: u32) {
        self.instruction(Work { class: Class::Branch, bits: 0, operations: 0 }, mask);
    }

    fn instruction(&mut self, Work { class, bits, operations }: Work, mask: u32) {
        let lanes = u64::from(mask.count_ones());
        *self.counters.instructions.entry(class).or_default() += Executed { subgroups: 1, lanes };
        let (counter, operations) = match class {
            Class::Float => (&mut self.counters.float_operations, operations * lanes),
            Class::Matrix => (&mut self.counters.matrix_operations, operations),
            _ => return,
        };
        *counter.entry(bits).or_default() += operations;
    }

    fn span(&mut self, Span { address, size, is_store }: Span) {
        let traffic =
            if is_store { Traffic { read: 0, written: size } } else { Traffic { read: size, written: 0 } };
        if address < LOCAL_BASE {
            self.counters.global += traffic;
            let lines = if is_store { &mut self.written } else { &mut self.read };
            lines.insert(address, size);
        } else if address < PRIVATE_BASE {
            self.counters.local += traffic;
        }
    }

    /// Adds what another thread has counted.
    pub fn merge(&mut self, other: CounterState) {
        let Counters { instructions, float_operations, matrix_operations, global, local, touched: _ } =
            other.counters;
        for (class, executed) in instructions {
            *self.counters.instructions.entry(class).or_default() += executed;
        }
        for (mine, others) in [
            (&mut self.counters.float_operations, float_operations),
            (&mut self.counters.matrix_operations, matrix_operations),
        ] {
            for (bits, operations) in others {
                *mine.entry(bits).or_default() += operations;
            }
        }
        self.counters.global += global;
        self.counters.local += local;
        self.read.all.extend(other.read.all);
        self.written.all.extend(other.written.all);
    }

    /// What was counted.
    pub fn finish(mut self) -> Counters {
        self.counters.touched = Traffic { read: self.read.bytes(), written: self.written.bytes() };
        self.counters
    }
}
