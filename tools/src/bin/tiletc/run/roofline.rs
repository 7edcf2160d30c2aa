//! Roofline of a device: the least time that its peak numbers leave for what a kernel did.

use crate::peaks::Peak;
use std::fmt::Write as _;
use virtual_xe::{Class, Counters};

/// A resource that a kernel uses.
struct Limit {
    resource: String,
    amount: f64,
    unit: &'static str,
    /// Units a second, if a number is published.
    rate: Option<f64>,
}

/// The estimate for a launch of so many work-groups on a device, as text.
pub fn estimate(device: &str, counters: &Counters, groups: u64) -> String {
    let Some(peak) = Peak::of(device) else {
        return format!("no roofline: there are no peak numbers of {device}\n");
    };
    let mut limits = peak.limits(counters, groups);
    limits.retain(|limit| limit.amount > 0.0);
    let time = |limit: &Limit| limit.rate.map(|rate| limit.amount / rate);
    let (known, unknown): (Vec<_>, Vec<_>) = limits.iter().partition(|limit| limit.rate.is_some());
    let binding = known.iter().max_by(|a, b| time(a).unwrap_or(0.0).total_cmp(&time(b).unwrap_or(0.0)));
    let mut text = String::new();
    let Some(binding) = binding else {
        return "no roofline: nothing was done that has a peak\n".to_owned();
    };
    let least = time(binding).unwrap_or(0.0);
    let _ = writeln!(
        text,
        "roofline estimate for {device} ({}): at least {}, bound by {}",
        peak.product,
        duration(least),
        binding.resource
    );
    for limit in &known {
        let (time, rate) = (time(limit).unwrap_or(0.0), limit.rate.unwrap_or(0.0));
        let _ = writeln!(
            text,
            "    {:<18}{:>10}  {}{} at {:.1} G{}/s",
            limit.resource,
            duration(time),
            amount(limit.amount),
            limit.unit,
            rate / 1e9,
            limit.unit
        );
    }
    for limit in &unknown {
        let _ = writeln!(
            text,
            "    {:<18}{:>10}  {}{}, no peak published",
            limit.resource,
            "?",
            amount(limit.amount),
            limit.unit
        );
    }
    text += &peak.share(counters, groups, least);
    if groups < u64::from(peak.cores) {
        let _ = writeln!(text, "    {groups} of {} cores have work", peak.cores);
    }
    text += "    An estimate from published peak numbers, as if every cache line came from memory once; a run takes longer.\n";
    text
}

impl Peak {
    // Estimates need no exact numbers.
    #[allow(clippy::cast_precision_loss)]
    fn limits(&self, counters: &Counters, groups: u64) -> Vec<Limit> {
        // A work-group does not leave its core.
        let cores = groups.min(self.cores.into()) as f64;
        let clocks = cores * self.gigahertz * 1e9;
        let moved = counters.touched.read + counters.touched.written;
        let local = counters.local.read + counters.local.written;
        let mut limits = vec![
            Limit {
                resource: "global memory".to_owned(),
                amount: moved as f64,
                unit: "B",
                rate: Some(self.memory * 1e9),
            },
            Limit {
                resource: "local memory".to_owned(),
                amount: local as f64,
                unit: "B",
                rate: self.local.map(|bytes| bytes * clocks),
            },
        ];
        for (&bits, &operations) in &counters.float_operations {
            let rate = self.vector(bits);
            limits.push(Limit {
                resource: format!("f{bits} arithmetic"),
                amount: operations as f64,
                unit: "flop",
                rate: rate.map(|rate| rate * clocks),
            });
        }
        for (&bits, &operations) in &counters.matrix_operations {
            limits.push(Limit {
                resource: format!("{bits}-bit matrices"),
                amount: operations as f64,
                unit: "op",
                rate: self.matrix.map(|rate| rate * 16.0 / f64::from(bits.max(1)) * clocks),
            });
        }
        limits
    }
}

/// The engine that does the work of a kernel, and the rest of what it executes.
struct Issue {
    engine: &'static str,
    /// Seconds of the engine at its peak.
    busy: f64,
    /// Seconds that all other instructions take.
    other: f64,
}

impl Peak {
    /// The share of the engine's peak that a launch can reach which takes so many seconds at least: it also has to issue
    /// all other instructions, of which each takes as long as a multiplication that adds f32 in as many lanes.
    fn share(&self, counters: &Counters, groups: u64, least: f64) -> String {
        let Some(Issue { engine, busy, other }) = self.issue(counters, groups) else { return String::new() };
        let estimated = least.max(busy + other);
        format!(
            "    share of the peak of the {engine}: at most {:.0} % ({} of work, {} of other instructions)\n",
            100.0 * busy / estimated,
            duration(busy),
            duration(other)
        )
    }

    /// `None` if nothing does work that has a peak.
    // Estimates need no exact numbers.
    #[allow(clippy::cast_precision_loss)]
    fn issue(&self, counters: &Counters, groups: u64) -> Option<Issue> {
        let clocks = groups.min(self.cores.into()) as f64 * self.gigahertz * 1e9;
        let vector = |bits: u32| self.vector(bits);
        let (matrix, float) = (&counters.matrix_operations, &counters.float_operations);
        let of_matrix = |(&bits, &operations): (&u32, &u64)| {
            Some(operations as f64 / (self.matrix? * 16.0 / f64::from(bits.max(1)) * clocks))
        };
        let of_vector =
            |(&bits, &operations): (&u32, &u64)| Some(operations as f64 / (vector(bits)? * clocks));
        let (engine, work, busy) = match matrix.is_empty() {
            false => ("matrix engine", Class::Matrix, matrix.iter().map(of_matrix).sum::<Option<f64>>()?),
            true => ("vector engine", Class::Float, float.iter().map(of_vector).sum::<Option<f64>>()?),
        };
        // A multiplication that adds counts two operations, an instruction of a lane one.
        let lanes = vector(32)? / 2.0 * clocks;
        let others = counters.instructions.iter().filter(|(class, _)| **class != work);
        let other = others.map(|(_, executed)| executed.lanes as f64).sum::<f64>() / lanes;
        (busy > 0.0).then_some(Issue { engine, busy, other })
    }
}

fn duration(seconds: f64) -> String {
    let (scale, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(scale, _)| seconds >= *scale)
        .unwrap_or((1e-9, "ns"));
    format!("{:.2} {unit}", seconds / scale)
}

/// A number with the prefix of its unit behind it.
fn amount(number: f64) -> String {
    let (scale, prefix) = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|(scale, _)| number >= *scale)
        .unwrap_or((1.0, ""));
    format!("{:.2} {prefix}", number / scale)
}
