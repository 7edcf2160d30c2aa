//! Kernels, whose arguments stay as they were set.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use opencl_sys::*;

use super::api::{Api, call, extension_function};
use super::bundle::Bundle;
use super::device::DeviceInfo;
use super::names::create_kernel;
use crate::runtime::{self, Error, KernelReport, MemoryKind, answer, device};

const TOO_LARGE: Error = Error::InvalidArguments { what: "more work-items than a device can count" };

/// A kernel of a built binary.
pub struct Kernel {
    api: &'static Api,
    /// Sets the address of unified shared memory; `None` if the platform has none.
    set_usm: clSetKernelArgMemPointerINTEL_t,
    kernel: cl_kernel,
    group_size: [usize; 3],
    allows_indirect_access: bool,
    // Goes last: a driver need not keep the program of a kernel.
    _bundle: Option<Arc<Bundle>>,
}

// SAFETY: OpenCL's functions may be called from any thread on a kernel; only setting arguments and launching must not
// overlap, and both take `&mut`.
unsafe impl Send for Kernel {}
// SAFETY: what takes `&self` does not call the driver.
unsafe impl Sync for Kernel {}

impl Kernel {
    pub(super) fn new(bundle: Arc<Bundle>, name: &str) -> Result<Kernel, Error> {
        let api = bundle.target().api();
        let set_usm = set_usm(bundle.target().info()?)?;
        // SAFETY: the program is valid.
        let kernel = unsafe { create_kernel(api, bundle.program(), name) }?;
        // Owned at once, so that it is released whatever follows.
        let (group_size, allows_indirect_access) = ([0; 3], false);
        let bundle = Some(bundle);
        let mut kernel = Kernel { api, set_usm, kernel, group_size, allows_indirect_access, _bundle: bundle };
        // SAFETY: the kernel is valid.
        kernel.group_size = unsafe { super::get_group_size(kernel.kernel) }?;
        Ok(kernel)
    }

    /// A kernel that somebody else owns, built for a device. It is not to be dropped.
    ///
    /// # Safety
    /// `kernel` is a kernel of the loader that outlives the result.
    pub(super) unsafe fn borrowed(
        api: &'static Api,
        kernel: cl_kernel,
        device: DeviceInfo<'_>,
    ) -> Result<ManuallyDrop<Kernel>, Error> {
        let set_usm = set_usm(device)?;
        // SAFETY: the kernel is valid by contract.
        let group_size = unsafe { super::get_group_size(kernel) }?;
        let allows_indirect_access = false;
        let kernel = Kernel { api, set_usm, kernel, group_size, allows_indirect_access, _bundle: None };
        Ok(ManuallyDrop::new(kernel))
    }

    /// Puts a launch of so many work-groups into the queue; with none, only what waits for `wait_for`. Returns the
    /// event of its end if it is asked for.
    ///
    /// # Errors
    /// If arguments are missing, there are more work-items than a device can count, or the driver fails.
    ///
    /// # Safety
    /// `queue` is a queue and `wait_for` are events of the context that the kernel was built for, and the memory that
    /// was set stays valid until the launch is over.
    pub unsafe fn enqueue(
        &mut self,
        queue: cl_command_queue,
        groups: [u64; 3],
        wait_for: &[cl_event],
        wants_event: bool,
    ) -> Result<Option<cl_event>, Error> {
        Error::unless_null(queue, "null queue")?;
        let number = cl_uint::try_from(wait_for.len()).map_err(|_| TOO_LARGE)?;
        // OpenCL wants no list rather than an empty one.
        let list = if wait_for.is_empty() { ptr::null() } else { wait_for.as_ptr() };
        let mut event = ptr::null_mut();
        let out = if wants_event { &raw mut event } else { ptr::null_mut() };
        let is_empty = groups.contains(&0);
        let function = if is_empty { "clEnqueueMarkerWithWaitList" } else { "clEnqueueNDRangeKernel" };
        if is_empty {
            // A launch of nothing is an error in OpenCL before 2.1, and drivers differ after it.
            if wants_event || !wait_for.is_empty() {
                // SAFETY: the handles are valid by contract; the event is stored into memory of its size.
                unsafe { call!(self.api, clEnqueueMarkerWithWaitList(queue, number, list, out)) }?;
            }
        } else {
            let global = self.work_items(groups)?;
            let (offset, global, local) = (ptr::null(), global.as_ptr(), self.group_size.as_ptr());
            let kernel = self.kernel;
            // SAFETY: the handles are valid by contract, the sizes have three entries; the event is stored into
            // memory of its size.
            unsafe {
                call!(
                    self.api,
                    clEnqueueNDRangeKernel(queue, kernel, 3, offset, global, local, number, list, out)
                )?;
            }
        }
        wants_event.then(|| answer::object(function, event)).transpose()
    }

    /// The kernel, valid as long as this.
    pub(super) fn handle(&self) -> cl_kernel {
        self.kernel
    }

    /// Work-items of so many work-groups.
    pub(super) fn work_items(&self, groups: [u64; 3]) -> Result<[usize; 3], Error> {
        let mut items = self.group_size;
        for (size, groups) in items.iter_mut().zip(groups) {
            let all = usize::try_from(groups).ok().and_then(|groups| groups.checked_mul(*size));
            *size = all.ok_or(TOO_LARGE)?;
        }
        Ok(items)
    }

    /// Tells the driver that the kernel may follow pointers it finds in memory, as those of a group.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn allow_indirect_access(&mut self) -> Result<(), Error> {
        if self.allows_indirect_access {
            return Ok(());
        }
        let allowed: cl_bool = CL_TRUE;
        for kind in [
            CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
        ] {
            let (size, value) = (size_of::<cl_bool>(), (&raw const allowed).cast());
            // SAFETY: the kernel is valid and borrowed for writing; the value has the size given.
            unsafe { call!(self.api, clSetKernelExecInfo(self.kernel, kind, size, value)) }?;
        }
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
        Bundle::spilled_bytes(self)
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
        let kernel = self.kernel;
        // SAFETY: the kernel is valid and borrowed for writing; the bytes are copied.
        unsafe { call!(self.api, clSetKernelArg(kernel, index, value.len(), value.as_ptr().cast())) }
    }

    unsafe fn set_memory(
        &mut self,
        index: u32,
        kind: MemoryKind,
        memory: *const c_void,
    ) -> Result<(), Error> {
        let kernel = self.kernel;
        // SAFETY: the kernel is valid and borrowed for writing; addresses are not looked at, and a `cl_mem` is
        // valid by contract.
        unsafe {
            match kind {
                MemoryKind::Buffer => {
                    let (size, buffer) = (size_of::<cl_mem>(), (&raw const memory).cast());
                    call!(self.api, clSetKernelArg(kernel, index, size, buffer))
                }
                MemoryKind::Usm if self.set_usm.is_none() => {
                    Err(Error::ExtensionMissing { extension: "cl_intel_unified_shared_memory" })
                }
                MemoryKind::Usm => {
                    let api = SetUsm { clSetKernelArgMemPointerINTEL: self.set_usm };
                    call!(api, clSetKernelArgMemPointerINTEL(kernel, index, memory))
                }
                MemoryKind::Svm => call!(self.api, clSetKernelArgSVMPointer(kernel, index, memory)),
            }
        }
    }
}

/// The one function of the extension that kernels need.
#[allow(non_snake_case)]
struct SetUsm {
    clSetKernelArgMemPointerINTEL: clSetKernelArgMemPointerINTEL_t,
}

fn set_usm(device: DeviceInfo<'_>) -> Result<clSetKernelArgMemPointerINTEL_t, Error> {
    // SAFETY: the type is that of the function of the name.
    unsafe {
        Ok(extension_function!(device, c"clSetKernelArgMemPointerINTEL", clSetKernelArgMemPointerINTEL_t))
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // The driver keeps what launches still need. That it refuses to release is nothing to act upon.
        // SAFETY: the kernel was made here and is not used again.
        let _ = unsafe { call!(self.api, clReleaseKernel(self.kernel)) };
    }
}
