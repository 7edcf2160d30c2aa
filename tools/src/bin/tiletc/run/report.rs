//! Findings of the checks of virtual devices.

use crate::common::{Failure, output};
use crate::launch::{Allocation, Elements, Layout};
use std::fmt::Write as _;
use tiletc::diagnostics::{Diagnostic, Position, Sources};
use tiletc::status::Status;
use virtual_xe::{Fault, Location, Place, Report};

impl Elements {
    /// The subscript of an address so many bytes behind the first number, and the type. What is out of bounds is so in
    /// the widest mode.
    fn subscript(&self, bytes: i64) -> String {
        let Layout { shape, stride } = &self.layout;
        let mut rest = (bytes * self.scalar.per_byte()).div_euclid(self.scalar.bytes());
        let mut index = vec![0; shape.len()];
        let mut modes: Vec<(&u64, &mut i64)> = stride.iter().zip(&mut index).collect();
        modes.sort_by_key(|(stride, _)| **stride);
        for (stride, index) in modes.into_iter().rev() {
            let stride = i64::try_from(*stride).unwrap_or(i64::MAX).max(1);
            *index = rest.div_euclid(stride);
            rest = rest.rem_euclid(stride);
        }
        let index: Vec<String> = index.iter().map(i64::to_string).collect();
        let shape: String = shape.iter().map(|size| format!("x{size}")).collect();
        format!("[{}] of {}{shape}", index.join(","), self.scalar)
    }
}

/// Instructions that may be executed on a virtual device.
#[derive(Clone, Copy, Debug)]
pub struct Budgets {
    /// Those of a subgroup.
    pub subgroup: u64,
    /// Those of all subgroups of a launch together.
    pub launch: u64,
}

/// Findings that are shown.
const MAX_SHOWN: usize = 20;

/// The failure that reports are, of which people see those up to a number.
pub fn failure(reports: &[Report], allocations: &[Allocation], budgets: Budgets) -> Failure {
    let messages: Vec<String> = reports.iter().map(|found| message(found, allocations, budgets)).collect();
    let mut text = String::new();
    for (Report { place, .. }, message) in reports.iter().zip(&messages).take(MAX_SHOWN) {
        let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let _ = write!(text, "{place}error: {message}");
    }
    match reports.len().saturating_sub(MAX_SHOWN) {
        0 => {}
        1 => text.push_str("and 1 finding more\n"),
        more => {
            let _ = writeln!(text, "and {more} findings more");
        }
    }
    let diagnostics = reports.iter().zip(&messages).map(|(Report { place, .. }, message)| {
        let mut sources = Sources::new();
        let location = place.as_ref().map(|&Place { ref file, line, column }| {
            let (source, begin) = (sources.add(&**file, ""), Position { line, column });
            tiletc::diagnostics::Location { source, begin, end: Position::default() }
        });
        output::about("error", &sources, &Diagnostic::new(message, location.unwrap_or_default()), &[])
    });
    Failure::Refused { status: Status::RuntimeError, report: text, diagnostics: diagnostics.collect() }
}

/// A report in words.
fn message(report: &Report, allocations: &[Allocation], budgets: Budgets) -> String {
    let Report { fault, kernel, function, instruction, index, group: [x, y, z], subgroup, lane, .. } = report;
    let element = report.location.as_ref().and_then(|location| element(location, allocations));
    let tensor =
        element.or_else(|| report.tensor.clone()).map(|name| format!(": {name}")).unwrap_or_default();
    let mut text = format!("{fault}{tensor}\n");
    let within = if function == kernel { String::new() } else { format!(", function {function}") };
    if matches!(fault, Fault::LaunchTooLong { .. }) {
        // It is about no instruction.
        let _ = write!(text, "    kernel {kernel}");
    } else {
        let _ = writeln!(text, "    kernel {kernel}{within}, instruction {index}: {instruction}");
        let _ = write!(text, "    work-group ({x},{y},{z}), subgroup {subgroup}, lane {lane}");
    }
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
    let allowed = match fault {
        Fault::Endless => Some(("a subgroup", budgets.subgroup, "--budget")),
        Fault::LaunchTooLong { .. } => Some(("all work-groups together", budgets.launch, "--launch-budget")),
        _ => None,
    };
    if let Some((who, budget, option)) = allowed {
        let _ =
            writeln!(text, "    {who} may execute {budget} instructions; {option} N allows another number");
    }
    text
}

fn allocation<'a>(location: &Location, allocations: &'a [Allocation]) -> Option<&'a Allocation> {
    let (base, _) = location.allocation?;
    allocations.iter().find(|allocation| allocation.address == base)
}

/// The number at a place: the parameter with a subscript.
fn element(location: &Location, allocations: &[Allocation]) -> Option<String> {
    let Allocation { address, purpose, elements } = allocation(location, allocations)?;
    let bytes = location.address.wrapping_sub(*address).cast_signed();
    let subscript = elements.as_ref().map(|elements| elements.subscript(bytes)).unwrap_or_default();
    Some(format!("{purpose}{subscript}"))
}

fn purpose(location: &Location, allocations: &[Allocation]) -> String {
    allocation(location, allocations).map_or_else(String::new, |found| format!(", {}", found.purpose))
}
