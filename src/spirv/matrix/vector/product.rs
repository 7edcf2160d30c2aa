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
    let b = FactorB::new(f, b, scalar)?;
    let mut sums = converted(f, c, scalar)?.ids().to_vec();
    for k in 0..a_type.cols {
        for col in 0..c_type.cols {
            let factor = b.entry(f, k, col)?;
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

/// The second factor, whose entries go to all work-items.
struct FactorB {
    matrix: MatrixValue,
    /// The type that its components were converted to.
    scalar: Scalar,
    /// The components are integers with the bits of these numbers.
    as_integers: bool,
}

impl FactorB {
    fn new(f: &mut FunctionLowering<'_, '_>, b: &MatrixValue, scalar: Scalar) -> Emitted<FactorB> {
        let matrix = converted(f, b, scalar)?;
        let entries = b.ty().rows.saturating_mul(b.ty().cols);
        let as_integers = scalar == Scalar::F32 && entries <= MAX_INTEGERS && !is_replicated(f, b.ty());
        let mut words = matrix.ids().to_vec();
        if as_integers {
            let integer = f.module.i32_type();
            for word in &mut words {
                *word = f.module.value(Op::Bitcast, integer, &[*word])?;
            }
        }
        Ok(FactorB { matrix: MatrixValue::new(b.ty(), words), scalar, as_integers })
    }

    /// An entry, in all work-items.
    fn entry(&self, f: &mut FunctionLowering<'_, '_>, row: i64, col: i64) -> Emitted<Word> {
        if is_replicated(f, self.matrix.ty()) {
            return entry(&self.matrix, row, col);
        }
        let (lane, index) = layout(f, self.matrix.ty())?.find(row, col);
        let (lane, own) = (lane_constant(f, lane)?, component(&self.matrix, index)?);
        if !self.as_integers {
            return subgroup::broadcast(f.module, self.scalar, own, lane);
        }
        let ty = f.module.scalar_type(self.scalar)?;
        let all = subgroup::broadcast(f.module, Scalar::I32, own, lane)?;
        f.module.value(Op::Bitcast, ty, &[all])
    }
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
