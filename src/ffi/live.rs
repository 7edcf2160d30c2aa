//! Which addresses are handles, and of what kind.
//!
//! Whatever a handle points to stands here from its creation to its end. So a handle that was freed, is of another kind,
//! or never was one is refused before anything is read through it. Only if its memory serves a new object of the
//! same kind, a freed handle is as good as that object's.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Kinds of what is live, by [`key`]. There are many of them so that threads seldom meet.
static LIVE: [RwLock<BTreeMap<usize, u64>>; 64] = [const { RwLock::new(BTreeMap::new()) }; 64];

/// An address, but not as itself: what looks for memory that is lost must not find it here.
fn key<T>(place: *const T) -> usize {
    !place.addr()
}

fn shard(key: usize) -> &'static RwLock<BTreeMap<usize, u64>> {
    // Allocations lie 16 bytes apart at least. The remainder is a valid index.
    #[allow(clippy::indexing_slicing)]
    &LIVE[key / 16 % LIVE.len()]
}

/// An object has come into being behind the handles of a kind.
pub(super) fn enter<T>(object: &Arc<T>, kind: u64) {
    let key = key(Arc::as_ptr(object));
    shard(key).write().unwrap_or_else(PoisonError::into_inner).insert(key, kind);
}

/// An object that has entered comes to its end.
pub(super) fn leave<T>(object: &T) {
    let key = key(object);
    shard(key).write().unwrap_or_else(PoisonError::into_inner).remove(&key);
}

/// Whether a live object of a kind is at the place.
pub(super) fn is_live<T>(place: *const T, kind: u64) -> bool {
    let key = key(place);
    shard(key).read().unwrap_or_else(PoisonError::into_inner).get(&key) == Some(&kind)
}
