//! Levels of execution, of instructions and of regions.

/// Level at which an instruction is carried out (language reference 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// The work-group as a whole.
    Collective,
    /// Each work-item or subgroup on its own.
    Spmd,
    /// Allowed everywhere.
    Mixed,
}

/// Executor of the instructions of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegionKind {
    /// Executor of the instruction that holds the region.
    Mixed,
    /// The work-group as a whole.
    Collective,
    /// Each work-item on its own.
    Spmd,
}
