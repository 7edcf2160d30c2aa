//! Faults planted in small kernels: each must be found where it is, and nothing else; the same kernel without the fault
//! must run without a report.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod arithmetic;
mod bounds;
mod constants;
mod control;
mod initialisation;
mod kernel;
mod races;
mod races_local;
mod reports;
