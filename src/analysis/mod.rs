//! Read-only answers about a program.
#![forbid(unsafe_code)]

mod alias;
mod effects;
mod layout;
mod uses;

pub use alias::{Aliases, root};
pub use effects::{Effects, effects};
pub use layout::{Layout, Place};
pub use uses::UseCounts;
