//! Model of a device, as far as the compiler needs to know it.
//!
//! - [`Architecture`] and [`Family`]: Intel's GPUs by name and by IP version (lowering reference 2.1);
//! - [`SpirvFeature`]: what the device's SPIR-V consumer takes (2.3);
//! - [`CoreInfo`]: registers, subgroup sizes and work-group limits of one device (2.2, 2.5);
//! - [`Block2dIo`] and [`Block1dIo`]: limits of its block messages (4.4 and 4.2);
//! - [`MatrixEngine`]: the products that its XMX units compute (2.4);
//! - [`JointMatrix`]: the tiles that SPV_KHR_cooperative_matrix takes to its engine (4.7);
//! - [`Avoidance`]: what kernels do without where drivers have defects.
//!
//! Nothing here asks a driver; `runtime` does that and fills in a [`CoreInfo`].
#![forbid(unsafe_code)]

mod architecture;
mod avoidance;
mod block_io;
mod core_info;
mod error;
mod features;
mod joint_matrix;
mod matrix_engine;
mod quirks;
mod recognition;

pub use architecture::{Architecture, Family};
pub use avoidance::{Avoidance, Avoidances};
pub use block_io::{Block1dIo, Block2dIo};
pub use core_info::CoreInfo;
pub use error::Error;
pub use features::{CoreFeatures, SpirvFeature};
pub use joint_matrix::{JointFactor, JointMatrix};
pub use matrix_engine::MatrixEngine;
