//! Finds data races.
//!
//! Each byte of memory has three bytes of shadow: one says what was done to the byte ([`state`]), two say
//! which lane did it last and when ([`clock`]). Two accesses of which at least one writes race unless
//!
//! * the same work-item does both,
//! * a barrier that orders this kind of memory lies between them: of the work-group, or of the subgroup if both
//!   belong to it,
//! * both are atomic, in scopes that include the other work-item, or
//! * both are stores of the same value: whichever is last, the outcome is the same, and kernels let all
//!   work-items store uniform values.
//!
//! Lanes of a subgroup do not wait for each other otherwise: that they run in lockstep here is no promise of
//! SPIR-V. Work-groups are never ordered but by atomics. What an atomic operation acquires is taken to be all
//! that has been done before, so that programs which hand data over by atomics are not blamed.
//!
//! Only the last access to a byte is known in full. That suffices to find every pair of racing
//! accesses that follow each other, but not every pair.

mod clock;
mod shadow;
mod state;

pub(super) use clock::Clock;
pub(super) use shadow::{Races, Shadow};
pub(crate) use state::{AccessKind, AtomicScope};
pub(super) use state::{BETWEEN, IN_GROUP};
