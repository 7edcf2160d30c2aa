//! A kernel as it is executed: blocks of steps on rows.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::counters::Work;
use crate::execute::AccessKind;
use crate::layout::{Part, Scalar};
use crate::memory::Allocation;
use crate::operations::{Combine, Engine, Multiply, Reach, Update};
use crate::report::{Fault, Place};
use crate::rows::{Args, Compute, Test};
use std::ops::Range;
use std::sync::Arc;

mod blocks;
mod copies;
mod print;

pub(crate) use blocks::{BlockShape, MatrixAccess, MatrixLayout, Surface, SurfaceAction};
pub(crate) use copies::{Copy, GroupCopy};
pub(crate) use print::{Kind, Numbers, Piece, Print};

/// Start of the address spaces that are no memory of the host. Its addresses have the upper bits all zero.
pub(crate) const LOCAL_BASE: u64 = 1 << 60;
/// The same for the memory of a work-item.
pub(crate) const PRIVATE_BASE: u64 = 1 << 61;

/// A kernel for subgroups of `S` lanes.
pub(crate) struct Program<const S: usize> {
    pub name: String,
    pub blocks: Vec<Block>,
    pub steps: Vec<Step<S>>,
    /// The instruction that each step comes from, in `origins`.
    pub sources: Vec<u32>,
    pub origins: Vec<Origin>,
    pub moves: Vec<Move>,
    /// Words of the register file.
    pub words: u32,
    /// A row behind all others.
    pub scratch: u32,
    /// Rows that never change.
    pub constants: Vec<(u32, Scalar, u64)>,
    pub inputs: Vec<(Input, u32)>,
    /// Memory of the module's own variables.
    pub globals: Vec<Arc<Allocation>>,
    pub parameters: Vec<Parameter>,
    /// Bytes of memory for each work-item.
    pub private_size: u64,
    /// Bytes of memory for each work-group, besides what arguments ask for.
    pub local_size: u64,
    /// Number of memory accesses, each of which remembers the allocation that it met last.
    pub accesses: u32,
    /// Number of places where subgroups tell each other a number.
    pub exchanges: u32,
    pub has_barrier: bool,
    /// True if work-groups may talk to each other, so that their order matters.
    pub is_ordered: bool,
}

/// An instruction of the module.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub function: String,
    pub instruction: String,
    pub index: u32,
    /// Place in the source, if the module tells it.
    pub place: Option<Place>,
    /// Memory that the instruction accesses, if the module names it.
    pub tensor: Option<String>,
    pub work: Work,
}

impl Origin {
    /// Line of the source, 0 if the module does not tell it.
    pub fn line(&self) -> u32 {
        self.place.as_ref().map_or(0, |place| place.line)
    }
}

/// Steps that are executed one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub steps: Range<u32>,
    pub end: End,
    /// The instruction that ends the block, in `origins`.
    pub source: u32,
    /// The block where lanes that part at the end meet again; none if they never do.
    pub reconvergence: Option<u32>,
}

/// End of a block.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Jump(Edge),
    Branch { condition: u32, yes: Edge, no: Edge },
    Switch { selector: u32, scalar: Scalar, cases: Vec<(u64, Edge)>, default: Edge },
    Return,
    Unreachable,
}

impl End {
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            End::Jump(edge) => vec![edge],
            End::Branch { yes, no, .. } => vec![yes, no],
            End::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| edge).chain([default]).collect()
            }
            End::Return | End::Unreachable => Vec::new(),
        }
    }
}

/// The way into a block, with what its phis take.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub target: u32,
    pub moves: Range<u32>,
}

/// A copy of one row, of numbers of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub dst: u32,
    pub src: u32,
    pub bytes: u32,
}

/// Content of a row when a subgroup starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    GlobalId(u8),
    LocalId(u8),
    GroupId(u8),
    GroupSize(u8),
    /// Work-items of the work-group.
    GroupItems,
    /// That of all groups but those at the edge of the range.
    EnqueuedGroupSize(u8),
    NumGroups(u8),
    GlobalSize(u8),
    GlobalOffset(u8),
    WorkDim,
    GlobalLinearId,
    LocalLinearId,
    SubgroupId,
    NumSubgroups,
    SubgroupSize,
    SubgroupMaxSize,
    Lane,
    /// Lanes equal to, at least, above, at most, below this one, as a bit mask.
    LaneMask(LaneMask),
}

/// Lanes of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneMask {
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
}

/// A parameter of the kernel.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    /// Bytes that are taken apart into rows.
    Value { size: u64, parts: Vec<(Part, u32)> },
    /// Memory of the work-group, whose size the launch gives.
    Local { row: u32 },
    /// Bytes that are put into the work-item's memory.
    InMemory { size: u64, offset: u64 },
}

/// The numbers of a memory access: where each lies from the address, and its row.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub pointer: u32,
    pub parts: Vec<(Part, u32)>,
    /// Divisor that is promised of the address, a power of two.
    pub alignment: u64,
    /// True if the pointer is one into constant memory.
    pub is_read_only: bool,
    /// Number of the access among the program's.
    pub place: u32,
}

impl Access {
    /// Bytes from the address to the end of the last number.
    pub fn size(&self) -> u64 {
        let ends = self.parts.iter().map(|(part, _)| part.offset.saturating_add(part.scalar.bytes().into()));
        ends.max().unwrap_or(0)
    }
}

/// One step.
pub(crate) enum Step<const S: usize> {
    Compute {
        run: Compute<S>,
        args: Args,
        bytes: u32,
    },
    /// Reports lanes where the test holds.
    Test {
        test: Test<S>,
        args: Args,
        fault: Fault,
    },
    /// Does nothing but being counted.
    Prefetch,
    /// Reports if lanes are missing.
    Converged,
    Load(Box<Access>),
    Store(Box<Access>),
    Combine {
        args: Args,
        how: Combine,
        reach: Reach,
        scalar: Scalar,
    },
    Barrier(Barrier),
    Atomic(Box<Atomic>),
    Block(Box<BlockAccess>),
    Surface(Box<Surface>),
    Matrix(Box<MatrixAccess>),
    Engine(Box<Engine>),
    Multiply(Box<Multiply>),
    Copy(Box<Copy>),
    GroupCopy(Box<GroupCopy>),
    Print(Box<Print>),
    Publish(Publish),
    Gather(Gather),
}

/// A subgroup tells the others of its work-group a number: that of the first lane for which the condition holds,
/// if there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Publish {
    pub value: u32,
    pub condition: Option<u32>,
    pub bytes: u32,
    pub exchange: u32,
}

/// Makes one number of what the subgroups have published, with that of the lane if it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gather {
    pub dst: u32,
    pub own: Option<u32>,
    pub how: Combine,
    pub scalar: Scalar,
    pub exchange: u32,
}

/// An atomic access, one lane after the other.
pub(crate) struct Atomic {
    pub pointer: Access,
    /// The row of the operand.
    pub value: Option<u32>,
    /// The row of what the number in memory is compared with.
    pub comparator: Option<u32>,
    pub result: Option<u32>,
    pub scalar: Scalar,
    pub update: Update,
    pub kind: AccessKind,
    /// True if what others did before they wrote the number is seen from now on.
    pub acquires: bool,
}

/// An access of the whole subgroup to numbers that follow each other, from the address of the first lane.
pub(crate) struct BlockAccess {
    pub pointer: Access,
    /// One for each component.
    pub rows: Vec<u32>,
    pub scalar: Scalar,
    pub is_store: bool,
}

/// A barrier and what it orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Barrier {
    pub kind: BarrierKind,
    /// True if it orders accesses to global memory.
    pub global: bool,
    /// True if it orders accesses to local memory.
    pub local: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    /// Of the work-group.
    Group,
    /// Of the subgroup.
    Subgroup,
    /// The first half of one of the work-group.
    Arrive,
    /// The second half.
    Wait,
    /// None: it acquires what others did, as far as atomics have told of it.
    Memory,
}
