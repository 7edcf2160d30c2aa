//! Instructions that work-items execute together.

use super::Translator;
use crate::layout::Scalar;
use crate::operations::{self, Combine, Reach};
use crate::program::{Barrier, BarrierKind, Step};
use crate::rows::Args;
use crate::{Defect, Error};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{MemorySemantics, Op, Scope};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn group(&mut self, inst: &Instruction) -> Result<bool, Error> {
        let operands = inst.operands.as_slice();
        match (inst.class.opcode, operands) {
            (
                Op::ControlBarrier,
                [Operand::IdScope(execution), Operand::IdScope(_), Operand::IdMemorySemantics(semantics)],
            ) => {
                let kind = match self.scope(*execution)? {
                    Scope::Workgroup => BarrierKind::Group,
                    Scope::Subgroup => BarrierKind::Subgroup,
                    _ => return Err(Error::Unsupported("barriers of this scope")),
                };
                self.barrier(kind, *semantics)?;
                Ok(true)
            }
            (
                Op::ControlBarrierArriveINTEL | Op::ControlBarrierWaitINTEL,
                [Operand::IdScope(_), Operand::IdScope(_), Operand::IdMemorySemantics(semantics)],
            ) => {
                let is_arrival = inst.class.opcode == Op::ControlBarrierArriveINTEL;
                let kind = if is_arrival { BarrierKind::Arrive } else { BarrierKind::Wait };
                self.barrier(kind, *semantics)?;
                Ok(true)
            }
            // Lanes execute in order, so that only the checks have to know.
            (Op::MemoryBarrier, [Operand::IdScope(_), Operand::IdMemorySemantics(semantics)]) => {
                if acquires(self.semantics(*semantics)?) {
                    let kind = BarrierKind::Memory;
                    self.emit(Step::Barrier(Barrier { kind, global: false, local: false }))?;
                }
                Ok(true)
            }
            (
                Op::GroupBroadcast | Op::GroupNonUniformBroadcast,
                [Operand::IdScope(scope), Operand::IdRef(value), Operand::IdRef(lane)],
            ) => {
                if inst.class.opcode == Op::GroupBroadcast {
                    self.emit(Step::Converged)?;
                    if self.scope(*scope)? == Scope::Workgroup {
                        return self.workgroup_broadcast(inst, *value, *lane);
                    }
                }
                self.subgroup_only(*scope)?;
                self.broadcast(inst, *value, *lane)
            }
            (
                opcode,
                [
                    Operand::IdScope(scope),
                    Operand::GroupOperation(operation),
                    Operand::IdRef(value),
                    rest @ ..,
                ],
            ) if Combine::of(opcode).is_some() => {
                let Some(how) = Combine::of(opcode) else { return Ok(false) };
                let cluster = match rest.first().and_then(Operand::id_ref_any) {
                    Some(size) => Some(u32::try_from(self.number(size)?).unwrap_or(u32::MAX)),
                    None => None,
                };
                let Some(reach) = Reach::of(*operation, cluster) else { return Ok(false) };
                if !format!("{opcode:?}").contains("NonUniform") {
                    self.emit(Step::Converged)?;
                    if self.scope(*scope)? == Scope::Workgroup {
                        return self.workgroup_combine(inst, *value, how, reach);
                    }
                }
                self.subgroup_only(*scope)?;
                let scalar = self.scalar_of(*value)?;
                self.each(inst, &[*value], |this, rows| {
                    let dst = this.row(scalar)?;
                    let args = Args { dst, a: rows.first().copied().unwrap_or(0), ..Args::default() };
                    this.emit(Step::Combine { args, how, reach, scalar })?;
                    Ok(dst)
                })
            }
            _ => Ok(false),
        }
    }

    fn barrier(&mut self, kind: BarrierKind, semantics: u32) -> Result<(), Error> {
        let semantics = self.semantics(semantics)?;
        let global = semantics.contains(MemorySemantics::CROSS_WORKGROUP_MEMORY);
        let local = semantics.contains(MemorySemantics::WORKGROUP_MEMORY);
        self.program.has_barrier |= kind != BarrierKind::Subgroup;
        self.emit(Step::Converged)?;
        self.emit(Step::Barrier(Barrier { kind, global, local }))
    }

    pub(super) fn semantics(&self, id: u32) -> Result<MemorySemantics, Error> {
        Ok(MemorySemantics::from_bits_truncate(self.number(id)? as u32))
    }

    pub(super) fn scope(&self, id: u32) -> Result<Scope, Error> {
        let number = u32::try_from(self.number(id)?).unwrap_or(u32::MAX);
        Scope::from_u32(number).ok_or(Error::Id { id, expected: "scope" })
    }

    pub(super) fn subgroup_only(&self, scope: u32) -> Result<(), Error> {
        match self.scope(scope)? {
            Scope::Subgroup => Ok(()),
            _ => Err(Error::Unsupported("group operations beyond the subgroup")),
        }
    }

    fn broadcast(&mut self, inst: &Instruction, value: u32, lane: u32) -> Result<bool, Error> {
        let scalar = self.scalar_of(value)?;
        let row = self.scalar(lane)?;
        if let Some(&lane) = self.known.get(&row) {
            let is_next = self.source.device.defect() == Some(Defect::BroadcastFromNext);
            let lane = if is_next { lane ^ 1 } else { lane };
            let run = operations::broadcast(scalar.bytes());
            return self.each(inst, &[value], |this, rows| this.compute_with(scalar, run, rows, lane));
        }
        let lane = self.lane_index(lane)?;
        let run = operations::shuffle(scalar.bytes());
        self.each(inst, &[value], |this, rows| {
            let value = rows.first().copied().unwrap_or(0);
            this.compute(scalar, run, &[value, lane])
        })
    }

    /// The number of a lane as i32.
    pub(super) fn lane_index(&mut self, id: u32) -> Result<u32, Error> {
        let (row, scalar) = (self.scalar(id)?, self.scalar_of(id)?);
        match operations::resize(scalar, Scalar::I32, false) {
            _ if scalar == Scalar::I32 => Ok(row),
            Some(run) => self.compute(Scalar::I32, run, &[row]),
            None => Err(Error::Id { id, expected: "integer" }),
        }
    }
}

/// Returns whether what others did before is seen from now on.
pub(super) fn acquires(semantics: MemorySemantics) -> bool {
    semantics.intersects(
        MemorySemantics::ACQUIRE
            | MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::SEQUENTIALLY_CONSISTENT,
    )
}
