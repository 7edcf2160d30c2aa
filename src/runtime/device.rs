//! Interface for building kernels on a device, whichever runtime it is reached through.

use std::ffi::c_void;
use std::sync::Arc;

use super::memory::Argument;
use super::{Binary, Error, MemoryKind};
use crate::device::CoreInfo;

/// A device of a context, which bundles are built for.
pub trait Device {
    /// A built binary.
    type Bundle: Bundle;

    /// Describes the device to the compiler.
    ///
    /// # Errors
    /// [`Error::UnsupportedDevice`] if it cannot be compiled for; if the driver does not answer.
    fn core_info(&self) -> Result<CoreInfo, Error>;

    /// Names interface, device and driver: native binaries are good where this text is the same.
    ///
    /// # Errors
    /// If the driver does not answer.
    fn identity(&self) -> Result<String, Error>;

    /// Has the driver build a binary.
    ///
    /// # Errors
    /// [`Error::MalformedModule`] or, with the compiler's messages, [`Error::Build`] if the binary is refused; if the
    /// driver fails otherwise.
    fn build(&self, binary: &Binary) -> Result<Self::Bundle, Error>;
}

/// A binary that a driver has built.
pub trait Bundle {
    /// A kernel of it.
    type Kernel: Kernel;

    /// The kernel of the name. It keeps the bundle alive.
    ///
    /// # Errors
    /// If there is none.
    fn kernel(self: &Arc<Self>, name: &str) -> Result<Self::Kernel, Error>;

    /// Native binary that the driver made; empty if it has nothing to give.
    ///
    /// # Errors
    /// If the driver fails.
    fn native_binary(&self) -> Result<Vec<u8>, Error>;

    /// Bytes of memory in which the kernels keep values that have no register, all of them together.
    ///
    /// # Errors
    /// If the driver does not tell, or would not launch one of them.
    fn spilled_bytes(&self) -> Result<u64, Error>;
}

/// A kernel, which keeps its arguments from one launch to the next.
pub trait Kernel {
    /// The work-group size that is fixed in the kernel.
    fn group_size(&self) -> [usize; 3];

    /// Sets an argument to a copy of the bytes.
    ///
    /// # Errors
    /// If the kernel has no such argument.
    fn set_value(&mut self, index: u32, value: &[u8]) -> Result<(), Error>;

    /// Sets an argument to memory, which is not retained. Where there are no buffer objects, every kind is an
    /// address.
    ///
    /// # Errors
    /// [`Error::ExtensionMissing`] for unified shared memory where the platform has none; if the kernel has no such
    /// argument.
    ///
    /// # Safety
    /// `memory` is null or what `kind` says, a buffer object or an address.
    unsafe fn set_memory(&mut self, index: u32, kind: MemoryKind, memory: *const c_void)
    -> Result<(), Error>;

    /// Sets the first arguments.
    ///
    /// # Errors
    /// If the arguments do not fit the kernel.
    fn set_arguments(&mut self, arguments: &[Argument<'_>]) -> Result<(), Error> {
        (0..).zip(arguments).try_for_each(|(index, argument)| match argument.value() {
            Ok(bytes) => self.set_value(index, bytes),
            // SAFETY: an argument is null or the address of memory that host and device share.
            Err(address) => unsafe { self.set_memory(index, MemoryKind::Usm, address) },
        })
    }
}
