//! Which checks a launch makes.

/// The checks that may be switched off for speed. All others cost nothing and are always made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Reports accesses outside of allocations, to freed memory, and outside of local and private memory. Such
    /// accesses read zeros and write nothing, reported or not.
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
}

/// All of them.
impl Default for Checks {
    fn default() -> Checks {
        Checks::ALL
    }
}
