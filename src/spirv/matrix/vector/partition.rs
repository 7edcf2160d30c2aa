//! The partition of matrices among the work-items of a subgroup.

use crate::analysis::Layout;
use crate::ir::{Coopmatrix, Type, VerifierError};
use crate::schedule;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use crate::status::Status;
use rspirv::spirv::Word;

/// The partition of a matrix among the work-items of the subgroup.
pub(super) fn layout(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<Layout> {
    let engine = f.schedule.engine(f.module.info);
    schedule::layout(matrix, f.subgroup_size, engine).ok_or_else(|| {
        let detail = format!("{} takes too many registers", Type::Coopmatrix(matrix));
        VerifierError::new(Status::IrUnsupportedCoopmatrixShape, f.values.location, detail).into()
    })
}

/// The error for a component that a matrix does not have.
pub(super) fn no_component(f: &FunctionLowering<'_, '_>, index: i64, length: usize) -> Error {
    let detail = format!("component {index} of {length}, counted from 0");
    VerifierError::new(Status::IrOutOfBounds, f.values.location, detail).into()
}

/// The component `index` of a matrix that the layout says is there.
pub(super) fn component(matrix: &MatrixValue, index: usize) -> Emitted<Word> {
    matrix.ids().get(index).copied().ok_or_else(|| {
        let (ty, length) = (Type::Coopmatrix(matrix.ty()), matrix.ids().len());
        Error::internal(format!("component {index} of {length} of a {ty}"))
    })
}

/// The component `index` of a list that is as long as the layout says.
pub(super) fn component_mut(components: &mut [Word], index: usize) -> Emitted<&mut Word> {
    let length = components.len();
    components.get_mut(index).ok_or_else(|| Error::internal(format!("component {index} of {length}")))
}

/// The refusal of a matrix that leaves lanes without a row.
pub(super) fn check_whole_rows(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> Emitted<()> {
    if matrix.rows % f.subgroup_size == 0 {
        return Ok(());
    }
    let detail = format!("{} rows with subgroup size {}", matrix.rows, f.subgroup_size);
    Err(VerifierError::new(Status::IrUnsupportedCoopmatrixShape, f.values.location, detail).into())
}

/// The first row of each row block; every work-item holds one row of each.
pub(super) fn row_blocks(
    f: &FunctionLowering<'_, '_>,
    matrix: Coopmatrix,
) -> impl Iterator<Item = i64> + use<> {
    let size = f.subgroup_size;
    (0..matrix.rows / size).map(move |block| block * size)
}

/// The number of a work-item as a constant.
pub(super) fn lane_constant(f: &mut FunctionLowering<'_, '_>, lane: i64) -> Emitted<Word> {
    let lane = u32::try_from(lane).map_err(|_| Error::internal(format!("work-item {lane}")))?;
    Ok(f.module.i32_constant(lane))
}
