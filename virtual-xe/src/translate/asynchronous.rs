//! Copies that a work-group makes together (async_work_group_copy).
//!
//! They are made at once, each work-item taking its share, and to wait for them is a barrier. A work-item that looks at
//! what another one copies before it waits is thus found to race with it, and so is a copy of what others have written
//! without a barrier between. That a wait orders more than the copies may hide races, but blames nobody falsely.

use super::Translator;
use crate::Error;
use crate::layout::{Part, Scalar};
use crate::operations;
use crate::program::{Barrier, BarrierKind, GroupCopy, Input, Step};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Scope, StorageClass};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn asynchronous(&mut self, inst: &Instruction) -> Result<bool, Error> {
        match (inst.class.opcode, inst.operands.as_slice()) {
            (
                Op::GroupAsyncCopy,
                [
                    Operand::IdScope(scope),
                    Operand::IdRef(to),
                    Operand::IdRef(from),
                    Operand::IdRef(count),
                    Operand::IdRef(stride),
                    Operand::IdRef(_),
                ],
            ) => {
                self.of_work_group(inst, *scope)?;
                self.group_copy(inst, *to, *from, [*count, *stride])?;
            }
            (Op::GroupWaitEvents, [Operand::IdScope(scope), Operand::IdRef(_), Operand::IdRef(_)]) => {
                self.of_work_group(inst, *scope)?;
                self.program.has_barrier = true;
                self.emit(Step::Barrier(Barrier { kind: BarrierKind::Group, global: true, local: true }))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn of_work_group(&mut self, inst: &Instruction, scope: u32) -> Result<(), Error> {
        if self.scope(scope)? != Scope::Workgroup {
            return Err(self.refused(inst, "it is not for the work-group".to_owned()));
        }
        self.emit(Step::Converged)
    }

    fn group_copy(&mut self, inst: &Instruction, to: u32, from: u32, sizes: [u32; 2]) -> Result<(), Error> {
        let is_store = match (self.class_of(from)?, self.class_of(to)?) {
            (StorageClass::CrossWorkgroup, StorageClass::Workgroup) => false,
            (StorageClass::Workgroup, StorageClass::CrossWorkgroup) => true,
            _ => return Err(self.refused(inst, "it is not between global and local memory".to_owned())),
        };
        let element = self.pointee_of(to)?;
        let (size, alignment) = (self.source.types.size(element)?, self.source.types.alignment(element)?);
        let [count, stride] = sizes.map(|id| self.wide(id));
        let mut side = |id| {
            let pointer = self.pointer(id)?;
            let part = (Part { scalar: Scalar::I8, offset: 0 }, 0);
            Ok::<_, Error>(self.access(pointer, vec![part], alignment))
        };
        let (from, to) = (side(from)?, side(to)?);
        let (item, items) = (self.row(Scalar::I64)?, self.row(Scalar::I64)?);
        self.program.inputs.extend([(Input::LocalLinearId, item), (Input::GroupItems, items)]);
        let (count, stride) = (count?, stride?);
        let copy = GroupCopy { from, to, size, count, stride, is_store, item, items };
        self.emit(Step::GroupCopy(Box::new(copy)))?;
        if let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) {
            // The copy is made: its event says nothing more.
            let event = self.zeros(ty)?;
            self.define(id, event);
        }
        Ok(())
    }

    /// A number without sign in 64 bits.
    fn wide(&mut self, id: u32) -> Result<u32, Error> {
        let (row, scalar) = (self.scalar(id)?, self.scalar_of(id)?);
        match operations::resize(scalar, Scalar::I64, false) {
            Some(run) if scalar != Scalar::I64 => self.compute(Scalar::I64, run, &[row]),
            _ => Ok(row),
        }
    }
}
