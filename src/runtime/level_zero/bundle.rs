//! Binaries that a Level Zero driver has built.

use std::sync::Arc;

use level_zero_sys::{ze_context_handle_t, ze_device_handle_t, ze_driver_handle_t, ze_module_handle_t};

use super::context::Context;
use super::driver::Driver;
use crate::device::CoreInfo;
use crate::runtime::{self, Binary, Error, KernelReport};

/// A context and a device of it, which bundles are built for.
#[derive(Clone)]
pub struct BuildTarget {
    pub(super) driver: &'static Driver,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    /// The context if it is tiletc's own; Level Zero does not count who uses one.
    _owner: Option<Arc<Context>>,
}

// SAFETY: Level Zero's functions may be called from any thread on contexts and devices.
unsafe impl Send for BuildTarget {}
// SAFETY: likewise.
unsafe impl Sync for BuildTarget {}

impl BuildTarget {
    /// A device of the user's program, which has initialised Level Zero.
    ///
    /// # Errors
    /// [`Error::InvalidArguments`] if a handle is null; if there is no driver.
    ///
    /// # Safety
    /// `context` and `device` are null or a context of the installed Level Zero loader and one of its devices, which
    /// outlive the result and all that is built for it.
    pub unsafe fn new(context: ze_context_handle_t, device: ze_device_handle_t) -> Result<Self, Error> {
        Error::unless_null(context, "null context")?;
        Error::unless_null(device, "null device")?;
        Ok(BuildTarget { driver: Driver::get()?, context, device, _owner: None })
    }

    /// The same for handles of another loader.
    #[cfg(test)]
    pub(super) fn of(
        driver: &'static Driver,
        context: ze_context_handle_t,
        device: ze_device_handle_t,
    ) -> Self {
        BuildTarget { driver, context, device, _owner: None }
    }

    /// A device with a context of its own.
    pub(super) fn create(
        driver: &'static Driver,
        (handle, device): (ze_driver_handle_t, ze_device_handle_t),
    ) -> Result<Self, Error> {
        let owner = Context::create(driver, handle)?;
        Ok(BuildTarget { driver, context: owner.handle(), device, _owner: Some(Arc::new(owner)) })
    }

    pub(super) fn context(&self) -> ze_context_handle_t {
        self.context
    }

    pub(super) fn device(&self) -> ze_device_handle_t {
        self.device
    }
}

impl runtime::Device for BuildTarget {
    type Bundle = Bundle;

    fn core_info(&self) -> Result<CoreInfo, Error> {
        // SAFETY: the device is valid since this was made.
        unsafe { self.driver.core_info(self.device) }
    }

    fn identity(&self) -> Result<String, Error> {
        // SAFETY: as before.
        unsafe { self.driver.identity(self.device) }
    }

    fn build(&self, binary: &Binary) -> Result<Bundle, Error> {
        binary.check()?;
        // SAFETY: context and device are valid since this was made.
        let module = unsafe { self.driver.create_module(self.context, self.device, binary) }?;
        Ok(Bundle { target: self.clone(), module })
    }
}

/// A module.
pub struct Bundle {
    target: BuildTarget,
    module: ze_module_handle_t,
}

// SAFETY: Level Zero's functions may be called from any thread on a module.
unsafe impl Send for Bundle {}
// SAFETY: likewise.
unsafe impl Sync for Bundle {}

impl Bundle {
    /// The module, which the caller destroys with `zeModuleDestroy`. That of a [`Session`](super::Session) must not
    /// outlive it.
    pub fn into_raw(mut self) -> ze_module_handle_t {
        std::mem::replace(&mut self.module, std::ptr::null_mut())
    }

    pub(super) fn native_binary(&self) -> Result<Vec<u8>, Error> {
        // SAFETY: the module is valid.
        unsafe { self.target.driver.native_binary(self.module) }
    }

    pub(super) fn reports(&self) -> Result<Vec<KernelReport>, Error> {
        // SAFETY: the module is valid.
        unsafe { self.target.driver.kernel_reports(self.module) }
    }

    pub(super) fn module(&self) -> ze_module_handle_t {
        self.module
    }

    pub(super) fn driver(&self) -> &'static Driver {
        self.target.driver
    }
}

impl Drop for Bundle {
    fn drop(&mut self) {
        if !self.module.is_null() {
            // That the driver refuses to destroy it is nothing to act upon.
            // SAFETY: the module was made for this object, whose kernels hold it, and is not used again.
            let _ = unsafe { self.target.driver.destroy_module(self.module) };
        }
    }
}
