//! Products of tiles, and which matrices of a function are tiles.

use super::tiles::Tiles;
use crate::device::{JointMatrix, SpirvFeature};
use crate::ir::{Coopmatrix, CoopmatrixMulAdd, Func, Ir, MatrixUse, Op, Scalar, Value};
use crate::spirv::capabilities::FACTORS_ARE_BF16;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use rspirv::dr;
use rspirv::spirv::{CooperativeMatrixOperands as Flags, Op as SpirvOp, Word};
use std::collections::HashSet;

/// A matrix of a product.
pub(super) struct Operand<'a> {
    pub tiles: &'a Tiles,
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
    let types: Vec<Word> = c_tiles.iter().map(|tile| c_tiles.ty(f, tile)).collect::<Emitted<_>>()?;
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
        Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => None,
        Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::C32 | Scalar::C64 => None,
    }
}

/// The types of the matrices that are tiles: the operands of the products for the engine. Consumers store sums only, so that
/// a factor is one of tiles if nobody but such products takes any of its type.
pub(super) fn tiled_types(
    ir: &Ir,
    func: Func,
    engine: &JointMatrix,
    subgroup_size: i64,
) -> HashSet<Coopmatrix> {
    let matrix = |value: Value| ir.ty(value).coopmatrix();
    let operands = |op: &CoopmatrixMulAdd| Some([matrix(op.a)?, matrix(op.b)?, matrix(op.c)?]);
    let mut products = Vec::new();
    let mut others = HashSet::new();
    ir.walk(ir[func].body, &mut |inst| match &ir[inst].op {
        Op::CoopmatrixMulAdd(op) => products.extend(operands(op)),
        // Loops carry tiles, and branches components.
        Op::For(_) | Op::Yield(_) => {}
        Op::If(_) => {
            others.extend(ir[inst].results.iter().filter_map(|&value| matrix(value)).filter(is_factor))
        }
        op => op.visit_operands(&mut |value| others.extend(matrix(value).filter(is_factor))),
    });
    let has_tiles = |&matrix: &Coopmatrix| Tiles::new(matrix, engine, subgroup_size).is_some();
    let is_possible = |product: &[Coopmatrix; 3]| takes(engine, *product) && product.iter().all(has_tiles);
    // A product for the vector back end takes components of its factors, and so do all others with a factor of that type.
    let (mut tiled, mut left): (Vec<_>, Vec<_>) = products.into_iter().partition(is_possible);
    loop {
        others.extend(left.iter().flatten().copied().filter(is_factor));
        let (still, taken): (Vec<_>, Vec<_>) =
            tiled.into_iter().partition(|product| !product.iter().any(|matrix| others.contains(matrix)));
        tiled = still;
        if taken.is_empty() {
            return tiled.into_iter().flatten().collect();
        }
        left = taken;
    }
}

/// Returns whether the engine has products of these component types.
pub(super) fn takes(engine: &JointMatrix, [a, b, c]: [Coopmatrix; 3]) -> bool {
    a.component == b.component && engine.supports(a.component, c.component)
}

fn is_factor(matrix: &Coopmatrix) -> bool {
    matrix.usage != MatrixUse::Acc
}
