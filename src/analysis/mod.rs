//! Read-only answers about a program.
#![forbid(unsafe_code)]

mod alias;
mod bit_set;
mod control_flow;
mod divisors;
mod effects;
mod layout;
mod uses;

pub use alias::{Pieces, Roots};
pub use bit_set::BitSet;
pub use control_flow::{ControlFlow, Node, SpmdRegions};
pub use divisors::{Divisors, TensorDivisors};
pub use effects::{Effects, effects};
pub use layout::{Layout, Place};
pub use uses::UseCounts;
