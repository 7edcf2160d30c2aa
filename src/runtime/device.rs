//! Interface for building kernels on a device, whichever runtime it is reached through.

use std::ffi::c_void;
use std::fmt;
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

    /// Report of the driver on each kernel.
    ///
    /// # Errors
    /// If the driver does not tell.
    fn reports(&self) -> Result<Vec<KernelReport>, Error>;
}

/// A kernel as its driver reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelReport {
    /// Its name.
    pub name: String,
    /// The work-group size that is fixed in it.
    pub group_size: [u64; 3],
    /// Bytes of local memory of a work-group.
    pub local_bytes: u64,
    /// Bytes of private memory of a work-item.
    pub private_bytes: u64,
    /// Bytes in which values are kept that have no register; `None` if the driver does not tell.
    pub spilled_bytes: Option<u64>,
    /// Registers of a hardware thread; `None` if the driver does not tell.
    pub registers: Option<u64>,
}

impl fmt::Display for KernelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KernelReport { name, group_size: [x, y, z], local_bytes, private_bytes, .. } = self;
        write!(f, "kernel {name}: work-group of {x} x {y} x {z}, {local_bytes} bytes of local memory, ")?;
        write!(f, "{private_bytes} bytes of private memory")?;
        if let Some(registers) = self.registers {
            write!(f, ", {registers} registers")?;
        }
        match self.spilled_bytes {
            Some(bytes) => write!(f, ", {bytes} bytes spilled"),
            None => f.write_str(", spills unknown"),
        }
    }
}

/// The registers of each kernel, as Intel's native binaries say them in their section of text.
pub(super) fn registers(binary: &[u8]) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut name = None;
    for line in binary.split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let line = line.trim_start().trim_start_matches("- ").trim_start();
        if let Some(value) = line.strip_prefix("name:") {
            name = Some(value.trim().trim_matches('\'').to_owned());
        } else if let Some(count) =
            line.strip_prefix("grf_count:").and_then(|count| count.trim().parse().ok())
            && let Some(name) = name.take()
        {
            found.push((name, count));
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::registers;

    #[test]
    fn registers_stand_in_native_binaries() {
        let binary = b"\x7fELF\xff\n\0kernels:\n  - name:            gemm\n    execution_env:\n      \
                       grf_count:       128\n      simd_size:       16\n  - name:  'gemm_beta0'\n    execution_env:\n      \
                       grf_count:       256\n\xfe\n";
        assert_eq!(registers(binary), [("gemm".to_owned(), 128), ("gemm_beta0".to_owned(), 256)]);
        assert_eq!(registers(b"no text"), []);
    }
}
