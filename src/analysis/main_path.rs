//! The way through a kernel that most of its launches take, with what it costs.
//!
//! Code for the same work stands in a kernel several times: for whole blocks and for those at the edge, for what may be assumed and
//! for all else. Of two ways the main path is the one with clearly more multiply-adds, and otherwise the one that takes less time;
//! it goes into loops, as often as they have iterations.

use std::ops::Range;

/// A way has more work than another one if it has so many times the work.
const CLEARLY: f64 = 1.25;

/// A basic block: cycles of its instructions, and where control goes from it, by number of the block in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockCycles {
    /// Cycles of multiply-adds.
    pub multiply_adds: f64,
    /// Cycles of everything else.
    pub other: f64,
    /// Blocks that may come next; one that does not lie behind this one is the first of a loop that ends here.
    pub next: Vec<usize>,
}

/// The main path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MainPath {
    /// The blocks on it, in order.
    pub blocks: Vec<usize>,
    /// Cycles of multiply-adds, each block as often as it runs.
    pub multiply_adds: f64,
    /// Cycles of everything else.
    pub other: f64,
}

/// The loops of a function by their first and last block, in the order in which they begin, outer ones first.
pub fn loops(blocks: &[BlockCycles]) -> Vec<Range<usize>> {
    let mut loops: Vec<Range<usize>> = Vec::new();
    for (last, block) in blocks.iter().enumerate() {
        for &first in block.next.iter().filter(|&&first| first <= last) {
            match loops.iter_mut().find(|known| known.start == first) {
                Some(known) => known.end = last + 1,
                None => loops.push(first..last + 1),
            }
        }
    }
    loops.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    loops
}

/// Cycles of the multiply-adds of an iteration of one of [`loops`], without those of loops inside.
pub fn own_work(blocks: &[BlockCycles], loops: &[Range<usize>], range: &Range<usize>) -> f64 {
    let is_inside = |block: usize| {
        loops.iter().any(|inner| inner != range && range.contains(&inner.start) && inner.contains(&block))
    };
    let own = range.clone().filter(|&block| !is_inside(block)).filter_map(|block| blocks.get(block));
    own.map(|block| block.multiply_adds).sum()
}

impl MainPath {
    /// The main path from the first block on, with the iterations of each of [`loops`].
    pub fn of(blocks: &[BlockCycles], iterations: &[f64]) -> MainPath {
        let loops = loops(blocks);
        let holding =
            |block: usize| loops.iter().enumerate().filter(move |(_, range)| range.contains(&block));
        // From the last block backwards: the next one, and what is ahead. Where a loop begins anew, the way goes on behind it.
        let mut ahead: Vec<(Option<usize>, [f64; 2])> = vec![(None, [0.0; 2]); blocks.len()];
        for (index, block) in blocks.iter().enumerate().rev() {
            let inside = |next: usize| holding(index).all(|(_, range)| range.contains(&next));
            let mut targets: Vec<usize> = block.next.iter().copied().filter(|&next| next > index).collect();
            if targets.iter().any(|&next| inside(next)) {
                targets.retain(|&next| inside(next));
            }
            for (_, range) in holding(index).filter(|(_, range)| block.next.contains(&range.start)) {
                let inside = range.clone().filter_map(|inner| blocks.get(inner));
                let exits = inside.flat_map(|inner| &inner.next).copied().filter(|&exit| exit >= range.end);
                let before = targets.len();
                targets.extend(exits);
                // Out of a loop that nothing leaves, as far as it is known, lanes go one by one.
                targets.extend((targets.len() == before && range.end < blocks.len()).then_some(range.end));
            }
            let found = |next: usize| ahead.get(next).map_or([0.0; 2], |(_, cycles)| *cycles);
            let chosen = targets.into_iter().reduce(|best, next| {
                let ([work, other], [next_work, next_other]) = (found(best), found(next));
                let is_better = next_work > CLEARLY * work
                    || work <= CLEARLY * next_work && next_work + next_other < work + other;
                if is_better { next } else { best }
            });
            let times: f64 =
                holding(index).map(|(which, _)| iterations.get(which).copied().unwrap_or(1.0)).product();
            let [work, other] = chosen.map_or([0.0; 2], found);
            let cycles = [work + times * block.multiply_adds, other + times * block.other];
            if let Some(place) = ahead.get_mut(index) {
                *place = (chosen, cycles);
            }
        }
        let Some(&(_, [multiply_adds, other])) = ahead.first() else { return MainPath::default() };
        let next = |&block: &usize| ahead.get(block).and_then(|(next, _)| *next);
        MainPath { blocks: std::iter::successors(Some(0), next).collect(), multiply_adds, other }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockCycles, MainPath, loops};

    fn block(multiply_adds: f64, other: f64, next: &[usize]) -> BlockCycles {
        BlockCycles { multiply_adds, other, next: next.to_vec() }
    }

    #[test]
    fn loops_count_as_often_as_they_run() {
        // 0 → 1, the head, → 2, the body, → 1; → 3, the end.
        let code =
            [block(0.0, 5.0, &[1]), block(0.0, 1.0, &[2, 3]), block(8.0, 2.0, &[1]), block(0.0, 7.0, &[])];
        assert_eq!(loops(&code).first(), Some(&(1..3)));
        assert_eq!(loops(&code).len(), 1);
        let path = MainPath::of(&code, &[10.0]);
        assert_eq!((path.blocks, path.multiply_adds, path.other), (vec![0, 1, 2, 3], 80.0, 42.0));
        // A loop of one block that ends with a branch to itself.
        let code = [block(0.0, 1.0, &[1]), block(4.0, 1.0, &[1, 2]), block(0.0, 1.0, &[])];
        let path = MainPath::of(&code, &[3.0]);
        assert_eq!((path.blocks, path.multiply_adds, path.other), (vec![0, 1, 2], 12.0, 5.0));
        // One that lanes leave each for itself, by a branch that does not count as one.
        let code = [block(0.0, 1.0, &[1]), block(4.0, 1.0, &[1]), block(2.0, 1.0, &[])];
        let path = MainPath::of(&code, &[3.0]);
        assert_eq!((path.blocks, path.multiply_adds, path.other), (vec![0, 1, 2], 14.0, 5.0));
    }

    #[test]
    fn nested_loops_multiply() {
        let code = [
            block(0.0, 1.0, &[1]),
            block(0.0, 1.0, &[2]),
            block(1.0, 0.0, &[2, 3]),
            block(0.0, 1.0, &[1, 4]),
            block(0.0, 1.0, &[]),
        ];
        assert_eq!(loops(&code), [1..4, 2..3]);
        let path = MainPath::of(&code, &[5.0, 7.0]);
        assert_eq!((path.multiply_adds, path.other), (35.0, 12.0));
    }

    #[test]
    fn the_side_with_the_work_counts_and_of_equals_the_faster_one() {
        let fork = |sides: [[f64; 2]; 2]| {
            let [[a, b], [c, d]] = sides;
            let code = [block(0.0, 1.0, &[1, 2]), block(a, b, &[3]), block(c, d, &[3]), block(0.0, 1.0, &[])];
            MainPath::of(&code, &[]).blocks
        };
        assert_eq!(fork([[64.0, 10.0], [64.0, 30.0]]), [0, 1, 3]);
        assert_eq!(fork([[66.0, 30.0], [64.0, 10.0]]), [0, 2, 3]);
        // Leaving at once is no way to get work done.
        assert_eq!(fork([[0.0, 0.0], [64.0, 10.0]]), [0, 2, 3]);
        assert_eq!(MainPath::of(&[], &[]), MainPath::default());
    }
}
