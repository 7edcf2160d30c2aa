//! Work on all processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does something with each item, on as many threads as there are processors. `goes_on` is told before each item how many are done, of
/// how many, and says whether there shall be more.
pub fn for_each<T: Send>(
    items: impl IntoIterator<Item = T>,
    goes_on: impl Fn(usize, usize) -> bool + Sync,
    action: impl Fn(&mut T) + Sync,
) {
    let slots: Vec<Mutex<T>> = items.into_iter().map(Mutex::new).collect();
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(slots.len());
    let [next, done] = [0, 0].map(AtomicUsize::new);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !goes_on(done.load(Ordering::Relaxed), slots.len()) {
                        return;
                    }
                    action(&mut slot.lock().unwrap_or_else(PoisonError::into_inner));
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
}
