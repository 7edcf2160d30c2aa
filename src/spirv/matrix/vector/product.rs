//! Products of cooperative matrices.

use super::partition::{check_whole_rows, component, component_mut, lane_constant, layout, row_blocks};
use super::replicated::{entry, is_replicated};
use crate::ir::{BinaryOp, Coopmatrix, Scalar, VerifierError};
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::{binary, cast, complex, subgroup};
use crate::spirv::values::MatrixValue;
use crate::status::Status;
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// Every product is an instruction of its own; beyond this the code would not fit any instruction cache.
const MAX_PRODUCTS: i64 = 1 << 16;

/// Entries of a factor that are broadcast as integers: what 2D block messages return are integers to Intel's compiler (2.40), which
/// copies them before a broadcast of floats. Of more of them it keeps too many at a time, and spills.
const MAX_INTEGERS: i64 = 256;

/// a·b + c, one row of b and one column at a time: the entry of b is broadcast, and every work-item
/// multiplies it with its rows of a (lowering reference 4.1).
pub(in crate::spirv::matrix) fn mul_add(
    f: &mut FunctionLowering<'_, '_>,
    [a, b]: [&MatrixValue; 2],
    c: &MatrixValue,
    result: Coopmatrix,
) -> Emitted<MatrixValue> {
    let (a_type, c_type) = (a.ty(), c.ty());
    check_whole_rows(f, c_type)?;
    let (a_layout, c_layout) = (layout(f, a_type)?, layout(f, c_type)?);

    let blocks = c_type.rows / f.subgroup_size;
    let products = a_type.cols.saturating_mul(c_type.cols).saturating_mul(blocks);
    if products > MAX_PRODUCTS {
        let detail = format!("{products} multiply-adds of a work-item, where {MAX_PRODUCTS} are the most");
        return Err(
            VerifierError::new(Status::IrUnsupportedCoopmatrixShape, f.values.location, detail).into()
        );
    }

    // Components are converted before they are used, since several products use each.
    let scalar = sum_type(f, c_type.component);
    let a = converted(f, a, scalar)?;
    let b = converted(f, b, scalar)?;
    let mut sums = converted(f, c, scalar)?.ids().to_vec();
    for k in 0..a_type.cols {
        for col in 0..c_type.cols {
            let factor = entry_of_b(f, &b, k, col, scalar)?;
            for row in row_blocks(f, c_type) {
                let (_, a_index) = a_layout.find(row, k);
                let (_, c_index) = c_layout.find(row, col);
                let sum = component_mut(&mut sums, c_index)?;
                *sum = fused_multiply_add(f, scalar, component(&a, a_index)?, factor, *sum)?;
            }
        }
    }
    let sums: Emitted<_> =
        sums.into_iter().map(|sum| cast(f.module, scalar, result.component, sum)).collect();
    Ok(MatrixValue::new(result, sums?))
}

/// The type that sums are formed in. Most CPUs have no arithmetic in half precision, and Intel's compiler for
/// them takes minutes over its `fma`, where that of f32 takes a second.
fn sum_type(f: &FunctionLowering<'_, '_>, scalar: Scalar) -> Scalar {
    if scalar == Scalar::F16 && f.module.info.is_cpu() { Scalar::F32 } else { scalar }
}

/// An entry of the second factor, in all work-items. `scalar` is the type that its components were converted to.
fn entry_of_b(
    f: &mut FunctionLowering<'_, '_>,
    b: &MatrixValue,
    row: i64,
    col: i64,
    scalar: Scalar,
) -> Emitted<Word> {
    if is_replicated(f, b.ty()) {
        return entry(b, row, col);
    }
    let (lane, index) = layout(f, b.ty())?.find(row, col);
    let lane = lane_constant(f, lane)?;
    let own = component(b, index)?;
    if scalar != Scalar::F32 || b.ty().rows.saturating_mul(b.ty().cols) > MAX_INTEGERS {
        return subgroup::broadcast(f.module, scalar, own, lane);
    }
    let (ty, integer) = (f.module.scalar_type(scalar)?, f.module.i32_type());
    let word = f.module.value(Op::Bitcast, integer, &[own])?;
    let all = subgroup::broadcast(f.module, Scalar::I32, word, lane)?;
    f.module.value(Op::Bitcast, ty, &[all])
}

/// The ids of a matrix converted to another component type, in the places that they have.
fn converted(f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, to: Scalar) -> Emitted<MatrixValue> {
    let from = matrix.ty().component;
    let words: Emitted<_> = matrix.ids().iter().map(|&word| cast(f.module, from, to, word)).collect();
    Ok(MatrixValue::new(matrix.ty(), words?))
}

fn fused_multiply_add(
    f: &mut FunctionLowering<'_, '_>,
    scalar: Scalar,
    a: Word,
    b: Word,
    c: Word,
) -> Emitted<Word> {
    if scalar.is_complex() {
        return complex::multiply_add(f.module, scalar, a, b, c);
    }
    if scalar.is_float() && scalar.computed_in() == scalar {
        let ty = f.module.scalar_type(scalar)?;
        return f.module.opencl(OpenclStd100Op::fma, ty, &[a, b, c]);
    }
    let product = binary(f.module, BinaryOp::Mul, scalar, a, b)?;
    binary(f.module, BinaryOp::Add, scalar, product, c)
}
