//! Distribution of cooperative matrices over subgroups, as the device wants it.

use super::{Overrides, Schedule};
use crate::analysis::Layout;
use crate::device::{CoreInfo, MatrixEngine};
use crate::ir::{Coopmatrix, MatrixUse, Precision};
use std::cmp::Ordering;

impl Overrides {
    /// The matrix engine, if subgroups of this size reach it by an instruction, with the types that the function
    /// permits.
    pub fn engine(&self, subgroup_size: i64, info: &CoreInfo) -> Option<MatrixEngine> {
        let engine = self.with_precision(*info.dpas_engine()?);
        (i64::from(engine.subgroup_size()) == subgroup_size).then_some(engine)
    }

    /// An engine with the types that the function permits.
    pub(super) fn with_precision(&self, engine: MatrixEngine) -> MatrixEngine {
        if self.precision == Some(Precision::Tf32) { engine.with_tf32() } else { engine }
    }
}

impl Schedule {
    /// The matrix engine, if the function's subgroups reach it by an instruction, with the types that the function
    /// permits.
    pub fn engine(&self, info: &CoreInfo) -> Option<MatrixEngine> {
        self.overrides.engine(self.subgroup_size.into(), info)
    }
}

/// The layout of a matrix: the language's own (lowering reference 4.1), but for factors B of whose rows an instruction of
/// the matrix engine takes more or fewer than the subgroup has work-items (4.3). `None` if a work-item would hold too
/// many components.
pub fn layout(matrix: Coopmatrix, subgroup_size: i64, engine: Option<MatrixEngine>) -> Option<Layout> {
    let depth = engine.and_then(|engine| engine.depth(matrix.component));
    let depth = depth.filter(|depth| matrix.usage == MatrixUse::B && matrix.rows % depth == 0);
    match depth.map(|depth| (depth, depth.cmp(&subgroup_size))) {
        Some((depth, Ordering::Greater)) => {
            Layout::with_adjacent_rows(matrix, subgroup_size, depth / subgroup_size)
        }
        Some((depth, Ordering::Less)) => Layout::with_stripes(matrix, subgroup_size, depth),
        Some((_, Ordering::Equal)) | None => Layout::new(matrix, subgroup_size),
    }
}
