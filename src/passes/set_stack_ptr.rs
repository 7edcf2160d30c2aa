//! Assigns byte offsets in local memory to allocations, first fit (`spec/lowering.md` 1.5).

use super::error::Error;
use super::manager::Settings;
use crate::ir::{Alloca, Attribute, Func, Ir, Op, Region, Value, Violation};
use crate::status::Status;
use std::collections::HashSet;

pub(super) fn run(ir: &mut Ir, func: Func, _settings: &Settings<'_>) -> Result<(), Error> {
    place(ir, ir[func].body, &mut Vec::new())
}

/// A piece of local memory in use.
struct Block {
    start: i64,
    stop: i64,
    owner: Value,
}

/// `live` is sorted by start. Allocations end with their region at the latest.
fn place(ir: &mut Ir, region: Region, live: &mut Vec<Block>) -> Result<(), Error> {
    let mut own = HashSet::new();
    for inst in ir[region].insts.clone() {
        let location = ir[inst].location;
        let fail = |status, detail: String| Violation::new(status, location, detail);
        match (&ir[inst].op, ir[inst].results.first().copied()) {
            (Op::Alloca(alloca), Some(owner)) => {
                let (size, alignment) =
                    size_and_alignment(ir, alloca, owner).map_err(|(status, detail)| fail(status, detail))?;
                let start = allocate(live, owner, size, alignment)
                    .ok_or_else(|| fail(Status::OutOfRange, "local memory is full".to_owned()))?;
                own.insert(owner);
                if let Op::Alloca(alloca) = &mut ir[inst].op {
                    alloca.stack_ptr = Some(start);
                }
            }
            (Op::LifetimeStop(stop), _) => {
                let Some(index) = live.iter().position(|block| block.owner == stop.of) else {
                    let detail = "lifetime_stop of a value that is no live allocation".to_owned();
                    return Err(fail(Status::InternalCompilerError, detail).into());
                };
                live.remove(index);
            }
            _ => {}
        }
        for inner in ir[inst].regions.clone() {
            place(ir, inner, live)?;
        }
    }
    live.retain(|block| !own.contains(&block.owner));
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
    if memref.shape.iter().chain(&memref.stride).any(|extent| extent.is_dynamic()) {
        let detail = format!("local memory needs a static shape and stride, not {ty}");
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
                "alignment is {alignment}; {ty} needs a power of two from {natural} to {MOST_ALIGNMENT}"
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
const MOST_ALIGNMENT: i64 = 4096;

/// The alignments that elements of this size may have: powers of two, as the size is.
fn alignments(natural: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(natural), |alignment| alignment.checked_mul(2))
        .take_while(|&alignment| alignment <= MOST_ALIGNMENT)
}

/// Finds room and keeps `live` sorted; `None` if the offset leaves the range of an integer.
fn allocate(live: &mut Vec<Block>, owner: Value, size: i64, alignment: i64) -> Option<i64> {
    let mut start = 0i64;
    let mut index = 0;
    for block in live.iter() {
        if block.start - start >= size {
            break;
        }
        start = block.stop.checked_next_multiple_of_(alignment)?;
        index += 1;
    }
    live.insert(index, Block { start, stop: start.checked_add(size)?, owner });
    Some(start)
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
