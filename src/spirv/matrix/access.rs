//! Reading and writing cooperative matrices, entry by entry.

use super::super::atomic::{self, Access};
use super::super::function::FunctionLowering;
use super::super::memory::alignment;
use super::super::module_builder::Emitted;
use super::super::values::Lowered;
use super::coopmatrix;
use super::window::{Run, Window, guarded};
use crate::ir::{
    AddressSpace, AtomicUpdateOp, CoopmatrixAtomicLoad, CoopmatrixAtomicOp, CoopmatrixAtomicStore,
    CoopmatrixAtomicUpdate, CoopmatrixLoad, CoopmatrixStore, MemoryScope, MemorySemantics, Scalar, Type,
    Value,
};
use rspirv::spirv::Word;

/// Reads a matrix; entries that fail a check are 0.
pub(in crate::spirv) fn load(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixLoad,
    ty: &Type,
) -> Emitted<Lowered> {
    let window = Window::new(t, op.from, [op.x, op.y], coopmatrix(t, ty)?, op.transpose, op.checked)?;
    let ty = t.module.scalar_type(window.scalar)?;
    gather(t, &window, &mut |t, _, pointer| t.module.load(ty, pointer, alignment(window.scalar)))
}

/// Reads a matrix with an atomic access for each entry.
pub(in crate::spirv) fn atomic_load(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixAtomicLoad,
    ty: &Type,
) -> Emitted<Lowered> {
    let window = Window::new(t, op.from, [op.x, op.y], coopmatrix(t, ty)?, op.transpose, op.checked)?;
    let access = access(t, op.from, window.scalar, op.scope, op.semantics);
    gather(t, &window, &mut |t, _, pointer| atomic::load(t.module, access, pointer))
}

/// Writes a matrix; entries that fail a check are skipped.
pub(in crate::spirv) fn store(t: &mut FunctionLowering<'_, '_>, op: &CoopmatrixStore) -> Emitted<()> {
    let matrix = coopmatrix(t, t.ir.ty(op.value))?;
    let window = Window::new(t, op.to, [op.x, op.y], matrix, op.transpose, op.checked)?;
    let components = t.values.matrix(op.value)?.to_vec();
    scatter(t, &window, &components, &mut |t, pointer, word| {
        t.module.store(pointer, word, alignment(window.scalar))
    })
}

/// Writes a matrix with an atomic access for each entry.
pub(in crate::spirv) fn atomic_store(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixAtomicStore,
) -> Emitted<()> {
    let matrix = coopmatrix(t, t.ir.ty(op.value))?;
    let window = Window::new(t, op.to, [op.x, op.y], matrix, op.transpose, op.checked)?;
    let components = t.values.matrix(op.value)?.to_vec();
    let access = access(t, op.to, window.scalar, op.scope, op.semantics);
    scatter(t, &window, &components, &mut |t, pointer, word| atomic::store(t.module, access, pointer, word))
}

/// Combines a matrix in memory with another; returns what was there before.
pub(in crate::spirv) fn atomic_update(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixAtomicUpdate,
    ty: &Type,
) -> Emitted<Lowered> {
    let window = Window::new(t, op.to, [op.x, op.y], coopmatrix(t, ty)?, op.transpose, op.checked)?;
    let components = t.values.matrix(op.value)?.to_vec();
    let access = access(t, op.to, window.scalar, op.scope, op.semantics);
    let update = match op.op {
        CoopmatrixAtomicOp::Add => AtomicUpdateOp::Add,
        CoopmatrixAtomicOp::Max => AtomicUpdateOp::Max,
        CoopmatrixAtomicOp::Min => AtomicUpdateOp::Min,
    };
    gather(t, &window, &mut |t, index, pointer| {
        let word = components.get(index).copied().unwrap_or_default();
        atomic::update(t.module, access, update, pointer, word)
    })
}

fn access(
    t: &FunctionLowering<'_, '_>,
    memref: Value,
    scalar: Scalar,
    scope: MemoryScope,
    semantics: MemorySemantics,
) -> Access {
    let space = t.ir.ty(memref).memref().map_or(AddressSpace::Global, |memref| memref.space);
    Access { scalar, space, scope, semantics }
}

/// Collects what `read` returns for each component, given its number and address; where a component is
/// not there, 0.
fn gather(
    t: &mut FunctionLowering<'_, '_>,
    window: &Window,
    read: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, usize, Word) -> Emitted<Word>,
) -> Emitted<Lowered> {
    let ty = t.module.scalar_type(window.scalar)?;
    let zero = t.module.zero(window.scalar)?;
    let mut components = vec![zero; window.layout.length()];
    for Run { condition, components: run } in window.runs(t)? {
        let mut loaded = Vec::new();
        let mut read_run = |t: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
            for &(index, place) in &run {
                let pointer = window.address(t, place)?;
                loaded.push(read(t, index, pointer)?);
            }
            Ok(())
        };
        match condition {
            None => read_run(t)?,
            Some(condition) => {
                let (before, end) = guarded(t, condition, read_run)?;
                for word in &mut loaded {
                    *word = t.module.phi(ty, [(*word, end), (zero, before)])?;
                }
            }
        }
        for (&(index, _), word) in run.iter().zip(loaded) {
            if let Some(component) = components.get_mut(index) {
                *component = word;
            }
        }
    }
    Ok(Lowered::Matrix(components))
}

/// Hands each component that is there to `write`, with its address.
fn scatter(
    t: &mut FunctionLowering<'_, '_>,
    window: &Window,
    components: &[Word],
    write: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, Word, Word) -> Emitted<()>,
) -> Emitted<()> {
    for Run { condition, components: run } in window.runs(t)? {
        let mut write_run = |t: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
            for &(index, place) in &run {
                if let Some(&word) = components.get(index) {
                    let pointer = window.address(t, place)?;
                    write(t, pointer, word)?;
                }
            }
            Ok(())
        };
        match condition {
            None => write_run(t)?,
            Some(condition) => {
                guarded(t, condition, write_run)?;
            }
        }
    }
    Ok(())
}
