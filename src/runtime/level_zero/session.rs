//! A launcher of tiletc's own: one device, its context and command list, memory that host and device share.

use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use level_zero_sys::*;

use super::bundle::{BuildTarget, Bundle};
use super::driver::{Driver, call, zeroed};
use super::event::Event;
use super::kernel::Kernel;
use super::list::{all_devices, name};
use super::recording;
use crate::device::CoreInfo;
use crate::runtime::{
    self, Allocator, Argument, Binary, DeviceSummary, Error, Kernel as _, Recording, Timestamps, answer,
};

/// A device with everything that running kernels on it takes; clones share it.
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
}

struct Shared {
    target: Arc<BuildTarget>,
    list: Mutex<List>,
}

/// A command list that runs each command at once and returns when it is over. Only one thread may use it at a time.
struct List {
    driver: &'static Driver,
    handle: ze_command_list_handle_t,
}

// SAFETY: any thread may use a command list, one at a time.
unsafe impl Send for List {}

impl Session {
    /// Opens the first GPU. Drivers list devices for neural networks as well, which run no kernels.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] or [`Error::NoDevice`] if there is nothing to run kernels on; whatever a driver
    /// fails with.
    pub fn open() -> Result<Self, Error> {
        let driver = Driver::get()?;
        for (handle, device) in all_devices(driver)? {
            // SAFETY: the driver has just listed the device.
            let (properties, _) = unsafe { driver.device_properties(device) }?;
            if properties.type_ == ZE_DEVICE_TYPE_GPU {
                return Session::on(driver, (handle, device));
            }
        }
        Err(Error::NoDevice { wanted: "Level Zero GPU" })
    }

    /// A device with the driver that listed it.
    pub(super) fn on(
        driver: &'static Driver,
        listed: (ze_driver_handle_t, ze_device_handle_t),
    ) -> Result<Self, Error> {
        let target = BuildTarget::create(driver, listed)?;
        let mut description: ze_command_queue_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        let (context, device) = (target.context(), target.device());
        let mut handle = ptr::null_mut();
        // SAFETY: context and device are valid; the description carries its type and outlives the call.
        unsafe { call!(driver, zeCommandListCreateImmediate(context, device, &description, &mut handle)) }?;
        let handle = answer::object("zeCommandListCreateImmediate", handle)?;
        let list = Mutex::new(List { driver, handle });
        Ok(Session { shared: Arc::new(Shared { list, target: Arc::new(target) }) })
    }

    pub(super) fn target(&self) -> &BuildTarget {
        &self.shared.target
    }
}

impl runtime::Device for Session {
    type Bundle = Bundle;

    fn core_info(&self) -> Result<CoreInfo, Error> {
        self.target().core_info()
    }

    fn identity(&self) -> Result<String, Error> {
        self.target().identity()
    }

    fn build(&self, binary: &Binary) -> Result<Bundle, Error> {
        self.target().build(binary)
    }
}

impl runtime::Session for Session {
    type Event = Event;

    fn devices() -> Result<Vec<DeviceSummary>, Error> {
        super::devices()
    }

    fn open_listed(number: usize) -> Result<Self, Error> {
        let driver = Driver::get()?;
        let listed = all_devices(driver)?.get(number).copied();
        let what = "there is no Level Zero device of this number";
        Session::on(driver, listed.ok_or(Error::InvalidArguments { what })?)
    }

    fn device_name(&self) -> Result<String, Error> {
        // SAFETY: the device is valid.
        let (properties, _) = unsafe { self.target().driver.device_properties(self.target().device()) }?;
        Ok(name(&properties))
    }

    fn driver_version(&self) -> Result<String, Error> {
        self.target().driver.driver_version()
    }

    fn allocator(&self) -> Arc<dyn Allocator> {
        self.shared.target.clone()
    }

    unsafe fn launch(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<Event, Error> {
        kernel.allow_indirect_access()?;
        kernel.set_arguments(arguments)?;
        if groups.contains(&0) {
            return Ok(Event::nothing(self.shared.target.clone()));
        }
        let event = Event::create(self.shared.target.clone())?;
        let list = self.shared.list.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: list and event are of the context that the kernel was built for; the caller vouches for the rest.
        unsafe { kernel.append(list.handle, groups.map(u64::from), event.handle(), &mut []) }?;
        Ok(event)
    }

    fn can_record(&self) -> Result<bool, Error> {
        Ok(true)
    }

    unsafe fn replay(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
        recording: Recording,
    ) -> Result<Option<Timestamps>, Error> {
        kernel.allow_indirect_access()?;
        kernel.set_arguments(arguments)?;
        // SAFETY: this function's contract.
        unsafe { recording::replay(self.target(), kernel, groups.map(u64::from), recording) }?;
        Ok(None)
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // That a driver refuses to destroy it is nothing to act upon.
        // SAFETY: the list was made for this object and is not used again.
        let _ = unsafe { call!(self.driver, zeCommandListDestroy(self.handle)) };
    }
}
