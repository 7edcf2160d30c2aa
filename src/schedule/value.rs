//! The schedule as a value, and its parts.

use super::grid::Grid;
use crate::ir::{IoClass, Precision, RegisterFile};

/// Parts of a schedule that the attributes of a function pin. The register block and the k-step are those of the
/// products on the matrix engine, or of all products where none runs there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Rows and columns of the accumulators of a subgroup.
    pub register_block: Option<(i32, i32)>,
    /// Columns of A and rows of B taken in one step.
    pub k_step: Option<i32>,
    /// Steps that prefetches run ahead of the loads; 0 for none.
    pub prefetch_distance: Option<i32>,
    /// The register file.
    pub register_file: Option<RegisterFile>,
    /// The best messages that matrices may be loaded and stored by; the best that there are, if none is named.
    pub io_class: Option<IoClass>,
    /// The arithmetic of products whose factors are of type f32.
    pub precision: Option<Precision>,
}

/// Schedule of a function on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Work-items of a subgroup.
    pub subgroup_size: i32,
    /// Subgroups of a work-group.
    pub grid: Grid,
    /// Choices that attributes pin.
    pub overrides: Overrides,
}
