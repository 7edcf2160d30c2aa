//! Loads and stores of the OpenCL.std set: vectors that are only aligned to their elements, and numbers of half
//! precision as numbers of others.

use super::Translator;
use super::memory::Pointer;
use crate::Error;
use crate::layout::{Part, Scalar};
use crate::operations;
use crate::rows::Compute;
use rspirv::dr::Instruction;
use rspirv::spirv::{FPRoundingMode, Op, OpenclStd100Op as CLOp};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn vector_access(&mut self, inst: &Instruction, op: CLOp, ids: &[u32]) -> Result<bool, Error> {
        let is_half = !matches!(op, CLOp::vloadn | CLOp::vstoren);
        match (op, ids) {
            (
                CLOp::vloadn | CLOp::vload_half | CLOp::vload_halfn | CLOp::vloada_halfn,
                &[offset, pointer, ..],
            ) => {
                let result = self.source.types.scalar(inst.result_type.unwrap_or(0))?;
                let scalar = if is_half { Scalar::F16 } else { result };
                let count = self.scalars(inst.result_type.unwrap_or(0))?.len();
                let (pointer, parts, alignment) = self.vector(op, scalar, count, offset, pointer)?;
                let loaded = self.load_rows(pointer, &parts, alignment)?;
                let mut rows = Vec::new();
                for &row in loaded.iter() {
                    rows.push(match operations::convert(Op::FConvert, scalar, result) {
                        Some(run) if is_half => self.compute(result, run, &[row])?,
                        _ => row,
                    });
                }
                self.define(inst.result_id.unwrap_or(0), rows);
                Ok(true)
            }
            (
                CLOp::vstoren
                | CLOp::vstore_half
                | CLOp::vstore_half_r
                | CLOp::vstore_halfn
                | CLOp::vstore_halfn_r
                | CLOp::vstorea_halfn
                | CLOp::vstorea_halfn_r,
                &[data, offset, pointer, ref rest @ ..],
            ) => {
                let from = self.scalar_of(data)?;
                let scalar = if is_half { Scalar::F16 } else { from };
                // The reader takes the operands of extended instructions for ids, all of them.
                let mode = rest.first().and_then(|&mode| FPRoundingMode::from_u32(mode));
                let narrow = operations::to_half(mode.unwrap_or(FPRoundingMode::RTE), from);
                let mut rows = Vec::new();
                for &row in self.rows(data)?.iter() {
                    rows.push(match narrow {
                        Some(run) if is_half => self.compute(scalar, run, &[row])?,
                        _ => row,
                    });
                }
                let (pointer, parts, alignment) = self.vector(op, scalar, rows.len(), offset, pointer)?;
                self.store_rows(pointer, &parts, &rows, alignment)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The address of a vector that is so many vectors behind a pointer, its numbers, and its alignment.
    fn vector(
        &mut self,
        op: CLOp,
        scalar: Scalar,
        count: usize,
        offset: u32,
        pointer: u32,
    ) -> Result<(Pointer, Vec<Part>, u64), Error> {
        let bytes = u64::from(scalar.bytes());
        let is_aligned = matches!(op, CLOp::vloada_halfn | CLOp::vstorea_halfn | CLOp::vstorea_halfn_r);
        let part = |place: u64| Part { scalar, offset: place.saturating_mul(bytes) };
        let parts = (0..count as u64).map(part).collect();
        // Three aligned numbers take the place of four.
        let room = if is_aligned { count.checked_next_power_of_two().unwrap_or(count) } else { count } as u64;
        let size = room.saturating_mul(bytes);
        let alignment = if is_aligned { size } else { bytes };
        let (of, mut index) = (self.scalar_of(offset)?, self.scalar(offset)?);
        if of != Scalar::I64 {
            let widen = operations::resize(of, Scalar::I64, false);
            let widen = widen.ok_or(Error::Id { id: offset, expected: "integer index" })?;
            index = self.compute(Scalar::I64, widen, &[index])?;
        }
        let step: Compute<S> = |rows, x| {
            rows.binary(x, |a: u64, i: u64| a.wrapping_add(i.wrapping_mul(x.immediate)));
        };
        let start = self.pointer(pointer)?;
        let row = self.compute_with(Scalar::I64, step, &[start.row, index], size)?;
        let pointer = Pointer { row, ..start };
        Ok((pointer, parts, alignment))
    }
}
