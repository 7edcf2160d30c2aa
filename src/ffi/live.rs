//! Addresses that are handles, and their kinds.
//!
//! Targets of handles stand here from their creation to their end. So a handle that was freed, is of another kind,
//! or never was one is refused before anything is read through it. Only if its memory serves a new object of the
//! same kind, a freed handle is as good as that object's.
//!
//! The table holds a weak reference to each object: whoever finds one has a reference of their own, or none, whatever other
//! threads give back at the same time.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ptr::with_exposed_provenance;
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// Kinds of what is live, by [`key`]. There are many of them so that threads seldom wait for each other.
static LIVE: [RwLock<BTreeMap<usize, u64>>; 64] = [const { RwLock::new(BTreeMap::new()) }; 64];

/// An address, but not as itself: what looks for memory that is lost must not find it here.
fn key<T>(place: *const T) -> usize {
    !place.addr()
}

/// The object that a key belongs to.
fn place<T>(key: usize) -> *const T {
    with_exposed_provenance(!key)
}

fn shard(key: usize) -> &'static RwLock<BTreeMap<usize, u64>> {
    // Allocations lie 16 bytes apart at least. The remainder is a valid index.
    #[allow(clippy::indexing_slicing)]
    &LIVE[key / 16 % LIVE.len()]
}

/// An object has come into being behind the handles of a kind.
pub(super) fn enter<T>(object: &Arc<T>, kind: u64) {
    let place = Weak::into_raw(Arc::downgrade(object));
    place.expose_provenance();
    let key = key(place);
    shard(key).write().unwrap_or_else(PoisonError::into_inner).insert(key, kind);
}

/// An object that may have entered comes to its end.
pub(super) fn leave<T>(object: &T) {
    let key = key(object);
    let entry = shard(key).write().unwrap_or_else(PoisonError::into_inner).remove(&key);
    if entry.is_some() {
        // SAFETY: what is at the place is `object`, so `enter` made the address of a weak reference to a `T`. It went
        // with the entry, and nobody else takes it back.
        drop(unsafe { Weak::<T>::from_raw(place(key)) });
    }
}

/// A reference to the live object of a kind at a place, if there is one.
///
/// # Safety
/// What has entered with this kind is a `T`.
pub(super) unsafe fn find<T>(at: *const T, kind: u64) -> Option<Arc<T>> {
    let key = key(at);
    let shard = shard(key).read().unwrap_or_else(PoisonError::into_inner);
    if shard.get(&key) != Some(&kind) {
        return None;
    }
    // SAFETY: by contract the entry is that of a `T`, so `enter` made the address of a weak reference to one, which is
    // there as long as the entry. It stays the table's: nothing is dropped.
    let weak = ManuallyDrop::new(unsafe { Weak::<T>::from_raw(place(key)) });
    weak.upgrade()
}
