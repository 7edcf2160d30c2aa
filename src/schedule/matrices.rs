//! Code for the cooperative matrices of a function, and how it holds a matrix in registers (lowering reference 4).

use super::{JointMatrices, Schedule, layout};
use crate::analysis::Layout;
use crate::device::{CoreInfo, MatrixEngine};
use crate::ir::{Coopmatrix, Func, IoClass, Ir, MatrixUse, Op, Scalar, Value};

/// Entries that fit the registers of a work-item beside the other operands of a product.
const MAX_REPLICATED: i64 = 256;
/// Narrower components are packed by the matrix engines, whose layouts the distributed form follows.
const MIN_REPLICATED_BYTES: i64 = 4;

/// Code for the cooperative matrices of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatrixCode {
    /// Instructions of a matrix engine.
    Dpas(MatrixEngine),
    /// Tiles of SPV_KHR_cooperative_matrix.
    Joint(JointMatrices),
    /// Vector code.
    Vector,
}

impl MatrixCode {
    /// The code for a function whose matrices are its own: a matrix engine if it has a product for one.
    pub fn of(ir: &Ir, func: Func, schedule: &Schedule, info: &CoreInfo) -> MatrixCode {
        // The engine works with one subgroup size; others compute the same types in vector code.
        if let Some(engine) = schedule.engine(info)
            && has_product_for(ir, func, &engine)
        {
            return MatrixCode::Dpas(engine);
        }
        JointMatrices::of(ir, func, schedule, info).map_or(MatrixCode::Vector, MatrixCode::Joint)
    }

    /// The engine, if it holds a matrix in fragments.
    pub fn fragments(&self, matrix: Coopmatrix) -> Option<&MatrixEngine> {
        match self {
            MatrixCode::Dpas(engine) => Some(engine).filter(|engine| takes_matrix(engine, matrix)),
            MatrixCode::Joint(_) | MatrixCode::Vector => None,
        }
    }
}

fn has_product_for(ir: &Ir, func: Func, engine: &MatrixEngine) -> bool {
    let matrix = |value: Value| ir.ty(value).coopmatrix();
    let mut found = false;
    ir.walk(ir[func].body, &mut |inst| {
        if let Op::CoopmatrixMulAdd(op) = &ir[inst].op
            && let (Some(a), Some(b), Some(c)) = (matrix(op.a), matrix(op.b), matrix(op.c))
        {
            found |= takes_product(engine, [a, b, c]);
        }
    });
    found
}

/// Returns whether a matrix engine computes a product.
pub fn takes_product(engine: &MatrixEngine, [a, b, c]: [Coopmatrix; 3]) -> bool {
    engine.supports_gemm(a.component, b.component, c.component)
        && [a, b, c].into_iter().all(|matrix| takes_matrix(engine, matrix))
}

/// Returns whether a matrix is an operand of a matrix engine: it divides into fragments.
pub fn takes_matrix(engine: &MatrixEngine, matrix: Coopmatrix) -> bool {
    let Coopmatrix { component, rows, cols, usage } = matrix;
    let lanes = i64::from(engine.subgroup_size());
    let divides = |size: i64, by: i64| size > 0 && size % by == 0;
    let depth = engine.depth(component);
    // What no work-item holds has any number of fragments.
    Layout::new(matrix, lanes).is_some()
        && match usage {
            MatrixUse::A => depth.is_some_and(|depth| divides(rows, lanes) && divides(cols, depth)),
            MatrixUse::B => depth.is_some_and(|depth| divides(rows, depth)) && engine.takes_cols(cols),
            MatrixUse::Acc => {
                engine.accumulates(component) && divides(rows, lanes) && engine.takes_cols(cols)
            }
        }
}

impl Schedule {
    /// The distribution of the components of a matrix over a subgroup; `None` as for [`layout`](layout()).
    pub fn layout(&self, matrix: Coopmatrix, info: &CoreInfo) -> Option<Layout> {
        layout(matrix, self.subgroup_size.into(), self.engine(info))
    }

    /// Returns whether vector code holds all entries of such a matrix in every work-item, so that a product needs no
    /// broadcast.
    pub fn is_replicated(&self, matrix: Coopmatrix, info: &CoreInfo) -> bool {
        // Block messages spread columns over the lanes, from where a GPU's multiply-adds read single ones for nothing. Those for
        // numbers of eight bytes spread two columns.
        let has_blocks = self.has_io(IoClass::Block2d, info);
        let is_spread = self.fills_lanes(matrix, info) && !(matrix.component == Scalar::F64 && has_blocks);
        let is_factor = self.engine(info).is_some_and(|engine| engine.depth(matrix.component).is_some());
        matrix.usage == MatrixUse::B
            && !is_spread
            && !is_factor
            && matrix.component.bytes() >= MIN_REPLICATED_BYTES
            && matrix.rows.checked_mul(matrix.cols).is_some_and(|entries| entries <= MAX_REPLICATED)
    }

    /// Returns whether each lane of a GPU has as many rows of a matrix.
    pub fn fills_lanes(&self, matrix: Coopmatrix, info: &CoreInfo) -> bool {
        matrix.rows % i64::from(self.subgroup_size).max(1) == 0 && !info.is_cpu()
    }
}
