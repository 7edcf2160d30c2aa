//! Reading and writing cooperative matrices, entry by entry.

use super::memory::{LaneAccess, PredicatedGroup};
use super::partition::{component, component_mut, layout};
use crate::analysis::Place;
use crate::ir::AtomicUpdateOp;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::predicate::predicated;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{AtomicAccess, alignment, atomic, subgroup};
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
    if f.module.info.is_cpu() && has_single_row(f, to)? {
        return store_single_row(f, to, value);
    }
    let access = LaneAccess::new(f, to)?;
    scatter(f, &access, value, &mut |f, pointer, word| {
        f.module.store(pointer, word, alignment(access.scalar)?)
    })
}

/// Returns whether of the rows, one for each work-item, only the first is there.
fn has_single_row(f: &FunctionLowering<'_, '_>, to: &MatrixAccess<'_>) -> Emitted<bool> {
    let [rows, cols] = to.axes();
    let known = f.module.known(rows.start).zip(f.module.known(rows.end));
    let is_last = known.is_some_and(|(start, end)| start >= 0 && end - start == 1);
    let is_spread = layout(f, to.matrix)?.stripe_rows == f.subgroup_size && !to.matrix.component.is_packed();
    Ok(is_last && is_spread && rows.checked && !cols.checked)
}

/// Writes the only row that is there, which the first work-item has.
///
/// All work-items write each number, to the same place. If only the first did, Intel's CPU compiler (runtime 2026.2) would see that
/// there is one address, and scatter a vector to it, which takes about as long as a dozen multiply-adds.
fn store_single_row(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let layout = layout(f, to.matrix)?;
    let [rows, cols] = to.axes();
    let scalar = to.matrix.component;
    let pointer_type = f.module.element_pointer_type(to.at.ty.element, to.at.ty.space)?;
    let first_lane = f.module.i32_constant(0);
    let down = f.module.mul(rows.start, rows.stride)?;
    for (index, place) in layout.places().enumerate().filter(|(_, place)| layout.first_row(*place) == 0) {
        let col = f.module.index_constant(place.col_block);
        let col = f.module.add(cols.start, col)?;
        let right = f.module.mul(col, cols.stride)?;
        let offset = f.module.add(down, right)?;
        let pointer = f.module.shifted_pointer(pointer_type, to.at.pointer, offset, true)?;
        let number = subgroup::broadcast(f.module, scalar, component(value, index)?, first_lane)?;
        f.module.store(pointer, number, alignment(scalar)?)?;
    }
    Ok(())
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
///
/// Where a component is there in some lanes only, it comes first on CPUs: behind a store of the component before it Intel's CPU
/// compiler (runtime 2026.2) takes the lanes of one for those of the other if there is a single column.
fn scatter(
    f: &mut FunctionLowering<'_, '_>,
    access: &LaneAccess,
    value: &MatrixValue,
    write: &mut dyn FnMut(&mut FunctionLowering<'_, '_>, Word, Word) -> Emitted<()>,
) -> Emitted<()> {
    let mut groups = access.groups(f)?;
    if f.module.info.is_cpu() {
        groups.sort_by_key(|group| group.condition.is_none());
    }
    for PredicatedGroup { condition, components: group } in groups {
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
