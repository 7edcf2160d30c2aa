//! The schedule as attributes of a function.

use super::Overrides;
use super::grid::Grid;
use crate::ir::{
    Func, FunctionAttributes, Ir, KStep, PrefetchDistance, RegisterBlock, SubgroupSize, WorkGroupSize,
};

/// Choices that the attributes of a function pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    pub subgroup_size: Option<i32>,
    pub work_group_size: Option<[i32; 2]>,
    pub overrides: Overrides,
}

impl Attributes {
    /// The attributes of a function, as far as they are given.
    pub fn of(ir: &Ir, func: Func) -> Attributes {
        let attributes = &ir[func].attributes;
        Attributes {
            subgroup_size: attributes.subgroup_size.map(|SubgroupSize(size)| size),
            work_group_size: attributes.work_group_size.map(|WorkGroupSize(size)| size),
            overrides: Overrides {
                register_block: attributes.register_block.map(|RegisterBlock([rows, cols])| (rows, cols)),
                k_step: attributes.k_step.map(|KStep(step)| step),
                prefetch_distance: attributes.prefetch_distance.map(|PrefetchDistance(steps)| steps),
                register_file: attributes.grf_size,
                io_class: attributes.io_class,
                precision: attributes.precision,
            },
        }
    }

    /// The grid of subgroups, once both sizes are given.
    pub fn grid(&self) -> Option<(i32, Grid)> {
        let (size, [x, y]) = (self.subgroup_size.filter(|&size| size > 0)?, self.work_group_size?);
        Some((size, Grid { rows: (x / size).max(1), cols: y.max(1) }))
    }

    /// Writes the attributes that are set.
    pub fn write(&self, to: &mut FunctionAttributes) {
        let Overrides { register_block, k_step, prefetch_distance, register_file, io_class, precision } =
            self.overrides;
        *to = FunctionAttributes {
            subgroup_size: self.subgroup_size.map(SubgroupSize).or(to.subgroup_size),
            work_group_size: self.work_group_size.map(WorkGroupSize).or(to.work_group_size),
            register_block: register_block
                .map(|(rows, cols)| RegisterBlock([rows, cols]))
                .or(to.register_block),
            k_step: k_step.map(KStep).or(to.k_step),
            prefetch_distance: prefetch_distance.map(PrefetchDistance).or(to.prefetch_distance),
            grf_size: register_file.or(to.grf_size),
            io_class: io_class.or(to.io_class),
            orientation: to.orientation,
            pipeline: to.pipeline,
            order: to.order,
            group: to.group,
            precision: precision.or(to.precision),
            grid: to.grid.clone(),
            has_braces: to.has_braces,
        };
    }
}
