//! Read-only answers about a program.

mod alias;
mod effects;
mod uses;

pub use alias::{Aliases, root};
pub use effects::{Effects, effects};
pub use uses::UseCounts;
