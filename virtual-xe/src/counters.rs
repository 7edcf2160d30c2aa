//! Counters of what a kernel did.

use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Class of an instruction, as far as the counters tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Floating-point arithmetic, the functions of OpenCL.std included.
    Float,
    /// Integer arithmetic, operations on bits included.
    Integer,
    /// Comparisons and selections.
    Compare,
    /// Conversions between types.
    Convert,
    /// Loads of each lane from its own address.
    Load,
    /// Stores of each lane to its own address.
    Store,
    /// Loads of the whole subgroup: blocks, 2D blocks and cooperative matrices.
    BlockLoad,
    /// Stores of the whole subgroup: blocks, 2D blocks and cooperative matrices.
    BlockStore,
    /// Copies from memory to memory.
    Copy,
    /// Requests to bring memory nearer. They move nothing into registers, so that their bytes are not counted.
    Prefetch,
    /// Atomic accesses.
    Atomic,
    /// Shuffles, reductions, scans and barriers among the lanes of a subgroup.
    Subgroup,
    /// Steps of the matrix engine (DPAS), and multiplications of cooperative matrices.
    Matrix,
    /// Barriers of the work-group.
    Barrier,
    /// Conditional branches.
    Branch,
    /// Anything else.
    Other,
}

impl Class {
    /// Every class.
    pub const ALL: &'static [Class] = &[
        Class::Float,
        Class::Integer,
        Class::Compare,
        Class::Convert,
        Class::Load,
        Class::Store,
        Class::BlockLoad,
        Class::BlockStore,
        Class::Copy,
        Class::Prefetch,
        Class::Atomic,
        Class::Subgroup,
        Class::Matrix,
        Class::Barrier,
        Class::Branch,
        Class::Other,
    ];
}

/// Number of executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// By subgroups.
    pub subgroups: u64,
    /// By work-items, those only that took part.
    pub lanes: u64,
}

/// Bytes moved, as often as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// From memory to registers.
    pub read: u64,
    /// From registers to memory.
    pub written: u64,
}

/// Counters of all work-items of a launch together.
///
/// An operation on a vector counts once for each component. What only renames registers, as taking apart a vector
/// does, does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions by what they do.
    pub instructions: BTreeMap<Class, Executed>,
    /// Floating-point operations of work-items by the bits of their type; a multiplication that adds counts two.
    pub float_operations: BTreeMap<u32, u64>,
    /// Multiplications and additions of the matrix engine by the bits of the factors.
    pub matrix_operations: BTreeMap<u32, u64>,
    /// Bytes moved to and from global memory, whether or not a cache has them. Of a 2D block, those that lie within
    /// its matrix.
    pub global: Traffic,
    /// Bytes moved to and from the local memory of work-groups.
    pub local: Traffic,
    /// Bytes of the different cache lines of global memory that were read, and that were written.
    pub touched: Traffic,
    /// Different bytes of global memory that each work-group has read, and that it has written: what it cannot do
    /// without.
    pub compulsory: Traffic,
    /// Loads from global memory and stores to it by where they stand.
    pub accesses: BTreeMap<Site, Accesses>,
    /// Loads from local memory and stores to it by where they stand.
    pub local_accesses: BTreeMap<Site, LocalAccesses>,
}

/// Place of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// Line of the source, 0 if the module does not tell it.
    pub line: u32,
    /// True for stores.
    pub is_store: bool,
}

/// Accesses of subgroups to global memory, and the cache lines that they touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Accesses of a subgroup, of all its lanes at once.
    pub number: u64,
    /// Cache lines that they touched, each access by itself.
    pub lines: u64,
    /// Cache lines that the different bytes of each access would fill.
    pub dense: u64,
    /// Different cache lines that each work-group touched.
    pub compulsory: u64,
}

/// Accesses of subgroups to local memory, and the cycles that its banks take.
///
/// Local memory has 16 banks of 32-bit words, each of which serves a word a cycle, to all lanes that want it (Intel's oneAPI
/// optimization guide for GPUs, Shared Local Memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalAccesses {
    /// Accesses of a subgroup, of all its lanes at once.
    pub number: u64,
    /// Cycles that the bank with the most words takes, each access by itself.
    pub cycles: u64,
    /// Cycles that they would take if the different words of each access were spread evenly over the banks.
    pub least: u64,
}

impl AddAssign for LocalAccesses {
    fn add_assign(&mut self, other: LocalAccesses) {
        self.number += other.number;
        self.cycles += other.cycles;
        self.least += other.least;
    }
}

impl AddAssign for Accesses {
    fn add_assign(&mut self, other: Accesses) {
        self.number += other.number;
        self.lines += other.lines;
        self.dense += other.dense;
        self.compulsory += other.compulsory;
    }
}

impl AddAssign for Executed {
    fn add_assign(&mut self, other: Executed) {
        self.subgroups += other.subgroups;
        self.lanes += other.lanes;
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.read += other.read;
        self.written += other.written;
    }
}

/// Contribution of an instruction to the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Work {
    pub class: Class,
    /// Bits of the numbers that it computes with.
    pub bits: u32,
    /// Operations on numbers: of each lane, or of the whole subgroup for the matrix engine.
    pub operations: u64,
}
