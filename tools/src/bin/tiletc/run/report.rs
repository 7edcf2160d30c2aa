//! Findings of the checks of virtual devices.

use std::fmt::Write as _;
use virtual_xe::{Fault, Location, Report};

/// An allocation and what it is for.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// First address.
    pub address: u64,
    /// The parameter, and what of it.
    pub purpose: String,
}

/// A report as the tool shows it. Subgroups had a budget of so many instructions.
pub fn diagnostic(report: &Report, allocations: &[Allocation], budget: u64) -> String {
    let Report { fault, kernel, function, instruction, index, group: [x, y, z], subgroup, lane, .. } = report;
    let mut text = format!("error: {fault}\n");
    let within = if function == kernel { String::new() } else { format!(", function {function}") };
    let _ = writeln!(text, "    kernel {kernel}{within}, instruction {index}: {instruction}");
    let _ = write!(text, "    work-group ({x},{y},{z}), subgroup {subgroup}, lane {lane}");
    if report.count > 1 {
        let _ = write!(text, "; found {} times", report.count);
    }
    text.push('\n');
    if let Some((subgroup, lane)) = report.other {
        let _ = writeln!(text, "    the other access is by subgroup {subgroup}, lane {lane}");
    }
    if let Some(location) = &report.location {
        let _ = writeln!(text, "    {location}{}", purpose(location, allocations));
    }
    if *fault == Fault::Endless {
        let _ = writeln!(
            text,
            "    a subgroup may execute {budget} instructions; --budget N allows another number"
        );
    }
    text
}

fn purpose(location: &Location, allocations: &[Allocation]) -> String {
    let base = location.allocation.map(|(base, _)| base);
    let found = allocations.iter().find(|allocation| Some(allocation.address) == base);
    found.map_or_else(String::new, |allocation| format!(", {}", allocation.purpose))
}
