//! Subgroup operations (lowering reference 3.4).

use super::function::FunctionLowering;
use super::lower::lowerings;
use super::module_builder::Emitted;
use super::numbers::subgroup::{broadcast, combine};
use super::values::Lowered;
use crate::ir::{Subgroup, SubgroupBroadcast};

lowerings! {
    SubgroupBroadcast: |op, f, site| f.subgroup_broadcast(op);
    Subgroup: |op, f, site| f.subgroup(op);
}

impl FunctionLowering<'_, '_> {
    pub fn subgroup_broadcast(&mut self, op: &SubgroupBroadcast) -> Emitted<Lowered> {
        let scalar = self.component(self.ir.ty(op.a))?;
        let (a, lane) = (self.values.scalar(op.a)?, self.values.scalar(op.lane)?);
        Ok(Lowered::Scalar(broadcast(self.module, scalar, a, lane)?))
    }

    pub fn subgroup(&mut self, op: &Subgroup) -> Emitted<Lowered> {
        let scalar = self.component(self.ir.ty(op.a))?;
        let a = self.values.scalar(op.a)?;
        Ok(Lowered::Scalar(combine(self.module, op.op, scalar, a)?))
    }
}
