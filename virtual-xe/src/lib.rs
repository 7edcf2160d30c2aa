//! An Intel GPU in software that executes SPIR-V kernels subgroup by subgroup.
//!
//! It knows nothing of the compiler whose modules it reads, so that it can judge them. [`Module::parse`]
//! reads a module as a driver would and says what each kernel is launched with.
#![deny(unsafe_code)]

mod build;
mod checks;
mod counters;
mod defect;
mod device;
mod error;
mod execute;
mod framing;
mod kernel;
mod launch;
mod layout;
mod memory;
mod module;
mod operations;
mod program;
mod report;
mod rows;
mod translate;
mod types;

pub use build::{Outcome, Program, ReadyKernel};
pub use checks::{Checks, UnknownChecks};
pub use counters::{Accesses, Class, Counters, Executed, LocalAccesses, Site, Traffic};
pub use defect::Defect;
pub use device::Device;
pub use error::Error;
pub use kernel::Kernel;
pub use launch::{Argument, Launch, LaunchError};
pub use memory::{Memory, MemoryError};
pub use module::Module;
pub use report::{Fault, Location, Place, Report, SurfaceRule};
pub use rspirv::spirv::{Capability, StorageClass};
pub use types::Type;
