//! Kernels, whose arguments stay as they were set.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use level_zero_sys::{
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST,
    ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED, ze_command_list_handle_t, ze_event_handle_t, ze_group_count_t,
    ze_kernel_handle_t,
};

use super::bundle::Bundle;
use super::driver::{Driver, call};
use crate::runtime::{self, Error, KernelReport, MemoryKind, device};

/// A kernel of a built binary. The user does not drop it before what was launched is over, as Level Zero demands of
/// whoever destroys a kernel.
pub struct Kernel {
    driver: &'static Driver,
    kernel: ze_kernel_handle_t,
    group_size: [usize; 3],
    allows_indirect_access: bool,
    // Goes last: Level Zero demands that kernels go before their module.
    _bundle: Option<Arc<Bundle>>,
}

// SAFETY: Level Zero's functions may be called from any thread on a kernel; only calls on the same kernel must not
// overlap, and those take `&mut`.
unsafe impl Send for Kernel {}
// SAFETY: what takes `&self` does not call the driver.
unsafe impl Sync for Kernel {}

impl Kernel {
    pub(super) fn new(bundle: Arc<Bundle>, name: &str) -> Result<Kernel, Error> {
        let driver = bundle.driver();
        // SAFETY: the module is valid.
        let (kernel, group_size) = unsafe { driver.create_kernel(bundle.module(), name) }?;
        let group_size = group_size.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        Ok(Kernel { driver, kernel, group_size, allows_indirect_access: false, _bundle: Some(bundle) })
    }

    /// A kernel that somebody else owns. It is not to be dropped.
    ///
    /// # Safety
    /// `kernel` is a kernel of the loader that outlives the result.
    pub(super) unsafe fn borrowed(
        driver: &'static Driver,
        kernel: ze_kernel_handle_t,
    ) -> Result<ManuallyDrop<Kernel>, Error> {
        // SAFETY: the kernel is valid by contract.
        let group_size = unsafe { driver.group_size(kernel) }?;
        let group_size = group_size.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        let kernel = Kernel { driver, kernel, group_size, allows_indirect_access: false, _bundle: None };
        Ok(ManuallyDrop::new(kernel))
    }

    /// Appends a launch of so many work-groups to the list; with none, only what waits for `wait_for` and signals
    /// `signal`, which may be null.
    ///
    /// # Errors
    /// If there are more work-groups than Level Zero can count, or the driver fails.
    ///
    /// # Safety
    /// `list` is a command list and the events are events of the context that the kernel was built for, and the memory
    /// that was set stays valid until the launch is over.
    pub unsafe fn append(
        &mut self,
        list: ze_command_list_handle_t,
        groups: [u64; 3],
        signal: ze_event_handle_t,
        wait_for: &mut [ze_event_handle_t],
    ) -> Result<(), Error> {
        Error::unless_null(list, "null command list")?;
        if groups.contains(&0) && signal.is_null() && wait_for.is_empty() {
            return Ok(());
        }
        let (number, events) = events(wait_for)?;
        if groups.contains(&0) {
            // SAFETY: the handles are valid by contract.
            return unsafe { call!(self.driver, zeCommandListAppendBarrier(list, signal, number, events)) };
        }
        let count = |groups| {
            let what = "more work-groups than Level Zero can count";
            u32::try_from(groups).map_err(|_| Error::InvalidArguments { what })
        };
        let [x, y, z] = groups;
        let count =
            ze_group_count_t { groupCountX: count(x)?, groupCountY: count(y)?, groupCountZ: count(z)? };
        let kernel = self.kernel;
        // SAFETY: the handles are valid by contract, the kernel is valid; the count is copied.
        unsafe {
            call!(self.driver, zeCommandListAppendLaunchKernel(list, kernel, &count, signal, number, events))
        }
    }

    /// Tells the driver that the kernel may follow pointers it finds in memory, as those of a group.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn allow_indirect_access(&mut self) -> Result<(), Error> {
        if self.allows_indirect_access {
            return Ok(());
        }
        let everywhere = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
        // SAFETY: the kernel is valid and borrowed for writing.
        unsafe { call!(self.driver, zeKernelSetIndirectAccess(self.kernel, everywhere)) }?;
        self.allows_indirect_access = true;
        Ok(())
    }
}

impl runtime::Bundle for Bundle {
    type Kernel = Kernel;

    fn kernel(self: &Arc<Self>, name: &str) -> Result<Kernel, Error> {
        Kernel::new(self.clone(), name)
    }

    fn native_binary(&self) -> Result<Vec<u8>, Error> {
        Bundle::native_binary(self)
    }

    fn spilled_bytes(&self) -> Result<u64, Error> {
        let reports = Bundle::reports(self)?;
        Ok(reports.iter().filter_map(|report| report.spilled_bytes).fold(0, u64::saturating_add))
    }

    fn reports(&self) -> Result<Vec<KernelReport>, Error> {
        let mut reports = Bundle::reports(self)?;
        let registers = device::registers(&Bundle::native_binary(self).unwrap_or_default());
        for report in &mut reports {
            let found = registers.iter().find(|(name, _)| *name == report.name);
            report.registers = found.map(|(_, count)| *count);
        }
        Ok(reports)
    }
}

impl runtime::Kernel for Kernel {
    fn group_size(&self) -> [usize; 3] {
        self.group_size
    }

    fn set_value(&mut self, index: u32, value: &[u8]) -> Result<(), Error> {
        let (kernel, size, value) = (self.kernel, value.len(), value.as_ptr().cast());
        // SAFETY: the kernel is valid and borrowed for writing; the bytes are copied.
        unsafe { call!(self.driver, zeKernelSetArgumentValue(kernel, index, size, value)) }
    }

    /// Level Zero has no buffer objects.
    unsafe fn set_memory(&mut self, index: u32, _: MemoryKind, memory: *const c_void) -> Result<(), Error> {
        let kernel = self.kernel;
        let (size, address) = (size_of::<*const c_void>(), (&raw const memory).cast());
        // SAFETY: the kernel is valid and borrowed for writing; the address is copied.
        unsafe { call!(self.driver, zeKernelSetArgumentValue(kernel, index, size, address)) }
    }
}

/// Events as Level Zero takes them; it wants no list rather than an empty one.
fn events(events: &mut [ze_event_handle_t]) -> Result<(u32, *mut ze_event_handle_t), Error> {
    let too_many = |_| Error::InvalidArguments { what: "more events than can be counted" };
    let number = u32::try_from(events.len()).map_err(too_many)?;
    Ok((number, if events.is_empty() { ptr::null_mut() } else { events.as_mut_ptr() }))
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // That the driver refuses to destroy it is nothing to act upon.
        // SAFETY: the kernel was made for this object and is not used again.
        let _ = unsafe { self.driver.destroy_kernel(self.kernel) };
    }
}
