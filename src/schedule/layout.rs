//! Distribution of cooperative matrices over subgroups, as the device wants it.

use crate::analysis::Layout;
use crate::device::CoreInfo;
use crate::ir::{Coopmatrix, MatrixUse};

/// The layout of a matrix on a device: the language's own (lowering reference 4.1), but for factors B of whose rows an
/// instruction of the matrix engine takes more than the subgroup has work-items (4.3). `None` if a work-item would hold
/// too many components.
pub fn layout(matrix: Coopmatrix, subgroup_size: i64, device: Option<&CoreInfo>) -> Option<Layout> {
    let engine = device.and_then(CoreInfo::dpas_engine);
    let engine = engine.filter(|engine| i64::from(engine.subgroup_size()) == subgroup_size);
    let depth = engine.and_then(|engine| engine.depth(matrix.component));
    if let Some(depth) = depth.map(i64::from)
        && matrix.usage == MatrixUse::B
        && matrix.rows % depth == 0
        && depth > subgroup_size
    {
        return Layout::with_adjacent_rows(matrix, subgroup_size, depth / subgroup_size);
    }
    Layout::new(matrix, subgroup_size)
}
