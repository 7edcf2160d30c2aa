//! Memory that host and device share.

use std::ptr::{self, NonNull};

use level_zero_sys::*;

use super::bundle::BuildTarget;
use super::driver::{call, zeroed};
use crate::runtime::{Allocator, Error};

impl Allocator for BuildTarget {
    fn allocate(&self, bytes: &[u8], alignment: usize) -> Result<NonNull<u8>, Error> {
        let mut on_device: ze_device_mem_alloc_desc_t = zeroed();
        on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
        let mut on_host: ze_host_mem_alloc_desc_t = zeroed();
        on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
        let (context, device) = (self.context(), self.device());
        // Drivers refuse to allocate nothing.
        let size = bytes.len().max(1);
        let mut start = ptr::null_mut();
        // SAFETY: the handles are valid; the descriptions carry their types and outlive the call.
        unsafe {
            call!(
                self.driver,
                zeMemAllocShared(context, &on_device, &on_host, size, alignment, device, &mut start)
            )
        }?;
        let start = NonNull::new(start.cast::<u8>()).ok_or_else(|| Error::Answer {
            function: "zeMemAllocShared",
            nonsense: "returned null memory".to_owned(),
        })?;
        // SAFETY: the memory is new and large enough for the bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.as_ptr(), bytes.len()) };
        Ok(start)
    }

    unsafe fn free(&self, start: NonNull<u8>) {
        // SAFETY: the memory came from the same context and is not used again. That a driver refuses to free it is
        // nothing to act upon.
        let _ = unsafe { call!(self.driver, zeMemFree(self.context(), start.as_ptr().cast())) };
    }
}
