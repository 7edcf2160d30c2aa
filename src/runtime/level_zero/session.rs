//! A launcher of tiletc's own: one device, its context and command list, memory that host and device share.
//!
//! Made for tests and tools. A launch waits for its end, so that memory needs no bookkeeping.
//!
//! ```no_run
//! # use tiletc::runtime::{Binary, Error, level_zero::{Argument, Session}};
//! # fn run(binary: &Binary) -> Result<(), Error> {
//! let session = Session::open()?;
//! let mut kernel = session.build(binary, "scale")?;
//! let x = session.memory(&[0; 256], 128)?;
//! // SAFETY: four work-groups of 16 scale 64 numbers of four bytes.
//! unsafe { kernel.run([4, 1, 1], &[Argument::Value(&2.0f32.to_ne_bytes()), Argument::Memory(&x)])? };
//! # Ok(())
//! # }
//! ```

use std::ptr;
use std::rc::Rc;

use level_zero_sys::*;

use super::driver::{Driver, call, zeroed};
use super::kernels::Kernels;
use super::list::all_devices;
use super::memory::Memory;
use crate::runtime::{Binary, Error, answer};
use crate::target::CoreInfo;

/// A device with everything that running kernels on it takes; clones share it. It stays on its thread, since a
/// command list must not be used by two.
#[derive(Clone)]
pub struct Session<'d> {
    pub(super) shared: Rc<Shared<'d>>,
}

pub(super) struct Shared<'d> {
    pub(super) driver: &'d Driver,
    pub(super) device: ze_device_handle_t,
    pub(super) context: ze_context_handle_t,
    /// Runs each command at once and returns when it is over.
    list: ze_command_list_handle_t,
}

/// A kernel of a binary.
pub struct Kernel<'d> {
    // Goes before the context.
    kernels: Kernels<'d>,
    session: Session<'d>,
}

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub enum Argument<'a> {
    /// A number, as it lies in memory.
    Value(&'a [u8]),
    /// The address of memory.
    Memory(&'a Memory<'a>),
}

impl Session<'static> {
    /// Opens the first device.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] or [`Error::NoDevice`] if there is nothing to run kernels on; whatever a driver
    /// fails with.
    pub fn open() -> Result<Self, Error> {
        let driver = Driver::get()?;
        let first = all_devices(driver)?.first().copied();
        Session::on(driver, first.ok_or(Error::NoDevice { wanted: "Level Zero device" })?)
    }

    /// Opens the device of a number in the list of [`devices`](super::devices).
    ///
    /// # Errors
    /// [`Error::DriverMissing`] if there is no loader, [`Error::InvalidArguments`] if there is no device of the number;
    /// whatever a driver fails with.
    pub fn open_listed(number: usize) -> Result<Self, Error> {
        let driver = Driver::get()?;
        let listed = all_devices(driver)?.get(number).copied();
        let what = "there is no Level Zero device of this number";
        Session::on(driver, listed.ok_or(Error::InvalidArguments { what })?)
    }
}

impl<'d> Session<'d> {
    /// A device with the driver that listed it.
    pub(super) fn on(
        driver: &'d Driver,
        (handle, device): (ze_driver_handle_t, ze_device_handle_t),
    ) -> Result<Self, Error> {
        let mut description: ze_context_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
        let mut context = ptr::null_mut();
        // SAFETY: the driver is valid; the description carries its type and outlives the call.
        unsafe { call!(driver, zeContextCreate(handle, &description, &mut context)) }?;
        let context = answer::object("zeContextCreate", context)?;

        let mut description: ze_command_queue_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        let mut list = ptr::null_mut();
        // SAFETY: the context has just been made, the device is valid; the description as before.
        let made =
            unsafe { call!(driver, zeCommandListCreateImmediate(context, device, &description, &mut list)) };
        let list = made.and_then(|()| answer::object("zeCommandListCreateImmediate", list));
        let list = list.inspect_err(|_| {
            // SAFETY: nobody else has the context. The error that matters is that of the list.
            let _ = unsafe { call!(driver, zeContextDestroy(context)) };
        })?;
        Ok(Session { shared: Rc::new(Shared { driver, device, context, list }) })
    }

    /// What the compiler needs to know of the device.
    ///
    /// # Errors
    /// As for [`core_info_create`](super::core_info_create).
    pub fn core_info(&self) -> Result<CoreInfo, Error> {
        // SAFETY: the session's device is valid.
        unsafe { self.shared.driver.core_info(self.shared.device) }
    }

    /// Builds the binary for the device; returns its kernel of the name.
    ///
    /// # Errors
    /// As for [`kernel_bundle_create_with_binary`](super::kernel_bundle_create_with_binary) and
    /// [`kernel_create`](super::kernel_create).
    pub fn build(&self, binary: &Binary, name: &str) -> Result<Kernel<'d>, Error> {
        let Shared { driver, device, context, .. } = *self.shared;
        binary.check()?;
        // SAFETY: the session's handles are valid, and the module has just been made.
        let mut kernels = unsafe {
            let module = driver.create_module(context, device, binary)?;
            Kernels::of(driver, module, &[name])?
        };
        kernels.allow_indirect_access(0)?;
        Ok(Kernel { kernels, session: self.clone() })
    }
}

impl Kernel<'_> {
    /// Runs the kernel on that many work-groups and waits for the end. No work-groups, nothing to do.
    ///
    /// # Errors
    /// If the arguments do not fit the kernel, or the driver fails.
    ///
    /// # Safety
    /// With these arguments the kernel only accesses [`Memory`] that exists, within its bounds, and no
    /// reference to what it writes is alive.
    pub unsafe fn run(&mut self, groups: [u32; 3], arguments: &[Argument<'_>]) -> Result<(), Error> {
        for (index, argument) in (0..).zip(arguments) {
            match argument {
                Argument::Value(bytes) => self.kernels.set_value(0, index, bytes)?,
                // SAFETY: it is memory of the session's context, or of one of the same driver.
                Argument::Memory(memory) => unsafe {
                    self.kernels.set_memory(0, index, memory.as_ptr().cast())?;
                },
            }
        }
        if groups.contains(&0) {
            return Ok(());
        }
        // SAFETY: the list is of the context that the kernel was built for; the caller vouches for the rest.
        unsafe { self.kernels.append(0, self.session.shared.list, groups, ptr::null_mut(), &mut []) }
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        // That a driver refuses to destroy something is nothing to act upon.
        // SAFETY: kernels and memory hold the session, so they are gone by now.
        unsafe {
            let _ = call!(self.driver, zeCommandListDestroy(self.list));
            let _ = call!(self.driver, zeContextDestroy(self.context));
        }
    }
}
