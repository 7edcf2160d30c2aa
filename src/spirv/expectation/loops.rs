//! Loops of a function by their multiply-adds.

use super::code::Code;
use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{LoopControl, Op, Word};
use std::collections::HashSet;

/// A block with the loops around it, outermost first, by where they end.
pub type Nested<'a> = (&'a Block, Vec<Word>);

/// A loop that may have more than one iteration.
#[derive(Default)]
struct Loop {
    end: Word,
    multiply_adds: u64,
    /// Addresses that all lanes share, and branches that all take.
    addresses: u64,
    branches: u64,
    /// The other sides of the branches on whose first side it is, and of those on whose second side.
    first_of: Vec<Word>,
    second_of: Vec<Word>,
}

/// The blocks of a function, and where the loop ends whose multiply-adds are most. Of several with as many it is the one
/// that comes first in the binary, where the second side of a branch precedes the first one. Where addresses have 32 bits,
/// those behind a branch are integer multiply-adds, which decide then.
pub fn hot<'a>(code: &Code<'_>, function: &'a Function, narrow: bool) -> (Vec<Nested<'a>>, Option<Word>) {
    let (mut blocks, mut loops, mut outer) = (Vec::new(), Vec::<Loop>::new(), HashSet::new());
    // Blocks come in the order of the text, so that a loop has those from its head to where it is left.
    let (mut around, mut sides) = (Vec::<Word>::new(), Vec::<(Word, Word, bool)>::new());
    for block in &function.blocks {
        let label = block.label.as_ref().and_then(|label| label.result_id);
        while around.last().is_some_and(|&end| Some(end) == label) {
            around.pop();
        }
        while sides.last().is_some_and(|&(end, ..)| Some(end) == label) {
            sides.pop();
        }
        sides.iter_mut().for_each(|(_, second, is_second)| *is_second |= Some(*second) == label);
        for inst in &block.instructions {
            let Some(end) = code.operand(inst, 0) else { continue };
            match (inst.class.opcode, block.instructions.last()) {
                (Op::LoopMerge, _) if !has_one_iteration(code, block) => {
                    let of = |side: bool| sides.iter().filter(|it| it.2 == side).map(|it| it.1).collect();
                    outer.extend(around.iter().copied());
                    loops.push(Loop { end, first_of: of(false), second_of: of(true), ..Loop::default() });
                    around.push(end);
                }
                (Op::SelectionMerge, Some(branch)) => {
                    let second = code.operand(branch, 2).filter(|&second| second != end);
                    sides.extend(second.map(|second| (end, second, false)));
                }
                _ => {}
            }
        }
        if let Some(own) = loops.iter_mut().find(|it| around.last() == Some(&it.end)) {
            let count = |is: &dyn Fn(&Instruction) -> bool| {
                block.instructions.iter().filter(|inst| is(inst)).count() as u64
            };
            let is_uniform = |id: Option<Word>| id.is_some_and(|id| code.is_uniform(id));
            own.multiply_adds += count(&|inst| code.is_multiply_add(inst));
            own.addresses += count(&|inst| {
                is_uniform(inst.result_id)
                    && matches!(inst.class.opcode, Op::InBoundsPtrAccessChain | Op::PtrAccessChain)
                    && code.operand(inst, 1).is_some_and(|index| code.constant(index).is_none())
            });
            own.branches += count(&|inst| {
                inst.class.opcode == Op::BranchConditional && is_uniform(code.operand(inst, 0))
            });
        }
        blocks.push((block, around.clone()));
    }
    // A loop around another one is not what the binary's hottest loop can be.
    let holds_another = |it: &Loop| outer.contains(&it.end);
    let rank = |it: &Loop| (it.multiply_adds, narrow && it.addresses > 0 && it.branches > 1);
    let innermost = loops.iter().filter(|it| it.multiply_adds > 0 && !holds_another(it));
    let hot = innermost.reduce(|hot, next| {
        let precedes = || next.second_of.iter().any(|side| hot.first_of.contains(side));
        let is_hotter = rank(next) > rank(hot) || rank(next) == rank(hot) && precedes();
        if is_hotter { next } else { hot }
    });
    let end = hot.map(|hot| hot.end);
    (blocks, end)
}

/// Iterations of a loop, at most if its counter does not begin at a constant; `None` if its bound or step is none.
pub fn iterations(code: &Code<'_>, head: &Block) -> Option<u64> {
    let counter = head.instructions.iter().find(|inst| inst.class.opcode == Op::Phi)?;
    let compares = |inst: &&Instruction| {
        inst.class.opcode == Op::SLessThan && code.operand(inst, 0) == counter.result_id
    };
    let bound = code.constant(code.operand(head.instructions.iter().find(compares)?, 1)?)?;
    let next = code.definition(code.operand(counter, 2)?).filter(|next| next.class.opcode == Op::IAdd)?;
    let step = u64::try_from(code.constant(code.operand(next, 1)?)?).ok().filter(|&step| step > 0)?;
    let start = code.operand(counter, 0)?;
    let start = code.evaluate(start).unwrap_or_else(|| code.least(start));
    let length = bound.saturating_sub(start);
    Some(u64::try_from(length).unwrap_or(0).div_ceil(step))
}

/// The most iterations of a loop that Intel's compiler unrolls as a whole, whatever it does.
const MAX_UNROLLED: u64 = 4;

/// Iterations of a loop that drivers unroll as a whole: few that are known, unless the module forbids it.
pub fn unrolled(code: &Code<'_>, head: &Block, merge: &Instruction) -> Option<u64> {
    iterations(code, head).filter(|&count| count <= MAX_UNROLLED && may_unroll(merge))
}

/// Returns whether the module lets drivers unroll a loop.
pub fn may_unroll(merge: &Instruction) -> bool {
    !merge.operands.iter().any(|operand| {
        matches!(operand, Operand::LoopControl(control) if control.contains(LoopControl::DONT_UNROLL))
    })
}

/// Returns whether the bounds and the step of a counter leave no room for a second iteration.
fn has_one_iteration(code: &Code<'_>, head: &Block) -> bool {
    iterations(code, head).is_some_and(|count| count <= 1)
}
