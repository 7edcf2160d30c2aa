//! The C ABI (`spec/api.md`): handles, checks, and calls into the rooms; no logic of its own.
//!
//! `include/tiletc/tiletc.h` is written from this folder by `cargo xtask headers`. What every entry
//! point promises and demands is said here once:
//!
//! - A NULL handle, text or output pointer gives `tiletc_status_invalid_arguments` unless the function
//!   says that it may be NULL; so does a handle of the wrong kind and a number that is no enumerator.
//! - If a call fails its output parameters keep their values, and the next call works.
//! - No panic leaves a call, nothing is printed unless asked.
//! - Messages go to the error reporter of the context, which is called without any lock held.
//!
//! # Safety
//! The caller of any function here passes pointers that are NULL or what the parameter is meant to be:
//! a live handle, a NUL-terminated text, an array of the length given, a writable place. A reference
//! that was given up by `…_release` is not used again.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "said once above, and C readers get the doc comments too")]

mod arg;
mod bundle;
mod call;
mod handle;
mod managed;

pub mod enums;
pub mod types;

pub mod attributes;
pub mod binary;
pub mod builder;
pub mod cache;
pub mod cl;
pub mod compile;
pub mod context;
pub mod core_info;
pub mod half_precision;
pub mod names;
pub mod program;
pub mod spv_mod;
pub mod type_get;
pub mod ze;
