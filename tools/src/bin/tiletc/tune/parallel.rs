//! Work on all processors.

use super::search::Interruption;
use crate::progress::Progress;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does something with each item, on as many threads as there are processors; with none any more after an interruption.
pub fn for_each<T: Send>(
    items: Vec<T>,
    interruption: &Interruption,
    progress: &Progress,
    action: impl Fn(&mut T) + Sync,
) {
    let count = items.len();
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(count);
    let [next, done] = [0, 0].map(AtomicUsize::new);
    let slots: Vec<_> = items.into_iter().map(Mutex::new).collect();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interruption.has_come() {
                        return;
                    }
                    action(&mut slot.lock().unwrap_or_else(PoisonError::into_inner));
                    progress.count(done.fetch_add(1, Ordering::Relaxed) + 1, count);
                }
            });
        }
    });
}
