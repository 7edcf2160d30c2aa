//! tiletc: a tensor compiler and runtime for Intel GPUs.
//!
//! ```text
//! text ──syntax──▶ IR ──passes──▶ IR ──spirv──▶ SPIR-V module ──runtime──▶ kernel bundle ──▶ launch
//!          ▲        │  ▲
//!       builder ────┘  └ analysis answers, device describes the hardware
//! ```
//!
//! One direction: nothing downstream reaches back up. A pass never prints, a printer never
//! checks, and the SPIR-V back end never optimises what a pass could have.
//!
//! # The modules
//!
//! | module | what it does |
//! | --- | --- |
//! | [`diagnostics`] | sources, places in them, reports |
//! | [`ir`] | the language as data, its builder and its rules |
//! | [`syntax`] | text to IR and back |
//! | [`analysis`] | read-only answers about IR |
//! | [`device`] | what a device is |
//! | [`schedule`] | how a function runs on a device |
//! | [`passes`] | IR to IR |
//! | [`spirv`] | IR to SPIR-V |
//! | [`recipe`] | ready-made kernels |
//! | [`runtime`] | program to launch, through OpenCL or Level Zero |
//! | [`ffi`] | the C ABI |
//!
//! `docs/ARCHITECTURE.md` says which may use which, and a test compares.
//!
//! Beside them stand [`tuning`], the tables of what tuning has found, [`statistics`] of times, [`status`], the failures that all modules may name, [`logging`], and
//! [`driver`], the pipeline of a program as one call a step.
//!
//! # From text to a module
//!
//! ```
//! use tiletc::diagnostics::Sources;
//! use tiletc::driver::{self, Options};
//! use tiletc::ir::Ir;
//! use tiletc::device::CoreInfo;
//!
//! # fn main() -> Result<(), driver::Error> {
//! let text = "
//! func @scale(%alpha: f32, %x: memref<f32x64x?>) {
//!     %gid = group_id.x : index
//!     %own = subview %x[0:64,%gid] : memref<f32x64>
//!     %zero = constant 0.0 : f32
//!     axpby.n %alpha, %own, %zero, %own
//! }";
//! let (mut ir, mut sources) = (Ir::default(), Sources::new());
//! let source = sources.add("scale.ir", text.as_bytes());
//! let program = driver::parse(&mut ir, source, text.as_bytes())?;
//! let pvc = CoreInfo::from_name("pvc").unwrap();
//! let module = driver::compile(&mut ir, &program, &pvc, &Options::default())?;
//! assert!(module.disassemble().contains("OpEntryPoint Kernel"));
//! # Ok(())
//! # }
//! ```
// The modules forbid it; `ffi` and `runtime` alone allow it.
#![deny(unsafe_code)]

pub mod analysis;
pub mod device;
pub mod diagnostics;
pub mod driver;
mod environment;
pub mod ffi;
mod files;
pub mod ir;
pub mod logging;
pub mod passes;
pub mod recipe;
pub mod runtime;
pub mod schedule;
pub mod spirv;
pub mod statistics;
pub mod status;
pub mod syntax;
pub mod tuning;
