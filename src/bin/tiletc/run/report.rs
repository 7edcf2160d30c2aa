//! What the checks of virtual devices find.

use std::fmt::Write as _;
use std::str::FromStr;
use virtual_xe::{Fault, Location, Report};

/// What is looked for. What cannot go well in any case, as a deadlock, is always reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Data races.
    pub races: bool,
    /// Accesses outside of memory or at the wrong alignment.
    pub bounds: bool,
    /// Reads of what nobody has written.
    pub init: bool,
}

impl Checks {
    /// Everything.
    pub const ALL: Checks = Checks { races: true, bounds: true, init: true };
    const NONE: Checks = Checks { races: false, bounds: false, init: false };

    /// Whether a fault is among what is looked for.
    pub fn cover(self, fault: Fault) -> bool {
        match fault {
            Fault::RaceInGroup | Fault::RaceBetweenGroups => self.races,
            Fault::OutOfBounds
            | Fault::UseAfterFree
            | Fault::LocalOutOfBounds
            | Fault::PrivateOutOfBounds
            | Fault::Misaligned
            | Fault::ReadOnly => self.bounds,
            Fault::Uninitialised => self.init,
            _ => true,
        }
    }
}

impl FromStr for Checks {
    type Err = String;

    fn from_str(text: &str) -> Result<Checks, String> {
        let mut checks = Checks::NONE;
        for word in text.split(',') {
            match word {
                "races" => checks.races = true,
                "bounds" => checks.bounds = true,
                "init" => checks.init = true,
                "all" => checks = Checks::ALL,
                "none" if text == "none" => {}
                _ => {
                    return Err(
                        "checks are races, bounds and init, with commas between them, or all, or none"
                            .to_owned(),
                    );
                }
            }
        }
        Ok(checks)
    }
}

/// An allocation and what it is for.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Where it starts.
    pub address: u64,
    /// The parameter, and what of it.
    pub purpose: String,
}

/// A report as the tool shows it.
pub fn diagnostic(report: &Report, allocations: &[Allocation]) -> String {
    let Report { fault, kernel, function, instruction, index, group: [x, y, z], subgroup, lane, .. } = report;
    let mut text = format!("error: {fault}\n");
    let within = if function == kernel { String::new() } else { format!(", function {function}") };
    let _ = writeln!(text, "    kernel {kernel}{within}, instruction {index}: {instruction}");
    let _ = write!(text, "    work-group ({x},{y},{z}), subgroup {subgroup}, lane {lane}");
    if report.count > 1 {
        let _ = write!(text, "; found {} times", report.count);
    }
    text.push('\n');
    if let Some(location) = &report.location {
        let _ = writeln!(text, "    {location}{}", purpose(location, allocations));
    }
    text
}

fn purpose(location: &Location, allocations: &[Allocation]) -> String {
    let base = location.allocation.map(|(base, _)| base);
    let found = allocations.iter().find(|allocation| Some(allocation.address) == base);
    found.map_or_else(String::new, |allocation| format!(", {}", allocation.purpose))
}
