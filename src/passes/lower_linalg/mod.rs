//! Turns linear algebra into loops (lowering reference 1.13).
//!
//! Barriers between the operations are in place already; an operation that needs barriers within itself
//! inserts them here.

mod cumsum;
mod elementwise;
mod gemm;
mod lanes;
mod operands;
mod sum;

use super::context::Context;
use super::emit::Emit;
use super::error::{Error, internal};
use super::product_schedule;
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::{Surfaces, constant_of};
use crate::device::CoreInfo;
use crate::ir::{
    Atomic, AtomicStore, AtomicUpdate, AtomicUpdateOp, Binary, BinaryOp, Builder, Built, CompareOp, Constant,
    Family, Foreach, Func, Gemm, Inst, Ir, Load, LocalSubgroup, LocalSubgroupBuiltin, MemorySemantics, Op,
    Scalar, Store, Type, Value, VerifierError,
};
use crate::schedule::Schedule;
use crate::status::Status;
pub(super) use lanes::clamped;
pub(super) use operands::Scaled;

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("lower-linalg")?;
    let mut needed = false;
    ir.walk(ir[func].body, &mut |inst| needed |= ir[inst].op.info().family == Family::LinearAlgebra);
    if !needed {
        return Ok(());
    }
    product_schedule::choose(ir, func, info)?;
    let device = Device {
        surfaces: Surfaces::new(ir, func, info.default_alignment()),
        schedule: Schedule::of(ir, func)?,
        info,
        free_local: lanes::free_local(ir, func, info),
    };
    // Chains before their links, so that a product is still there when the next one is looked at.
    rewrite(ir, ir[func].body, &[&|rewriter, inst| gemm::lower_chain(rewriter, inst, func, &device)])?;
    rewrite(ir, ir[func].body, &[&|rewriter, inst| lower(rewriter, inst, &device)])
}

/// Properties of the device that the lowerings need.
struct Device<'a> {
    /// Answers whether operands are surfaces.
    surfaces: Surfaces,
    schedule: Schedule,
    info: &'a CoreInfo,
    /// Bytes of local memory that the function leaves.
    free_local: i64,
}

/// Builds what an operation is made of in its place.
fn lower(rewriter: &mut Rewriter<'_>, inst: Inst, device: &Device<'_>) -> Result<bool, Error> {
    if rewriter.ir[inst].op.info().family != Family::LinearAlgebra {
        return Ok(false);
    }
    let op = rewriter.ir[inst].op.clone();
    if is_in_vain(rewriter.ir, &op) {
        rewriter.erase(inst);
        return Ok(true);
    }
    let builder = &mut rewriter.builder(inst)?;
    match &op {
        Op::Axpby(op) => elementwise::axpby(builder, op, device),
        Op::Cumsum(op) => cumsum::lower(builder, op, device),
        Op::Sum(op) => sum::lower(builder, op, device),
        Op::Gemm(op) => gemm::lower(builder, op, device),
        Op::Gemv(op) => elementwise::gemv(builder, op, device),
        Op::Ger(op) => elementwise::ger(builder, op, device),
        Op::Hadamard(op) => elementwise::hadamard(builder, op, device),
        other => Err(internal(builder.location, format!("there is no lowering of `{}`", other.mnemonic()))),
    }?;
    rewriter.erase(inst);
    Ok(true)
}

/// Returns whether the output of an operation, its last operand, has no elements.
fn is_in_vain(ir: &Ir, op: &Op) -> bool {
    let mut output = None;
    op.visit_operands(&mut |operand| output = Some(operand));
    let memref = output.and_then(|output| ir.ty(output).memref());
    memref.is_some_and(|memref| memref.shape.iter().any(|extent| extent.value() == Some(0)))
}

/// The only value of a list, such as what a loop carries.
fn only(builder: &Builder<'_>, values: &[Value]) -> Result<Value, Error> {
    match *values {
        [value] => Ok(value),
        _ => Err(internal(builder.location, format!("{} values instead of one", values.len()))),
    }
}

/// Element type and order of a memref operand.
pub(super) fn tensor(builder: &Builder<'_>, value: Value) -> Result<(Scalar, usize), Error> {
    match builder.ir.ty(value).memref() {
        Some(memref) => Ok((memref.element, memref.order())),
        None => Err(internal(builder.location, "an operand is no memref")),
    }
}

/// Returns whether β is a literal zero, in which case the output is not read, as in BLAS.
fn is_literal_zero(ir: &Ir, value: Value) -> bool {
    constant_of(ir, value).is_some_and(|constant| constant.is(0))
}

/// The output of a linear algebra operation and what becomes of it.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub atomic: Atomic,
    pub alpha: Value,
    pub beta: Value,
    pub c: Value,
}

/// An atomic operation either overwrites its output or adds to it.
fn atomic_overwrites(builder: &Builder<'_>, beta: Value) -> Result<bool, Error> {
    match constant_of(builder.ir, beta) {
        Some(beta) if beta.is(0) => Ok(true),
        Some(beta) if beta.is(1) => Ok(false),
        found => {
            let found = found.map_or("no constant".to_owned(), |constant| constant.to_string());
            let detail = format!("{}: {found}", builder.ir.describe(beta));
            let error = VerifierError::new(Status::IrInvalidBeta, builder.location, detail);
            Err(error.about(builder.ir, &[beta]).into())
        }
    }
}

impl Output {
    pub fn of(op: &Gemm) -> Output {
        Output { atomic: op.atomic, alpha: op.alpha, beta: op.beta, c: op.c }
    }

    /// C\[indices\] := α·input + β·C\[indices\], in C's element type.
    pub fn update(self, builder: &mut Builder<'_>, input: Value, indices: &[Value]) -> Result<(), Error> {
        let value = self.value(builder, input, indices)?;
        self.write(builder, value, indices)
    }

    /// α·input + β·C\[indices\], or α·input if C is to be updated atomically.
    pub fn value(self, builder: &mut Builder<'_>, input: Value, indices: &[Value]) -> Result<Value, Error> {
        let Output { atomic, alpha, beta, c } = self;
        let ty = Type::Scalar(tensor(builder, c)?.0);
        let (alpha, input) = (builder.cast(alpha, ty.clone())?, builder.cast(input, ty.clone())?);
        let value = builder.binary(BinaryOp::Mul, alpha, input)?;
        if atomic == Atomic::Yes || is_literal_zero(builder.ir, beta) {
            return Ok(value);
        }
        let old = builder.value(Load { from: c, indices: indices.to_vec() }, ty.clone())?;
        let beta = builder.cast(beta, ty)?;
        let kept = builder.binary(BinaryOp::Mul, beta, old)?;
        Ok(builder.binary(BinaryOp::Add, value, kept)?)
    }

    /// Writes what [`Output::value`] returned.
    fn write(self, builder: &mut Builder<'_>, value: Value, indices: &[Value]) -> Result<(), Error> {
        let Output { atomic, beta, c: to, .. } = self;
        let indices = indices.to_vec();
        if atomic == Atomic::Yes {
            let ty = Type::Scalar(tensor(builder, to)?.0);
            let (scope, semantics) = (builder.atomic_scope(to), MemorySemantics::Relaxed);
            if atomic_overwrites(builder, beta)? {
                builder.emit(AtomicStore { scope, semantics, value, to, indices }, &[])?;
            } else {
                let op = AtomicUpdateOp::Add;
                builder.value(AtomicUpdate { op, scope, semantics, value, to, indices }, ty)?;
            }
            return Ok(());
        }
        builder.emit(Store { value, to, indices }, &[])?;
        Ok(())
    }
}

/// The place of the work-item in its subgroup.
pub(super) fn lane(builder: &mut Builder<'_>) -> Built<Value> {
    builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }, Type::I32)
}

/// Returns whether this is the first work-item of the work-group.
fn is_first_work_item(builder: &mut Builder<'_>) -> Built<Value> {
    let zero = builder.constant(Constant::Int(0), Type::I32)?;
    let subgroup = builder.value(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }, Type::I32)?;
    let lane = lane(builder)?;
    let a = builder.compare(CompareOp::Equal, subgroup, zero)?;
    let b = builder.compare(CompareOp::Equal, lane, zero)?;
    builder.folded(Binary { op: BinaryOp::And, a, b }, Type::Bool)
}

/// A `foreach` over all modes of a memref; `body` gets the indices.
fn for_each_element(
    builder: &mut Builder<'_>,
    of: Value,
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Result<(), Error>,
) -> Result<(), Error> {
    let order = tensor(builder, of)?.1;
    let to = (0i64..).take(order).map(|mode| builder.size(of, mode)).collect::<Built<Vec<_>>>()?;
    for_each_below(builder, to, body)
}

/// A `foreach` over the positions below `to`; `body` gets the indices. With no modes the first work-item
/// alone runs it.
pub(super) fn for_each_below(
    builder: &mut Builder<'_>,
    to: Vec<Value>,
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Result<(), Error>,
) -> Result<(), Error> {
    if to.is_empty() {
        return builder.parallel(|builder| {
            let first = is_first_work_item(builder)?;
            builder.when(first, |builder| body(builder, &[]))
        });
    }
    let zero = builder.index(0)?;
    let inst = builder.emit(Foreach { from: vec![zero; to.len()], to }, &[])?;
    let Some(&region) = builder.ir[inst].regions.first() else {
        return Err(internal(builder.location, "foreach has no body"));
    };
    let indices = builder.ir[region].parameters.clone();
    body(&mut builder.inside(region), &indices)
}
