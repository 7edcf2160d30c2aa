//! Memory that host and device share.

use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::slice;

use level_zero_sys::*;

use super::driver::{call, zeroed};
use super::session::Session;
use crate::runtime::Error;

/// Bytes that host and device share; to the host they are a slice.
pub struct Memory<'d> {
    session: Session<'d>,
    start: NonNull<u8>,
    length: usize,
}

impl<'d> Session<'d> {
    /// Memory that holds a copy of the bytes, at a multiple of `alignment`.
    ///
    /// # Errors
    /// If the driver has none left, or not at such an address.
    pub fn memory(&self, bytes: &[u8], alignment: usize) -> Result<Memory<'d>, Error> {
        let mut on_device: ze_device_mem_alloc_desc_t = zeroed();
        on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
        let mut on_host: ze_host_mem_alloc_desc_t = zeroed();
        on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
        let (context, device) = (self.shared.context, self.shared.device);
        // Drivers refuse to allocate nothing.
        let size = bytes.len().max(1);
        let mut start = ptr::null_mut();
        // SAFETY: the session's handles are valid; the descriptions carry their types and outlive the call.
        unsafe {
            call!(
                self.shared.driver,
                zeMemAllocShared(context, &on_device, &on_host, size, alignment, device, &mut start)
            )
        }?;
        let start = NonNull::new(start.cast::<u8>()).ok_or_else(|| Error::Answer {
            function: "zeMemAllocShared",
            nonsense: "returned null memory".to_owned(),
        })?;
        // SAFETY: the memory is new and has room for the bytes.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), start.as_ptr(), bytes.len()) };
        Ok(Memory { session: self.clone(), start, length: bytes.len() })
    }
}

impl Memory<'_> {
    /// The address of the first byte, the same for host and device.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }
}

impl Deref for Memory<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the memory was initialised when it was made and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        let (context, start) = (self.session.shared.context, self.start.as_ptr().cast());
        // SAFETY: launches wait, so no kernel uses the memory; it came from the same context. That a driver refuses
        // to free it is nothing to act upon.
        let _ = unsafe { call!(self.session.shared.driver, zeMemFree(context, start)) };
    }
}
