//! Cooperative matrices component by component.

use super::memory::fill_padding;
use super::partition::{layout, no_component};
use super::redistribute::redistributed;
use super::replicated::is_replicated;
use crate::ir::{BinaryOp, Coopmatrix, UnaryOp};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{self, NumberBinary};
use crate::spirv::values::MatrixValue;
use rspirv::spirv::Word;

pub(super) fn extract(f: &FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
    let component = usize::try_from(index).ok().and_then(|index| matrix.ids().get(index));
    component.copied().ok_or_else(|| no_component(f, index, matrix.ids().len()))
}

pub(super) fn insert(
    f: &FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    index: i64,
    entry: Word,
) -> Emitted<MatrixValue> {
    let mut components = matrix.ids().to_vec();
    match usize::try_from(index).ok().and_then(|index| components.get_mut(index)) {
        Some(component) => *component = entry,
        None => return Err(no_component(f, index, matrix.ids().len())),
    }
    Ok(MatrixValue::new(matrix.ty(), components))
}

pub(in crate::spirv::matrix) fn unary(
    f: &mut FunctionLowering<'_, '_>,
    op: UnaryOp,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let scalar = a.ty().component;
    let components: Emitted<_> = a.ids().iter().map(|&x| numbers::unary(f.module, op, scalar, x)).collect();
    Ok(MatrixValue::new(result, components?))
}

pub(in crate::spirv::matrix) fn binary(
    f: &mut FunctionLowering<'_, '_>,
    op: NumberBinary,
    a: &MatrixValue,
    b: &MatrixValue,
) -> Emitted<MatrixValue> {
    if a.ids().len() != b.ids().len() {
        let (a, b) = (a.ids().len(), b.ids().len());
        return Err(Error::internal(format!("operands of {a} and {b} components")));
    }
    let mut divisors = b.ids().to_vec();
    if op.op.is_division() && op.scalar.is_integer() && !is_replicated(f, b.ty()) {
        // Padding is zero, by which division has no meaning whatever becomes of the result.
        let one = f.module.int_constant(op.scalar, 1)?;
        let layout = layout(f, b.ty())?;
        fill_padding(f, (op.scalar, &layout), &mut divisors, one)?;
    }
    let pairs = a.ids().iter().zip(divisors);
    let components: Emitted<_> = pairs.map(|(&x, y)| op.emit(f.module, x, y)).collect();
    Ok(MatrixValue::new(a.ty(), components?))
}

pub(in crate::spirv::matrix) fn scale(
    f: &mut FunctionLowering<'_, '_>,
    factor: Word,
    a: &MatrixValue,
) -> Emitted<MatrixValue> {
    let scalar = a.ty().component;
    let scaled = |&word| numbers::binary(f.module, BinaryOp::Mul, scalar, factor, word);
    let components: Emitted<_> = a.ids().iter().map(scaled).collect();
    Ok(MatrixValue::new(a.ty(), components?))
}

/// The same entries in the same places with another component type.
pub(super) fn converted(
    f: &mut FunctionLowering<'_, '_>,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let (from, to) = (a.ty().component, result.component);
    let words: Emitted<_> = a.ids().iter().map(|&word| numbers::cast(f.module, from, to, word)).collect();
    Ok(MatrixValue::new(result, words?))
}

pub(super) fn cast(
    f: &mut FunctionLowering<'_, '_>,
    a: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    // The layouts of factors B depend on the component type (lowering reference 4.1 and 4.3).
    let (from, to) = (layout(f, a.ty())?, layout(f, result)?);
    let words = redistributed(f, a, &from, &to)?;
    converted(f, &MatrixValue::new(a.ty(), words), result)
}
