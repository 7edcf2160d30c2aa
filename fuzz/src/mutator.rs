//! Changes of inputs that know what the bytes are.

use crate::Target;

/// Mutation and crossover of a target's inputs.
pub struct Mutator {
    /// A changed input.
    pub change: fn(&[u8], &mut Random) -> Vec<u8>,
    /// The first input with parts of the second.
    pub cross: fn(&[u8], &[u8], &mut Random) -> Vec<u8>,
}

/// Numbers without a pattern that follow from a seed (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u32) -> Random {
        Random(u64::from(seed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() >> 32).unwrap_or(0) % end.max(1)
    }

    /// Draws true in one of so many cases.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// One of several, if there are any.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// A few neighbours.
    pub fn run_of<'a, T>(&mut self, items: &'a [T], most: usize) -> &'a [T] {
        let start = self.below(items.len());
        let length = 1 + self.below(most.min(items.len() - start));
        items.get(start..start + length).unwrap_or_default()
    }
}

impl Target {
    /// Changes the first `size` bytes; returns how many there are then, `max_size` at most. `default` is the fuzzer's
    /// own way, which knows what comparisons failed for.
    pub fn mutate(
        &self,
        data: &mut [u8],
        size: usize,
        max_size: usize,
        seed: u32,
        default: fn(&mut [u8], usize, usize) -> usize,
    ) -> usize {
        let mut random = Random::new(seed);
        match &self.mutator {
            Some(mutator) if !random.one_in(3) => {
                let input = data.get(..size).unwrap_or_default();
                place(&(mutator.change)(input, &mut random), data, max_size)
            }
            _ => default(data, size, max_size),
        }
    }

    /// Brings two inputs together; returns the size of the new one.
    pub fn cross(&self, first: &[u8], second: &[u8], out: &mut [u8], seed: u32) -> usize {
        let mut random = Random::new(seed);
        let most = out.len();
        let cross =
            self.mutator.as_ref().map_or(splice as fn(&[u8], &[u8], &mut Random) -> _, |own| own.cross);
        place(&cross(first, second, &mut random), out, most)
    }
}

/// The start of one and the end of the other.
fn splice(first: &[u8], second: &[u8], random: &mut Random) -> Vec<u8> {
    let (head, _) = first.split_at(random.below(first.len() + 1));
    let (_, tail) = second.split_at(random.below(second.len() + 1));
    [head, tail].concat()
}

fn place(bytes: &[u8], out: &mut [u8], max_size: usize) -> usize {
    let size = bytes.len().min(out.len()).min(max_size);
    out.iter_mut().zip(bytes).take(size).for_each(|(to, from)| *to = *from);
    size
}
