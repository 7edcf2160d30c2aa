//! Assigns byte offsets in local memory to allocations, first fit (lowering reference 1.5).

use super::context::Context;
use super::error::Error;
use crate::ir::{Alloca, Attribute, Func, Ir, Op, Region, Value, VerifierError};
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
        let location = ir[inst].location;
        let fail = |status, detail: String| VerifierError::new(status, location, detail);
        match (&ir[inst].op, ir[inst].results.first().copied()) {
            (Op::Alloca(alloca), Some(owner)) => {
                let (size, alignment) =
                    size_and_alignment(ir, alloca, owner).map_err(|(status, detail)| fail(status, detail))?;
                let start = live
                    .allocate(owner, size, alignment)
                    .ok_or_else(|| fail(Status::OutOfRange, "local memory is full".to_owned()))?;
                own.insert(owner);
                ir.update(inst, |op| {
                    if let Op::Alloca(alloca) = op {
                        alloca.stack_ptr = Some(start);
                    }
                });
            }
            (Op::LifetimeStop(stop), _) => {
                let start = match ir.defining_op(stop.of) {
                    Some(Op::Alloca(alloca)) => alloca.stack_ptr,
                    _ => None,
                };
                if !start.is_some_and(|start| live.free(stop.of, start)) {
                    let detail = "lifetime_stop of a value that is no live allocation".to_owned();
                    return Err(fail(Status::InternalCompilerError, detail).into());
                }
            }
            _ => {}
        }
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

/// Bytes of an allocation, and what its address is a multiple of.
pub(super) fn size_and_alignment(
    ir: &Ir,
    alloca: &Alloca,
    value: Value,
) -> Result<(i64, i64), (Status, String)> {
    let ty = ir.ty(value);
    let Some(memref) = ty.memref() else {
        return Err((Status::InternalCompilerError, format!("alloca of {ty}")));
    };
    if memref.shape.iter().any(|size| size.is_dynamic()) {
        let detail = format!("local memory needs a static shape, not {ty}");
        return Err((Status::IrInvalidShape, detail));
    }
    let size = memref
        .size_in_bytes()
        .ok_or_else(|| (Status::OutOfRange, format!("the size of {ty} is no 64-bit number")))?;
    let natural = memref.element.bytes();
    let Some(wanted) = alloca.attributes.as_ref().and_then(|attributes| attributes.get("alignment")) else {
        return Ok((size, natural));
    };
    match wanted {
        Attribute::Integer(alignment) if alignments(natural).any(|known| known == *alignment) => {
            Ok((size, *alignment))
        }
        Attribute::Integer(alignment) => {
            let detail = format!(
                "alignment is {alignment}; {ty} needs a power of two from {natural} to {MAX_ALIGNMENT}"
            );
            Err((Status::IrInsufficientAlignment, detail))
        }
        other => {
            let detail = format!("alignment is {}, {other}", other.kind());
            Err((Status::IrExpectedIntegerAttribute, detail))
        }
    }
}

/// A page, beyond which no memory is aligned in any way.
const MAX_ALIGNMENT: i64 = 4096;

/// The alignments that elements of this size may have: powers of two, as the size is.
fn alignments(natural: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(natural), |alignment| alignment.checked_mul(2))
        .take_while(|&alignment| alignment <= MAX_ALIGNMENT)
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
