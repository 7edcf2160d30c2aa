//! Kernels on virtual-xe.

use super::machine::{self, KernelArgument, Launch};
use crate::common::Failure;
use tiletc::runtime::Binary;
use tiletc::status::Status;
use tiletc::target::CoreInfo;
use virtual_xe::{Argument, Device, Memory, Outcome, Program};

/// What `virtual:generic` is compiled for: it runs whatever the others run.
const STAND_IN: &str = "pvc";

/// A device with its memory.
pub struct Machine {
    device: &'static Device,
    memory: Memory,
}

/// An allocation.
pub struct Buffer {
    /// Where it starts.
    pub address: u64,
    size: usize,
}

impl Machine {
    /// Opens the device of a name.
    pub fn open(name: &str) -> Result<Machine, Failure> {
        let device = Device::named(name).ok_or_else(|| {
            let names: Vec<String> =
                Device::all().iter().map(|device| format!("virtual:{}", device.name())).collect();
            Failure::Usage(format!("there is no device virtual:{name}; there are {}", names.join(", ")))
        })?;
        Ok(Machine { device, memory: Memory::new() })
    }

    /// What the compiler needs to know of the device.
    pub fn core_info(&self) -> Result<CoreInfo, Failure> {
        let info = CoreInfo::from_name(self.device.name()).or_else(|| CoreInfo::from_name(STAND_IN));
        info.ok_or_else(|| {
            let message = format!("the compiler does not know {}", self.device.name());
            Failure::Failed(Status::UnsupportedDevice, message)
        })
    }

    /// Memory with these bytes.
    pub fn upload(&self, bytes: &[u8], alignment: u64) -> Result<Buffer, Failure> {
        let address = self.memory.allocate(bytes.len() as u64, alignment).map_err(failed)?;
        self.memory.write(address, bytes).map_err(failed)?;
        Ok(Buffer { address, size: bytes.len() })
    }

    /// The bytes in memory.
    pub fn download(&self, buffer: &Buffer) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; buffer.size];
        self.memory.read(buffer.address, &mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// Runs a kernel.
    pub fn run(
        &self,
        binary: &Binary,
        launch: &Launch<'_>,
        arguments: &[KernelArgument<'_>],
    ) -> Result<Outcome, Failure> {
        let program = Program::build(self.device, binary.data()).map_err(failed)?;
        let kernel =
            program.kernel(launch.kernel).ok_or_else(|| failed(format!("no kernel {}", launch.kernel)))?;
        let arguments: Vec<Argument> = arguments
            .iter()
            .map(|argument| match argument {
                KernelArgument::Value(bytes) => Argument::Value(bytes.clone()),
                KernelArgument::Address(buffer) => Argument::address(machine::Buffer::address(buffer)),
            })
            .collect();
        let launch = virtual_xe::Launch {
            count: launch.count,
            checks: launch.checks,
            budget: launch.budget,
            ..virtual_xe::Launch::new(launch.groups)
        };
        kernel.run(&self.memory, &launch, &arguments).map_err(failed)
    }
}

fn failed(error: impl ToString) -> Failure {
    Failure::Failed(Status::ComputeRuntimeError, error.to_string())
}
