//! Instructions of the OpenCL.std set.

use super::Translator;
use crate::Error;
use crate::operations;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::OpenclStd100Op as CLOp;

/// The name of an instruction.
pub(super) fn name(number: u32) -> Option<String> {
    CLOp::from_u32(number).map(|op| format!("{op:?}"))
}

impl<const S: usize> Translator<'_, S> {
    pub(super) fn extended(&mut self, inst: &Instruction) -> Result<(), Error> {
        let [Operand::IdRef(set), Operand::LiteralExtInstInteger(number), ..] = inst.operands.as_slice()
        else {
            return Err(self.unsupported(inst));
        };
        match self.source.import(*set) {
            Some("OpenCL.std") => {}
            // Debug information.
            Some(other) if other.starts_with("NonSemantic.") || other.starts_with("OpenCL.DebugInfo") => {
                return Ok(());
            }
            _ => return Err(self.unsupported(inst)),
        }
        let op = CLOp::from_u32(*number).ok_or_else(|| self.unsupported(inst))?;
        let ids: Vec<u32> = Self::ids(inst).into_iter().skip(1).collect();
        if op == CLOp::prefetch {
            return Ok(());
        }
        let Some(&first) = ids.first() else { return Err(self.unsupported(inst)) };
        if let Ok(scalar) = self.scalar_of(first)
            && let Some(run) = operations::math::<S>(op, scalar)
        {
            let result = self.source.types.scalar(inst.result_type.unwrap_or(0))?;
            self.each(inst, &ids, |this, rows| this.compute(result, run, rows))?;
            return Ok(());
        }
        Err(self.unsupported(inst))
    }
}
