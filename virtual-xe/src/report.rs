//! Findings of the checks.

use std::fmt;
use std::sync::Arc;

/// Description of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// An access outside of every allocation, or across the end of one.
    OutOfBounds,
    /// An access to memory that has been freed.
    UseAfterFree,
    /// An access outside of the work-group's local memory.
    LocalOutOfBounds,
    /// An access outside of a work-item's private memory.
    PrivateOutOfBounds,
    /// An address that does not have the alignment that the instruction promises or needs.
    Misaligned,
    /// A write to memory that may only be read: through a pointer into constant memory, or to a constant of the
    /// module. Nothing is written.
    ReadOnly,
    /// Two work-items of a work-group access the same bytes, one of them writing, without a barrier between.
    RaceInGroup,
    /// Two work-groups access the same bytes, one of them writing.
    RaceBetweenGroups,
    /// A read of bytes that nobody has written.
    Uninitialised,
    /// An operation that all work-items must reach together, reached by some of them only.
    Divergence,
    /// An operand that must be the same in all work-items of the subgroup and is not.
    NotUniform,
    /// A signed result that does not fit, where the instruction promises that it does.
    SignedOverflow,
    /// An unsigned result that does not fit, where the instruction promises that it does.
    UnsignedOverflow,
    /// A shift by at least the width of the number.
    ShiftTooFar,
    /// An integer division by zero.
    DivisionByZero,
    /// A 2D block access whose matrix or position the hardware cannot address.
    Surface(SurfaceRule),
    /// Work-items wait for others that never come.
    Deadlock,
    /// The subgroup has executed more instructions than it was allowed.
    Endless,
    /// All subgroups of the launch together have executed more instructions than they were allowed.
    LaunchTooLong {
        /// Work-groups that have ended.
        done: u64,
        /// Those that there are.
        groups: u64,
    },
    /// Control reached an `OpUnreachable`.
    Unreachable,
}

/// Rules of the hardware for the matrix in memory that a 2D block access works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SurfaceRule {
    /// The base address is a multiple of 64 bytes.
    Base,
    /// The width is from 64 to 2²⁴ bytes and a multiple of four bytes and of the element.
    Width,
    /// The height is from 1 to 2²⁴ rows.
    Height,
    /// The pitch is at least the width, from 64 to 2²⁴ bytes and a multiple of what the device wants.
    Pitch,
    /// The first column lies at a multiple of four bytes.
    Column,
}

impl fmt::Display for SurfaceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SurfaceRule::Base => "base address of a 2D block access is no multiple of 64 bytes",
            SurfaceRule::Width => {
                "width of a 2D block access is not from 64 to 2^24 bytes, or no multiple of 4 or of the element"
            }
            SurfaceRule::Height => "height of a 2D block access is not from 1 to 2^24 rows",
            SurfaceRule::Pitch => {
                "pitch of a 2D block access is less than the width, not from 64 to 2^24 bytes, or misaligned"
            }
            SurfaceRule::Column => "first column of a 2D block access is at no multiple of 4 bytes",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::OutOfBounds => "access out of bounds",
            Fault::UseAfterFree => "access to freed memory",
            Fault::LocalOutOfBounds => "access out of the bounds of local memory",
            Fault::PrivateOutOfBounds => "access out of the bounds of private memory",
            Fault::Misaligned => "misaligned access",
            Fault::ReadOnly => "write to memory that may only be read",
            Fault::RaceInGroup => "data race between work-items of a work-group",
            Fault::RaceBetweenGroups => "data race between work-groups",
            Fault::Uninitialised => "read of memory that nobody has written",
            Fault::Divergence => "not reached by all work-items",
            Fault::NotUniform => "operand differs between work-items",
            Fault::SignedOverflow => "signed overflow",
            Fault::UnsignedOverflow => "unsigned overflow",
            Fault::ShiftTooFar => "shift by the width of the number or more",
            Fault::DivisionByZero => "division by zero",
            Fault::Surface(rule) => return rule.fmt(f),
            Fault::Deadlock => "work-items wait for others that never come",
            Fault::Endless => "more instructions executed than allowed; the loop may be endless",
            Fault::LaunchTooLong { done, groups } => {
                return write!(
                    f,
                    "more instructions executed by all work-groups than allowed; {done} of {groups} are done"
                );
            }
            Fault::Unreachable => "unreachable instruction reached",
        })
    }
}

/// An address, and what lies there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The address as the kernel sees it.
    pub address: u64,
    /// Bytes accessed.
    pub size: u64,
    /// The allocation at or next to the address: its address and size in bytes.
    pub allocation: Option<(u64, u64)>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes at {:#x}", self.size, self.address)?;
        match self.allocation {
            Some((base, size)) if self.address >= base && self.address - base >= size => {
                let behind = self.address - base - size;
                write!(f, ", {behind} bytes behind the allocation of {size} bytes at {base:#x}")
            }
            Some((base, size)) if self.address < base => {
                write!(
                    f,
                    ", {} bytes before the allocation of {size} bytes at {base:#x}",
                    base - self.address
                )
            }
            Some((base, size)) => {
                write!(f, ", byte {} of the allocation of {size} bytes at {base:#x}", self.address - base)
            }
            None => Ok(()),
        }
    }
}

/// A place in the source of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Name of the file.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if it is not known.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = self;
        write!(f, "{file}:{line}.{column}")
    }
}

/// One finding: the first of its kind at a line of the source and in one tensor. Where the module does not tell the
/// line, the first at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Description of the problem.
    pub fault: Fault,
    /// The entry point.
    pub kernel: String,
    /// The function that holds the instruction: its `OpName`, or else its id.
    pub function: String,
    /// The instruction: its opcode, and its result if it has one.
    pub instruction: String,
    /// The place of the instruction in its function, labels counted.
    pub index: u32,
    /// The work-group.
    pub group: [u32; 3],
    /// The subgroup within its work-group.
    pub subgroup: u32,
    /// The lane within its subgroup.
    pub lane: u32,
    /// Place in the source, if the module tells it (`OpLine`).
    pub place: Option<Place>,
    /// Memory that the instruction accesses, as the module names it (`OpName`): a parameter, or a member of it.
    pub tensor: Option<String>,
    /// Memory that is concerned.
    pub location: Option<Location>,
    /// The subgroup and lane whose access a race within the work-group is with.
    pub other: Option<(u32, u32)>,
    /// Number of times that the same was found there.
    pub count: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.group;
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: ", self.fault)?;
        if let Some(tensor) = &self.tensor {
            write!(f, "{tensor}, ")?;
        }
        write!(f, "{} in {}", self.instruction, self.function)?;
        if self.function != self.kernel {
            write!(f, " (kernel {})", self.kernel)?;
        }
        write!(f, ", instruction {}", self.index)?;
        write!(f, ", work-group ({x},{y},{z}), subgroup {}, lane {}", self.subgroup, self.lane)?;
        if let Some(location) = &self.location {
            write!(f, ": {location}")?;
        }
        if let Some((subgroup, lane)) = self.other {
            write!(f, "; the other is lane {lane} of subgroup {subgroup}")?;
        }
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}
