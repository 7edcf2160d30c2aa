//! tiletc: a tensor compiler and runtime for Intel GPUs.
//!
//! One way, one direction: text or builder → [`ir`] → [`passes`] → [`spirv`] → [`runtime`].
// The rooms forbid it; `ffi` and `runtime` alone allow it.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod analysis;
pub mod diagnostics;
pub mod driver;
pub mod ffi;
pub mod ir;
pub mod passes;
pub mod runtime;
pub mod spirv;
pub mod status;
pub mod syntax;
pub mod target;
