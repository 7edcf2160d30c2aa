//! Kernels of a binary in the user's context, whose arguments stay as they were set.

use std::ffi::c_void;
use std::ptr;

use level_zero_sys::{
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST,
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED, ze_command_list_handle_t, ze_event_handle_t, ze_group_count_t,
    ze_kernel_handle_t, ze_module_handle_t,
};

use super::driver::{Driver, call};
use crate::runtime::Error;

/// Kernels of a built binary.
pub struct Kernels<'d> {
    driver: &'d Driver,
    module: ze_module_handle_t,
    kernels: Vec<ze_kernel_handle_t>,
}

// SAFETY: Level Zero's functions may be called from any thread on modules and kernels; only calls on the same
// kernel must not overlap, and those take `&mut`.
unsafe impl Send for Kernels<'_> {}

impl Kernels<'static> {
    /// The kernels of these names of a module, which goes with them.
    ///
    /// # Errors
    /// If there is no kernel of a name.
    ///
    /// # Safety
    /// `module` is null or a module of the installed Level Zero loader that nobody else destroys.
    pub unsafe fn new(module: ze_module_handle_t, names: &[&str]) -> Result<Self, Error> {
        Error::unless_null(module, "null module")?;
        // SAFETY: the same contract.
        unsafe { Kernels::of(Driver::get()?, module, names) }
    }
}

impl<'d> Kernels<'d> {
    /// The kernels of a module, which goes with them.
    ///
    /// # Safety
    /// `module` is a module of the loader that nobody else destroys.
    pub(super) unsafe fn of(
        driver: &'d Driver,
        module: ze_module_handle_t,
        names: &[&str],
    ) -> Result<Self, Error> {
        let mut made = Kernels { driver, module, kernels: Vec::new() };
        for name in names {
            // SAFETY: the module is valid by contract.
            made.kernels.push(unsafe { driver.create_kernel(module, name) }?);
        }
        Ok(made)
    }

    fn kernel(&self, kernel: usize) -> Result<ze_kernel_handle_t, Error> {
        self.kernels.get(kernel).copied().ok_or(Error::InvalidArguments { what: "no such kernel" })
    }

    /// Sets an argument to a copy of the bytes.
    ///
    /// # Errors
    /// If the kernel has no such argument.
    pub fn set_value(&mut self, kernel: usize, index: u32, value: &[u8]) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?;
        // SAFETY: the kernel is valid and borrowed for writing; the bytes are copied.
        unsafe {
            call!(self.driver, zeKernelSetArgumentValue(kernel, index, value.len(), value.as_ptr().cast()))
        }
    }

    /// Sets an argument to an address.
    ///
    /// # Errors
    /// If the kernel has no such argument.
    ///
    /// # Safety
    /// `memory` is null or an address of unified shared memory.
    pub unsafe fn set_memory(
        &mut self,
        kernel: usize,
        index: u32,
        memory: *const c_void,
    ) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?;
        let (size, address) = (size_of::<*const c_void>(), (&raw const memory).cast());
        // SAFETY: the kernel is valid and borrowed for writing; the address is copied.
        unsafe { call!(self.driver, zeKernelSetArgumentValue(kernel, index, size, address)) }
    }

    /// Appends a launch of so many work-groups along x to the list; with none, only what waits for `wait_for`
    /// and signals `signal`, which may be null.
    ///
    /// # Errors
    /// If there are more work-groups than Level Zero can count, or the driver fails.
    ///
    /// # Safety
    /// `list` is a command list and the events are events of the context that the kernels were built for, and
    /// the memory that was set stays valid until the launch is over.
    pub unsafe fn launch(
        &mut self,
        kernel: usize,
        list: ze_command_list_handle_t,
        groups: u64,
        signal: ze_event_handle_t,
        wait_for: &mut [ze_event_handle_t],
    ) -> Result<(), Error> {
        Error::unless_null(list, "null command list")?;
        if groups == 0 {
            self.kernel(kernel)?;
            if signal.is_null() && wait_for.is_empty() {
                return Ok(());
            }
            let (number, events) = events(wait_for)?;
            // SAFETY: the handles are valid by contract.
            return unsafe { call!(self.driver, zeCommandListAppendBarrier(list, signal, number, events)) };
        }
        let too_many = |_| Error::InvalidArguments { what: "more work-groups than Level Zero can count" };
        let x = u32::try_from(groups).map_err(too_many)?;
        // SAFETY: the same contract.
        unsafe { self.append(kernel, list, [x, 1, 1], signal, wait_for) }
    }

    /// Appends a launch of so many work-groups in each direction, which is at least one.
    ///
    /// # Safety
    /// As for [`launch`](Self::launch).
    pub(super) unsafe fn append(
        &mut self,
        kernel: usize,
        list: ze_command_list_handle_t,
        [x, y, z]: [u32; 3],
        signal: ze_event_handle_t,
        wait_for: &mut [ze_event_handle_t],
    ) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?;
        let (number, events) = events(wait_for)?;
        let count = ze_group_count_t { groupCountX: x, groupCountY: y, groupCountZ: z };
        // SAFETY: the handles are valid by contract, the kernel is valid; the count is copied.
        unsafe {
            call!(self.driver, zeCommandListAppendLaunchKernel(list, kernel, &count, signal, number, events))
        }
    }

    /// Tells the driver that the kernel may follow pointers it finds in memory, as those of a group.
    pub(super) fn allow_indirect_access(&mut self, kernel: usize) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?;
        let everywhere = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
        // SAFETY: the kernel is valid and borrowed for writing.
        unsafe { call!(self.driver, zeKernelSetIndirectAccess(kernel, everywhere)) }
    }
}

/// Events as Level Zero takes them; it wants no list rather than an empty one.
fn events(events: &mut [ze_event_handle_t]) -> Result<(u32, *mut ze_event_handle_t), Error> {
    let too_many = |_| Error::InvalidArguments { what: "more events than can be counted" };
    let number = u32::try_from(events.len()).map_err(too_many)?;
    Ok((number, if events.is_empty() { ptr::null_mut() } else { events.as_mut_ptr() }))
}

impl Drop for Kernels<'_> {
    fn drop(&mut self) {
        // That the driver refuses to destroy something is nothing to act upon.
        // SAFETY: the kernels and the module belong to this object; the user does not drop it before what was
        // launched is over, as Level Zero demands of whoever destroys a kernel.
        unsafe {
            for &kernel in &self.kernels {
                let _ = call!(self.driver, zeKernelDestroy(kernel));
            }
            let _ = call!(self.driver, zeModuleDestroy(self.module));
        }
    }
}
