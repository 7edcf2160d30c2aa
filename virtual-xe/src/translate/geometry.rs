//! Lengths, distances and cross products of the OpenCL.std set.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::operations;
use rspirv::dr::Instruction;
use rspirv::spirv::{Op, OpenclStd100Op as CLOp};

impl<const S: usize> Translator<'_, S> {
    /// Functions of vectors as a whole.
    pub(super) fn geometry(&mut self, inst: &Instruction, op: CLOp, ids: &[u32]) -> Result<bool, Error> {
        let (Some(id), Some(&first)) = (inst.result_id, ids.first()) else { return Ok(false) };
        let scalar = match op {
            CLOp::length
            | CLOp::fast_length
            | CLOp::distance
            | CLOp::fast_distance
            | CLOp::normalize
            | CLOp::fast_normalize
            | CLOp::cross => self.scalar_of(first)?,
            _ => return Ok(false),
        };
        let (Some(subtract), Some(multiply), Some(divide), Some(root)) = (
            operations::float::<S>(Op::FSub, scalar),
            operations::float::<S>(Op::FMul, scalar),
            operations::float::<S>(Op::FDiv, scalar),
            operations::math::<S>(CLOp::hypot, scalar),
        ) else {
            return Ok(false);
        };
        let mut rows = self.rows(first)?.to_vec();
        match (op, ids) {
            (CLOp::cross, &[a, b]) => {
                let (&[ax, ay, az, ..], &[bx, by, bz, ..]) = (&*self.rows(a)?, &*self.rows(b)?) else {
                    return Ok(false);
                };
                let mut result = Vec::new();
                for [a, b, c, d] in [[ay, bz, az, by], [az, bx, ax, bz], [ax, by, ay, bx]] {
                    let products =
                        [self.compute(scalar, multiply, &[a, b])?, self.compute(scalar, multiply, &[c, d])?];
                    result.push(self.compute(scalar, subtract, &products)?);
                }
                if rows.len() == 4 {
                    result.push(self.constant(scalar, 0)?);
                }
                self.define(id, result);
                return Ok(true);
            }
            (CLOp::distance | CLOp::fast_distance, &[_, b]) => {
                for (row, &b) in rows.iter_mut().zip(self.rows(b)?.iter()) {
                    *row = self.compute(scalar, subtract, &[*row, b])?;
                }
            }
            _ => {}
        }
        // A root of a sum of squares that neither overflows nor loses small numbers on the way.
        let mut length = self.constant(scalar, 0)?;
        for &row in &rows {
            length = self.compute(scalar, root, &[length, row])?;
        }
        if !matches!(op, CLOp::normalize | CLOp::fast_normalize) {
            self.define(id, [length]);
            return Ok(true);
        }
        // The vector without length stays what it is.
        let (zero, one) = (self.constant(scalar, 0)?, self.constant(scalar, one(scalar))?);
        let Some(equal) = operations::compare(Op::FOrdEqual, scalar) else { return Ok(false) };
        let is_zero = self.compute(Scalar::Bool, equal, &[length, zero])?;
        let by = self.compute(scalar, operations::select(scalar.bytes()), &[is_zero, one, length])?;
        let mut result = Vec::new();
        for &row in &rows {
            result.push(self.compute(scalar, divide, &[row, by])?);
        }
        self.define(id, result);
        Ok(true)
    }
}

/// The bits of one.
fn one(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::F16 => 0x3c00,
        Scalar::Bf16 => 0x3f80,
        Scalar::F32 => 0x3f80_0000,
        _ => 0x3ff0 << 48,
    }
}
