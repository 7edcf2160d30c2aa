//! Gives matrices a type that says where they are contiguous, if an attribute of the parameter does (tile reference
//! 2.6.3).
//!
//! A matrix whose rows are contiguous is the transpose of one whose columns are: its tiles are transposed, and the passes
//! behind see memory that is contiguous along the first mode only.

use super::super::context::Context;
use super::super::error::Error;
use crate::ir::{
    AsSurface, Builder, Extent, Family, Func, Inst, Ir, Memref, MemrefCast, Op, Transpose, UnitStride, Value,
};

pub(in super::super) fn run(ir: &mut Ir, func: Func, _: &Context<'_>) -> Result<(), Error> {
    let body = ir[func].body;
    let Some(first) = ir.insts(body).next() else { return Ok(()) };
    for (place, parameter) in ir[body].parameters.clone().into_iter().enumerate() {
        let Some(attributes) = ir[func].parameter_attributes.get(place) else { continue };
        let (unit, is_surface) = (attributes.unit_stride, attributes.surface == Some(true));
        let Some(memref) = ir.ty(parameter).memref().filter(|memref| memref.order() == 2) else { continue };
        let accesses = accesses(ir, parameter);
        let cast = unit.and_then(|unit| contiguous(memref, unit));
        if accesses.is_empty() || cast.is_none() && !is_surface {
            continue;
        }
        let is_transposed = cast.as_ref().is_some_and(|&(transpose, _)| transpose == Transpose::T);
        let builder = &mut Builder::before(ir, first)?;
        let mut matrix = parameter;
        if let Some((transpose, ty)) = cast {
            matrix = builder.value(MemrefCast { transpose, of: matrix }, ty)?;
        }
        if is_surface {
            let ty = builder.ir.ty(matrix).clone();
            matrix = builder.value(AsSurface { of: matrix }, ty)?;
        }
        accesses.into_iter().for_each(|inst| access(ir, inst, matrix, is_transposed));
    }
    Ok(())
}

/// Tile instructions that access a matrix.
fn accesses(ir: &Ir, matrix: Value) -> Vec<Inst> {
    let users = ir.uses(matrix).iter().map(|found| found.user);
    users.filter(|&user| ir[user].op.info().family == Family::Tile).collect()
}

/// The type of the matrix, or of its transpose, with a stride of 1 along the first mode; `None` if the type says it already.
fn contiguous(memref: &Memref, unit: UnitStride) -> Option<(Transpose, Memref)> {
    let mut memref = memref.clone();
    if memref.stride.first() == Some(&Extent::Static(1)) {
        return None;
    }
    let transpose = if unit == UnitStride(1) { Transpose::T } else { Transpose::N };
    if transpose == Transpose::T {
        memref.shape.reverse();
        memref.stride.reverse();
    }
    *memref.stride.first_mut()? = Extent::Static(1);
    Some((transpose, memref))
}

/// Makes an instruction access another matrix, which is the same or its transpose.
fn access(ir: &mut Ir, inst: Inst, matrix: Value, is_transposed: bool) {
    ir.update(inst, |op| {
        if let Op::TileLoad(load) = op {
            load.from = matrix;
            if is_transposed {
                load.transpose = load.transpose.other();
                std::mem::swap(&mut load.x, &mut load.y);
                load.boundary.0.reverse();
            }
        } else if let Op::TileStore(store) = op {
            store.to = matrix;
            if is_transposed {
                store.transpose = store.transpose.other();
                std::mem::swap(&mut store.x, &mut store.y);
            }
        } else if let Op::TileCopy(copy) = op {
            copy.from = matrix;
            if is_transposed {
                copy.transpose = copy.transpose.other();
                std::mem::swap(&mut copy.x, &mut copy.y);
                copy.boundary.0.reverse();
            }
        } else if let Op::TilePrefetch(prefetch) = op {
            prefetch.of = matrix;
            if is_transposed {
                std::mem::swap(&mut prefetch.x, &mut prefetch.y);
                std::mem::swap(&mut prefetch.rows, &mut prefetch.cols);
            }
        }
    });
    // A mask is asked about positions in memory.
    if let Some(&mask) = ir[inst].regions.first().filter(|_| is_transposed) {
        ir.swap_parameters(mask, 0, 1);
    }
}
