//! The instructions of Intel's GPUs that Intel's offline compiler, `ocloc`, makes of a module, and what they say of its
//! kernels: [`Ocloc::find`] finds the compiler, [`fetch`] brings it, [`measure`] compiles and counts.
#![forbid(unsafe_code)]

mod assembly;
mod costs;
mod error;
pub mod fetch;
mod issue;
mod ocloc;
mod statistics;
mod subject;
pub mod tuning;
mod zeinfo;

pub use costs::Cycles;
pub use error::Error;
pub use ocloc::{Call, IGC, OCLOC, Ocloc};
pub use statistics::Statistics;
pub use subject::{COLUMNS, Options, Subject, measure};
pub use zeinfo::Resources;
