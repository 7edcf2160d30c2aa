//! Group operations of whole work-groups: subgroups do their part and tell each other what came of it.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::operations::{self, Combine, Reach};
use crate::program::{Barrier, BarrierKind, Gather, Input, Publish, Step};
use crate::rows::Args;
use rspirv::dr::Instruction;
use rspirv::spirv::Op;

impl<const S: usize> Translator<'_, S> {
    /// A reduction or scan.
    pub(super) fn workgroup_combine(
        &mut self,
        inst: &Instruction,
        value: u32,
        how: Combine,
        reach: Reach,
    ) -> Result<bool, Error> {
        let scalar = self.scalar_of(value)?;
        self.each(inst, &[value], |this, rows| {
            let a = rows.first().copied().unwrap_or(0);
            let total = this.combined(a, how, Reach::Reduce, scalar)?;
            let own = match reach {
                Reach::Reduce | Reach::Clustered(_) => None,
                reach => Some(this.combined(a, how, reach, scalar)?),
            };
            this.exchange(total, None, own, how, scalar)
        })
    }

    /// Returns whether a condition holds in all or in any of the work-items.
    pub(super) fn workgroup_vote(&mut self, value: u32, how: Combine) -> Result<u32, Error> {
        let value = self.scalar(value)?;
        let total = self.combined(value, how, Reach::Reduce, Scalar::Bool)?;
        self.exchange(total, None, None, how, Scalar::Bool)
    }

    /// The value of the work-item whose local id is given, as a scalar or a vector.
    pub(super) fn workgroup_broadcast(
        &mut self,
        inst: &Instruction,
        value: u32,
        item: u32,
    ) -> Result<bool, Error> {
        let (of, ids) = (self.scalar_of(item)?, self.rows(item)?);
        let (Some(equal), Some(and)) =
            (operations::compare(Op::IEqual, of), operations::logical(Op::LogicalAnd))
        else {
            return Ok(false);
        };
        let mut is_meant = self.constant(Scalar::Bool, 1)?;
        for (direction, &id) in (0..).zip(ids.iter()) {
            let mut local = self.row(Scalar::I64)?;
            self.program.inputs.push((Input::LocalId(direction), local));
            if let Some(cut) = operations::resize(Scalar::I64, of, false).filter(|_| of != Scalar::I64) {
                local = self.compute(of, cut, &[local])?;
            }
            let same = self.compute(Scalar::Bool, equal, &[local, id])?;
            is_meant = self.compute(Scalar::Bool, and, &[is_meant, same])?;
        }
        let scalar = self.scalar_of(value)?;
        self.each(inst, &[value], |this, rows| {
            let value = rows.first().copied().unwrap_or(0);
            // One subgroup at most publishes anything.
            this.exchange(value, Some(is_meant), None, Combine::Or, scalar)
        })
    }

    fn combined(&mut self, a: u32, how: Combine, reach: Reach, scalar: Scalar) -> Result<u32, Error> {
        let dst = self.row(scalar)?;
        let args = Args { dst, a, ..Args::default() };
        self.emit(Step::Combine { args, how, reach, scalar })?;
        Ok(dst)
    }

    /// Publishes a number, waits for all subgroups, and combines what they have published. The second wait keeps
    /// them from publishing anew before all have read.
    fn exchange(
        &mut self,
        value: u32,
        condition: Option<u32>,
        own: Option<u32>,
        how: Combine,
        scalar: Scalar,
    ) -> Result<u32, Error> {
        let exchange = self.program.exchanges;
        self.program.exchanges = exchange.saturating_add(1);
        let barrier = Barrier { kind: BarrierKind::Group, global: false, local: false };
        self.program.has_barrier = true;
        let bytes = scalar.bytes();
        self.emit(Step::Publish(Publish { value, condition, bytes, exchange }))?;
        self.emit(Step::Barrier(barrier))?;
        let dst = self.row(scalar)?;
        self.emit(Step::Gather(Gather { dst, own, how, scalar, exchange }))?;
        self.emit(Step::Barrier(barrier))?;
        Ok(dst)
    }
}
