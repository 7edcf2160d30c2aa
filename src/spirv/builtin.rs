//! The place of a work-item in grid, work-group and subgroup (lowering reference 3.3).

use super::error::Error;
use super::function::FunctionLowering;
use super::lower::lowerings;
use super::module_builder::Emitted;
use super::values::Lowered;
use crate::ir::{
    Component, Grid, GridBuiltin, LocalSubgroup, LocalSubgroupBuiltin, NumSubgroups, SubgroupId,
    UniformSubgroup, UniformSubgroupBuiltin,
};
use rspirv::spirv::{BuiltIn, Op};

lowerings! {
    Grid: |op, f, site| f.grid(op.op, op.component);
    NumSubgroups: |op, f, site| f.num_subgroups(op.component);
    SubgroupId: |op, f, site| f.subgroup_id(op.component);
    UniformSubgroup: |op, f, site| match op.op {
        UniformSubgroupBuiltin::SubgroupSize => f.size_of_subgroup(),
    };
    LocalSubgroup: |op, f, site| f.local_subgroup(op.op);
}

impl FunctionLowering<'_, '_> {
    fn grid(&mut self, op: GridBuiltin, component: Component) -> Emitted<Lowered> {
        let builtin = match op {
            GridBuiltin::GroupId => BuiltIn::WorkgroupId,
            GridBuiltin::NumGroups => BuiltIn::NumWorkgroups,
        };
        let vector = self.module.builtin(builtin)?;
        let index = self.module.index_type();
        let id = self.module.builder.composite_extract(index, None, vector, [component as u32])?;
        Ok(Lowered::Scalar(id))
    }

    fn num_subgroups(&mut self, component: Component) -> Emitted<Lowered> {
        let number = match component {
            Component::X => self.schedule.grid.rows,
            Component::Y => self.schedule.grid.cols,
            Component::Z => 1,
        };
        Ok(Lowered::Scalar(self.module.i32_constant(number.unsigned_abs())))
    }

    fn size_of_subgroup(&mut self) -> Emitted<Lowered> {
        let size = u32::try_from(self.subgroup_size)
            .map_err(|_| Error::internal(format!("subgroup size {}", self.subgroup_size)))?;
        Ok(Lowered::Scalar(self.module.i32_constant(size)))
    }

    /// Subgroups are numbered along x first (lowering reference 3.3). Where there is one, Intel's CPU compiler (runtime 2026.2)
    /// makes wrong code of branches on its id.
    fn subgroup_id(&mut self, component: Component) -> Emitted<Lowered> {
        let grid = self.schedule.grid;
        let along = match component {
            Component::X => grid.rows,
            Component::Y => grid.cols,
            Component::Z => 1,
        };
        if along == 1 {
            return Ok(Lowered::Scalar(self.module.i32_constant(0)));
        }
        let id = self.module.builtin(BuiltIn::SubgroupId)?;
        if i64::from(along) == grid.subgroups() {
            return Ok(Lowered::Scalar(id));
        }
        let (ty, rows) = (self.module.i32_type(), self.module.i32_constant(grid.rows.unsigned_abs()));
        let op = if component == Component::X { Op::UMod } else { Op::UDiv };
        self.module.value(op, ty, &[id, rows]).map(Lowered::Scalar)
    }

    fn local_subgroup(&mut self, op: LocalSubgroupBuiltin) -> Emitted<Lowered> {
        let builtin = match op {
            LocalSubgroupBuiltin::SubgroupLinearId if self.schedule.grid.subgroups() == 1 => {
                return Ok(Lowered::Scalar(self.module.i32_constant(0)));
            }
            LocalSubgroupBuiltin::SubgroupLinearId => BuiltIn::SubgroupId,
            LocalSubgroupBuiltin::SubgroupLocalId => BuiltIn::SubgroupLocalInvocationId,
        };
        self.module.builtin(builtin).map(Lowered::Scalar)
    }
}
