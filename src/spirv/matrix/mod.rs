//! Cooperative matrices: their layout and the back ends that compute with them.

mod layout;
mod vector;

pub(super) use layout::Layout;
pub(super) use vector::{load, mul_add, scale, store};
