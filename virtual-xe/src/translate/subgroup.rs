//! Votes, shuffles and block accesses of a subgroup.

use super::Translator;
use crate::Error;
use crate::layout::{Part, Scalar};
use crate::operations::{self, Combine, Reach};
use crate::program::{BlockAccess, Input, Step};
use crate::rows::{Args, Compute};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Scope, StorageClass};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn subgroup(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let operands = inst.operands.as_slice();
        match (inst.class.opcode, operands) {
            (
                Op::GroupAll | Op::GroupAny | Op::GroupNonUniformAll | Op::GroupNonUniformAny,
                [Operand::IdScope(scope), Operand::IdRef(value)],
            ) => {
                let all = matches!(inst.class.opcode, Op::GroupAll | Op::GroupNonUniformAll);
                let how = if all { Combine::And } else { Combine::Or };
                if matches!(inst.class.opcode, Op::GroupAll | Op::GroupAny) {
                    self.emit(Step::Converged)?;
                    if self.scope(*scope)? == Scope::Workgroup {
                        let row = self.workgroup_vote(*value, how)?;
                        self.define(inst.result_id.unwrap_or(0), [row]);
                        return Ok(true);
                    }
                }
                self.subgroup_only(*scope)?;
                let a = self.scalar(*value)?;
                let row = self.reduce(a, how, Scalar::Bool)?;
                self.define(inst.result_id.unwrap_or(0), [row]);
                Ok(true)
            }
            (Op::GroupNonUniformElect, [Operand::IdScope(scope)]) => {
                self.subgroup_only(*scope)?;
                let lane = self.lane()?;
                let first = self.reduce(lane, Combine::UnsignedLeast, Scalar::I32)?;
                let Some(equal) = operations::compare(Op::IEqual, Scalar::I32) else { return Ok(false) };
                let row = self.compute(Scalar::Bool, equal, &[lane, first])?;
                self.define(inst.result_id.unwrap_or(0), [row]);
                Ok(true)
            }
            (Op::GroupNonUniformBroadcastFirst, [Operand::IdScope(scope), Operand::IdRef(value)]) => {
                self.subgroup_only(*scope)?;
                let lane = self.lane()?;
                let first = self.reduce(lane, Combine::UnsignedLeast, Scalar::I32)?;
                self.shuffle_by(inst, *value, first)
            }
            (Op::SubgroupShuffleINTEL, [Operand::IdRef(value), Operand::IdRef(lane)]) => {
                self.emit(Step::Converged)?;
                let lane = self.lane_index(*lane)?;
                self.shuffle_by(inst, *value, lane)
            }
            (Op::SubgroupShuffleXorINTEL, [Operand::IdRef(value), Operand::IdRef(other)]) => {
                self.emit(Step::Converged)?;
                self.shuffle_from(inst, *value, *other, Op::BitwiseXor)
            }
            (
                Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL,
                [Operand::IdRef(first), Operand::IdRef(second), Operand::IdRef(by)],
            ) => {
                self.emit(Step::Converged)?;
                self.shuffle_across(inst, *first, *second, *by)
            }
            (
                Op::GroupNonUniformShuffle
                | Op::GroupNonUniformShuffleXor
                | Op::GroupNonUniformShuffleUp
                | Op::GroupNonUniformShuffleDown,
                [Operand::IdScope(scope), Operand::IdRef(value), Operand::IdRef(by), ..],
            ) => {
                self.subgroup_only(*scope)?;
                match inst.class.opcode {
                    Op::GroupNonUniformShuffleXor => self.shuffle_from(inst, *value, *by, Op::BitwiseXor),
                    Op::GroupNonUniformShuffleUp => self.shuffle_from(inst, *value, *by, Op::ISub),
                    Op::GroupNonUniformShuffleDown => self.shuffle_from(inst, *value, *by, Op::IAdd),
                    _ => {
                        let lane = self.lane_index(*by)?;
                        self.shuffle_by(inst, *value, lane)
                    }
                }
            }
            (Op::SubgroupBlockReadINTEL, [Operand::IdRef(pointer)]) => {
                let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else { return Ok(false) };
                let scalar = self.source.types.scalar(ty)?;
                let count = self.scalars(ty)?.len();
                let rows = (0..count).map(|_| self.row(scalar)).collect::<Result<Vec<u32>, Error>>()?;
                self.block(*pointer, rows.clone(), scalar, false)?;
                self.define(id, rows);
                Ok(true)
            }
            (Op::SubgroupBlockWriteINTEL, [Operand::IdRef(pointer), Operand::IdRef(value)]) => {
                let (rows, scalar) = (self.rows(*value)?.to_vec(), self.scalar_of(*value)?);
                self.block(*pointer, rows, scalar, true)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Reads must be aligned to four bytes, writes and all accesses to local memory to sixteen
    /// (cl_intel_subgroups and its extensions).
    fn block(&mut self, pointer: u32, rows: Vec<u32>, scalar: Scalar, is_store: bool) -> Result<(), Error> {
        let class = self.class_of(pointer)?;
        let alignment = if is_store || class == StorageClass::Workgroup { 16 } else { 4 };
        self.emit(Step::Converged)?;
        let pointer = self.pointer(pointer)?;
        let parts = vec![(Part { scalar, offset: 0 }, rows.first().copied().unwrap_or(0))];
        let pointer = self.access(pointer, parts, alignment);
        self.emit(Step::Block(Box::new(BlockAccess { pointer, rows, scalar, is_store })))
    }

    fn reduce(&mut self, a: u32, how: Combine, scalar: Scalar) -> Result<u32, Error> {
        let dst = self.row(scalar)?;
        let args = Args { dst, a, ..Args::default() };
        self.emit(Step::Combine { args, how, reach: Reach::Reduce, scalar })?;
        Ok(dst)
    }

    /// The row of the lanes' numbers.
    fn lane(&mut self) -> Result<u32, Error> {
        let wide = self.row(Scalar::I64)?;
        self.program.inputs.push((Input::Lane, wide));
        let narrow: Compute<S> = |rows, x| rows.unary(x, |lane: u64| lane as u32);
        self.compute(Scalar::I32, narrow, &[wide])
    }

    /// Each lane takes the value of the lane whose number a row holds.
    fn shuffle_by(&mut self, inst: &Instruction, value: u32, lane: u32) -> Result<bool, Error> {
        let scalar = self.scalar_of(value)?;
        let run = operations::shuffle(scalar.bytes());
        self.each(inst, &[value], |this, rows| {
            let value = rows.first().copied().unwrap_or(0);
            this.compute(scalar, run, &[value, lane])
        })
    }

    /// Each lane takes the value of the lane that its own number and an operand give.
    fn shuffle_from(&mut self, inst: &Instruction, value: u32, by: u32, op: Op) -> Result<bool, Error> {
        let Some(run) = operations::integer(op, Scalar::I32) else { return Ok(false) };
        let (lane, by) = (self.lane()?, self.lane_index(by)?);
        let from = self.compute(Scalar::I32, run, &[lane, by])?;
        self.shuffle_by(inst, value, from)
    }

    /// Each lane takes a value from two rows that follow each other: going down, lane + n of the first and then
    /// the second; going up, lane − n of the second and before it the first (SPV_INTEL_subgroups).
    fn shuffle_across(
        &mut self,
        inst: &Instruction,
        first: u32,
        second: u32,
        by: u32,
    ) -> Result<bool, Error> {
        let is_down = inst.class.opcode == Op::SubgroupShuffleDownINTEL;
        let op = if is_down { Op::IAdd } else { Op::ISub };
        let scalar = self.scalar_of(first)?;
        let size = self.constant(Scalar::I32, S as u64)?;
        let (Some(offset), Some(less), Some(wrap)) = (
            operations::integer::<S>(op, Scalar::I32),
            operations::compare::<S>(if is_down { Op::ULessThan } else { Op::SLessThan }, Scalar::I32),
            operations::integer::<S>(Op::UMod, Scalar::I32),
        ) else {
            return Ok(false);
        };
        let (lane, by) = (self.lane()?, self.lane_index(by)?);
        let from = self.compute(Scalar::I32, offset, &[lane, by])?;
        let zero = self.constant(Scalar::I32, 0)?;
        let in_first = self.compute(Scalar::Bool, less, &[from, if is_down { size } else { zero }])?;
        let from = self.compute(Scalar::I32, wrap, &[from, size])?;
        let (shuffle, select) = (operations::shuffle(scalar.bytes()), operations::select(scalar.bytes()));
        self.each(inst, &[first, second], |this, rows| {
            let &[first, second] = rows else { return Ok(0) };
            let of_first = this.compute(scalar, shuffle, &[first, from])?;
            let of_second = this.compute(scalar, shuffle, &[second, from])?;
            this.compute(scalar, select, &[in_first, of_first, of_second])
        })
    }
}
