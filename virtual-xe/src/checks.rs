//! Checks that a launch makes.

use crate::Fault;
use std::str::FromStr;

/// The checks that may be switched off for speed. All others cost nothing and are always made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Reports accesses outside of allocations, to freed memory, and outside of local and private memory, and at the
    /// wrong alignment. Where nothing is, zeros are read and nothing is written, reported or not.
    pub bounds: bool,
    /// Reports data races within and between work-groups. The work-groups are then executed in order on one
    /// thread, because which access is the second of two depends on the order.
    pub races: bool,
    /// Reports reads of bytes that nobody has written. After a launch without this check, all memory
    /// counts as written.
    pub init: bool,
}

impl Checks {
    /// All of them.
    pub const ALL: Checks = Checks { bounds: true, races: true, init: true };
    /// None of them.
    pub const NONE: Checks = Checks { bounds: false, races: false, init: false };

    /// Returns whether a fault is to be reported.
    pub(crate) fn cover(self, fault: Fault) -> bool {
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

/// The text names no checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("checks are races, bounds and init, with commas between them, or all, or none")]
pub struct UnknownChecks;

/// From their names with commas between them, or `all`, or `none`.
impl FromStr for Checks {
    type Err = UnknownChecks;

    fn from_str(text: &str) -> Result<Checks, UnknownChecks> {
        let mut checks = Checks::NONE;
        for word in text.split(',') {
            match word {
                "races" => checks.races = true,
                "bounds" => checks.bounds = true,
                "init" => checks.init = true,
                "all" => checks = Checks::ALL,
                "none" if text == "none" => {}
                _ => return Err(UnknownChecks),
            }
        }
        Ok(checks)
    }
}

/// All of them.
impl Default for Checks {
    fn default() -> Checks {
        Checks::ALL
    }
}
