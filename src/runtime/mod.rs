//! Compiled binary → kernel bundle → launch, through OpenCL or Level Zero.
//!
//! Drivers are loaded on first use, so tiletc starts where there is none; every function then says so.
//! Handles are the raw ones of the two interfaces, since they come from, and go back to, the user's program.
//!
//! - [`opencl`] and [`level_zero`]: describe a device, build a [`Binary`], ask a kernel for its group size;
//! - [`cache`]: keeps what a driver made of a binary for the next time;
//! - [`opencl::Session`]: a small launcher of tiletc's own, for tests and tools.

// Calling a driver is unsafe by nature; this room, `ffi` and the bindings are the only ones that may.
#![allow(unsafe_code)]

mod binary;
pub mod cache;
mod error;
mod float_atomics;
pub mod level_zero;
mod library;
pub mod opencl;
mod spirv_check;

pub use binary::{Binary, BundleFormat};
pub use error::Error;

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
