//! Shapes of the linear algebra in a function.

use crate::analysis::Surfaces;
use crate::ir::{Extent, Func, Gemm, Ir, Op, Scalar, Transpose, Value};

/// Reads of the factors of a gemm by block messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FactorSurfaces {
    /// True if B is transposed on the way, which costs moves for each column of the block.
    pub transposes_b: bool,
}

/// Requirements of one linear algebra instruction on the schedule.
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
    /// True if the instruction is a gemm.
    pub is_gemm: bool,
    /// Reads of the factors of a gemm by block messages, if these are known to take them.
    pub surfaces: Option<FactorSurfaces>,
}

/// Requirements of each linear algebra instruction on the schedule, each distinct one once.
pub(super) fn shapes(ir: &Ir, func: Func, known: &Surfaces) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        let shape = match &ir[inst].op {
            Op::Axpby(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Cumsum(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Sum(op) => shape(ir, op.a, op.a, op.b, false),
            Op::Gemm(op) => shape(ir, op.a, op.b, op.c, true)
                .map(|shape| Shape { surfaces: surfaces(ir, known, op), ..shape }),
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

/// The factors of each gemm in a function, and those of each product of tiles that are loaded, and whether they are transposed.
pub(super) fn factors(ir: &Ir, func: Func) -> Vec<[Option<(Value, Transpose)>; 2]> {
    let mut factors = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        let loaded = |tile: Value| {
            let Some(Op::TileLoad(load)) = ir.defining_op(tile) else { return None };
            Some((load.from, load.transpose))
        };
        if let Op::Gemm(op) = &ir[inst].op {
            factors.push([Some((op.a, op.transpose_a)), Some((op.b, op.transpose_b))]);
        } else if let Op::TileDot(op) = &ir[inst].op {
            factors.push([loaded(op.a), loaded(op.b)]);
        }
    });
    factors
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
        surfaces: None,
    })
}

/// The block messages that read the factors, if both are known to be surfaces (lowering reference 4.4 and 4.5). There is no
/// message that transposes bytes for B.
fn surfaces(ir: &Ir, surfaces: &Surfaces, op: &Gemm) -> Option<FactorSurfaces> {
    let known = |value: Value| ir.ty(value).memref().filter(|_| surfaces.answer(ir, value).is_known());
    let (_, b) = (known(op.a)?, known(op.b)?);
    // Of two transposed factors the product is computed transposed.
    let transposes_b = op.transpose_b == Transpose::T && op.transpose_a == Transpose::N;
    (!transposes_b || b.element.bytes() > 1).then_some(FactorSurfaces { transposes_b })
}
