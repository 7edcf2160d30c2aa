//! Atomic instructions.

use super::Translator;
use crate::Error;
use crate::execute::{AccessKind, AtomicScope};
use crate::layout::{Part, Scalar};
use crate::operations;
use crate::program::{Atomic, Step};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Scope, StorageClass};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn atomic(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let op = inst.class.opcode;
        let Some(&Operand::IdRef(pointer)) = inst.operands.first() else { return Ok(false) };
        let values: Vec<u32> = inst
            .operands
            .iter()
            .skip(1)
            .filter_map(|operand| if let Operand::IdRef(id) = operand { Some(*id) } else { None })
            .collect();
        if !format!("{op:?}").starts_with("Atomic") {
            return Ok(false);
        }
        let is_flag = matches!(op, Op::AtomicFlagTestAndSet | Op::AtomicFlagClear);
        let scalar = match (is_flag, values.first(), inst.result_type) {
            (true, ..) => Scalar::I32,
            (_, Some(&value), _) => self.scalar_of(value)?,
            (_, None, Some(ty)) => self.source.types.scalar(ty)?,
            _ => self.source.types.scalar(self.pointee_of(pointer)?)?,
        };
        let Some(update) = operations::atomic(op, scalar) else { return Ok(false) };
        let class = self.class_of(pointer)?;
        if op != Op::AtomicLoad && !matches!(class, StorageClass::Workgroup | StorageClass::Function) {
            self.program.is_ordered = true;
        }
        let (kind, acquires) = self.access_kind(op, inst, class)?;
        let value = values.first().map(|&id| self.scalar(id)).transpose()?;
        let comparator = values.get(1).map(|&id| self.scalar(id)).transpose()?;
        let result = inst.result_id.map(|_| self.row(scalar)).transpose()?;
        let parts = vec![(Part { scalar, offset: 0 }, result.unwrap_or(0))];
        let pointer = self.pointer(pointer)?;
        let pointer = self.access(pointer, parts, scalar.bytes().into());
        self.emit(Step::Atomic(Box::new(Atomic {
            pointer,
            value,
            comparator,
            result,
            scalar,
            update,
            kind,
            acquires,
        })))?;
        if let (Some(id), Some(row)) = (inst.result_id, result) {
            let row = if op == Op::AtomicFlagTestAndSet {
                let zero = self.constant(scalar, 0)?;
                let Some(run) = operations::compare(Op::INotEqual, scalar) else { return Ok(false) };
                self.compute(Scalar::Bool, run, &[row, zero])?
            } else {
                row
            };
            self.define(id, [row]);
        }
        Ok(true)
    }

    /// What others see of an atomic instruction, and whether it sees what they did. The order of execution alone
    /// never depends on either.
    fn access_kind(
        &self,
        op: Op,
        inst: &Instruction,
        class: StorageClass,
    ) -> Result<(AccessKind, bool), Error> {
        let mut scope = AtomicScope::Everyone;
        let mut acquires = false;
        for operand in &inst.operands {
            match operand {
                Operand::IdScope(id) => {
                    scope = match self.scope(*id)? {
                        Scope::CrossDevice | Scope::Device => AtomicScope::Everyone,
                        // The functions of OpenCL C before 2.0 have no scope, and programs count with them over
                        // all work-groups; the translator of LLVM gives them that of the work-group.
                        Scope::Workgroup
                            if class == StorageClass::CrossWorkgroup && self.source.is_before_scopes() =>
                        {
                            AtomicScope::Everyone
                        }
                        Scope::Workgroup => AtomicScope::Group,
                        _ => AtomicScope::Subgroup,
                    }
                }
                Operand::IdMemorySemantics(id) => acquires |= super::group::acquires(self.semantics(*id)?),
                _ => {}
            }
        }
        Ok(match op {
            Op::AtomicLoad => (AccessKind::AtomicLoad(scope), acquires),
            Op::AtomicStore | Op::AtomicFlagClear => (AccessKind::AtomicStore(scope), false),
            _ => (AccessKind::Atomic(scope), acquires),
        })
    }
}
