//! Instructions, family by family.

use super::{Translator, Value};
use crate::Error;
use crate::layout::{Kind, Scalar};
use crate::operations;
use crate::program::Step;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::Op;
use std::rc::Rc;

impl<const S: usize> Translator<'_, S> {
    /// Translates an instruction that does not end its block.
    pub(super) fn instruction(&mut self, inst: &Instruction) -> Result<(), Error> {
        match inst.class.opcode {
            // Phis have been defined with their block; the others say nothing that execution needs.
            Op::Phi
            | Op::Nop
            | Op::Line
            | Op::NoLine
            | Op::LoopMerge
            | Op::SelectionMerge
            | Op::LifetimeStart
            | Op::LifetimeStop
            | Op::AssumeTrueKHR => return Ok(()),
            Op::SubgroupBlockPrefetchINTEL => return self.emit(Step::Prefetch),
            Op::Variable => return self.private_variable(inst.result_id.unwrap_or(0), inst),
            Op::FunctionCall => return self.call(inst),
            Op::ExtInst => return self.extended(inst),
            _ => {}
        }
        let done = self.composite(inst)?
            || self.arithmetic(inst)?
            || self.memory(inst)?
            || self.asynchronous(inst)?
            || self.group(inst)?
            || self.subgroup(inst)?
            || self.atomic(inst)?
            || self.generic(inst)?
            || self.surface(inst)?
            || self.engine(inst)?
            || self.cooperative(inst)?;
        if done { Ok(()) } else { Err(self.unsupported(inst)) }
    }

    /// Translates instructions that only regroup numbers.
    fn composite(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else { return Ok(false) };
        let operands = inst.operands.as_slice();
        let rows: Rc<[u32]> = match (inst.class.opcode, operands) {
            (Op::CopyObject | Op::CopyLogical | Op::ExpectKHR, [Operand::IdRef(value), ..]) => {
                let value = self.values.get(value).cloned();
                let value = value.ok_or(Error::Id { id, expected: "copy of a value" })?;
                self.values.insert(id, value);
                return Ok(true);
            }
            (Op::Undef, _) => self.zeros(ty)?,
            (Op::CompositeConstruct, members) => {
                let mut rows = Vec::new();
                for member in members.iter().filter_map(Operand::id_ref_any) {
                    rows.extend_from_slice(&self.rows(member)?);
                }
                self.spread(ty, rows)?
            }
            (Op::CompositeExtract, [Operand::IdRef(whole), path @ ..]) => {
                let (start, end) = self.part(self.type_of(*whole)?, path)?;
                let whole = self.rows(*whole)?;
                whole.get(start..end).ok_or(Error::Id { id, expected: "part of a composite" })?.into()
            }
            (Op::CompositeInsert, [Operand::IdRef(part), Operand::IdRef(whole), path @ ..]) => {
                let (start, end) = self.part(self.type_of(*whole)?, path)?;
                let mut rows = self.rows(*whole)?.to_vec();
                let part = self.rows(*part)?;
                let place = rows.get_mut(start..end).filter(|place| place.len() == part.len());
                place.ok_or(Error::Id { id, expected: "part of a composite" })?.copy_from_slice(&part);
                rows.into()
            }
            (Op::VectorShuffle, [Operand::IdRef(first), Operand::IdRef(second), components @ ..]) => {
                let both = [self.rows(*first)?, self.rows(*second)?].concat();
                let zero = self.zeros(ty)?;
                let pick = |component: &Operand| match component {
                    // No component is meant by all ones; any will do.
                    Operand::LiteralBit32(u32::MAX) => zero.first().copied(),
                    Operand::LiteralBit32(place) => both.get(*place as usize).copied(),
                    _ => None,
                };
                let rows: Option<Rc<[u32]>> = components.iter().map(pick).collect();
                rows.ok_or(Error::Id { id, expected: "shuffle of components that are there" })?
            }
            (Op::VectorExtractDynamic, [Operand::IdRef(vector), Operand::IdRef(index)]) => {
                let rows = self.rows(*vector)?;
                [self.pick(&rows, *index, self.source.types.scalar(ty)?)?].into()
            }
            (
                Op::VectorInsertDynamic,
                [Operand::IdRef(vector), Operand::IdRef(component), Operand::IdRef(index)],
            ) => {
                let (rows, component) = (self.rows(*vector)?, self.scalar(*component)?);
                let scalar = self.source.types.scalar(ty)?;
                let select = operations::select(scalar.bytes());
                let mut result = Vec::new();
                for (place, &row) in (0..).zip(rows.iter()) {
                    let here = self.is_index(*index, place)?;
                    result.push(self.compute(scalar, select, &[here, component, row])?);
                }
                result.into()
            }
            _ => return Ok(false),
        };
        self.define(id, rows);
        Ok(true)
    }

    /// The component that an index chooses.
    fn pick(&mut self, rows: &[u32], index: u32, scalar: Scalar) -> Result<u32, Error> {
        let select = operations::select(scalar.bytes());
        let mut picked = rows.first().copied().ok_or(Error::Id { id: index, expected: "index" })?;
        for (place, &row) in (0..).zip(rows).skip(1) {
            let here = self.is_index(index, place)?;
            picked = self.compute(scalar, select, &[here, row, picked])?;
        }
        Ok(picked)
    }

    fn is_index(&mut self, index: u32, place: u64) -> Result<u32, Error> {
        let scalar = self.scalar_of(index)?;
        let (row, place) = (self.scalar(index)?, self.constant(scalar, place)?);
        let equal = operations::compare(Op::IEqual, scalar);
        let equal = equal.ok_or(Error::Id { id: index, expected: "integer index" })?;
        self.compute(Scalar::Bool, equal, &[row, place])
    }

    /// The range of numbers that a path of literals leads to.
    fn part(&self, mut ty: u32, path: &[Operand]) -> Result<(usize, usize), Error> {
        let count = |ty| Ok::<usize, Error>(self.scalars(ty)?.len());
        let mut start = 0;
        for index in path {
            let Operand::LiteralBit32(index) = index else {
                return Err(Error::Id { id: ty, expected: "composite with literal indices" });
            };
            let inner = self.source.types.inner(ty, u64::from(*index))?;
            let before = match self.source.types.kind(ty)? {
                Kind::Struct { members, .. } => {
                    let mut before = members.iter().take(*index as usize);
                    before
                        .try_fold(0usize, |sum, &member| Ok::<_, Error>(sum.saturating_add(count(member)?)))?
                }
                _ => count(inner)?.saturating_mul(*index as usize),
            };
            start = before.saturating_add(start);
            ty = inner;
        }
        Ok((start, start.saturating_add(count(ty)?)))
    }

    /// Defines the result of an instruction number by number.
    pub(super) fn each(
        &mut self,
        inst: &Instruction,
        operands: &[u32],
        mut component: impl FnMut(&mut Self, &[u32]) -> Result<u32, Error>,
    ) -> Result<bool, Error> {
        let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else { return Ok(false) };
        let count = self.scalars(ty)?.len();
        let values = operands.iter().map(|&id| self.rows(id)).collect::<Result<Vec<_>, Error>>()?;
        let mut rows = Vec::with_capacity(count);
        for place in 0..count {
            let numbers = values.iter().map(|rows| match **rows {
                // A scalar goes with every component.
                [row] => Some(row),
                _ => rows.get(place).copied(),
            });
            let numbers: Option<Vec<u32>> = numbers.collect();
            let numbers = numbers.ok_or(Error::Id { id, expected: "result of as many components" })?;
            rows.push(component(self, &numbers)?);
        }
        self.define(id, rows);
        Ok(true)
    }

    /// The ids among the operands.
    pub(super) fn ids(inst: &Instruction) -> Vec<u32> {
        inst.operands.iter().filter_map(Operand::id_ref_any).collect()
    }

    /// Replaces the value of an id by one of the same kind.
    pub(super) fn alias(&mut self, id: u32, other: u32) -> Result<(), Error> {
        let value: Option<Value> = self.values.get(&other).cloned();
        let value = value.ok_or(Error::Id { id: other, expected: "value" })?;
        self.values.insert(id, value);
        Ok(())
    }
}
