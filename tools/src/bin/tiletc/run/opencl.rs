//! Kernels on OpenCL devices.
// Running a kernel is unsafe by nature, see below.
#![allow(unsafe_code)]

use super::machine::{self, KernelArgument, Launch};
use crate::common::Failure;
use num_complex::Complex64;
use tiletc::runtime::opencl::{self, Argument, DeviceKind, Session};
use tiletc::runtime::{Binary, Error};
use tiletc::status::Status;
use tiletc::target::CoreInfo;

/// Alignment of all memory of a [`Session`].
const ALIGNMENT: u64 = 128;

/// An open device.
pub struct Machine(Session);

/// Memory that host and device share.
pub type Buffer = opencl::Memory<u8>;

impl Machine {
    /// Opens the device of a number in the list of `tiletc info`, or the first that runs kernels.
    pub fn open(number: Option<usize>) -> Result<Machine, Failure> {
        let session = match number {
            None => Session::open(DeviceKind::Any),
            Some(number) => Session::open_listed(number),
        };
        session.map(Machine).map_err(failed)
    }

    /// What the compiler needs to know of the device.
    pub fn core_info(&self) -> Result<CoreInfo, Failure> {
        self.0.core_info().map_err(failed)
    }

    /// Memory with these bytes.
    pub fn upload(&self, bytes: &[u8], alignment: u64) -> Result<Buffer, Failure> {
        if alignment > ALIGNMENT {
            let message = format!("memory at multiples of {alignment} bytes is not to be had from OpenCL");
            return Err(Failure::Failed(Status::UnsupportedDevice, message));
        }
        self.0.memory(bytes).map_err(failed)
    }

    /// Runs a kernel.
    pub fn run(
        &self,
        binary: &Binary,
        launch: &Launch<'_>,
        arguments: &[KernelArgument<'_>],
    ) -> Result<(), Failure> {
        let mut kernel =
            self.0.build(binary).and_then(|program| program.kernel(launch.kernel)).map_err(failed)?;
        let arguments: Option<Vec<Argument<'_>>> = arguments.iter().map(argument).collect();
        let arguments = arguments.ok_or_else(|| {
            Failure::Failed(
                Status::InternalCompilerError,
                "an argument of a size that no type has".to_owned(),
            )
        })?;
        let groups = launch.groups.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        // SAFETY: the arguments are those that the kernel's parameters call for, in memory that lives until the end of
        // the run and that nobody looks at meanwhile. Whether the kernel stays within it, nobody can know before;
        // to run the user's kernel, as it is, is what this tool is called for.
        unsafe { kernel.run(groups, &arguments) }.map_err(failed)
    }
}

fn argument<'a>(argument: &KernelArgument<'a>) -> Option<Argument<'a>> {
    let bytes = match argument {
        KernelArgument::Value(bytes) => bytes.as_slice(),
        KernelArgument::Address(machine::Buffer::OpenCl(memory)) => return Some(memory.into()),
        KernelArgument::Address(_) => return None,
    };
    Some(match bytes.len() {
        1 => u8::from_ne_bytes(bytes.try_into().ok()?).into(),
        2 => u16::from_ne_bytes(bytes.try_into().ok()?).into(),
        4 => u32::from_ne_bytes(bytes.try_into().ok()?).into(),
        8 => u64::from_ne_bytes(bytes.try_into().ok()?).into(),
        _ => {
            let (re, im) = bytes.split_at_checked(8)?;
            let part = |bytes: &[u8]| Some(f64::from_ne_bytes(bytes.try_into().ok()?));
            Complex64::new(part(re)?, part(im)?).into()
        }
    })
}

fn failed(error: Error) -> Failure {
    Failure::Failed(error.status(), error.to_string())
}
