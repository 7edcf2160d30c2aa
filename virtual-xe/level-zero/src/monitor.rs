//! Waiting for something to change: an event, the progress of a queue, the loss of a device.
//!
//! All of it shares one condition variable. Changes are few, a handful for each kernel, and a wait may be for any
//! of several things.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

static TURN: Mutex<()> = Mutex::new(());
static CHANGED: Condvar = Condvar::new();

/// Wakes whoever waits, after something has changed.
pub(crate) fn announce() {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    CHANGED.notify_all();
    drop(turn);
}

/// Time to wait: so many nanoseconds, or without end if they are as many as can be counted.
#[derive(Clone, Copy)]
pub(crate) struct Timeout(Option<Instant>);

impl Timeout {
    pub const NEVER: Timeout = Timeout(None);

    pub fn new(nanoseconds: u64) -> Timeout {
        match nanoseconds {
            u64::MAX => Timeout::NEVER,
            // A time beyond all clocks is as good as never.
            _ => Timeout(Instant::now().checked_add(Duration::from_nanos(nanoseconds))),
        }
    }
}

/// Waits until something is so; false if the time runs out before. What is asked for must not wait itself.
pub(crate) fn wait(timeout: Timeout, mut is_so: impl FnMut() -> bool) -> bool {
    let mut turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if is_so() {
            return true;
        }
        let Some(end) = timeout.0 else {
            turn = CHANGED.wait(turn).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let now = Instant::now();
        if now >= end {
            return false;
        }
        turn = CHANGED.wait_timeout(turn, end - now).unwrap_or_else(PoisonError::into_inner).0;
    }
}
