//! Counts what subgroups execute.
//!
//! It looks at the steps of a block after they have been executed, so that nothing is lost where nobody counts.

use super::traffic::Span;
use crate::counters::{Accesses, Class, Counters, Executed, LocalAccesses, Site, Traffic, Work};
use crate::program::{LOCAL_BASE, PRIVATE_BASE, Program};
use crate::rows::Rows;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Bytes of a cache line of every GPU there is.
const LINE: u64 = 64;
/// Banks of local memory, and bytes of a word, of which each of them has one a cycle.
const BANKS: u64 = 16;
const WORD: u64 = 4;

/// Global memory that a work-group has accessed.
#[derive(Clone, Debug, Default)]
struct GroupState {
    /// A bit for each byte of each cache line that was read, and that was written.
    read: HashMap<u64, u64>,
    written: HashMap<u64, u64>,
    /// The cache lines of each place.
    sites: HashMap<Site, HashSet<u64>>,
}

/// The counters of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct CounterState {
    counters: Counters,
    read: Lines,
    written: Lines,
    group: GroupState,
    /// Spans of global memory of the access that is being counted.
    spans: Vec<Span>,
    /// The same of local memory.
    local_spans: Vec<Span>,
}

/// Parts of a span that lie in one cache line each: the line, and a bit for each byte.
fn parts(Span { address, size, .. }: Span) -> impl Iterator<Item = (u64, u64)> {
    let end = address.saturating_add(size);
    let lines = if size == 0 { 0..0 } else { address / LINE..end.div_ceil(LINE) };
    lines.map(move |line| {
        let start = line * LINE;
        let (first, last) = (address.max(start) - start, end.min(start + LINE) - start);
        let bits = if last - first == LINE { u64::MAX } else { ((1 << (last - first)) - 1) << first };
        (line, bits)
    })
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
            let Some((work, line)) = source.map(|origin| (origin.work, origin.line())) else { continue };
            let Some(class) = step.class(work.class) else { continue };
            step.visit_accesses(rows, mask, |span| self.span(span));
            self.accesses(line);
            self.local_accesses(line);
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
            self.spans.push(Span { address, size, is_store });
        } else if address < PRIVATE_BASE {
            self.counters.local += traffic;
            self.local_spans.push(Span { address, size, is_store });
        }
    }

    /// Counts what banks of local memory have to do for an access, its loads and its stores.
    fn local_accesses(&mut self, line: u32) {
        for is_store in [false, true] {
            let spans = self.local_spans.iter().filter(|span| span.is_store == is_store && span.size > 0);
            let words: HashSet<u64> = spans
                .flat_map(|span| span.address / WORD..span.address.saturating_add(span.size).div_ceil(WORD))
                .collect();
            if words.is_empty() {
                continue;
            }
            let mut of_bank: HashMap<u64, u64> = HashMap::new();
            for word in &words {
                *of_bank.entry(word % BANKS).or_default() += 1;
            }
            *self.counters.local_accesses.entry(Site { line, is_store }).or_default() += LocalAccesses {
                number: 1,
                cycles: of_bank.into_values().max().unwrap_or_default(),
                least: (words.len() as u64).div_ceil(BANKS),
            };
        }
        self.local_spans.clear();
    }

    /// Counts the spans of an access, its loads and its stores.
    fn accesses(&mut self, line: u32) {
        if self.spans.is_empty() {
            return;
        }
        let spans = std::mem::take(&mut self.spans);
        for is_store in [false, true] {
            let mut touched: HashMap<u64, u64> = HashMap::new();
            for (line, bits) in
                spans.iter().filter(|span| span.is_store == is_store).flat_map(|&span| parts(span))
            {
                *touched.entry(line).or_default() |= bits;
            }
            if touched.is_empty() {
                continue;
            }
            let bytes: u64 = touched.values().map(|bits| u64::from(bits.count_ones())).sum();
            let site = Site { line, is_store };
            *self.counters.accesses.entry(site).or_default() += Accesses {
                number: 1,
                lines: touched.len() as u64,
                dense: bytes.div_ceil(LINE),
                compulsory: 0,
            };
            self.group.sites.entry(site).or_default().extend(touched.keys());
            let all = if is_store { &mut self.group.written } else { &mut self.group.read };
            for (line, bits) in touched {
                *all.entry(line).or_default() |= bits;
            }
        }
        self.spans = spans;
        self.spans.clear();
    }

    /// Adds up what the work-group that has ended could not do without.
    pub fn end_group(&mut self) {
        let GroupState { read, written, sites } = std::mem::take(&mut self.group);
        let bytes = |lines: HashMap<u64, u64>| lines.values().map(|bits| u64::from(bits.count_ones())).sum();
        self.counters.compulsory += Traffic { read: bytes(read), written: bytes(written) };
        for (site, lines) in sites {
            self.counters.accesses.entry(site).or_default().compulsory += lines.len() as u64;
        }
    }

    /// Adds what another thread has counted.
    pub fn merge(&mut self, other: CounterState) {
        let Counters {
            instructions,
            float_operations,
            matrix_operations,
            global,
            local,
            touched: _,
            compulsory,
            accesses,
            local_accesses,
        } = other.counters;
        self.counters.compulsory += compulsory;
        for (site, more) in accesses {
            *self.counters.accesses.entry(site).or_default() += more;
        }
        for (site, more) in local_accesses {
            *self.counters.local_accesses.entry(site).or_default() += more;
        }
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

    /// Counters.
    pub fn finish(mut self) -> Counters {
        self.counters.touched = Traffic { read: self.read.bytes(), written: self.written.bytes() };
        self.counters
    }
}
