//! Numbers, one by one: arithmetic, casts, access, and exchange within a subgroup.

mod arithmetic;
pub(super) mod atomic;
pub(super) mod complex;
mod complex_division;
mod integer;
mod minifloat;
pub(super) mod packed;
mod parts;
mod real;
pub(super) mod subgroup;
pub(super) mod tf32;
mod upper_half;

pub(super) use arithmetic::{NumberBinary, alignment, binary, cast, from_memory, unary, widen};
pub(super) use atomic::AtomicAccess;
