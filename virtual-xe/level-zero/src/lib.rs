//! A Level Zero driver whose device is virtual-xe, an Intel GPU in software.
//!
//! The library is both halves of Level Zero: the driver, which the real loader finds through the variable
//! `ZE_ENABLE_ALT_DRIVERS`, and a loader of its own for where there is none, under the name `libze_loader.so.1`.
//! What it exports is listed once, in [`tables`].
//!
//! - Which devices there are, and what is checked while kernels run, is up to the environment: [`settings`]. Their
//!   tiles are devices or parts of devices: [`hierarchy`].
//! - Handles are numbers that are never used twice ([`objects`]), so that one that was made up, has been
//!   destroyed, or is of another kind is an error and no crash.
//! - What callers hand in is looked at in one place ([`abi`]), and memory of theirs is copied in another
//!   ([`copies`]); nothing else is unsafe but the names under which functions are exported.
//! - Work is done by a thread for each index of queues and immediate command lists that has any: [`engine`].
#![allow(non_snake_case, reason = "the names are Level Zero's")]

#[macro_use]
mod objects;
mod abi;
mod command;
mod context;
mod copies;
mod device;
mod driver;
mod engine;
mod event;
mod event_pool;
mod extensions;
mod fence;
mod hierarchy;
mod kernel;
mod kernel_info;
mod launch;
mod list;
mod list_commands;
mod loader;
mod memory;
mod module;
mod module_api;
mod monitor;
mod mutable;
pub mod native;
mod properties;
mod queue;
mod runtime;
mod settings;
mod setup;
mod specialization;
mod status;
mod tables;
mod timestamps;
