//! Work on all processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does something with each item, on as many threads as there are processors.
pub fn for_each<T: Send>(items: Vec<T>, action: impl Fn(&mut T) + Sync) {
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let (next, slots) = (AtomicUsize::new(0), items.into_iter().map(Mutex::new).collect::<Vec<_>>());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    action(&mut slot.lock().unwrap_or_else(PoisonError::into_inner));
                }
            });
        }
    });
}
