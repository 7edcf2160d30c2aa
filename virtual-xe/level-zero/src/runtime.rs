//! State of the process: the driver, its devices, and the memory that all of them share.

use crate::abi::Handle;
use crate::device::Device;
use crate::driver::Driver;
use crate::launch::complain;
use crate::objects;
use crate::settings::Settings;
use crate::status::{Failure, Outcome};
use level_zero_sys::*;
use std::sync::{Arc, OnceLock};
use virtual_xe::{Checks, Memory};

/// State of the process.
pub(crate) struct Runtime {
    pub driver: Handle<Driver>,
    /// The devices that programs are told of first; others are their parts or roots.
    pub devices: Vec<(Handle<Device>, Arc<Device>)>,
    pub memory: Memory,
    /// Instructions that a subgroup may execute.
    pub budget: Option<u64>,
    /// Instructions that all subgroups of a launch together may execute.
    pub launch_budget: Option<u64>,
    /// Checks of kernels.
    pub checks: Checks,
    /// Bytes that kernels say they spill in the usual register file.
    pub spill: u32,
}

static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();

/// Starts the driver, or says why it cannot start; once.
pub(crate) fn start() -> Outcome<&'static Runtime> {
    started(RUNTIME.get_or_init(|| {
        // Who asks a loader for devices only learns that there are none.
        let settings = Settings::read().inspect_err(|message| complain(message))?;
        let models = settings.cards.iter().filter_map(|card| Some((settings.devices.get(card.index)?, card)));
        let devices = models.flat_map(|(model, card)| Device::create(model, card, settings.hierarchy));
        let devices = devices.filter_map(|handle| Some((handle, handle.get().ok()?)));
        Ok(Runtime {
            driver: objects::add(Arc::new(Driver)),
            devices: devices.collect(),
            memory: Memory::new(),
            budget: settings.budget,
            launch_budget: settings.launch_budget,
            checks: settings.checks,
            spill: settings.spill,
        })
    }))
}

/// Runtime that has been started; an error before.
pub(crate) fn runtime() -> Outcome<&'static Runtime> {
    started(RUNTIME.get().ok_or(ZE_RESULT_ERROR_UNINITIALIZED)?)
}

fn started(runtime: &Result<Runtime, String>) -> Outcome<&Runtime> {
    runtime.as_ref().map_err(|message| Failure::new(ZE_RESULT_ERROR_UNINITIALIZED, message))
}

impl Runtime {
    /// The memory that devices may access.
    pub fn memory_of_driver(&self) -> &Memory {
        &self.memory
    }
}
