//! A map that forgets its oldest entries, for facts about handles that user programs own: they may free them without
//! our knowing, and an address that serves again has its entry replaced.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A map of at most so many entries.
pub(super) struct Bounded<K, V> {
    capacity: usize,
    entries: HashMap<K, V>,
    in_order: VecDeque<K>,
}

impl<K: Copy + Eq + Hash, V> Bounded<K, V> {
    pub(super) fn new(capacity: usize) -> Self {
        Bounded { capacity, entries: HashMap::new(), in_order: VecDeque::new() }
    }

    pub(super) fn get(&self, key: K) -> Option<&V> {
        self.entries.get(&key)
    }

    /// Returns what gives way: the entry that is replaced, or the oldest one.
    pub(super) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let replaced = self.entries.insert(key, value);
        if replaced.is_some() {
            return replaced;
        }
        self.in_order.push_back(key);
        let is_full = self.in_order.len() > self.capacity;
        let oldest = is_full.then(|| self.in_order.pop_front()).flatten()?;
        self.entries.remove(&oldest)
    }

    pub(super) fn remove(&mut self, key: K) -> Option<V> {
        let removed = self.entries.remove(&key)?;
        self.in_order.retain(|&other| other != key);
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut map = Bounded::new(4);
        for key in 0..7 {
            map.insert(key, "first");
            map.insert(key, "second");
        }
        assert_eq!((map.entries.len(), map.in_order.len()), (4, 4));
        assert_eq!((map.get(2), map.get(3)), (None, Some(&"second")));
        assert_eq!((map.remove(3), map.remove(3), map.in_order.len()), (Some("second"), None, 3));
    }
}
