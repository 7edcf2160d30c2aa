//! Read-only answers about a program.
#![forbid(unsafe_code)]

mod alias;
mod effects;
mod uses;

pub use alias::{Aliases, root};
pub use effects::{Effects, effects};
pub use uses::UseCounts;
