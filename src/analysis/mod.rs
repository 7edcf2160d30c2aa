//! Read-only answers about a program.
#![forbid(unsafe_code)]

mod alias;
mod bit_set;
mod chain;
mod constants;
mod control_flow;
mod divisors;
mod effects;
mod extents;
mod folded;
mod hidden_rows;
mod lane;
mod layout;
mod local_memory;
mod loop_bounds;
mod main_path;
mod necessary_work;
mod register_pressure;
mod surface;

pub use alias::{AliasSets, BaseObjects};
pub use bit_set::BitSet;
pub use chain::{Between, ChainLink, chain_before, factor_of};
pub use constants::{Interval, constant_of, extent_of, integer_of, origin_of};
pub use control_flow::{ControlFlow, Node, SpmdRegions};
pub use divisors::{Divisors, TensorDivisors};
pub use effects::{Effects, effects};
pub use extents::Extents;
pub use folded::FoldedSurface;
pub use hidden_rows::hides_rows;
pub use lane::lane_values;
pub use layout::{Layout, Place};
pub use local_memory::local_bytes;
pub use loop_bounds::LoopBounds;
pub use main_path::{BlockCycles, MainPath, loops, own_work};
pub use necessary_work::NecessaryWork;
pub use register_pressure::matrix_pressure;
pub use surface::{PackedBatch, SurfaceAnswer, Surfaces};
