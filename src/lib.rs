//! tiletc: a tensor compiler and runtime for Intel GPUs.
//!
//! One way, one direction: text or builder → [`ir`] → [`passes`] → [`spirv`] → [`runtime`].
#![deny(unsafe_code)]

pub mod analysis;
pub mod diagnostics;
pub mod driver;
pub mod ffi;
pub mod ir;
pub mod passes;
pub mod recipe;
pub mod runtime;
pub mod spirv;
pub mod status;
pub mod syntax;
pub mod target;
