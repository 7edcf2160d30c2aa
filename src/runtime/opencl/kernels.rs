//! Kernels of a binary in the user's context, whose arguments stay as they were set.

use std::ffi::{CString, c_void};
use std::mem;
use std::ptr;

use opencl_sys::*;

use super::api::{Api, call, create};
use super::device::Device;
use crate::runtime::{Error, MemoryKind, answer};

/// Kernels of a built binary.
pub struct Kernels {
    api: &'static Api,
    /// Sets the address of unified shared memory; `None` if the platform has none.
    set_usm: clSetKernelArgMemPointerINTEL_t,
    program: cl_program,
    kernels: Vec<Kernel>,
}

/// A kernel and the work-group size that is fixed in it.
struct Kernel {
    kernel: cl_kernel,
    group_size: [usize; 3],
}

// SAFETY: OpenCL's functions may be called from any thread on programs and kernels; only setting arguments
// and launching must not overlap, and both take `&mut`.
unsafe impl Send for Kernels {}

impl Kernels {
    /// The kernels of these names of a program that is built for the device, which goes with them.
    ///
    /// # Errors
    /// If there is no kernel of a name.
    ///
    /// # Safety
    /// `program` is a program of the installed OpenCL loader that nobody else releases, `device` one of its
    /// devices.
    pub unsafe fn new(program: cl_program, device: cl_device_id, names: &[&str]) -> Result<Kernels, Error> {
        let mut built = Kernels { api: Api::get()?, set_usm: None, program, kernels: Vec::new() };
        // SAFETY: the device is valid by contract.
        built.set_usm = unsafe { set_usm(built.api, device) }?;
        for name in names {
            built.create(name)?;
        }
        Ok(built)
    }

    fn create(&mut self, name: &str) -> Result<(), Error> {
        let Ok(name) = CString::new(name) else {
            return Err(Error::InvalidArguments { what: "kernel name with a NUL" });
        };
        // SAFETY: the program is valid, the name ends in NUL.
        let kernel = unsafe { create!(self.api, clCreateKernel(self.program, name.as_ptr())) }?;
        // Listed at once, so that it is released whatever follows.
        self.kernels.push(Kernel { kernel, group_size: [0; 3] });
        // SAFETY: the kernel is valid.
        let size = unsafe { super::get_group_size(kernel) }?;
        if let Some(last) = self.kernels.last_mut() {
            last.group_size = size;
        }
        Ok(())
    }

    fn kernel(&self, kernel: usize) -> Result<&Kernel, Error> {
        self.kernels.get(kernel).ok_or(Error::InvalidArguments { what: "no such kernel" })
    }

    /// Sets an argument to a copy of the bytes.
    ///
    /// # Errors
    /// If the kernel has no such argument.
    pub fn set_value(&mut self, kernel: usize, index: u32, value: &[u8]) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?.kernel;
        // SAFETY: the kernel is valid and borrowed for writing; the bytes are copied.
        unsafe { call!(self.api, clSetKernelArg(kernel, index, value.len(), value.as_ptr().cast())) }
    }

    /// Sets an argument to memory, which is not retained.
    ///
    /// # Errors
    /// [`Error::ExtensionMissing`] for unified shared memory where the platform has none; if the kernel has
    /// no such argument.
    ///
    /// # Safety
    /// `memory` is null or what `kind` says, a `cl_mem` or an address.
    pub unsafe fn set_memory(
        &mut self,
        kernel: usize,
        index: u32,
        kind: MemoryKind,
        memory: *const c_void,
    ) -> Result<(), Error> {
        let kernel = self.kernel(kernel)?.kernel;
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

    /// Puts a launch of so many work-groups along x into the queue; with none, only what waits for
    /// `wait_for`. Returns the event of its end if it is asked for.
    ///
    /// # Errors
    /// If arguments are missing or the driver fails.
    ///
    /// # Safety
    /// `queue` is a queue and `wait_for` are events of the context that the kernels were built for, and the
    /// memory that was set stays valid until the launch is over.
    pub unsafe fn launch(
        &mut self,
        kernel: usize,
        queue: cl_command_queue,
        groups: u64,
        wait_for: &[cl_event],
        wants_event: bool,
    ) -> Result<Option<cl_event>, Error> {
        Error::unless_null(queue, "null queue")?;
        let Kernel { kernel, group_size } = *self.kernel(kernel)?;
        let too_large = Error::InvalidArguments { what: "more work-items than a device can count" };
        let number = cl_uint::try_from(wait_for.len()).map_err(|_| too_large.clone())?;
        // OpenCL wants no list rather than an empty one.
        let list = if wait_for.is_empty() { ptr::null() } else { wait_for.as_ptr() };
        let mut event = ptr::null_mut();
        let out = if wants_event { &raw mut event } else { ptr::null_mut() };
        let function = if groups == 0 { "clEnqueueMarkerWithWaitList" } else { "clEnqueueNDRangeKernel" };
        if groups == 0 {
            // A launch of nothing is an error in OpenCL before 2.1, and drivers differ after it.
            if wants_event || !wait_for.is_empty() {
                // SAFETY: the handles are valid by contract; the event is stored into memory of its size.
                unsafe { call!(self.api, clEnqueueMarkerWithWaitList(queue, number, list, out)) }?;
            }
        } else {
            let [x, y, z] = group_size;
            let items = usize::try_from(groups).ok().and_then(|groups| groups.checked_mul(x));
            let global = [items.ok_or(too_large)?, y, z];
            let (offset, global, local) = (ptr::null(), global.as_ptr(), group_size.as_ptr());
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
}

/// The one function of the extension that kernels need.
#[allow(non_snake_case)]
struct SetUsm {
    clSetKernelArgMemPointerINTEL: clSetKernelArgMemPointerINTEL_t,
}

/// # Safety
/// `device` is a device of the loader.
unsafe fn set_usm(api: &Api, device: cl_device_id) -> Result<clSetKernelArgMemPointerINTEL_t, Error> {
    // SAFETY: the device is valid by contract.
    let platform = unsafe { Device::new(api, device) }?.platform()?;
    let function = "clGetExtensionFunctionAddressForPlatform";
    let get = api.clGetExtensionFunctionAddressForPlatform.ok_or(Error::FunctionMissing { function })?;
    // SAFETY: the platform is valid, the name ends in NUL; the address is null or that of the function of the
    // name, which has this type.
    Ok(unsafe {
        let address = get(platform, c"clSetKernelArgMemPointerINTEL".as_ptr());
        mem::transmute::<*mut c_void, clSetKernelArgMemPointerINTEL_t>(address)
    })
}

impl Drop for Kernels {
    fn drop(&mut self) {
        // What is released has no other user here; the driver keeps what launches still need. That it refuses
        // to release is nothing to act upon.
        // SAFETY: the kernels and the program were made here and are not used again.
        unsafe {
            for kernel in &self.kernels {
                let _ = call!(self.api, clReleaseKernel(kernel.kernel));
            }
            let _ = call!(self.api, clReleaseProgram(self.program));
        }
    }
}
