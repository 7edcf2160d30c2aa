//! Assigns byte offsets in local memory to allocations, first fit (lowering reference 1.5).

use super::context::Context;
use super::error::{Error, internal};
use crate::ir::{Func, Inst, Ir, LifetimeStop, Op, Region, SideEffect, Value, VerifierError};
use crate::status::Status;
use std::collections::HashSet;

pub(super) fn run(ir: &mut Ir, func: Func, _context: &Context<'_>) -> Result<(), Error> {
    place(ir, ir[func].body, &mut Live::default())
}

/// A piece of local memory in use.
struct Block {
    start: i64,
    stop: i64,
    owner: Value,
}

/// The pieces in use, sorted by start.
#[derive(Default)]
struct Live {
    blocks: Vec<Block>,
    /// So many from the first on leave no room between them, so that nobody need look there.
    packed: usize,
}

/// Allocations end with their region at the latest.
fn place(ir: &mut Ir, region: Region, live: &mut Live) -> Result<(), Error> {
    let mut own = HashSet::new();
    for inst in ir.insts(region).collect::<Vec<_>>() {
        let (word, location) = (ir[inst].op.mnemonic(), ir[inst].location);
        place_inst(ir, inst, live, &mut own).map_err(|error| error.in_instruction(word, location))?;
        for inner in ir[inst].regions.clone() {
            place(ir, inner, live)?;
        }
    }
    if !own.is_empty() {
        live.blocks.retain(|block| !own.contains(&block.owner));
        live.packed = 0;
        live.pack();
    }
    Ok(())
}

fn place_inst(ir: &mut Ir, inst: Inst, live: &mut Live, own: &mut HashSet<Value>) -> Result<(), Error> {
    let location = ir[inst].location;
    let fail = |(status, detail): (Status, String)| VerifierError::new(status, location, detail);
    match ir[inst].op.info().side_effect {
        SideEffect::Allocation => {
            let (Op::Alloca(alloca), Some(&owner)) = (&ir[inst].op, ir[inst].results.first()) else {
                return Err(internal(location, "it allocates memory in an unknown way"));
            };
            let (size, alignment) = alloca.size_and_alignment(ir.ty(owner)).map_err(fail)?;
            let start = live
                .allocate(owner, size, alignment)
                .ok_or_else(|| fail((Status::OutOfRange, "local memory is full".to_owned())))?;
            own.insert(owner);
            ir.update(inst, |op| {
                if let Op::Alloca(alloca) = op {
                    alloca.stack_ptr = Some(start);
                }
            });
        }
        SideEffect::Deallocation => {
            let Op::LifetimeStop(LifetimeStop { of }) = ir[inst].op else {
                return Err(internal(location, "it frees memory in an unknown way"));
            };
            let start = match ir.defining_op(of) {
                Some(Op::Alloca(alloca)) => alloca.stack_ptr,
                _ => None,
            };
            if !start.is_some_and(|start| live.free(of, start)) {
                return Err(internal(location, "it is of no live allocation"));
            }
        }
        SideEffect::Pure
        | SideEffect::Memory
        | SideEffect::AtomicMemory
        | SideEffect::Synchronization
        | SideEffect::Terminator
        | SideEffect::Exit
        | SideEffect::Regions
        | SideEffect::Loop
        | SideEffect::Hint => {}
    }
    Ok(())
}

impl Live {
    /// Finds room; `None` if the offset leaves the range of an integer.
    fn allocate(&mut self, owner: Value, size: i64, alignment: i64) -> Option<i64> {
        let mut start = 0i64;
        let mut index = 0;
        // What has no size has room anywhere.
        if size > 0
            && let Some(last) = self.packed.checked_sub(1).and_then(|last| self.blocks.get(last))
        {
            start = last.stop.checked_next_multiple_of_(alignment)?;
            index = self.packed;
        }
        for block in self.blocks.iter().skip(index) {
            if block.start - start >= size {
                break;
            }
            start = block.stop.checked_next_multiple_of_(alignment)?;
            index += 1;
        }
        self.blocks.insert(index, Block { start, stop: start.checked_add(size)?, owner });
        // Nothing between two blocks, or before the first, leaves the rest as it is.
        self.packed = if size == 0 { self.packed + 1 } else { self.packed.min(index) };
        self.pack();
        Some(start)
    }

    /// Gives room back; false if the block is not in use.
    fn free(&mut self, owner: Value, start: i64) -> bool {
        let first = self.blocks.partition_point(|block| block.start < start);
        let own = self.blocks.iter().skip(first).position(|block| block.owner == owner);
        let Some(index) = own.map(|own| first + own) else { return false };
        self.blocks.remove(index);
        self.packed = self.packed.min(index);
        self.pack();
        true
    }

    /// Counts on while blocks follow each other without room between them.
    fn pack(&mut self) {
        let mut stop = match self.packed.checked_sub(1) {
            Some(last) => self.blocks.get(last).map_or(0, |block| block.stop),
            None => 0,
        };
        while let Some(block) = self.blocks.get(self.packed).filter(|block| block.start == stop) {
            stop = block.stop;
            self.packed += 1;
        }
    }
}

/// Rounding up, which the standard library has for unsigned integers only.
trait NextMultiple: Sized {
    fn checked_next_multiple_of_(self, factor: Self) -> Option<Self>;
}

impl NextMultiple for i64 {
    fn checked_next_multiple_of_(self, factor: i64) -> Option<i64> {
        match self % factor {
            0 => Some(self),
            rest => self.checked_add(factor - rest),
        }
    }
}
