//! Program → binary → kernel bundle → launch → time, through OpenCL or Level Zero.
//!
//! Drivers are loaded on first use, so tiletc starts where there is none; every function then says so.
//!
//! - [`Device`], [`Bundle`], [`Kernel`]: what building kernels takes, whichever the interface;
//! - [`Session`], [`Event`]: what running them takes besides, for programs without contexts and queues of their own;
//! - [`build()`]: compiles a program and has the driver build it, unless the [`cache`] has the result;
//! - [`opencl`] and [`level_zero`]: the implementations. Their `BuildTarget` is a device of the user's program, whose
//!   handles are the raw ones of the interface, their `Session` has all that it needs of its own.
//!
//! The crate `virtual-xe-runtime` implements the same for a GPU in software.
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use tiletc::driver::{Compilation, Options};
//! # use tiletc::ir::{Ir, Program};
//! # use tiletc::runtime::cache::Cache;
//! # use tiletc::runtime::opencl::{self, DeviceKind};
//! # use tiletc::runtime::{self, BuildError, Bundle as _, Device as _, Session as _};
//! # fn run(ir: &mut Ir, program: &Program) -> Result<(), BuildError> {
//! let session = opencl::Session::open(DeviceKind::Any)?;
//! let (info, options) = (session.core_info()?, Options::default());
//! let mut program = Compilation::new(ir, program, &info, &options);
//! let bundle = runtime::build(&session, Cache::from_environment().as_ref(), &mut program)?;
//! let mut kernel = Arc::new(bundle).kernel("scale")?;
//! let x = session.memory(&[1.0f32; 64])?;
//! // SAFETY: four work-groups of 16 scale 64 numbers, which are not borrowed.
//! let time = unsafe { session.run(&mut kernel, [4, 1, 1], &[2.0f32.into(), (&x).into()])? };
//! assert_eq!(x[0], 2.0);
//! println!("{:?}", time.map(|time| time.duration()));
//! # Ok(())
//! # }
//! ```

// Calling a driver is unsafe by nature; this module, `ffi` and the bindings are the only ones that may.
#![allow(unsafe_code)]

mod answer;
pub mod arguments;
mod binary;
mod bounded;
mod build;
pub mod cache;
mod device;
mod error;
mod float_atomics;
pub mod launch_plan;
pub mod level_zero;
mod library;
mod memory;
pub mod opencl;
mod session;
#[cfg(test)]
#[path = "../../tests/skip/mod.rs"]
mod skip;
mod spirv_check;
pub mod variants;

pub use binary::{Binary, BundleFormat};
pub(crate) use build::program_key;
pub use build::{BuildError, KeyParts, Source, build};
pub use device::{Bundle, Device, Kernel, KernelReport};
pub use error::Error;
pub use memory::{Allocator, Argument, Memory, Plain};
pub use session::{DEFAULT_ALIGNMENT, Event, KernelOf, ProfileOf, Recording, Session, Timestamps};

use crate::device::CoreInfo;

/// A device of this machine, as [`opencl::devices`] and [`level_zero::devices`] list it.
#[derive(Clone, Debug)]
pub struct DeviceSummary {
    /// Its name.
    pub name: String,
    /// Description for the compiler, or the reason why it cannot be compiled for.
    pub core_info: Result<CoreInfo, Error>,
}

/// Degree to which a device is supported.
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

/// Kind of a memory argument.
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
