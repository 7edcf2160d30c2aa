//! Reading and writing cooperative matrices, entry by entry.

use super::memory::{LaneAccess, PredicatedGroup};
use super::partition::{component, component_mut};
use crate::analysis::Place;
use crate::ir::AtomicUpdateOp;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::predicate::predicated;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{AtomicAccess, alignment, atomic};
use crate::spirv::values::MatrixValue;
use rspirv::spirv::Word;

pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let access = LaneAccess::new(f, from)?;
    gather(f, from, &access, &mut |f, _, place| access.read(f, place))
}

pub(super) fn atomic_load(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    atomic: AtomicAccess,
) -> Emitted<MatrixValue> {
    let access = LaneAccess::new(f, from)?;
    gather(f, from, &access, &mut |f, _, place| {
        let pointer = access.address(f, place)?;
        atomic::load(f.module, atomic, pointer)
    })
}

pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let access = LaneAccess::new(f, to)?;
    scatter(f, &access, value, &mut |f, pointer, word| {
        f.module.store(pointer, word, alignment(access.scalar)?)
    })
}

pub(super) fn atomic_store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    atomic: AtomicAccess,
    value: &MatrixValue,
) -> Emitted<()> {
    let access = LaneAccess::new(f, to)?;
    scatter(f, &access, value, &mut |f, pointer, word| atomic::store(f.module, atomic, pointer, word))
}

pub(super) fn atomic_update(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    atomic: AtomicAccess,
    op: AtomicUpdateOp,
    value: &MatrixValue,
) -> Emitted<MatrixValue> {
    let access = LaneAccess::new(f, to)?;
    gather(f, to, &access, &mut |f, index, place| {
        let pointer = access.address(f, place)?;
        atomic::update(f.module, atomic, op, pointer, component(value, index)?)
    })
}

/// Collects the values that `read` returns for the components, given their numbers and places; a component
/// that is not there is 0.
fn gather(
    f: &mut FunctionLowering<'_, '_>,
    from: &MatrixAccess<'_>,
    access: &LaneAccess,
    read: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, usize, Place) -> Emitted<Word>,
) -> Emitted<MatrixValue> {
    let ty = f.module.scalar_type(access.scalar)?;
    let zero = f.module.zero(access.scalar)?;
    let mut components = vec![zero; access.layout.length()];
    for PredicatedGroup { condition, components: group } in access.groups(f)? {
        let mut loaded = Vec::new();
        let mut read_group = |f: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
            for &(index, place) in &group {
                loaded.push(read(f, index, place)?);
            }
            Ok(())
        };
        match condition {
            None => read_group(f)?,
            Some(condition) => {
                let (before, end) = predicated(f, condition, read_group)?;
                for word in &mut loaded {
                    *word = f.module.phi(ty, [(*word, end), (zero, before)])?;
                }
            }
        }
        for (&(index, _), word) in group.iter().zip(loaded) {
            *component_mut(&mut components, index)? = word;
        }
    }
    Ok(MatrixValue::new(from.matrix, components))
}

/// Hands each component that is there to `write`, with its address.
fn scatter(
    f: &mut FunctionLowering<'_, '_>,
    access: &LaneAccess,
    value: &MatrixValue,
    write: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, Word, Word) -> Emitted<()>,
) -> Emitted<()> {
    for PredicatedGroup { condition, components: group } in access.groups(f)? {
        let mut write_group = |f: &mut FunctionLowering<'_, '_>| -> Emitted<()> {
            for &(index, place) in &group {
                let word = component(value, index)?;
                let pointer = access.address(f, place)?;
                write(f, pointer, word)?;
            }
            Ok(())
        };
        match condition {
            None => write_group(f)?,
            Some(condition) => {
                predicated(f, condition, write_group)?;
            }
        }
    }
    Ok(())
}
