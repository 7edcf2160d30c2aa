//! Memory that host and device share.

use crate::failed;
use std::ptr::NonNull;
use tiletc::runtime::{Allocator, Error};
use virtual_xe::Memory;

/// The memory of a device.
#[derive(Default)]
pub(crate) struct SharedMemory(Memory);

impl SharedMemory {
    pub fn memory(&self) -> &Memory {
        &self.0
    }
}

impl Allocator for SharedMemory {
    fn allocate(&self, bytes: &[u8], alignment: usize) -> Result<NonNull<u8>, Error> {
        let size = bytes.len() as u64;
        let address = self.0.allocate(size, alignment as u64).map_err(failed)?;
        self.0.write(address, bytes).map_err(failed)?;
        self.0.pointer(address, size).map_err(failed)
    }

    #[allow(
        unsafe_code,
        reason = "the trait is also that of drivers; whoever uses freed memory gets a report here"
    )]
    unsafe fn free(&self, start: NonNull<u8>) {
        // It came from `allocate`, so it is there.
        let _ = self.0.free(start.as_ptr().expose_provenance() as u64);
    }
}
