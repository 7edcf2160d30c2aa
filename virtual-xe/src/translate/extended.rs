//! Instructions of the OpenCL.std set.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::operations;
use crate::program::Step;
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
            return self.emit(Step::Prefetch);
        }
        if self.vector_access(inst, op, &ids)?
            || self.pair(inst, op, &ids)?
            || self.geometry(inst, op, &ids)?
            || self.bits(inst, op, &ids)?
        {
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

    /// Functions that leave a second result in memory.
    fn pair(&mut self, inst: &Instruction, op: CLOp, ids: &[u32]) -> Result<bool, Error> {
        let Some((&pointer, values @ [first, ..])) = ids.split_last() else { return Ok(false) };
        let (Some(id), Ok(scalar)) = (inst.result_id, self.scalar_of(*first)) else { return Ok(false) };
        let Some(pair) = operations::pair::<S>(op, scalar) else { return Ok(false) };
        let other = if pair.is_integer { Scalar::I32 } else { scalar };
        let values = values.iter().map(|&id| self.rows(id)).collect::<Result<Vec<_>, Error>>()?;
        let (mut returned, mut stored) = (Vec::new(), Vec::new());
        for place in 0..values.first().map_or(0, |rows| rows.len()) {
            let rows: Vec<u32> = values.iter().filter_map(|rows| rows.get(place).copied()).collect();
            returned.push(self.compute(scalar, pair.returned, &rows)?);
            stored.push(self.compute(other, pair.stored, &rows)?);
        }
        let pointee = self.pointee_of(pointer)?;
        let (parts, alignment) = (self.source.types.parts(pointee)?, self.source.types.alignment(pointee)?);
        let pointer = self.pointer(pointer)?;
        self.store_rows(pointer, &parts, &stored, alignment)?;
        self.define(id, returned);
        Ok(true)
    }
}
