//! Modules that `tiletc run` has at the root of that program.
#![allow(dead_code, reason = "the program fails in other ways, too")]

#[path = "../../tools/src/bin/common/failure.rs"]
mod failure;

pub use failure::Failure;
