//! Memory that host and device share.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use opencl_sys::*;

use super::api::{call, create, extension_function};
use super::device::DeviceInfo;
use crate::runtime::Error;

/// The largest alignment that every OpenCL device gives memory, that of the largest vector type.
const MAX_ALIGNMENT: usize = 128;

/// Functions of `cl_intel_unified_shared_memory`.
#[allow(non_snake_case)]
pub(super) struct MemoryApi {
    clSharedMemAllocINTEL: clSharedMemAllocINTEL_t,
    clHostMemAllocINTEL: clHostMemAllocINTEL_t,
    clMemBlockingFreeINTEL: clMemBlockingFreeINTEL_t,
    /// True if the device takes shared memory; if not, it reads and writes the host's.
    has_shared: bool,
}

impl MemoryApi {
    /// Allocates memory with the bytes in it.
    ///
    /// # Safety
    /// `context` is a context of the loader and `device` its device.
    pub(super) unsafe fn allocate_with(
        &self,
        context: cl_context,
        device: cl_device_id,
        bytes: &[u8],
        alignment: usize,
    ) -> Result<NonNull<u8>, Error> {
        if alignment > MAX_ALIGNMENT {
            let reason = format!("memory at multiples of {alignment} bytes is not to be had from OpenCL");
            return Err(Error::UnsupportedDevice { reason });
        }
        // Drivers refuse to allocate nothing.
        let size = bytes.len().max(1);
        let alignment = cl_uint::try_from(alignment).unwrap_or(cl_uint::MAX);
        // SAFETY: this function's contract.
        let start = unsafe { self.allocate(context, device, size, alignment) }?;
        let start = NonNull::new(start.cast::<u8>());
        let start = start.ok_or(Error::InvalidArguments { what: "the driver returned null memory" })?;
        // SAFETY: the memory is new and large enough for the bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.as_ptr(), bytes.len()) };
        Ok(start)
    }

    /// Frees memory of [`MemoryApi::allocate_with`].
    ///
    /// # Safety
    /// The memory came from the same functions and context, and is not used again.
    pub(super) unsafe fn free(&self, context: cl_context, start: NonNull<u8>) {
        // SAFETY: this function's contract. That a driver refuses to free it is nothing to act upon.
        let _ = unsafe { call!(self, clMemBlockingFreeINTEL(context, start.as_ptr().cast())) };
    }

    /// # Safety
    /// `context` is a context of the loader and `device` its device.
    unsafe fn allocate(
        &self,
        context: cl_context,
        device: cl_device_id,
        size: usize,
        alignment: cl_uint,
    ) -> Result<*mut c_void, Error> {
        // SAFETY: context and device are valid by contract; no properties.
        unsafe {
            if self.has_shared {
                create!(self, clSharedMemAllocINTEL(context, device, ptr::null(), size, alignment))
            } else {
                create!(self, clHostMemAllocINTEL(context, ptr::null(), size, alignment))
            }
        }
    }

    pub(super) fn load(device: DeviceInfo<'_>) -> Result<MemoryApi, Error> {
        let has_shared = device.has_shared_memory()?;
        // SAFETY: each type is that of the function of the name.
        unsafe {
            Ok(MemoryApi {
                clSharedMemAllocINTEL: extension_function!(
                    device,
                    c"clSharedMemAllocINTEL",
                    clSharedMemAllocINTEL_t
                ),
                clHostMemAllocINTEL: extension_function!(
                    device,
                    c"clHostMemAllocINTEL",
                    clHostMemAllocINTEL_t
                ),
                clMemBlockingFreeINTEL: extension_function!(
                    device,
                    c"clMemBlockingFreeINTEL",
                    clMemBlockingFreeINTEL_t
                ),
                has_shared,
            })
        }
    }
}
