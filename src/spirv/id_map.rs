//! Hash tables for ids, types and constants. Looking these up is much of what a translation does, and the hash function of
//! the standard library took a quarter of its time.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};

pub(super) type IdMap<K, V> = HashMap<K, V, Seeded>;
pub(super) type IdSet<K> = HashSet<K, Seeded>;

/// Starts each hash of a table with a random number of that table: whoever writes the constants of a program must not be
/// able to choose those that collide.
#[derive(Clone)]
pub(super) struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Seeded {
        Seeded(RandomState::new().hash_one(0u32))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// Multiplies, and adds the halves of the product without carry, once for each number.
pub(super) struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            self.write_u64(chunk.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        /// The fraction of the golden ratio, which has no pattern.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_similar_constants_differ_in_the_bits_that_tables_use() {
        const TABLES: usize = 32;
        let count = 1 << 12;
        let few_bits: [fn(u64) -> u64; 4] = [|i| i, |i| i << 32, |i| i << 52, |i| (i as f64).to_bits()];
        for key in few_bits {
            // Tables use the lowest bits for places, and the highest ones to tell keys in a place apart.
            let places = |table: &Seeded| -> usize {
                (0..count)
                    .map(|i| table.hash_one((7u32, key(i))) % (4 * count))
                    .collect::<HashSet<u64>>()
                    .len()
            };
            let tables: Vec<Seeded> = (0..TABLES).map(|_| Seeded::default()).collect();
            for table in &tables {
                let marks: HashSet<u64> = (0..count).map(|i| table.hash_one((7u32, key(i))) >> 57).collect();
                assert_eq!(marks.len(), 128);
            }
            // So many different numbers, chosen at random, would be in 3624 places on average. One seed may have fewer.
            let mean = tables.iter().map(places).sum::<usize>() / TABLES;
            assert!(mean > 3400, "{mean} places");
        }
        let table = Seeded::default();
        assert_ne!(table.hash_one((1u32, 2u64)), table.hash_one((2u32, 1u64)));
        assert_ne!(table.hash_one("ab"), table.hash_one("ba"));
    }

    #[test]
    fn tables_have_seeds_of_their_own() {
        assert_ne!(Seeded::default().hash_one(1u32), Seeded::default().hash_one(1u32));
    }
}
