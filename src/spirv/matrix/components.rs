//! Cooperative matrices component by component.

use super::super::arithmetic::binary;
use super::super::error::Error;
use super::super::function::FunctionLowering;
use super::super::module_builder::Emitted;
use super::super::values::Lowered;
use super::{coopmatrix, layout};
use crate::ir::{
    BinaryOp, CoopmatrixConstruct, CoopmatrixExtract, CoopmatrixInsert, CoopmatrixScale, Type, Violation,
};
use crate::status::Status;

/// A matrix with a scalar in every entry.
pub(in crate::spirv) fn construct(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixConstruct,
    ty: &Type,
) -> Emitted<Lowered> {
    let layout = layout(t, coopmatrix(t, ty)?)?;
    let value = t.values.scalar(op.value)?;
    Ok(Lowered::Matrix(vec![value; layout.length()]))
}

/// A component of the work-item's share.
pub(in crate::spirv) fn extract(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixExtract,
) -> Emitted<Lowered> {
    let components = t.values.matrix(op.matrix)?;
    let component = usize::try_from(op.index).ok().and_then(|index| components.get(index).copied());
    component.map(Lowered::Scalar).ok_or_else(|| no_component(t, op.index, components.len()))
}

/// The matrix with one component of the work-item's share replaced.
pub(in crate::spirv) fn insert(t: &mut FunctionLowering<'_, '_>, op: &CoopmatrixInsert) -> Emitted<Lowered> {
    let value = t.values.scalar(op.value)?;
    let mut components = t.values.matrix(op.matrix)?.to_vec();
    let length = components.len();
    match usize::try_from(op.index).ok().and_then(|index| components.get_mut(index)) {
        Some(component) => *component = value,
        None => return Err(no_component(t, op.index, length)),
    }
    Ok(Lowered::Matrix(components))
}

fn no_component(t: &FunctionLowering<'_, '_>, index: i64, length: usize) -> Error {
    let detail = format!("component {index} of {length}, counted from 0");
    Violation::new(Status::IrOutOfBounds, t.values.location, detail).into()
}

/// Every entry times a scalar.
pub(in crate::spirv) fn scale(
    t: &mut FunctionLowering<'_, '_>,
    op: &CoopmatrixScale,
    ty: &Type,
) -> Emitted<Lowered> {
    let matrix = coopmatrix(t, ty)?;
    let scalar = t.values.scalar(op.scalar)?;
    let mut words = t.values.matrix(op.matrix)?.to_vec();
    for word in &mut words {
        *word = binary(t.module, BinaryOp::Mul, matrix.component, scalar, *word)?;
    }
    Ok(Lowered::Matrix(words))
}
