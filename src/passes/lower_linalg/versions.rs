//! Versions of products of matrices whose sizes are known at run time only (lowering reference 4.4): one for matrices that 2D
//! block messages take, and one for all others.

use super::super::emit::Emit as _;
use super::super::error::Error;
use super::Device;
use crate::analysis::{SurfaceAnswer, Surfaces};
use crate::ir::{AsSurface, Binary, BinaryOp, Builder, Gemm, IoClass, Ir, IsSurface, Type, Value};

/// Builds a product by `body`, twice where a test tells whether messages take its matrices.
pub(super) fn lower(
    builder: &mut Builder<'_>,
    op: &Gemm,
    device: &Device<'_>,
    body: &dyn Fn(&mut Builder<'_>, &Gemm) -> Result<(), Error>,
) -> Result<(), Error> {
    let has_messages = device.schedule.has_io(IoClass::Block2d, device.info);
    let tested = if has_messages { tested(builder.ir, op, &device.surfaces) } else { Vec::new() };
    let mut condition: Option<Value> = None;
    for &matrix in &tested {
        let holds = builder.value(IsSurface { of: matrix }, Type::Bool)?;
        condition = Some(match condition {
            Some(a) => builder.folded(Binary { op: BinaryOp::And, a, b: holds }, Type::Bool)?,
            None => holds,
        });
    }
    let Some(condition) = condition else { return body(builder, op) };
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
            body(builder, &Gemm { a, b, c, ..op.clone() })?;
            Ok(Vec::new())
        },
        |builder| body(builder, op).map(|()| Vec::new()),
    )?;
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
