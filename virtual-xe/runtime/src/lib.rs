//! virtual-xe as a device of tiletc's runtime, for tools and tests.
//!
//! It is a crate of its own because virtual-xe knows nothing of tiletc, and libtiletc nothing of virtual-xe
//! (`docs/decisions/0009-one-runtime-trait.md`).
#![deny(unsafe_code)]

mod kernel;
mod memory;

pub use kernel::{Bundle, Kernel};

use memory::SharedMemory;
use std::sync::Arc;
use tiletc::device::{CoreFeatures, CoreInfo};
use tiletc::runtime::{self, Allocator, Argument, Binary, DeviceSummary, Error, Kernel as _, Recording};
use virtual_xe::{Checks, Defect, Device, Outcome, Program};

/// Name that a device is compiled for that the compiler does not know: `generic` runs whatever the others run.
const STAND_IN: &str = "pvc";

/// A device of virtual-xe and its memory; clones share them.
#[derive(Clone)]
pub struct Session {
    device: &'static Device,
    memory: Arc<SharedMemory>,
    checks: Checks,
    count: bool,
    budget: u64,
    launch_budget: u64,
}

impl Session {
    /// A device that checks all it can, counts nothing, and lets loops run as long as it does by itself.
    pub fn new(device: &'static Device) -> Session {
        Session {
            device,
            memory: Arc::default(),
            checks: Checks::ALL,
            count: false,
            budget: virtual_xe::Launch::BUDGET,
            launch_budget: virtual_xe::Launch::LAUNCH_BUDGET,
        }
    }

    /// Opens the device of a name.
    ///
    /// # Errors
    /// [`Error::Device`], which names the devices, if there is none of the name.
    pub fn open(name: &str) -> Result<Session, Error> {
        Device::named(name).map(Session::new).ok_or_else(|| {
            let names: Vec<String> =
                Device::all().iter().map(|device| format!("virtual:{}", device.name())).collect();
            let message = format!("there is no device virtual:{name}; there are {}", names.join(", "));
            Error::Device { message }
        })
    }

    /// Gives the device a defect, which modules that are built from now on have.
    pub fn set_defect(&mut self, defect: Defect) {
        // A device lives as long as the program; there are few with a defect.
        self.device = Box::leak(Box::new(self.device.clone().with_defect(defect)));
    }

    /// Sets the checks of launches from now on.
    pub fn set_checks(&mut self, checks: Checks) {
        self.checks = checks;
    }

    /// Sets whether launches from now on count what kernels do, which takes time.
    pub fn set_count(&mut self, count: bool) {
        self.count = count;
    }

    /// Sets the number of instructions that a subgroup may execute from now on before its loop counts as endless.
    pub fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    /// Sets the number of instructions that all subgroups of a launch together may execute from now on.
    pub fn set_launch_budget(&mut self, budget: u64) {
        self.launch_budget = budget;
    }
}

/// An error of the device.
fn failed(error: impl ToString) -> Error {
    Error::Device { message: error.to_string() }
}

fn core_info(device: &Device) -> Result<CoreInfo, Error> {
    let info = CoreInfo::from_name(device.name()).or_else(|| CoreInfo::from_name(STAND_IN));
    info.ok_or_else(|| {
        let reason = format!("the compiler does not know {}", device.name());
        Error::UnsupportedDevice { reason }
    })
}

impl runtime::Device for Session {
    type Bundle = Bundle;

    fn core_info(&self) -> Result<CoreInfo, Error> {
        core_info(self.device)
    }

    fn identity(&self) -> Result<String, Error> {
        Ok(format!("virtual-xe {} {}", env!("CARGO_PKG_VERSION"), self.device.name()))
    }

    fn build(&self, binary: &Binary) -> Result<Bundle, Error> {
        let is_large = binary.core_features().contains(CoreFeatures::LARGE_REGISTER_FILE);
        if is_large && self.device.defect() == Some(Defect::LargeRegisterFileRefused) {
            return Err(failed("the compiler has no options"));
        }
        Ok(Bundle(Program::build(self.device, binary.data()).map_err(failed)?))
    }
}

impl runtime::Session for Session {
    type Event = Event;

    fn devices() -> Result<Vec<DeviceSummary>, Error> {
        let summary =
            |device| DeviceSummary { name: Device::name(device).to_owned(), core_info: core_info(device) };
        Ok(Device::all().iter().map(summary).collect())
    }

    fn open_listed(number: usize) -> Result<Session, Error> {
        let what = "there is no virtual device of this number";
        Device::all().get(number).map(Session::new).ok_or(Error::InvalidArguments { what })
    }

    fn device_name(&self) -> Result<String, Error> {
        Ok(self.device.name().to_owned())
    }

    fn driver_version(&self) -> Result<String, Error> {
        Ok(concat!("virtual-xe ", env!("CARGO_PKG_VERSION")).to_owned())
    }

    fn allocator(&self) -> Arc<dyn Allocator> {
        self.memory.clone()
    }

    #[allow(unsafe_code, reason = "the trait is also that of drivers; a wrong access is a report here")]
    unsafe fn launch(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<Event, Error> {
        kernel.set_arguments(arguments)?;
        let launch = virtual_xe::Launch {
            count: self.count,
            checks: self.checks,
            budget: self.budget,
            launch_budget: self.launch_budget,
            ..virtual_xe::Launch::new(groups)
        };
        kernel.run(self.memory.memory(), &launch).map(Event)
    }

    fn can_record(&self) -> Result<bool, Error> {
        Ok(true)
    }

    #[allow(unsafe_code, reason = "the trait is also that of drivers; a wrong access is a report here")]
    unsafe fn replay(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
        recording: Recording,
    ) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        let is_lost = self.device.defect() == Some(Defect::ReplayLost);
        let executions = if is_lost { recording.executions.min(1) } else { recording.executions };
        for _ in 0..recording.launches.saturating_mul(executions) {
            // SAFETY: the same contract.
            outcome = unsafe { self.run(kernel, groups, arguments) }?;
            if !outcome.reports.is_empty() {
                break;
            }
        }
        Ok(outcome)
    }
}

/// A launch, which is over before it is handed out.
pub struct Event(Outcome);

impl runtime::Event for Event {
    /// The device has no clock; it tells what its checks found and, if asked to, what the kernel did.
    type Profile = Outcome;

    fn wait(self) -> Result<Outcome, Error> {
        Ok(self.0)
    }
}
