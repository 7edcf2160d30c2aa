//! Sets of small numbers.

use std::ops::Range;

/// A set of small numbers, a bit each.
#[derive(Clone, Debug, Default)]
pub struct BitSet(Vec<u64>);

/// The words that a range touches, each with the range's bits in it.
fn words(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let last = range.end.div_ceil(64);
    (range.start / 64..last).map(move |word| {
        let below = |bit: usize| match bit.saturating_sub(64 * word) {
            bits @ 0..64 => (1u64 << bits) - 1,
            _ => u64::MAX,
        };
        (word, below(range.end) & !below(range.start))
    })
}

impl BitSet {
    /// Adds the numbers of a range.
    pub fn insert(&mut self, range: Range<usize>) {
        let needed = range.end.div_ceil(64);
        if self.0.len() < needed {
            self.0.resize(needed, 0);
        }
        for (index, bits) in words(range) {
            if let Some(word) = self.0.get_mut(index) {
                *word |= bits;
            }
        }
    }

    /// Returns whether a number of the range is in the set.
    pub fn intersects(&self, range: Range<usize>) -> bool {
        words(range).any(|(index, bits)| self.0.get(index).is_some_and(|word| word & bits != 0))
    }

    /// Adds all of another set; true if that changed this one.
    pub fn union(&mut self, other: &BitSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (word, &bits) in self.0.iter_mut().zip(&other.0) {
            changed |= bits & !*word != 0;
            *word |= bits;
        }
        changed
    }

    /// Removes the numbers of a range.
    pub fn remove(&mut self, range: Range<usize>) {
        for (index, bits) in words(range) {
            if let Some(word) = self.0.get_mut(index) {
                *word &= !bits;
            }
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_intersect_where_they_overlap() {
        let ranges = [0..1, 63..64, 63..65, 64..128, 60..200, 128..129, 5..5];
        for range in &ranges {
            let mut set = BitSet::default();
            set.insert(range.clone());
            for number in 0..256 {
                assert_eq!(set.intersects(number..number + 1), range.contains(&number), "{range:?} {number}");
            }
            for other in &ranges {
                let share = range.clone().any(|number| other.contains(&number));
                assert_eq!(set.intersects(other.clone()), share, "{range:?} {other:?}");
            }
        }
    }

    #[test]
    fn what_is_removed_is_what_the_range_has() {
        for range in [0..1, 63..65, 60..200, 190..500, 5..5] {
            let mut set = BitSet::default();
            set.insert(3..192);
            set.remove(range.clone());
            for number in 0..256 {
                let stays = (3..192).contains(&number) && !range.contains(&number);
                assert_eq!(set.intersects(number..number + 1), stays, "{range:?} {number}");
            }
        }
    }

    #[test]
    fn union_reports_changes() {
        let (mut small, mut large) = (BitSet::default(), BitSet::default());
        small.insert(3..4);
        large.insert(3..70);
        assert!(!large.union(&small));
        assert!(small.union(&large) && small.intersects(69..70) && !small.union(&large));
        small.clear();
        assert!(!small.intersects(0..100));
    }
}
