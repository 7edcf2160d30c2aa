//! Versions of products of matrices whose sizes are known at run time only (lowering reference 4.4): one for matrices that 2D
//! block messages take, and one for all others.

use super::emit::Emit as _;
use super::error::Error;
use crate::analysis::{SurfaceAnswer, Surfaces};
use crate::device::CoreInfo;
use crate::ir::{AsSurface, Binary, BinaryOp, Builder, Gemm, Inst, IoClass, Ir, IsSurface, Op, Type, Value};
use crate::schedule::Schedule;

/// Puts two products in the place of a gemm where a test tells whether messages take its matrices.
pub(super) fn make(
    ir: &mut Ir,
    inst: Inst,
    surfaces: &Surfaces,
    schedule: &Schedule,
    info: &CoreInfo,
) -> Result<(), Error> {
    let Op::Gemm(op) = ir[inst].op.clone() else { return Ok(()) };
    let has_messages = schedule.has_io(IoClass::Block2d, info);
    let tested = if has_messages { tested(ir, &op, surfaces) } else { Vec::new() };
    let builder = &mut Builder::before(ir, inst)?;
    let mut condition: Option<Value> = None;
    for &matrix in &tested {
        let holds = builder.value(IsSurface { of: matrix }, Type::Bool)?;
        condition = Some(match condition {
            Some(a) => builder.folded(Binary { op: BinaryOp::And, a, b: holds }, Type::Bool)?,
            None => holds,
        });
    }
    let Some(condition) = condition else { return Ok(()) };
    builder.branch::<Error>(
        condition,
        &[],
        |builder| {
            let mut surface = |matrix: Value| {
                if !tested.contains(&matrix) {
                    return Ok(matrix);
                }
                let ty = builder.ir.ty(matrix).clone();
                builder.value(AsSurface { of: matrix }, ty)
            };
            let (a, b, c) = (surface(op.a)?, surface(op.b)?, surface(op.c)?);
            builder.emit(Gemm { a, b, c, ..op.clone() }, &[])?;
            Ok(Vec::new())
        },
        |builder| Ok(builder.emit(op.clone(), &[]).map(|_| Vec::new())?),
    )?;
    ir.erase(inst);
    Ok(())
}

/// The matrices to test; none where a factor is surely no surface, since its loads decide how long a product takes.
fn tested(ir: &Ir, op: &Gemm, surfaces: &Surfaces) -> Vec<Value> {
    let answer = |matrix: Value| surfaces.answer(ir, matrix);
    if [op.a, op.b].into_iter().any(|matrix| matches!(answer(matrix), SurfaceAnswer::Never(_))) {
        return Vec::new();
    }
    let mut tested = Vec::new();
    for matrix in [op.a, op.b, op.c] {
        if answer(matrix).is_testable() && !tested.contains(&matrix) {
            tested.push(matrix);
        }
    }
    tested
}
