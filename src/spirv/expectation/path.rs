//! Cycles that the main path of a kernel issues, and its loops.

use super::code::Code;
use super::vector::Issued;
use super::{Costs, loops, reference, vector};
use crate::analysis::{self, BlockCycles, MainPath};
use crate::device::{CoreFeatures, CoreInfo};
use crate::spirv::Module;
use rspirv::dr::{Block, Function};
use rspirv::spirv::{ExecutionMode, Op, Word};
use std::collections::HashMap;
use std::ops::Range;

/// The main path of a kernel, in cycles: an estimate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelPath {
    /// Cycles of the multiply-adds of all subgroups of a work-group.
    pub multiply_adds: f64,
    /// Cycles of everything else of theirs.
    pub other: f64,
    /// Subgroups.
    pub subgroups: u64,
    /// Cycles of the multiply-adds of a subgroup with all that any of them has to do.
    pub whole: f64,
    /// The loops on its path with more than one iteration, in the order in which they begin, outer ones first.
    pub loops: Vec<LoopWork>,
    /// The shares of the subgroups that have multiply-adds, each distinct one once, the largest first.
    pub shares: Vec<Share>,
}

/// The work that some subgroups of a work-group have each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Number of the subgroups.
    pub subgroups: u64,
    /// Cycles of the multiply-adds of one of them.
    pub multiply_adds: f64,
}

/// A loop on the main path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopWork {
    /// Iterations.
    pub iterations: f64,
    /// Cycles of the multiply-adds of an iteration, without those of loops inside.
    pub multiply_adds: f64,
    /// Number of the loops around it.
    pub depth: usize,
}

impl KernelPath {
    /// Cycles in which a vector engine issues the instructions of all subgroups of a work-group.
    pub fn issue(&self) -> f64 {
        self.multiply_adds + self.other
    }
}

impl Module {
    /// The main path of a kernel. `None` if the module has no kernel of this name, if a loop has iterations that are known at run time
    /// only, and for families whose costs are not known.
    pub fn main_path(&self, kernel: &str, info: &CoreInfo) -> Option<KernelPath> {
        let function = self.function(self.entry_point(kernel)?)?;
        let lanes = self.subgroup_size(function)?;
        let items: u64 = self.execution_mode(function, ExecutionMode::LocalSize)?.iter().product();
        let mut code = Code::new(&self.module, function, lanes);
        let blocks = self.cycles(&code, function, info)?;
        let subgroups = items.div_ceil(lanes);
        let (whole, loops) = of_subgroup(&code, function, blocks.clone())?;
        let (mut multiply_adds, mut other, mut shares) = (0.0, 0.0, Vec::<Share>::new());
        for subgroup in 0..subgroups {
            code.subgroup = i64::try_from(subgroup).ok();
            let (path, _) = of_subgroup(&code, function, blocks.clone())?;
            multiply_adds += path.multiply_adds;
            other += path.other;
            match shares.iter_mut().find(|share| share.multiply_adds == path.multiply_adds) {
                Some(share) => share.subgroups += 1,
                None => shares.push(Share { subgroups: 1, multiply_adds: path.multiply_adds }),
            }
        }
        shares.retain(|share| share.multiply_adds > 0.0);
        shares.sort_by(|a, b| b.multiply_adds.total_cmp(&a.multiply_adds));
        Some(KernelPath { multiply_adds, other, subgroups, whole: whole.multiply_adds, loops, shares })
    }

    /// The cycles of all blocks, of which nothing follows yet.
    fn cycles(&self, code: &Code<'_>, function: &Function, info: &CoreInfo) -> Option<Vec<BlockCycles>> {
        let family = info.family()?;
        let column = info.matrix_engine().map_or(1.0, |engine| engine.column_cycles() as f64);
        let costs = Costs::of(family)?;
        let work: Vec<_> = function.blocks.iter().map(|block| self.work(block, code, &costs)).collect();
        if work.iter().any(|work| work.columns > 0) {
            let of_block = |work: &super::Work| BlockCycles {
                multiply_adds: work.columns as f64 * column,
                other: work.cycles() + work.bytes,
                next: vec![],
            };
            return Some(work.iter().map(of_block).collect());
        }
        let costs = vector::Costs::of(family)?;
        let has_large_file = self.core_features().contains(CoreFeatures::LARGE_REGISTER_FILE);
        let costs = if has_large_file { costs.with_large_file() } else { costs };
        let register = u64::try_from(info.register_bytes()).ok().filter(|&bytes| bytes > 0)?;
        let of_block = |block: &Block| {
            let mut issued = Issued::new(code, &costs, register);
            block.instructions.iter().for_each(|inst| issued.add(inst));
            BlockCycles { multiply_adds: issued.multiply_adds, other: issued.other, next: vec![] }
        };
        Some(function.blocks.iter().map(of_block).collect())
    }
}

/// The main path of a subgroup, or of one with all that any of them has to do, and its loops.
fn of_subgroup(
    code: &Code<'_>,
    function: &Function,
    mut blocks: Vec<BlockCycles>,
) -> Option<(MainPath, Vec<LoopWork>)> {
    let numbered = function.blocks.iter().enumerate();
    let numbers: HashMap<Word, usize> =
        numbered.filter_map(|(number, block)| Some((label(block)?, number))).collect();
    for (cycles, block) in blocks.iter_mut().zip(&function.blocks) {
        let Some(last) = block.instructions.last() else { continue };
        let targets: Vec<Word> = match last.class.opcode {
            Op::Branch => last.operands.iter().filter_map(reference).collect(),
            Op::BranchConditional => {
                let taken = code.operand(last, 0).and_then(|condition| code.evaluate(condition));
                let sides =
                    [1, 2].into_iter().filter(|&side| taken.is_none_or(|taken| (taken == 0) == (side == 2)));
                sides.filter_map(|side| code.operand(last, side)).collect()
            }
            _ => Vec::new(),
        };
        cycles.next = targets.iter().filter_map(|id| numbers.get(id).copied()).collect();
    }
    let ranges = analysis::loops(&blocks);
    let head = |range: &Range<usize>| function.blocks.get(range.start);
    let counts: Vec<Option<u64>> = ranges.iter().map(|range| loops::iterations(code, head(range)?)).collect();
    let iterations: Vec<f64> = counts.iter().map(|count| count.unwrap_or(1) as f64).collect();
    let path = MainPath::of(&blocks, &iterations);
    let (mut on_path, mut around): (Vec<LoopWork>, Vec<&Range<usize>>) = (Vec::new(), Vec::new());
    for (range, count) in ranges.iter().zip(counts).filter(|(range, _)| path.blocks.contains(&range.start)) {
        let iterations = count? as f64;
        if iterations > 1.0 {
            around.retain(|outer| outer.contains(&range.start));
            let multiply_adds = analysis::own_work(&blocks, &ranges, range);
            on_path.push(LoopWork { iterations, multiply_adds, depth: around.len() });
            around.push(range);
        }
    }
    Some((path, on_path))
}

fn label(block: &Block) -> Option<Word> {
    block.label.as_ref()?.result_id
}
