//! Products on the matrix engine.

use super::fragments::{Fragments, vector_type};
use crate::device::SpirvFeature;
use crate::ir::Scalar;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::numbers::tf32;
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{MatrixMultiplyAccumulateOperands as Flags, Op, Word};
use std::borrow::Cow;

/// The fragments of the operands of a product.
pub(super) struct Operands<'a> {
    pub a: (&'a MatrixValue, Fragments),
    pub b: (&'a MatrixValue, Fragments),
    pub c: (&'a MatrixValue, Fragments),
}

/// a·b + c. The instruction wants columns of the product on the work-items, where the language has rows; so it
/// computes the transposed product bᵀ·aᵀ + cᵀ (lowering reference 4.3).
pub(super) fn mul_add(f: &mut FunctionLowering<'_, '_>, operands: &Operands<'_>) -> Emitted<Vec<Word>> {
    let Operands { a: (a, a_fragments), b: (b, b_fragments), c: (c, c_fragments) } = operands;
    f.module.require(SpirvFeature::SubgroupMma)?;
    let flags = flags(a.ty().component, c.ty().component)?;
    let k = u32::try_from(a_fragments.depth()).map_err(|_| Error::internal("the depth of a step"))?;
    let k = f.module.i32_constant(k);
    let mut sums = c.ids().to_vec();
    let (steps, columns) = (a_fragments.widths.len(), c_fragments.widths.len());
    let rows = usize::try_from(c_fragments.row_blocks).map_err(|_| Error::internal("rows of a product"))?;
    let word = c_fragments.word_type(f)?;
    for step in 0..steps {
        for row in 0..rows {
            let second = fragment(a, row * steps + step)?;
            for (column, &width) in c_fragments.widths.iter().enumerate() {
                let first = fragment(b, step * b_fragments.widths.len() + column)?;
                let sum = sums
                    .get_mut(row * columns + column)
                    .ok_or_else(|| Error::internal(format!("sum {column} of row {row}")))?;
                let ty = vector_type(f, word, width)?;
                let ids = [k, first, second, *sum].map(Operand::IdRef);
                let operands = ids.into_iter().chain([Operand::MatrixMultiplyAccumulateOperands(flags)]);
                *sum =
                    f.module.value_of(Op::SubgroupMatrixMultiplyAccumulateINTEL, ty, operands.collect())?;
            }
        }
    }
    Ok(sums)
}

/// A matrix as the engine multiplies it: numbers of f32 are rounded to tf32 once.
pub(super) fn factor<'a>(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &'a MatrixValue,
    fragments: &Fragments,
) -> Emitted<Cow<'a, MatrixValue>> {
    if matrix.ty().component != Scalar::F32 {
        return Ok(Cow::Borrowed(matrix));
    }
    let rounded = match matrix.factor() {
        Some(rounded) => rounded.to_vec(),
        None => {
            let parts = matrix.ids().iter().zip(fragments.all_widths());
            let round = |(&id, width): (&Word, usize)| {
                let ty = fragments.fragment_type(f, width)?;
                let width = u32::try_from(width).map_err(|_| Error::internal("words of a fragment"))?;
                tf32::round(f.module, id, (ty, width))
            };
            parts.map(round).collect::<Emitted<_>>()?
        }
    };
    Ok(Cow::Owned(MatrixValue::new(matrix.ty(), rounded)))
}

fn fragment(matrix: &MatrixValue, index: usize) -> Emitted<Word> {
    let missing = || Error::internal(format!("fragment {index} of {}", matrix.ids().len()));
    matrix.ids().get(index).copied().ok_or_else(missing)
}

/// Flags for the content of the operands' carriers.
fn flags(factor: Scalar, sum: Scalar) -> Emitted<Flags> {
    let factors = match factor {
        Scalar::Bf16 => Flags::MATRIX_A_PACKED_B_FLOAT16_INTEL | Flags::MATRIX_B_PACKED_B_FLOAT16_INTEL,
        Scalar::F16 => Flags::MATRIX_A_PACKED_FLOAT16_INTEL | Flags::MATRIX_B_PACKED_FLOAT16_INTEL,
        Scalar::F32 => Flags::MATRIX_ATF32INTEL | Flags::MATRIX_BTF32INTEL,
        Scalar::I8 => {
            Flags::MATRIX_A_PACKED_INT8_INTEL
                | Flags::MATRIX_B_PACKED_INT8_INTEL
                | Flags::MATRIX_A_SIGNED_COMPONENTS_INTEL
                | Flags::MATRIX_B_SIGNED_COMPONENTS_INTEL
        }
        Scalar::I4
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::Index
        | Scalar::F8e4m3
        | Scalar::F8e5m2
        | Scalar::F64
        | Scalar::C32
        | Scalar::C64 => {
            return Err(Error::internal(format!("the matrix engine does not multiply {factor}")));
        }
    };
    Ok(match sum {
        Scalar::Bf16 => factors | Flags::MATRIX_CB_FLOAT16_INTEL | Flags::MATRIX_RESULT_B_FLOAT16_INTEL,
        Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => factors,
        Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::F16 | Scalar::F32 => factors,
        Scalar::F64 | Scalar::C32 | Scalar::C64 => factors,
    })
}
