//! Read-only answers about a program.
#![forbid(unsafe_code)]

mod alias;
mod control_flow;
mod divisors;
mod effects;
mod layout;
mod uses;

pub use alias::{Aliases, root};
pub use control_flow::{ControlFlow, Node, SpmdRegions};
pub use divisors::{Divisors, TensorDivisors};
pub use effects::{Effects, effects};
pub use layout::{Layout, Place};
pub use uses::UseCounts;
