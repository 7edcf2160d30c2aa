//! Work on all processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does something with each item, on as many threads as there are processors.
pub fn for_each<T: Send>(items: impl IntoIterator<Item = T>, action: impl Fn(&mut T) + Sync) {
    let slots: Vec<Mutex<T>> = items.into_iter().map(Mutex::new).collect();
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(slots.len());
    let next = AtomicUsize::new(0);
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
