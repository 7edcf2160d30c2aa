//! The devices that kernels are run on.

use super::{level_zero, opencl, simulated};
use crate::common::Failure;
use std::fmt;
use std::str::FromStr;
use tiletc::runtime::Binary;
use tiletc::target::CoreInfo;

/// The name of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceName {
    /// A device of virtual-xe.
    Virtual(String),
    /// One of OpenCL's by number, or the first that runs kernels.
    OpenCl(Option<usize>),
    /// One of Level Zero's by number, or the first.
    LevelZero(Option<usize>),
}

impl FromStr for DeviceName {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceName, String> {
        let (kind, which) = text.split_once(':').map_or((text, None), |(kind, which)| (kind, Some(which)));
        let number = || match which.map(str::parse) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => Err(format!("`{}` is no number of a device", which.unwrap_or_default())),
        };
        match (kind, which) {
            ("virtual", Some(name)) => Ok(DeviceName::Virtual(name.to_owned())),
            ("opencl", _) => Ok(DeviceName::OpenCl(number()?)),
            ("level_zero", _) => Ok(DeviceName::LevelZero(number()?)),
            _ => {
                Err("a device is virtual:NAME, opencl[:N] or level_zero[:N]; `tiletc info` lists them"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, number) = match self {
            DeviceName::Virtual(name) => return write!(f, "virtual:{name}"),
            DeviceName::OpenCl(number) => ("opencl", number),
            DeviceName::LevelZero(number) => ("level_zero", number),
        };
        f.write_str(kind)?;
        number.map_or(Ok(()), |number| write!(f, ":{number}"))
    }
}

/// A device with its memory.
pub enum Machine {
    /// One of virtual-xe.
    Virtual(simulated::Machine),
    /// One of OpenCL's.
    OpenCl(opencl::Machine),
    /// One of Level Zero's.
    LevelZero(level_zero::Machine),
}

/// Memory of a [`Machine`].
pub enum Buffer {
    /// Of virtual-xe.
    Virtual(simulated::Buffer),
    /// Of OpenCL.
    OpenCl(opencl::Buffer),
    /// Of Level Zero.
    LevelZero(level_zero::Buffer),
}

/// An argument as a driver takes it.
pub enum KernelArgument<'a> {
    /// A number, as it lies in memory.
    Value(Vec<u8>),
    /// The address of memory.
    Address(&'a Buffer),
}

/// How a kernel is run.
pub struct Launch<'a> {
    /// Its name.
    pub kernel: &'a str,
    /// Work-groups in each direction.
    pub groups: [u32; 3],
    /// Whether to count what the kernel does; only virtual devices can.
    pub count: bool,
    /// What is checked; only virtual devices can.
    pub checks: virtual_xe::Checks,
    /// Instructions that a subgroup may execute; only virtual devices count them.
    pub budget: u64,
}

impl Machine {
    /// Opens a device.
    pub fn open(name: &DeviceName) -> Result<Machine, Failure> {
        match name {
            DeviceName::Virtual(name) => simulated::Machine::open(name).map(Machine::Virtual),
            DeviceName::OpenCl(number) => opencl::Machine::open(*number).map(Machine::OpenCl),
            DeviceName::LevelZero(number) => level_zero::Machine::open(*number).map(Machine::LevelZero),
        }
    }

    /// What the compiler needs to know of the device.
    pub fn core_info(&self) -> Result<CoreInfo, Failure> {
        match self {
            Machine::Virtual(machine) => machine.core_info(),
            Machine::OpenCl(machine) => machine.core_info(),
            Machine::LevelZero(machine) => machine.core_info(),
        }
    }

    /// Memory with these bytes at a multiple of the alignment.
    pub fn upload(&self, bytes: &[u8], alignment: u64) -> Result<Buffer, Failure> {
        match self {
            Machine::Virtual(machine) => machine.upload(bytes, alignment).map(Buffer::Virtual),
            Machine::OpenCl(machine) => machine.upload(bytes, alignment).map(Buffer::OpenCl),
            Machine::LevelZero(machine) => machine.upload(bytes, alignment).map(Buffer::LevelZero),
        }
    }

    /// The bytes in memory.
    pub fn download(&self, buffer: &Buffer) -> Result<Vec<u8>, Failure> {
        match (self, buffer) {
            (Machine::Virtual(machine), Buffer::Virtual(buffer)) => machine.download(buffer),
            (_, Buffer::OpenCl(buffer)) => Ok(buffer.to_vec()),
            (_, Buffer::LevelZero(buffer)) => Ok(buffer.to_vec()),
            (Machine::OpenCl(_) | Machine::LevelZero(_), Buffer::Virtual(_)) => Ok(Vec::new()),
        }
    }

    /// Builds a module and runs a kernel of it to its end. Only virtual devices report anything.
    pub fn run(
        &self,
        binary: &Binary,
        launch: &Launch<'_>,
        arguments: &[KernelArgument<'_>],
    ) -> Result<virtual_xe::Outcome, Failure> {
        match self {
            Machine::Virtual(machine) => machine.run(binary, launch, arguments),
            Machine::OpenCl(machine) => {
                machine.run(binary, launch, arguments)?;
                Ok(virtual_xe::Outcome::default())
            }
            Machine::LevelZero(machine) => {
                machine.run(binary, launch, arguments)?;
                Ok(virtual_xe::Outcome::default())
            }
        }
    }
}

impl Buffer {
    /// Where it starts, as kernels see it.
    pub fn address(&self) -> u64 {
        match self {
            Buffer::Virtual(buffer) => buffer.address,
            Buffer::OpenCl(buffer) => buffer.address(),
            Buffer::LevelZero(buffer) => buffer.address(),
        }
    }
}
