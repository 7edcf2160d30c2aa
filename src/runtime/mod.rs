//! Compiled binary → kernel bundle → launch, through OpenCL or Level Zero.
//!
//! Drivers are loaded on first use, so tiletc starts where there is none; every function then says so.
//! Handles are the raw ones of the two interfaces, since they come from, and go back to, the user's program.
//!
//! - [`opencl`] and [`level_zero`]: describe a device, build a [`Binary`], ask a kernel for its group size;
//! - [`cache`]: keeps what a driver made of a binary for the next time;
//! - [`opencl::Kernels`] and [`level_zero::Kernels`]: kernels that keep their arguments, launched in a queue of the
//!   user's program;
//! - [`opencl::Session`] and [`level_zero::Session`]: small launchers of tiletc's own, for tests and tools.

// Calling a driver is unsafe by nature; this room, `ffi` and the bindings are the only ones that may.
#![allow(unsafe_code)]

mod answer;
mod binary;
pub mod cache;
mod error;
mod float_atomics;
pub mod level_zero;
mod library;
pub mod opencl;
#[cfg(test)]
#[path = "../../tests/skip/mod.rs"]
mod skip;
mod spirv_check;

pub use binary::{Binary, BundleFormat};
pub use error::Error;

use crate::target::CoreInfo;

/// A device of this machine, as [`opencl::devices`] and [`level_zero::devices`] list it.
#[derive(Clone, Debug)]
pub struct DeviceSummary {
    /// Its name.
    pub name: String,
    /// What the compiler needs to know of it, or why it cannot be compiled for.
    pub core_info: Result<CoreInfo, Error>,
}

/// How well a device is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i32)]
pub enum SupportLevel {
    /// Kernels cannot run: the device has no subgroups.
    None = 0,
    /// Kernels run.
    Basic = 1,
    /// tiletc's choices were made for the device.
    Tuned = 2,
}

impl SupportLevel {
    /// The name as in the C enumerator, without the prefix `tiletc_support_level_`.
    pub fn spelling(self) -> &'static str {
        match self {
            SupportLevel::None => "none",
            SupportLevel::Basic => "basic",
            SupportLevel::Tuned => "tuned",
        }
    }
}

/// What a memory argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum MemoryKind {
    /// A buffer object, `cl_mem`; Level Zero has none and takes an address.
    Buffer = 0,
    /// An address of unified shared memory.
    Usm = 1,
    /// An address of shared virtual memory.
    Svm = 2,
}

impl MemoryKind {
    /// The kind of a code, if there is one.
    pub fn from_code(code: i32) -> Option<MemoryKind> {
        [MemoryKind::Buffer, MemoryKind::Usm, MemoryKind::Svm].into_iter().find(|&kind| kind as i32 == code)
    }
}
