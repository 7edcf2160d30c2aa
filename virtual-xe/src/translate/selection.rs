//! Instructions of the OpenCL.std set that choose and join bits.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::operations;
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

impl<const S: usize> Translator<'_, S> {
    /// Functions whose results are no numbers of the type of their arguments.
    pub(super) fn bits(&mut self, inst: &Instruction, op: CLOp, ids: &[u32]) -> Result<bool, Error> {
        let ty = inst.result_type.unwrap_or(0);
        match (op, ids) {
            (CLOp::select, &[a, b, condition]) => {
                let (of, scalar) = (self.scalar_of(condition)?, self.scalar_of(a)?);
                let is_scalar = self.rows(a)?.len() == 1;
                let zero = self.constant(of, 0)?;
                // Vectors are chosen by the highest bit, scalars by all of them.
                let test = if is_scalar { Op::INotEqual } else { Op::SLessThan };
                let Some(test) = operations::compare(test, of) else { return Ok(false) };
                let select = operations::select(scalar.bytes());
                self.each(inst, &[a, b, condition], |this, rows| {
                    let &[a, b, condition] = rows else { return Ok(0) };
                    let chosen = this.compute(Scalar::Bool, test, &[condition, zero])?;
                    this.compute(scalar, select, &[chosen, b, a])
                })
            }
            (CLOp::s_upsample | CLOp::u_upsample, &[high, low]) => {
                let (of, result) = (self.scalar_of(high)?, self.source.types.scalar(ty)?);
                let (Some(widen), Some(shift), Some(join)) = (
                    operations::resize::<S>(of, result, false),
                    operations::integer::<S>(Op::ShiftLeftLogical, result),
                    operations::integer::<S>(Op::BitwiseOr, result),
                ) else {
                    return Ok(false);
                };
                let by = self.constant(result, of.bits().into())?;
                self.each(inst, &[high, low], |this, rows| {
                    let &[high, low] = rows else { return Ok(0) };
                    let (high, low) =
                        (this.compute(result, widen, &[high])?, this.compute(result, widen, &[low])?);
                    let high = this.compute(result, shift, &[high, by])?;
                    this.compute(result, join, &[high, low])
                })
            }
            (CLOp::nan, &[code]) => {
                let of = self.scalar_of(code)?;
                let quiet = match self.source.types.scalar(ty)? {
                    Scalar::F16 => 0x7e00,
                    Scalar::F32 => 0x7fc0_0000,
                    _ => 0x7ff8 << 48,
                };
                let quiet = self.constant(of, quiet)?;
                let Some(join) = operations::integer(Op::BitwiseOr, of) else { return Ok(false) };
                self.each(inst, &[code], |this, rows| {
                    let code = rows.first().copied().unwrap_or(0);
                    this.compute(of, join, &[code, quiet])
                })
            }
            (CLOp::shuffle | CLOp::shuffle2, &[ref vectors @ .., mask]) => {
                let mut all = Vec::new();
                for &vector in vectors {
                    all.extend_from_slice(&self.rows(vector)?);
                }
                let (of, scalar) = (self.scalar_of(mask)?, self.source.types.scalar(ty)?);
                let Some(cut) = operations::integer(Op::BitwiseAnd, of) else { return Ok(false) };
                let Some(equal) = operations::compare(Op::IEqual, of) else { return Ok(false) };
                let last = self.constant(of, all.len().saturating_sub(1) as u64)?;
                let select = operations::select(scalar.bytes());
                self.each(inst, &[mask], |this, rows| {
                    let index = this.compute(of, cut, &[rows.first().copied().unwrap_or(0), last])?;
                    let mut picked = all.first().copied().unwrap_or(0);
                    for (place, &row) in (0..).zip(&all).skip(1) {
                        let place = this.constant(of, place)?;
                        let here = this.compute(Scalar::Bool, equal, &[index, place])?;
                        picked = this.compute(scalar, select, &[here, row, picked])?;
                    }
                    Ok(picked)
                })
            }
            _ => Ok(false),
        }
    }
}
