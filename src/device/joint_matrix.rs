//! The tiles that consumers of SPV_KHR_cooperative_matrix multiply (lowering reference 2.4 and 4.7).

use crate::ir::Scalar;

/// The tiles of a matrix engine that is reached by SPV_KHR_cooperative_matrix. Rows and columns are those of the
/// language, whose matrices are the transposes of the extension's. Lists of sizes begin with the largest; what they say was
/// found out by compiling for each consumer, since no query tells, and sizes that are not here may end the process.
#[derive(Debug, PartialEq, Eq)]
pub struct JointMatrix {
    /// The size of the subgroups that it works with; any size if there is none.
    subgroup_size: Option<i32>,
    /// Rows of A and of sums.
    rows: &'static [i64],
    /// Columns of B and of sums.
    cols: &'static [i64],
    /// Columns that a subgroup's share is a multiple of.
    col_step: i64,
    factors: &'static [JointFactor],
    /// Divides the addresses of what is loaded, and the distance of its columns, in bytes.
    alignment: i64,
    /// True if it has eight registers for tiles; otherwise they are in those of the subgroup.
    has_tile_registers: bool,
}

/// Factors of one component type.
#[derive(Debug, PartialEq, Eq)]
pub struct JointFactor {
    component: Scalar,
    sum: Scalar,
    /// Columns of A and rows of B.
    depths: &'static [i64],
    /// True if A has to be packed in memory.
    is_packed: bool,
}

/// Bytes that columns of a packed A fill side by side.
const PACKED_BYTES: i64 = 4;

impl JointMatrix {
    /// AMX: tiles of at most 16 rows of 64 bytes.
    pub const AMX: JointMatrix = JointMatrix {
        subgroup_size: None,
        rows: &[16, 8],
        cols: &[16, 8, 4, 2, 1],
        col_step: 8,
        factors: &[
            JointFactor {
                component: Scalar::Bf16,
                sum: Scalar::F32,
                depths: &[32, 16, 8, 4, 2],
                is_packed: true,
            },
            JointFactor {
                component: Scalar::I8,
                sum: Scalar::I32,
                depths: &[64, 32, 16, 8, 4],
                is_packed: true,
            },
        ],
        alignment: 1,
        has_tile_registers: true,
    };

    /// The engine of Arrow Lake H and Alchemist.
    pub const EIGHT_LANES: JointMatrix = JointMatrix {
        subgroup_size: Some(8),
        rows: &[8],
        cols: &[8, 4, 2, 1],
        col_step: 8,
        factors: &[
            JointFactor { component: Scalar::Bf16, sum: Scalar::F32, depths: &[16], is_packed: false },
            JointFactor { component: Scalar::F16, sum: Scalar::F32, depths: &[16], is_packed: false },
            JointFactor { component: Scalar::I8, sum: Scalar::I32, depths: &[32], is_packed: true },
        ],
        alignment: 16,
        has_tile_registers: false,
    };

    /// The least to expect of other devices: square tiles, and nothing of what Intel adds to the extension.
    pub const PORTABLE: JointMatrix = JointMatrix {
        subgroup_size: None,
        rows: &[16],
        cols: &[16],
        col_step: 16,
        factors: &[
            JointFactor { component: Scalar::F16, sum: Scalar::F32, depths: &[16], is_packed: false },
            JointFactor { component: Scalar::I8, sum: Scalar::I32, depths: &[16], is_packed: false },
        ],
        alignment: 16,
        has_tile_registers: false,
    };

    /// Returns whether subgroups of the size reach the engine.
    pub fn takes_subgroups(&self, size: i64) -> bool {
        self.subgroup_size.is_none_or(|wanted| i64::from(wanted) == size)
    }

    /// Properties of factors of a component type; `None` if it takes none.
    pub fn factor(&self, component: Scalar) -> Option<&JointFactor> {
        self.factors.iter().find(|factor| factor.component == component)
    }

    /// Returns whether it multiplies factors of one type and adds up in another.
    pub fn supports(&self, factor: Scalar, sum: Scalar) -> bool {
        self.factor(factor).is_some_and(|factor| factor.sum == sum)
    }

    /// Returns whether it adds up in a type.
    pub fn accumulates(&self, sum: Scalar) -> bool {
        self.factors.iter().any(|factor| factor.sum == sum)
    }

    /// Rows of the tiles of A or of sums; `None` if they do not divide so.
    pub fn split_rows(&self, rows: i64) -> Option<Vec<i64>> {
        split(rows, self.rows)
    }

    /// Columns of the tiles of B or of sums; `None` if they do not divide so.
    pub fn split_cols(&self, cols: i64) -> Option<Vec<i64>> {
        split(cols, self.cols)
    }

    /// Rows and columns of the largest tile of sums.
    pub fn largest_sums(&self) -> [i64; 2] {
        [self.rows, self.cols].map(|sizes| sizes.first().copied().unwrap_or(1))
    }

    /// Columns that a subgroup's share is a multiple of.
    pub fn col_step(&self) -> i64 {
        self.col_step
    }

    /// The fewest rows of a tile.
    pub fn least_rows(&self) -> i64 {
        self.rows.last().copied().unwrap_or(1)
    }

    /// Divides the addresses of what is loaded, and the distance of its columns, in bytes.
    pub fn alignment(&self) -> i64 {
        self.alignment
    }

    /// Returns whether it has eight registers for tiles; otherwise they are in those of the subgroup.
    pub fn has_tile_registers(&self) -> bool {
        self.has_tile_registers
    }
}

impl JointFactor {
    /// Columns of the tiles of A and rows of those of B; `None` if they do not divide so.
    pub fn split_depth(&self, depth: i64) -> Option<Vec<i64>> {
        split(depth, self.depths)
    }

    /// Columns of A and rows of B that a tile takes at most.
    pub fn depth(&self) -> i64 {
        self.depths.first().copied().unwrap_or(1)
    }

    /// Columns of A that lie side by side in memory, row by row; `None` if A is loaded as it is.
    pub fn packed_cols(&self) -> Option<i64> {
        self.is_packed.then(|| PACKED_BYTES / self.component.bytes())
    }
}

/// A length in parts of these sizes, the largest first.
pub(super) fn split(length: i64, sizes: &[i64]) -> Option<Vec<i64>> {
    let mut parts = Vec::new();
    let mut left = length;
    for &size in sizes {
        while size > 0 && left >= size {
            parts.push(size);
            left -= size;
        }
    }
    (left == 0 && !parts.is_empty()).then_some(parts)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_split_into_sizes_that_there_are() {
        let amx = &JointMatrix::AMX;
        assert_eq!(amx.split_cols(27), Some(vec![16, 8, 2, 1]));
        assert_eq!(amx.split_rows(40), Some(vec![16, 16, 8]));
        assert_eq!(amx.split_rows(4), None);
        assert_eq!(amx.split_cols(0), None);
        let factor = amx.factor(Scalar::I8).unwrap();
        assert_eq!(factor.split_depth(96), Some(vec![64, 32]));
        assert_eq!((factor.split_depth(66), factor.packed_cols()), (None, Some(4)));
        let factor = JointMatrix::EIGHT_LANES.factor(Scalar::Bf16).unwrap();
        assert_eq!((factor.split_depth(48), factor.packed_cols()), (Some(vec![16; 3]), None));
        assert_eq!(JointMatrix::PORTABLE.split_cols(24), None);
    }

    #[test]
    fn types_are_those_of_the_engine() {
        assert!(JointMatrix::AMX.supports(Scalar::Bf16, Scalar::F32));
        assert!(!JointMatrix::AMX.supports(Scalar::F16, Scalar::F32));
        assert!(!JointMatrix::EIGHT_LANES.supports(Scalar::F16, Scalar::F16));
        assert!(JointMatrix::EIGHT_LANES.takes_subgroups(8) && !JointMatrix::EIGHT_LANES.takes_subgroups(16));
        assert!(JointMatrix::AMX.takes_subgroups(64));
    }
}
