//! Kernels that are ready to run.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::checks::Checks;
use crate::execute::{self, Launch as Shared, Range};
use crate::memory::Memory;
use crate::program::{Parameter, Program};
use crate::translate::{Globals, Source, translate};
use crate::{Device, Error, Kernel, Outcome};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::thread;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number, a structure, or the address of memory: its bytes.
    Value(Vec<u8>),
    /// So many bytes of the work-group's memory.
    Local(u64),
}

impl Argument {
    /// The address of memory.
    pub fn address(address: u64) -> Argument {
        Argument::Value(address.to_le_bytes().to_vec())
    }
}

macro_rules! from_numbers {
    ($($ty:ty),*) => { $(
        impl From<$ty> for Argument {
            fn from(value: $ty) -> Argument {
                Argument::Value(value.to_le_bytes().to_vec())
            }
        }
    )* };
}
from_numbers!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

/// Options of a launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Work-groups in each direction.
    pub groups: [u32; 3],
    /// Work-items of a work-group in each direction; what the kernel fixes, if absent.
    pub local_size: Option<[u32; 3]>,
    /// Offset of the global ids.
    pub offset: [u64; 3],
    /// The number of directions that the kernel sees.
    pub dimensions: u32,
    /// Instructions that a subgroup may execute before it counts as endless. One that accesses memory counts once for
    /// each number.
    pub budget: u64,
    /// Instructions that all subgroups together may execute, counted alike. To start one counts, too.
    pub launch_budget: u64,
    /// Threads at most; as many as there are cores, if absent.
    pub threads: Option<NonZeroUsize>,
    /// Checks; all of them, at first.
    pub checks: Checks,
    /// True to count what the kernel does, which takes time.
    pub count: bool,
}

impl Launch {
    /// The budget that a launch has at first. No kernel that does a step of work comes near it, and a loop that never
    /// ends is found out in seconds.
    pub const BUDGET: u64 = 1 << 28;
    /// The budget of a launch as a whole at first, which takes minutes.
    pub const LAUNCH_BUDGET: u64 = 1 << 34;

    /// A launch of so many work-groups.
    pub fn new(groups: [u32; 3]) -> Launch {
        Launch {
            groups,
            local_size: None,
            offset: [0; 3],
            dimensions: 3,
            budget: Launch::BUDGET,
            launch_budget: Launch::LAUNCH_BUDGET,
            threads: None,
            checks: Checks::ALL,
            count: false,
        }
    }
}

/// Reason why a kernel is not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Arguments are missing, or there are too many.
    #[error("{given} arguments for {expected} parameters")]
    ArgumentCount {
        /// Those that the kernel has.
        expected: usize,
        /// Those that were given.
        given: usize,
    },
    /// An argument does not fit its parameter.
    #[error("argument {} has {given} bytes instead of {expected}", .index.saturating_add(1))]
    ArgumentSize {
        /// Counted from zero; messages count from one.
        index: usize,
        /// Bytes of the parameter.
        expected: u64,
        /// Bytes of the argument.
        given: u64,
    },
    /// Local memory where a value is expected, or the other way round.
    #[error("argument {} is of the wrong kind", .0.saturating_add(1))]
    ArgumentKind(usize),
    /// The size of work-groups is unknown, zero, too large, or not what the kernel fixes.
    #[error("work-groups of {0}×{1}×{2} work-items")]
    GroupSize(u32, u32, u32),
    /// Too many work-groups.
    #[error("more work-groups than can be counted")]
    Range,
    /// More local memory than the device has.
    #[error("{0} bytes of local memory")]
    LocalMemory(u64),
}

/// A program for one size of subgroups.
pub(crate) enum Sized {
    Eight(Program<8>),
    Sixteen(Program<16>),
    ThirtyTwo(Program<32>),
}

macro_rules! sized {
    ($sized:expr, $program:ident => $result:expr) => {
        match $sized {
            Sized::Eight($program) => $result,
            Sized::Sixteen($program) => $result,
            Sized::ThirtyTwo($program) => $result,
        }
    };
}

impl Sized {
    pub fn translate(
        source: &Source<'_>,
        globals: &mut Globals,
        kernel: &Kernel,
        entry: u32,
        subgroup_size: u32,
    ) -> Result<Sized, Error> {
        Ok(match subgroup_size {
            8 => Sized::Eight(translate(source, globals, kernel, entry)?),
            16 => Sized::Sixteen(translate(source, globals, kernel, entry)?),
            32 => Sized::ThirtyTwo(translate(source, globals, kernel, entry)?),
            _ => return Err(Error::Unsupported("subgroups of other than 8, 16 or 32 lanes")),
        })
    }

    /// Runs the program.
    pub fn run(
        &self,
        device: &Device,
        kernel: &Kernel,
        memory: &Memory,
        launch: &Launch,
        arguments: &[Argument],
    ) -> Result<Outcome, LaunchError> {
        let local = launch.local_size.or(kernel.local_size()).unwrap_or([0; 3]);
        let [x, y, z] = local;
        let items = group_items(local);
        let fixed = kernel.local_size().is_none_or(|fixed| fixed == local);
        if !items.is_some_and(|items| (1..=device.max_group_size()).contains(&items)) || !fixed {
            return Err(LaunchError::GroupSize(x, y, z));
        }
        let count = launch.groups.iter().try_fold(1u64, |count, &size| count.checked_mul(u64::from(size)));
        if count.is_none() {
            return Err(LaunchError::Range);
        }
        sized!(self, program => {
            let local_size = check(&program.parameters, program.local_size, arguments)?;
            if local_size > device.local_memory() {
                return Err(LaunchError::LocalMemory(local_size));
            }
            let local_size = usize::try_from(local_size).map_err(|_| LaunchError::LocalMemory(local_size))?;
            let shared = Shared {
                range: Range {
                    groups: launch.groups.map(u64::from),
                    local: local.map(u64::from),
                    offset: launch.offset,
                    dimensions: launch.dimensions,
                },
                arguments: arguments
                    .iter()
                    .map(|argument| match argument {
                        Argument::Value(bytes) => bytes.as_slice(),
                        Argument::Local(_) => &[],
                    })
                    .collect(),
                local_arguments: arguments
                    .iter()
                    .map(|argument| if let Argument::Local(size) = argument { *size } else { 0 })
                    .collect(),
                allocations: memory.snapshot(&program.globals),
                local_size,
                budget: launch.budget,
                launch_budget: launch.launch_budget,
                spent: AtomicU64::new(0),
                checks: launch.checks,
                count: launch.count,
                defect: device.defect(),
            };
            let threads = launch.threads.or_else(|| thread::available_parallelism().ok());
            Ok(execute::run(program, &shared, threads.unwrap_or(NonZeroUsize::MIN)))
        })
    }
}

/// Work-items of a work-group; `None` if they cannot be counted.
pub(crate) fn group_items(size: [u32; 3]) -> Option<u32> {
    size.into_iter().try_fold(1u32, u32::checked_mul)
}

/// Checks arguments against parameters; returns the local memory in all.
fn check(parameters: &[Parameter], local: u64, arguments: &[Argument]) -> Result<u64, LaunchError> {
    if parameters.len() != arguments.len() {
        return Err(LaunchError::ArgumentCount { expected: parameters.len(), given: arguments.len() });
    }
    let mut local = local;
    for (index, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
        match (parameter, argument) {
            (
                Parameter::Value { size: expected, .. } | Parameter::InMemory { size: expected, .. },
                Argument::Value(bytes),
            ) => {
                let given = bytes.len() as u64;
                if given != *expected {
                    return Err(LaunchError::ArgumentSize { index, expected: *expected, given });
                }
            }
            (Parameter::Local { .. }, Argument::Local(size)) => {
                let start = local.checked_next_multiple_of(execute::LOCAL_ALIGNMENT);
                let end = start.and_then(|start| start.checked_add(*size));
                local = end.ok_or(LaunchError::LocalMemory(u64::MAX))?;
            }
            _ => return Err(LaunchError::ArgumentKind(index)),
        }
    }
    Ok(local)
}
