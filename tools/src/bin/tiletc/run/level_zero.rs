//! Kernels on Level Zero devices.
// Running a kernel is unsafe by nature, see below.
#![allow(unsafe_code)]

use super::machine::{self, KernelArgument, Launch};
use crate::common::Failure;
use tiletc::runtime::level_zero::{Argument, Memory, Session};
use tiletc::runtime::{Binary, Error};
use tiletc::status::Status;
use tiletc::target::CoreInfo;

/// An open device.
pub struct Machine(Session<'static>);

/// Memory that host and device share.
pub type Buffer = Memory<'static>;

impl Machine {
    /// Opens the device of a number in the list of `tiletc info`, or the first GPU.
    pub fn open(number: Option<usize>) -> Result<Machine, Failure> {
        number.map_or_else(Session::open, Session::open_listed).map(Machine).map_err(failed)
    }

    /// What the compiler needs to know of the device.
    pub fn core_info(&self) -> Result<CoreInfo, Failure> {
        self.0.core_info().map_err(failed)
    }

    /// Memory with these bytes.
    pub fn upload(&self, bytes: &[u8], alignment: u64) -> Result<Buffer, Failure> {
        self.0.memory(bytes, usize::try_from(alignment).unwrap_or(usize::MAX)).map_err(failed)
    }

    /// Runs a kernel.
    pub fn run(
        &self,
        binary: &Binary,
        launch: &Launch<'_>,
        arguments: &[KernelArgument<'_>],
    ) -> Result<(), Failure> {
        let mut kernel = self.0.build(binary, launch.kernel).map_err(failed)?;
        let arguments: Option<Vec<Argument<'_>>> = arguments
            .iter()
            .map(|argument| match argument {
                KernelArgument::Value(bytes) => Some(Argument::Value(bytes)),
                KernelArgument::Address(machine::Buffer::LevelZero(memory)) => Some(Argument::Memory(memory)),
                KernelArgument::Address(_) => None,
            })
            .collect();
        let arguments = arguments.ok_or_else(|| {
            Failure::Failed(Status::InternalCompilerError, "memory of another device".to_owned())
        })?;
        // SAFETY: the arguments are those that the kernel's parameters call for, in memory that lives until the end of
        // the run and that nobody looks at meanwhile. Whether the kernel stays within it, nobody can know before;
        // to run the user's kernel, as it is, is what this tool is called for.
        unsafe { kernel.run(launch.groups, &arguments) }.map_err(failed)
    }
}

fn failed(error: Error) -> Failure {
    Failure::Failed(error.status(), error.to_string())
}
