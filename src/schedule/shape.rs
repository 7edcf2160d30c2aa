//! Shapes of the linear algebra in a function.

use crate::ir::{Extent, Func, Ir, Op, Scalar, Value};

/// What one linear algebra instruction asks of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Element type of the first operand.
    pub op1: Scalar,
    /// Element type of the second operand; that of the first if there is none.
    pub op2: Scalar,
    /// Element type of the destination.
    pub destination: Scalar,
    /// Extent of the destination's first mode, `None` if known at run time only.
    pub rows: Option<i64>,
    /// Extent of the destination's second mode, `None` if known at run time only, 0 if there is none.
    pub cols: Option<i64>,
    /// Whether the instruction is a gemm.
    pub is_gemm: bool,
}

/// What each linear algebra instruction asks of the schedule, each distinct one once.
pub(super) fn shapes(ir: &Ir, func: Func) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        let shape = match &ir[inst].op {
            Op::Axpby(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Cumsum(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Sum(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Gemm(op) => shape(ir, op.a, op.b, op.c, true),
            Op::Gemv(op) => shape(ir, op.a, op.b, op.c, false),
            Op::Ger(op) => shape(ir, op.a, op.b, op.c, false),
            Op::Hadamard(op) => shape(ir, op.a, op.b, op.c, false),
            _ => None,
        };
        if let Some(shape) = shape.filter(|shape| !shapes.contains(shape)) {
            shapes.push(shape);
        }
    });
    shapes
}

fn shape(ir: &Ir, op1: Value, op2: Value, destination: Value, is_gemm: bool) -> Option<Shape> {
    let element = |value: Value| ir.ty(value).memref().map(|memref| memref.element);
    let extents = &ir.ty(destination).memref()?.shape;
    Some(Shape {
        op1: element(op1)?,
        op2: element(op2)?,
        destination: element(destination)?,
        rows: extents.first()?.value(),
        cols: extents.get(1).copied().unwrap_or(Extent::Static(0)).value(),
        is_gemm,
    })
}
