//! Limits of the register blocks and steps that attributes ask for.

use super::product::ProductShape;
use super::products::ProductTarget;
use super::tiles::TileProduct;
use super::{Error, Schedule};
use crate::analysis::Surfaces;
use crate::device::CoreInfo;
use crate::ir::{Func, Inst, Ir, Op, VerifierError};
use crate::status::Status;

/// Times the registers that there are which an override may fill: code beyond that only spills, and grows with it.
const MAX_OVERCOMMIT: i64 = 8;

/// Checks that registers and code have room for what the attributes of a function ask its products for.
pub(super) fn check(
    ir: &Ir,
    func: Func,
    surfaces: &Surfaces,
    schedule: &Schedule,
    info: &CoreInfo,
) -> Result<(), Error> {
    let (block, step) = (schedule.overrides.register_block, schedule.overrides.k_step);
    if block.is_none() && step.is_none() {
        return Ok(());
    }
    let space = i64::from(schedule.register_space(info));
    let mut found = None;
    let target = ProductTarget::new(ir, func, surfaces, *schedule, info);
    ir.walk(ir[func].body, &mut |inst| {
        let Some([accumulators, factors]) = bytes(ir, surfaces, inst, &target, schedule, info) else {
            return;
        };
        let is_beyond = |bytes: i64| bytes > MAX_OVERCOMMIT.saturating_mul(space);
        let what = match (block, step) {
            (Some((rows, cols)), _) if is_beyond(accumulators) => {
                format!("register_block is [{rows},{cols}], whose accumulators take {accumulators}")
            }
            (_, Some(step)) if is_beyond(factors) => {
                format!("k_step is {step}, the factors of which take {factors}")
            }
            _ => return,
        };
        found.get_or_insert(format!("{what} bytes of the {space} bytes of registers of a subgroup"));
    });
    match found {
        Some(detail) => Err(VerifierError::new(Status::OutOfRange, ir[func].location, detail).into()),
        None => Ok(()),
    }
}

/// Bytes of the accumulators of a product in a subgroup, and of the factors that are loaded at a time.
fn bytes(
    ir: &Ir,
    surfaces: &Surfaces,
    inst: Inst,
    target: &ProductTarget<'_>,
    schedule: &Schedule,
    info: &CoreInfo,
) -> Option<[i64; 2]> {
    let (types, product, depth) = if let Op::Gemm(op) = &ir[inst].op {
        let shape = ProductShape::of(ir, surfaces, op)?;
        (shape.types, schedule.largest_product(shape, info), i64::MAX)
    } else if let Op::TileDot(dot) = &ir[inst].op {
        let tiles = TileProduct::of(ir, dot)?;
        (tiles.types, target.product(inst)?, tiles.depth)
    } else {
        return None;
    };
    let [rows, cols] = [product.block.rows, product.block.cols].map(i64::from);
    let step = product.k_steps.first().copied().unwrap_or(1).min(product.load_step);
    let factors = rows * types.a.bytes() + cols * types.b.bytes();
    Some([rows * cols * types.accumulator.bytes(), depth.min(step.into()) * factors])
}
