//! Turns linear algebra into loops (`spec/lowering.md` 1.13).
//!
//! Barriers between the operations are in place already; an operation that needs barriers within itself
//! inserts them here.

mod axpby;
mod blocks;
mod gemm;

use super::emit::Emit;
use super::error::Error;
use super::fold::constant_of;
use super::tiling::Tiling;
use crate::diagnostics::Location;
use crate::ir::{
    Atomic, BinaryOp, Builder, Constant, Func, Inst, Ir, Load, Op, Region, Scalar, Store, Type, Value,
    Violation,
};
use crate::status::Status;
use crate::target::CoreInfo;

pub(super) fn run(ir: &mut Ir, func: Func, info: &CoreInfo) -> Result<(), Error> {
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| needed |= is_linalg(&ir[inst].op));
    if !needed {
        return Ok(());
    }
    let device = Device { tiling: Tiling::of(ir, func)?, register_space: info.register_space() };
    lower(ir, ir[func].body, &device)
}

/// What the lowerings know of the device.
struct Device {
    tiling: Tiling,
    /// Bytes of registers of a subgroup.
    register_space: i32,
}

fn is_linalg(op: &Op) -> bool {
    matches!(op, Op::Axpby(_) | Op::Gemm(_))
}

fn lower(ir: &mut Ir, region: Region, device: &Device) -> Result<(), Error> {
    for inst in std::mem::take(&mut ir[region].insts) {
        for inner in ir[inst].regions.clone() {
            lower(ir, inner, device)?;
        }
        if is_linalg(&ir[inst].op) {
            replace(ir, region, inst, device)?;
        } else {
            ir[region].insts.push(inst);
        }
    }
    Ok(())
}

fn replace(ir: &mut Ir, region: Region, inst: Inst, device: &Device) -> Result<(), Error> {
    let (op, location) = (ir[inst].op.clone(), ir[inst].location);
    ir.remove_inst(inst);
    let mut builder = Builder::new(ir, region, location);
    match op {
        Op::Axpby(op) => axpby::lower(&mut builder, &op),
        Op::Gemm(op) => gemm::lower(&mut builder, &op, device),
        _ => Ok(()),
    }
}

/// Element type and order of a memref operand.
fn tensor(builder: &Builder<'_>, value: Value) -> Result<(Scalar, usize), Error> {
    match builder.ir.ty(value).memref() {
        Some(memref) => Ok((memref.element, memref.order())),
        None => Err(internal(builder.location, "an operand is no memref")),
    }
}

pub(super) fn internal(location: Location, detail: &str) -> Error {
    Violation::new(Status::InternalCompilerError, location, detail).into()
}

/// The zero of a number type.
fn zero_of(scalar: Scalar) -> Constant {
    if scalar.is_complex() {
        Constant::Complex(0.0, 0.0)
    } else if scalar.is_float() {
        Constant::Float(0.0)
    } else {
        Constant::Int(0)
    }
}

/// Whether β is a literal zero, in which case the output is not read, as in BLAS.
fn is_literal_zero(ir: &Ir, value: Value) -> bool {
    is_literal(ir, value, 0.0)
}

/// Whether a value is a literal of this number.
fn is_literal(ir: &Ir, value: Value, number: f64) -> bool {
    match constant_of(ir, value) {
        // A number beyond the doubles is neither 0 nor 1, nor is what it is rounded to.
        #[allow(clippy::cast_precision_loss)]
        Some(Constant::Int(value)) => value as f64 == number,
        Some(Constant::Float(value)) => value == number,
        Some(Constant::Complex(re, im)) => re == number && im == 0.0,
        Some(Constant::Bool(_)) | None => false,
    }
}

/// An atomic operation overwrites (β = 0) or adds (β = 1); so far it does neither.
fn refuse_atomic(ir: &Ir, atomic: Atomic, beta: Value, location: Location) -> Result<(), Error> {
    if atomic == Atomic::No {
        return Ok(());
    }
    if !is_literal(ir, beta, 0.0) && !is_literal(ir, beta, 1.0) {
        let detail = "it must be a constant 0 or 1";
        return Err(Violation::new(Status::IrInvalidBeta, location, detail).about(ir, &[beta]).into());
    }
    Err(Error::NotImplemented { what: "atomic linear algebra", location })
}

/// C\[indices\] := α·input + β·C\[indices\], in C's element type.
fn update(
    builder: &mut Builder<'_>,
    alpha: Value,
    input: Value,
    beta: Value,
    c: Value,
    indices: &[Value],
) -> Result<(), Error> {
    let ty = Type::Scalar(tensor(builder, c)?.0);
    let (alpha, input) = (builder.cast(alpha, ty.clone())?, builder.cast(input, ty.clone())?);
    let mut value = builder.binary(BinaryOp::Mul, alpha, input)?;
    if !is_literal_zero(builder.ir, beta) {
        let old = builder.value(Load { from: c, indices: indices.to_vec() }, ty.clone())?;
        let beta = builder.cast(beta, ty)?;
        let kept = builder.binary(BinaryOp::Mul, beta, old)?;
        value = builder.binary(BinaryOp::Add, value, kept)?;
    }
    builder.emit(Store { value, to: c, indices: indices.to_vec() }, &[])?;
    Ok(())
}
