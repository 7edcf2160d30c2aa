//! Numbers, one by one: arithmetic, casts, access, and exchange within a subgroup.

mod arithmetic;
pub(super) mod atomic;
mod bfloat;
pub(super) mod complex;
mod complex_division;
mod e4m3;
mod integer;
mod parts;
mod real;
pub(super) mod subgroup;
pub(super) mod tf32;

pub(super) use arithmetic::{NumberBinary, alignment, binary, cast, from_memory, unary, widen};
pub(super) use atomic::AtomicAccess;
