//! Remarks about how matrices are loaded and stored.

use crate::diagnostics::Location;
use crate::ir::{MatrixUse, Scalar, Transpose};
use rspirv::spirv::Op;

/// Messages that a matrix is loaded or stored by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessForm {
    /// 2D blocks, as they lie in memory.
    Block2d,
    /// 2D blocks that put neighbouring rows side by side.
    Block2dTransform,
    /// 2D blocks with columns for rows.
    Block2dTranspose,
    /// Blocks of contiguous memory.
    Block1d,
    /// An address of each entry for all lanes.
    Uniform,
    /// An address of its own for each lane.
    Lanes,
}

impl AccessForm {
    /// The form as text.
    pub fn spelling(self) -> &'static str {
        match self {
            AccessForm::Block2d => "2D block",
            AccessForm::Block2dTransform => "2D block, transform",
            AccessForm::Block2dTranspose => "2D block, transpose",
            AccessForm::Block1d => "1D block",
            AccessForm::Uniform => "uniform",
            AccessForm::Lanes => "per lane",
        }
    }

    /// The form that an instruction is a sign of.
    pub(super) fn of(op: Op) -> Option<AccessForm> {
        Some(match op {
            Op::Subgroup2DBlockLoadINTEL | Op::Subgroup2DBlockStoreINTEL => AccessForm::Block2d,
            Op::Subgroup2DBlockLoadTransformINTEL => AccessForm::Block2dTransform,
            Op::Subgroup2DBlockLoadTransposeINTEL => AccessForm::Block2dTranspose,
            Op::SubgroupBlockReadINTEL | Op::SubgroupBlockWriteINTEL => AccessForm::Block1d,
            Op::Load | Op::Store => AccessForm::Lanes,
            _ => return None,
        })
    }
}

/// Loads or stores of matrices of one kind, as often as they stand in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Name of the function.
    pub function: String,
    /// The instruction of the program that they come from, as far as it is known.
    pub location: Location,
    /// True for stores.
    pub is_store: bool,
    /// Part that the matrix plays in products.
    pub usage: MatrixUse,
    /// Type of its components.
    pub component: Scalar,
    /// Rows and columns.
    pub extents: [i64; 2],
    /// T if it lies transposed in memory.
    pub transpose: Transpose,
    /// Messages.
    pub form: AccessForm,
    /// Reason why they are no 2D blocks, if these were considered.
    pub reason: Option<&'static str>,
    /// Number of times.
    pub count: u32,
}

/// Remarks of a module in the making.
#[derive(Default)]
pub(super) struct Remarks {
    pub all: Vec<Remark>,
    /// Reason why there are no 2D blocks for the matrix that is being translated.
    pub refusal: Option<&'static str>,
    /// True if the lanes share the addresses of the current access.
    pub is_uniform: bool,
}
