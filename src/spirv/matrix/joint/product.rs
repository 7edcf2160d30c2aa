//! Products of tiles.

use super::tiles::tile_type;
use crate::device::SpirvFeature;
use crate::ir::Scalar;
use crate::schedule::JointTiles;
use crate::spirv::capabilities::FACTORS_ARE_BF16;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::dr;
use rspirv::spirv::{CooperativeMatrixOperands as Flags, Op as SpirvOp, Word};

/// A matrix of a product.
pub(super) struct Operand<'a> {
    pub tiles: &'a JointTiles,
    pub ids: &'a [Word],
}

/// a·b + c, tile by tile. The product is computed transposed.
pub(super) fn mul_add(
    f: &mut FunctionLowering<'_, '_>,
    Operand { tiles: a_tiles, ids: a }: Operand<'_>,
    Operand { tiles: b_tiles, ids: b }: Operand<'_>,
    Operand { tiles: c_tiles, ids: c }: Operand<'_>,
) -> Emitted<Vec<Word>> {
    f.module.require(SpirvFeature::CooperativeMatrix)?;
    let flags = flags(a_tiles.matrix.component);
    let mut sums = c.to_vec();
    let types: Vec<Word> =
        c_tiles.iter().map(|tile| tile_type(f, c_tiles.matrix, tile)).collect::<Emitted<_>>()?;
    for step in 0..a_tiles.col_parts.len() {
        for row in 0..c_tiles.row_parts.len() {
            let second = tile(a, a_tiles.index(row, step))?;
            for col in 0..c_tiles.col_parts.len() {
                let first = tile(b, b_tiles.index(step, col))?;
                let place = c_tiles.index(row, col);
                let (sum, ty) = (tile(&sums, place)?, tile(&types, place)?);
                let ids = [first, second, sum].map(dr::Operand::IdRef);
                let operands = ids.into_iter().chain(flags.map(dr::Operand::CooperativeMatrixOperands));
                let sum = f.module.value_of(SpirvOp::CooperativeMatrixMulAddKHR, ty, operands.collect())?;
                if let Some(place) = sums.get_mut(place) {
                    *place = sum;
                }
            }
        }
    }
    Ok(sums)
}

fn tile(ids: &[Word], index: usize) -> Emitted<Word> {
    let missing = || Error::internal(format!("tile {index} of {}", ids.len()));
    ids.get(index).copied().ok_or_else(missing)
}

fn flags(factor: Scalar) -> Option<Flags> {
    match factor {
        Scalar::Bf16 => Some(FACTORS_ARE_BF16),
        Scalar::I8 => Some(
            Flags::MATRIX_A_SIGNED_COMPONENTS_KHR
                | Flags::MATRIX_B_SIGNED_COMPONENTS_KHR
                | Flags::MATRIX_C_SIGNED_COMPONENTS_KHR
                | Flags::MATRIX_RESULT_SIGNED_COMPONENTS_KHR,
        ),
        Scalar::I4 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => None,
        Scalar::F8e4m3 | Scalar::F8e5m2 | Scalar::F16 | Scalar::F32 => None,
        Scalar::F64 | Scalar::C32 | Scalar::C64 => None,
    }
}
