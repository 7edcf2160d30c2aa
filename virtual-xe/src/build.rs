//! Modules built for a device.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::counters::Counters;
use crate::launch::{Argument, Launch, LaunchError, Sized, group_items};
use crate::memory::Memory;
use crate::translate::{Globals, Source};
use crate::{Defect, Device, Error, Kernel, Module, Report};
use rspirv::spirv::Capability;

/// A module built for a device.
pub struct Program {
    device: &'static Device,
    kernels: Vec<ReadyKernel>,
}

/// A kernel that can be run.
pub struct ReadyKernel {
    device: &'static Device,
    kernel: Kernel,
    subgroup_size: u32,
    program: Sized,
}

/// Outcome of running a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Findings of the checks, in the order of the instructions.
    pub reports: Vec<Report>,
    /// Output of the kernel, work-group after work-group, 4 MiB at most.
    pub printed: String,
    /// Counters of the kernel, if the launch asked for it.
    pub counters: Option<Counters>,
}

impl Program {
    /// Builds a module from its bytes, in little-endian words.
    ///
    /// # Errors
    /// If the module is malformed, asks for what the device lacks, or has an instruction that is not known.
    pub fn build(device: &'static Device, bytes: &[u8]) -> Result<Program, Error> {
        let module = Module::parse(bytes)?;
        if !module.is_physical64() {
            return Err(Error::MemoryModel);
        }
        for &capability in module.capabilities() {
            if !device.has(capability) {
                return Err(Error::Capability { device: device.name(), capability });
            }
        }
        if !module.extras().capabilities.is_empty() && !device.has(Capability::CooperativeMatrixKHR) {
            let capability = Capability::CooperativeMatrixKHR;
            return Err(Error::Capability { device: device.name(), capability });
        }
        let mut globals = Globals::default();
        let mut kernels = Vec::new();
        for (kernel, entry) in module.kernels().iter().zip(module.entries()) {
            let subgroup_size = kernel.subgroup_size().unwrap_or(device.default_subgroup_size());
            let subgroup_size = match device.subgroup_sizes() {
                [.., largest] if device.defect() == Some(Defect::SubgroupSizeIgnored) => *largest,
                _ => subgroup_size,
            };
            let name = || kernel.name().to_owned();
            if !device.subgroup_sizes().contains(&subgroup_size) {
                return Err(Error::SubgroupSize {
                    kernel: name(),
                    size: subgroup_size,
                    device: device.name(),
                });
            }
            let most = device.max_group_size();
            if let Some(size) = kernel.local_size()
                && group_items(size).is_none_or(|items| items > most)
            {
                return Err(Error::GroupSize { kernel: name(), size, most });
            }
            if kernel.local_memory() > device.local_memory() {
                return Err(Error::TooMuchLocalMemory {
                    kernel: name(),
                    bytes: kernel.local_memory(),
                    most: device.local_memory(),
                });
            }
            let source = Source::new(&module, device, subgroup_size)?;
            let program = Sized::translate(&source, &mut globals, kernel, *entry, subgroup_size)?;
            kernels.push(ReadyKernel { device, kernel: kernel.clone(), subgroup_size, program });
        }
        Ok(Program { device, kernels })
    }

    /// The device that it was built for.
    pub fn device(&self) -> &'static Device {
        self.device
    }

    /// The kernels, in the order of their entry points.
    pub fn kernels(&self) -> &[ReadyKernel] {
        &self.kernels
    }

    /// The kernel of a name.
    pub fn kernel(&self, name: &str) -> Option<&ReadyKernel> {
        self.kernels.iter().find(|kernel| kernel.kernel.name() == name)
    }
}

impl ReadyKernel {
    /// Description of its arguments and sizes.
    pub fn description(&self) -> &Kernel {
        &self.kernel
    }

    /// The size of its subgroups.
    pub fn subgroup_size(&self) -> u32 {
        self.subgroup_size
    }

    /// Runs the kernel; returns when all work-groups have ended.
    ///
    /// # Errors
    /// If the arguments or the size of the work-groups do not fit the kernel or the device.
    pub fn run(
        &self,
        memory: &Memory,
        launch: &Launch,
        arguments: &[Argument],
    ) -> Result<Outcome, LaunchError> {
        self.program.run(self.device, &self.kernel, memory, launch, arguments)
    }
}
