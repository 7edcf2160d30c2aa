//! An Intel GPU in software, made to execute SPIR-V kernels subgroup by subgroup.
//!
//! It knows nothing of the compiler whose modules it reads, so that it can judge them. What stands so far
//! is the front door: [`Module::parse`] reads a module as a driver would and says what each kernel is
//! launched with. Execution comes behind it.
#![forbid(unsafe_code)]

mod error;
mod framing;
mod kernel;
mod module;
mod types;

pub use error::Error;
pub use kernel::Kernel;
pub use module::Module;
pub use rspirv::spirv::{Capability, StorageClass};
pub use types::Type;
