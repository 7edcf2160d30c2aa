//! The clock of the devices: nanoseconds since the driver was first used.

use std::sync::OnceLock;
use std::time::Instant;

/// Bits of a timestamp that count. Fewer than 64, because programs compute `1 << bits`.
pub(crate) const VALID_BITS: u32 = 56;
/// Ticks a second.
pub(crate) const FREQUENCY: u64 = 1_000_000_000;

static START: OnceLock<Instant> = OnceLock::new();

/// Time that the clock shows. Never zero, which stands for no time in some programs.
pub(crate) fn now() -> u64 {
    let elapsed = START.get_or_init(Instant::now).elapsed().as_nanos();
    (elapsed as u64).wrapping_add(1) & ((1 << VALID_BITS) - 1)
}
