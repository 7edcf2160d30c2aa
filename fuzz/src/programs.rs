//! Programs that are well-typed by construction: each byte is a decision of the generator of `tests/random`.
//!
//! The first byte says which of its properties is checked, the second for which device and at which level.

use crate::device::Device;
use crate::generate::Kind;
use crate::{Target, properties, run};

/// The target.
pub const TARGET: Target = Target { name: "programs", run: check, mutator: None };

/// Decisions that a program takes at most.
const MAX_CHOICES: usize = 300;

fn check(data: &[u8]) {
    let [property, device, choices @ ..] = data else { return };
    let numbers: Vec<u32> = choices.iter().take(MAX_CHOICES).copied().map(u32::from).collect();
    let (kind, property) =
        (usize::from(*property) % Kind::ALL.len(), usize::from(*property) / Kind::ALL.len());
    let kind = Kind::ALL.get(kind).copied().unwrap_or(Kind::Exact);
    let outcome = match property % 5 {
        0 => properties::round_trip(&numbers, kind),
        1 => properties::idempotent(&numbers, kind),
        2 if kind != Kind::Any => results(*device, &numbers, kind),
        _ => compiled(*device, &numbers, kind),
    };
    outcome.unwrap_or_else(|wrong| panic!("{wrong}"));
}

fn compiled(device: u8, numbers: &[u32], kind: Kind) -> Result<(), String> {
    let devices = properties::devices();
    let device = usize::from(device);
    let level = i32::try_from(device / devices.len() % 3).unwrap_or(0);
    match devices.get(device % devices.len()) {
        Some((name, info)) => properties::compiled_for(name, info, level, numbers, kind),
        None => Ok(()),
    }
}

/// Checks that a program computes what the reference says, the same at two levels.
fn results(device: u8, numbers: &[u32], kind: Kind) -> Result<(), String> {
    let name = if device.is_multiple_of(2) { "virtual:pvc" } else { "virtual:dg2" };
    run::equal_results(&[Device::open(name)?], numbers, kind).map(drop)
}
