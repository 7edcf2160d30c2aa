//! Accesses and views of which constants and static shapes tell that they leave the tensor.
//!
//! What is carried out whenever the kernel runs is refused. What stands in a branch or in a loop that may have no iteration is
//! only warned about: a program generator that writes one text for many sizes puts in front of such an access a condition
//! that is never true then.

use super::error::Error;
use crate::analysis::{Interval, LoopBounds, constant_of};
use crate::ir::{
    Checked, Constant, Extent, Func, Inst, Ir, Memref, Op, Region, Transpose, Type, Value, VerifierError,
};
use crate::status::Status;

/// An instruction that leaves a tensor.
pub(super) struct Finding {
    /// The rule that is broken.
    pub error: VerifierError,
    /// True if the instruction need not be carried out.
    pub is_conditional: bool,
}

/// Refuses a function of which every launch leaves a tensor.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    match find(ir, func).into_iter().find(|finding| !finding.is_conditional) {
        Some(finding) => Err(finding.error.into()),
        None => Ok(()),
    }
}

/// All findings of a function, in the order of its text.
pub(super) fn find(ir: &Ir, func: Func) -> Vec<Finding> {
    let mut findings = Vec::new();
    search(ir, ir[func].body, false, &mut findings);
    findings
}

fn search(ir: &Ir, region: Region, mut is_conditional: bool, findings: &mut Vec<Finding>) {
    for inst in ir.insts(region) {
        if let Op::BreakIf(exit) = &ir[inst].op {
            match constant_of(ir, exit.condition) {
                Some(Constant::Bool(true)) => return,
                Some(Constant::Bool(false)) => {}
                _ => is_conditional = true,
            }
        }
        if let Err(error) = check_instruction(ir, inst) {
            findings.push(Finding { error, is_conditional });
        }
        let data = &ir[inst];
        for (number, &inner) in data.regions.iter().enumerate() {
            match iterations(ir, &data.op, number) {
                Iterations::None => {}
                Iterations::Some => search(ir, inner, is_conditional, findings),
                Iterations::Unknown => search(ir, inner, true, findings),
            }
        }
    }
}

/// Number of times that a region is carried out when its instruction is.
enum Iterations {
    None,
    Some,
    Unknown,
}

fn iterations(ir: &Ir, op: &Op, region: usize) -> Iterations {
    let range = |from: &[Value], to: &[Value]| {
        let known = from.iter().zip(to).map(|(&from, &to)| Some((integer(ir, from)?, integer(ir, to)?)));
        match known.collect::<Option<Vec<_>>>() {
            None => Iterations::Unknown,
            Some(modes) if modes.iter().all(|(from, to)| from < to) => Iterations::Some,
            Some(_) => Iterations::None,
        }
    };
    match op {
        Op::If(branch) => match constant_of(ir, branch.condition) {
            Some(Constant::Bool(condition)) if condition == (region == 0) => Iterations::Some,
            Some(Constant::Bool(_)) => Iterations::None,
            _ => Iterations::Unknown,
        },
        Op::For(counted) => match LoopBounds::of(ir, counted) {
            bounds if bounds.is_empty() => Iterations::None,
            bounds if bounds.has_iteration() => Iterations::Some,
            _ => Iterations::Unknown,
        },
        Op::Foreach(all) => range(&all.from, &all.to),
        Op::ForeachTile(all) => range(&all.from, &all.to),
        Op::Parallel(_) | Op::CoopmatrixApply(_) => Iterations::Some,
        _ => Iterations::Unknown,
    }
}

/// The integer that a value can only be.
fn integer(ir: &Ir, value: Value) -> Option<i64> {
    let Interval { min, max } = Interval::of(ir, value);
    (min == max).then_some(min)
}

fn check_instruction(ir: &Ir, inst: Inst) -> Result<(), VerifierError> {
    match &ir[inst].op {
        Op::Load(load) => indices(ir, inst, load.from, &load.indices),
        Op::Store(store) => indices(ir, inst, store.to, &store.indices),
        Op::AtomicLoad(load) => indices(ir, inst, load.from, &load.indices),
        Op::AtomicStore(store) => indices(ir, inst, store.to, &store.indices),
        Op::AtomicUpdate(update) => indices(ir, inst, update.to, &update.indices),
        Op::Subview(view) => {
            let Some(memref) = ir.ty(view.of).memref() else { return Ok(()) };
            let (mut offsets, mut sizes) = (view.offsets.iter(), view.sizes.iter());
            let modes = view.static_offsets.iter().zip(&view.static_sizes).zip(&memref.shape).enumerate();
            for (mode, ((&offset, &size), &extent)) in modes {
                let is_kept = size != Extent::Static(0);
                let offset = known(ir, offset, &mut offsets);
                let size = known(ir, size, &mut sizes);
                let slice = Slice { mode, offset, size: if is_kept { size } else { Some(1) } };
                slice.check(ir, inst, view.of, extent)?;
            }
            Ok(())
        }
        Op::Expand(view) => {
            let mut sizes = view.sizes.iter();
            for &size in &view.static_shape {
                let size = known(ir, size, &mut sizes);
                if let Some(size) = size.filter(|&size| size < 0) {
                    let detail = format!("size {size}; {}", ir.describe(view.of));
                    return Err(failure(ir, inst, Status::IrInvalidShape, detail, view.of));
                }
            }
            Ok(())
        }
        Op::CoopmatrixLoad(load) => {
            let ty = ir[inst].results.first().map(|&result| ir.ty(result));
            let at = Tile { of: load.from, at: [load.x, load.y], transpose: load.transpose };
            at.check(ir, inst, ty, load.checked)
        }
        Op::CoopmatrixStore(store) => {
            let at = Tile { of: store.to, at: [store.x, store.y], transpose: store.transpose };
            at.check(ir, inst, Some(ir.ty(store.value)), store.checked)
        }
        _ => Ok(()),
    }
}

/// The number of an entry, which stands in the instruction or is its next operand.
fn known<'a>(ir: &Ir, entry: Extent, operands: &mut impl Iterator<Item = &'a Value>) -> Option<i64> {
    match entry {
        Extent::Static(number) => Some(number),
        Extent::Dynamic => operands.next().and_then(|&value| integer(ir, value)),
    }
}

fn failure(ir: &Ir, inst: Inst, status: Status, detail: String, of: Value) -> VerifierError {
    VerifierError::new(status, ir[inst].location, detail).about(ir, &[of])
}

/// Compares the constants among the indices of an element, or of a member of a group, with the shape.
fn indices(ir: &Ir, inst: Inst, of: Value, indices: &[Value]) -> Result<(), VerifierError> {
    let size;
    let shape = match ir.ty(of) {
        Type::Memref(memref) => memref.shape.as_slice(),
        Type::Group(group) => {
            size = [group.size];
            &size
        }
        _ => return Ok(()),
    };
    for (mode, (&index, extent)) in indices.iter().zip(shape).enumerate() {
        let Some(index) = integer(ir, index) else { continue };
        let is_inside = index >= 0 && extent.value().is_none_or(|extent| index < extent);
        if !is_inside {
            let detail = format!("index {index} of mode {mode}; {}", ir.describe(of));
            return Err(failure(ir, inst, Status::IrOutOfBounds, detail, of));
        }
    }
    Ok(())
}

/// A range in a mode, as far as it is known.
struct Slice {
    mode: usize,
    offset: Option<i64>,
    size: Option<i64>,
}

impl Slice {
    fn check(&self, ir: &Ir, inst: Inst, of: Value, extent: Extent) -> Result<(), VerifierError> {
        let &Slice { mode, offset, size } = self;
        for (what, number) in [("offset", offset), ("size", size)] {
            if let Some(number) = number.filter(|&number| number < 0) {
                let detail = format!("{what} {number} of mode {mode}; {}", ir.describe(of));
                return Err(failure(ir, inst, Status::IrInvalidSlice, detail, of));
            }
        }
        // An unknown offset is 0 at least, and an unknown size, too.
        let end = offset.unwrap_or(0).saturating_add(size.unwrap_or(0));
        let Some(extent) = extent.value().filter(|&extent| end > extent) else { return Ok(()) };
        let what = match (offset, size) {
            (Some(offset), Some(size)) => format!("slice {offset}:{size} of mode {mode} ends at {end}"),
            (None, _) => format!("a slice of mode {mode} has size {end}"),
            (Some(_), None) => format!("a slice of mode {mode} starts at {end}"),
        };
        let detail = format!("{what}, the mode at {extent}; {}", ir.describe(of));
        Err(failure(ir, inst, Status::IrOutOfBounds, detail, of))
    }
}

/// The place of a cooperative matrix in a tensor.
struct Tile {
    of: Value,
    at: [Value; 2],
    transpose: Transpose,
}

impl Tile {
    /// Compares the modes that are not checked when the kernel runs.
    fn check(&self, ir: &Ir, inst: Inst, ty: Option<&Type>, checked: Checked) -> Result<(), VerifierError> {
        let (Some(Type::Coopmatrix(matrix)), Some(Memref { shape, .. })) = (ty, ir.ty(self.of).memref())
        else {
            return Ok(());
        };
        if checked != Checked::None {
            return Ok(());
        }
        let sizes = match self.transpose {
            Transpose::N => [matrix.rows, matrix.cols],
            Transpose::T => [matrix.cols, matrix.rows],
        };
        for (mode, ((&at, size), &extent)) in self.at.iter().zip(sizes).zip(shape).enumerate() {
            let offset = integer(ir, at);
            Slice { mode, offset, size: Some(size) }.check(ir, inst, self.of, extent)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
