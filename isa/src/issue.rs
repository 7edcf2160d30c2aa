//! Cycles in which a vector engine issues a kernel's instructions, as far as the kernel's module tells how often its loops run.

use std::ops::Range;

use tiletc::analysis::{self, BlockCycles, MainPath};
use tiletc::spirv::{KernelPath, LoopWork, Share};

use crate::assembly::{Assembly, Kind};
use crate::costs::{Costs, Cycles};

/// Part of the module's multiply-adds that a binary has at least: IGC makes products of some.
const LEAST: f64 = 0.95;
/// The same where some of the module's loops are none any more: sides of branches that IGC has made of what different subgroups do have
/// parts in common.
const ABOUT: Range<f64> = 0.8..1.25;
/// Loops of a module of which those that are left are looked for.
const MAX_LOOPS: usize = 12;

/// Cycles in which a vector engine issues the main path of a work-group, after that of a subgroup with all that any of them has to do. `None`
/// where it is not known how often loops run, and where other instructions than multiply-adds do the work, as with integers: nothing tells
/// then which of the ways through a kernel is the main one.
pub fn issue(assembly: &Assembly, costs: Costs, path: &KernelPath) -> Option<f64> {
    let cycles = |range: &Range<usize>| -> Cycles {
        assembly.instructions.get(range.clone()).into_iter().flatten().map(|code| costs.cycles(code)).sum()
    };
    let has_dpas = assembly.instructions.iter().any(|code| code.kind() == Kind::Dpas);
    let of_block = |(range, next): &(Range<usize>, Vec<usize>)| {
        let Cycles { matrix_engine, multiply_add, other, .. } = cycles(range);
        let (work, other) =
            if has_dpas { (matrix_engine, other + multiply_add) } else { (multiply_add, other) };
        BlockCycles { multiply_adds: work as f64, other: other as f64, next: next.clone() }
    };
    let blocks: Vec<BlockCycles> = assembly.blocks.iter().map(of_block).collect();
    if let Some(issue) = of_shares(blocks.clone(), path) {
        return Some(issue);
    }
    let whole = main_path(&blocks, path, Trips::OfWork)
        .filter(|whole| path.whole > 0.0 && whole.multiply_adds > 0.0)?;
    // Sides of branches may come one after the other in the binary, where each subgroup leaps over those of others.
    let has_more = whole.multiply_adds > path.whole * ABOUT.end;
    let work = if has_more { whole.multiply_adds } else { path.whole };
    // Where a subgroup has less to do, it has less of everything else in proportion.
    Some(path.multiply_adds / work * of_sides(whole, blocks, path))
}

/// Cycles of all subgroups where these have different shares of the work, of each of which the binary has a way of its own. `None` where that
/// is not so.
fn of_shares(mut blocks: Vec<BlockCycles>, path: &KernelPath) -> Option<f64> {
    let is = |found: f64, share: &Share| ABOUT.contains(&(found / share.multiply_adds));
    path.shares.first().filter(|largest| path.shares.len() > 1 && is(path.whole, largest))?;
    let mut all = 0.0;
    for share in &path.shares {
        let of_share = KernelPath { whole: share.multiply_adds, ..path.clone() };
        let found =
            main_path(&blocks, &of_share, Trips::OfModule).filter(|found| is(found.multiply_adds, share))?;
        all += share.subgroups as f64 * (found.multiply_adds + found.other);
        take_work(&mut blocks, &found);
    }
    Some(all)
}

/// Takes the multiply-adds out of the blocks of a path, so that another one has the most.
fn take_work(blocks: &mut [BlockCycles], path: &MainPath) {
    for &done in &path.blocks {
        blocks.get_mut(done).into_iter().for_each(|block| block.multiply_adds = 0.0);
    }
}

/// Cycles of the main path and of the other sides of branches that IGC has made of what different subgroups do one after the other: of what has
/// work besides, or else of the same again.
fn of_sides(first: MainPath, mut blocks: Vec<BlockCycles>, path: &KernelPath) -> f64 {
    let cycles = |side: &MainPath| side.multiply_adds + side.other;
    let (mut all, mut rest) =
        (cycles(&first), KernelPath { whole: path.whole - first.multiply_adds, ..path.clone() });
    let mut last = first;
    for _ in 1..sides(&last, path) as u64 {
        take_work(&mut blocks, &last);
        let next = main_path(&blocks, &rest, Trips::OfWork).filter(|side| side.multiply_adds > 0.0);
        last = next.unwrap_or(last);
        all += cycles(&last);
        rest.whole -= last.multiply_adds;
    }
    all
}

/// Number of the sides of a branch that IGC has made of what different subgroups do one after the other; a first multiply-add that it turns
/// into a product makes no such difference.
fn sides(found: &MainPath, path: &KernelPath) -> f64 {
    (path.whole / found.multiply_adds.max(1.0) + 0.4).floor().clamp(1.0, path.subgroups.max(1) as f64)
}

/// Iterations that loops have at first, to find those that do the work.
#[derive(Clone, Copy)]
enum Trips {
    /// As if all work were done in each.
    OfWork,
    /// Those of the module's loop with most of the work: of ways with the same number of iterations, that with most work is the main one.
    OfModule,
}

/// The main path of a subgroup. How often loops run follows from those of the module, of which IGC may have unrolled some and left out others,
/// or, where that makes too few multiply-adds since it has joined parts of the only loop, from all of them.
fn main_path(blocks: &[BlockCycles], path: &KernelPath, trips: Trips) -> Option<MainPath> {
    let loops = analysis::loops(blocks);
    let work_of = |range: &Range<usize>| analysis::own_work(blocks, &loops, range);
    let work = |of_module: &&LoopWork| of_module.iterations * of_module.multiply_adds;
    let main = path.loops.iter().max_by(|a, b| work(a).total_cmp(&work(b)));
    let guess = |range: &Range<usize>| match (work_of(range), trips) {
        (0.0, _) => 1.0,
        (work, Trips::OfWork) => (path.whole / work).max(1.0),
        (_, Trips::OfModule) => main.map_or(1.0, |main| main.iterations),
    };
    let chosen = MainPath::of(blocks, &loops.iter().map(guess).collect::<Vec<_>>());
    let on_path: Vec<usize> = (0..loops.len())
        .filter(|&number| loops.get(number).is_some_and(|range| chosen.blocks.contains(&range.start)))
        .collect();
    let depth = |number: &usize| {
        let holds = |outer: &&usize| {
            let ranges = loops.get(**outer).zip(loops.get(*number));
            *outer != number && ranges.is_some_and(|(outer, inner)| outer.contains(&inner.start))
        };
        on_path.iter().filter(holds).count()
    };
    let depths: Vec<usize> = on_path.iter().map(depth).collect();
    let with_loops = |of_module: Vec<LoopWork>| -> Option<MainPath> {
        let mut iterations = vec![1.0; loops.len()];
        for (&number, of_module) in on_path.iter().zip(of_module) {
            let work = loops.get(number).map_or(0.0, work_of);
            let unrolled = if work > 0.0 && of_module.multiply_adds > 0.0 {
                work / of_module.multiply_adds
            } else {
                1.0
            };
            *iterations.get_mut(number)? =
                (of_module.iterations / unrolled.round().max(1.0)).round().max(1.0);
        }
        Some(MainPath::of(blocks, &iterations))
    };
    let of_module = || -> Option<MainPath> {
        // Each once, or once on each of the sides of a branch that come one after the other.
        if on_path.len().checked_rem(path.loops.len()).unwrap_or(on_path.len()) == 0 {
            let sides = on_path.len().checked_div(path.loops.len()).unwrap_or(1);
            return with_loops(path.loops.repeat(sides));
        }
        let share = |found: &MainPath| sides(found, path) * found.multiply_adds / path.whole;
        let found = left(&depths, &path.loops).into_iter().filter_map(with_loops);
        let found = found.filter(|found| ABOUT.contains(&share(found)));
        found.min_by(|a, b| (share(a) - 1.0).abs().total_cmp(&(share(b) - 1.0).abs()))
    };
    let of_work = || -> Option<MainPath> {
        let mut iterations = vec![1.0; loops.len()];
        let [number] = on_path.as_slice() else { return None };
        let work = loops.get(*number).map(work_of).filter(|work| *work > 0.0)?;
        let once = MainPath::of(blocks, &iterations).multiply_adds - work;
        *iterations.get_mut(*number)? = ((path.whole - once) / work).round().max(1.0);
        Some(MainPath::of(blocks, &iterations))
    };
    let is_all = |found: &MainPath| found.multiply_adds >= path.whole * LEAST;
    of_module().filter(is_all).or_else(of_work).or_else(of_module)
}

/// The loops that may be left of those of a module, in their order, if they are so deep inside others.
fn left(depths: &[usize], loops: &[LoopWork]) -> Vec<Vec<LoopWork>> {
    let Some((depth, deeper)) = depths.split_first() else { return vec![Vec::new()] };
    if loops.len() > MAX_LOOPS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, first) in loops.iter().enumerate().filter(|(_, it)| it.depth == *depth) {
        let behind = loops.get(number + 1..).unwrap_or_default();
        found.extend(left(deeper, behind).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{KernelPath, LoopWork, Share, issue};
    use crate::assembly::Assembly;
    use crate::costs::Costs;

    #[test]
    fn the_issue_of_a_work_group_is_that_of_its_main_path() {
        // A way out, a loop, and a version for which it does not run.
        let text = "\
//.kernel product
(W&f0.0) jmpi  general
loop:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
        mad (16|M0)  r5.0<1>:f  r5.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W&f1.0) jmpi  loop
(W)     jmpi  out
general:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
        mov (16|M0)  r9.0<1>:f  r40.0<1;1,0>:f
out:
        store.ugm.d32.a64 (16|M0)  [r4:4]  r8:2
";
        let issue = |path: KernelPath| issue(&Assembly::parse(text), Costs::of("pvc"), &path);
        let path = |multiply_adds: f64, loops: &[(f64, f64)]| KernelPath {
            multiply_adds,
            other: 0.0,
            subgroups: 4,
            whole: 20.0,
            loops: loops
                .iter()
                .map(|&(iterations, multiply_adds)| LoopWork { iterations, multiply_adds, depth: 0 })
                .collect(),
            ..KernelPath::default()
        };
        // Ten iterations of two multiply-adds and a branch, two more branches, a store of two registers.
        let whole = 10.0 * 4.0 + 2.0 + 2.0 + 3.0;
        assert_eq!(issue(path(80.0, &[(10.0, 2.0)])), Some(4.0 * whole));
        // The module's loop had one of them, or IGC made the loop of what the module has one after the other.
        assert_eq!(issue(path(80.0, &[(20.0, 1.0)])), Some(4.0 * whole));
        assert_eq!(issue(path(80.0, &[])), Some(4.0 * whole));
        // IGC has joined the parts of the module's loop, which leaves too few multiply-adds.
        assert_eq!(issue(path(80.0, &[(4.0, 2.0)])), Some(4.0 * whole));
        // Three of four subgroups work.
        assert_eq!(issue(path(60.0, &[(10.0, 2.0)])), Some(3.0 * whole));
        // Of integers the module has no multiply-adds, and the shortest way through the binary is not what they take.
        assert_eq!(issue(KernelPath { whole: 0.0, ..path(0.0, &[]) }), None);
    }

    fn parsed(text: &str, path: &KernelPath) -> Option<f64> {
        issue(&Assembly::parse(text), Costs::of("pvc"), path)
    }

    #[test]
    fn a_loop_of_the_module_may_be_none_in_the_binary() {
        let text = "\
//.kernel product
outer:
        mov (16|M0)  r9.0<1>:f  r40.0<1;1,0>:f
inner:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W&f1.0) jmpi  inner
(W&f0.0) jmpi  outer
";
        let loops = |of: &[(f64, usize)]| {
            let of = of.iter();
            of.map(|&(iterations, depth)| LoopWork { iterations, multiply_adds: 1.0, depth }).collect()
        };
        let path = |whole: f64, of: &[(f64, usize)]| KernelPath {
            multiply_adds: whole,
            subgroups: 1,
            whole,
            loops: loops(of),
            ..KernelPath::default()
        };
        // Five times a move, ten iterations of a multiply-add and a branch, and a branch.
        let cycles = Some(5.0 * (1.0 + 10.0 * 3.0 + 2.0));
        assert_eq!(parsed(text, &path(50.0, &[(5.0, 0), (10.0, 1)])), cycles);
        // Of the loops those count that lie in each other as the binary's do, and make about as many multiply-adds.
        assert_eq!(parsed(text, &path(50.0, &[(3.0, 0), (5.0, 0), (10.0, 1)])), cycles);
        assert_eq!(parsed(text, &path(500.0, &[(3.0, 0), (5.0, 0), (10.0, 1)])), None);
        assert_eq!(parsed(text, &path(50.0, &[(5.0, 0), (10.0, 0), (3.0, 0)])), None);
    }

    #[test]
    fn sides_of_a_branch_may_come_one_after_the_other() {
        let text = "\
//.kernel product
first:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W&f1.0) jmpi  first
second:
        mad (16|M0)  r5.0<1>:f  r5.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W&f1.0) jmpi  second
";
        let loops = vec![LoopWork { iterations: 10.0, multiply_adds: 1.0, depth: 0 }];
        let path =
            KernelPath { multiply_adds: 20.0, subgroups: 2, whole: 10.0, loops, ..KernelPath::default() };
        // Each of two subgroups has ten iterations of a multiply-add and a branch, in one loop or the other.
        assert_eq!(parsed(text, &path), Some(2.0 * 10.0 * 3.0));
    }

    #[test]
    fn sides_of_a_branch_that_different_subgroups_take_count_each() {
        let text = "\
//.kernel product
(W&f0.0) jmpi  second
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
        mad (16|M0)  r5.0<1>:f  r5.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
(W)     jmpi  out
second:
        mad (16|M0)  r2.0<1>:f  r2.0<1;0>:f  r3.0<1;0>:f  r4.0<0>:f
        mov (16|M0)  r9.0<1>:f  r40.0<1;1,0>:f
        mov (16|M0)  r8.0<1>:f  r41.0<1;1,0>:f
out:
        nop
";
        // The first branch and the end, with two multiply-adds and a branch of two cycles, or with one and two moves.
        let path =
            |whole: f64| KernelPath { multiply_adds: whole, subgroups: 2, whole, ..KernelPath::default() };
        assert_eq!(parsed(text, &path(2.0)), Some(7.0));
        assert_eq!(parsed(text, &path(4.0)), Some(7.0 + 6.0));
        assert_eq!(parsed(text, &path(3.5)), Some(7.0 + 6.0));
        // Three subgroups take the first side, and two the second one, as the module says.
        let shares = [(3, 2.0), (2, 1.0)]
            .map(|(subgroups, multiply_adds)| Share { subgroups, multiply_adds })
            .to_vec();
        let differ =
            KernelPath { multiply_adds: 8.0, subgroups: 5, whole: 2.0, shares, ..KernelPath::default() };
        assert_eq!(parsed(text, &differ), Some(3.0 * 7.0 + 2.0 * 6.0));
        // Of a share that no way through the binary has, it has less of everything else in proportion.
        let shares = [(3, 2.0), (2, 0.25)]
            .map(|(subgroups, multiply_adds)| Share { subgroups, multiply_adds })
            .to_vec();
        assert_eq!(parsed(text, &KernelPath { multiply_adds: 6.5, shares, ..differ }), Some(6.5 / 2.0 * 7.0));
    }
}
