//! Versions of products of matrices whose sizes are known at run time only (lowering reference 4.4): one for matrices that 2D
//! block messages take, and one for all others.

use super::super::emit::Emit as _;
use super::super::error::Error;
use super::Device;
use crate::ir::{
    AddressSpace, AsSurface, Binary, BinaryOp, Builder, Extent, Gemm, IoClass, IsSurface, Memref, Op, Type,
    Value,
};
use crate::schedule::Surface;

/// Builds a product by `body`, twice where a test tells whether messages take its matrices.
pub(super) fn lower(
    builder: &mut Builder<'_>,
    op: &Gemm,
    device: &Device<'_>,
    body: &dyn Fn(&mut Builder<'_>, &Gemm) -> Result<(), Error>,
) -> Result<(), Error> {
    let tested =
        if device.schedule.has_io(IoClass::Block2d, device.info) { tested(builder, op) } else { Vec::new() };
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
fn tested(builder: &Builder<'_>, op: &Gemm) -> Vec<Value> {
    let is_told = |matrix: Value| matches!(builder.ir.defining_op(matrix), Some(Op::AsSurface(_)));
    let may_be =
        |matrix: Value| !is_told(matrix) && builder.ir.ty(matrix).memref().is_some_and(may_be_surface);
    let is_known =
        |matrix: Value| is_told(matrix) || builder.ir.ty(matrix).memref().is_some_and(Surface::takes);
    if ![op.a, op.b].into_iter().all(|matrix| may_be(matrix) || is_known(matrix)) {
        return Vec::new();
    }
    let mut tested = Vec::new();
    for matrix in [op.a, op.b, op.c] {
        if may_be(matrix) && !tested.contains(&matrix) {
            tested.push(matrix);
        }
    }
    tested
}

/// Returns whether the type of a matrix leaves open whether it is a surface.
fn may_be_surface(memref: &Memref) -> bool {
    let is_open = memref.shape.iter().chain(&memref.stride).any(|extent| extent.is_dynamic());
    is_open
        && memref.space == AddressSpace::Global
        && memref.stride.first().copied() == Some(Extent::Static(1))
        && Surface::takes_element(memref.element)
}
