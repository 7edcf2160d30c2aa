//! Pointers, loads and stores.

use super::{Translator, Value};
use crate::layout::{Kind, Part, Scalar};
use crate::operations;
use crate::program::{Access, Copy, Step};
use crate::rows::Compute;
use crate::{Defect, Error};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{MemoryAccess, Op, StorageClass};
use std::rc::Rc;

/// The row of a pointer, and whether it is one into constant memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub row: u32,
    pub is_read_only: bool,
}

impl<const S: usize> Translator<'_, S> {
    pub(super) fn memory(&mut self, inst: &Instruction) -> Result<bool, Error> {
        match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::Load, [Operand::IdRef(pointer), access @ ..]) => self.load(inst, *pointer, access)?,
            (Op::Store, [Operand::IdRef(pointer), Operand::IdRef(value), access @ ..]) => {
                let pointee = self.type_of(*value)?;
                let (parts, rows) = (self.source.types.parts(pointee)?, self.rows(*value)?);
                let alignment = self.alignment(access, pointee)?;
                let pointer = self.pointer(*pointer)?;
                self.store_rows(pointer, &parts, &rows, alignment)?;
            }
            (
                Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain,
                [Operand::IdRef(base), indices @ ..],
            ) => {
                let has_element =
                    matches!(inst.class.opcode, Op::PtrAccessChain | Op::InBoundsPtrAccessChain);
                self.chain(inst, *base, indices, has_element)?;
            }
            (Op::CopyMemory | Op::CopyMemorySized, [Operand::IdRef(to), Operand::IdRef(from), rest @ ..]) => {
                self.copy(inst, *to, *from, rest)?
            }
            (Op::PtrDiff, [Operand::IdRef(first), Operand::IdRef(second)]) => {
                self.difference(inst, *first, *second)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Copies bytes; the memory operands of the target may be followed by those of the source.
    fn copy(&mut self, inst: &Instruction, to: u32, from: u32, rest: &[Operand]) -> Result<(), Error> {
        let pointee = self.pointee_of(to)?;
        let (size, access) = match (inst.class.opcode, rest) {
            (Op::CopyMemorySized, [Operand::IdRef(size), access @ ..]) => (self.number(*size)?, access),
            (_, access) => (self.source.types.size(pointee)?, access),
        };
        let alignment = match access {
            [] if inst.class.opcode == Op::CopyMemorySized => 1,
            _ => self.alignment(access, pointee)?,
        };
        let mut place = |id| {
            let pointer = self.pointer(id)?;
            let part = (Part { scalar: Scalar::I8, offset: 0 }, 0);
            Ok::<Access, Error>(self.access(pointer, vec![part], alignment))
        };
        let (from, to) = (place(from)?, place(to)?);
        self.emit(Step::Copy(Box::new(Copy { from, to, size })))
    }

    /// Number of elements between two pointers.
    fn difference(&mut self, inst: &Instruction, first: u32, second: u32) -> Result<(), Error> {
        let size = self.source.types.size(self.pointee_of(first)?)?;
        let subtract: Compute<S> = |rows, x| {
            let size = i64::try_from(x.immediate).unwrap_or(1).max(1);
            rows.binary(x, |a: u64, b: u64| (a.wrapping_sub(b) as i64).checked_div(size).unwrap_or(0) as u64);
        };
        let operands = [self.scalar(first)?, self.scalar(second)?];
        let row = self.compute_with(Scalar::I64, subtract, &operands, size)?;
        let result = self.scalar_type(inst.result_type.unwrap_or(0))?;
        let row = match operations::resize(Scalar::I64, result, true) {
            Some(run) if result != Scalar::I64 => self.compute(result, run, &[row])?,
            _ => row,
        };
        self.define(inst.result_id.unwrap_or(0), [row]);
        Ok(())
    }

    /// Alignment that the memory operands promise, or else the natural one.
    pub(super) fn alignment(&self, access: &[Operand], pointee: u32) -> Result<u64, Error> {
        match access {
            [Operand::MemoryAccess(flags), Operand::LiteralBit32(bytes), ..]
                if flags.contains(MemoryAccess::ALIGNED) =>
            {
                Ok(u64::from(*bytes).checked_next_power_of_two().unwrap_or(1).max(1))
            }
            _ => self.source.types.alignment(pointee),
        }
    }

    fn load(&mut self, inst: &Instruction, pointer: u32, access: &[Operand]) -> Result<(), Error> {
        let (Some(id), Some(ty)) = (inst.result_id, inst.result_type) else {
            return Err(self.unsupported(inst));
        };
        let parts = self.source.types.parts(ty)?;
        if let Some(Value::Input(whole, base)) = self.values.get(&pointer) {
            let rows = parts.iter().map(|part| {
                let offset = base.wrapping_add(part.offset);
                let found = whole.iter().find(|(of, _)| of.offset == offset && of.scalar == part.scalar);
                found.map(|&(_, row)| row)
            });
            let rows: Option<Rc<[u32]>> = rows.collect();
            let rows = rows.ok_or(Error::Unsupported("built-in variables read as other types"))?;
            self.define(id, rows);
            return Ok(());
        }
        let alignment = self.alignment(access, ty)?;
        let pointer = self.pointer(pointer)?;
        let rows = self.load_rows(pointer, &parts, alignment)?;
        self.define(id, rows);
        Ok(())
    }

    /// Emits a load of numbers.
    pub(super) fn load_rows(
        &mut self,
        pointer: Pointer,
        parts: &[Part],
        alignment: u64,
    ) -> Result<Rc<[u32]>, Error> {
        let mut placed = Vec::new();
        for &part in parts {
            placed.push((part, self.row(part.scalar)?));
        }
        let rows = placed.iter().map(|&(_, row)| row).collect();
        let access = self.access(pointer, placed, alignment);
        self.emit(Step::Load(Box::new(access)))?;
        Ok(rows)
    }

    /// Emits a store of numbers.
    pub(super) fn store_rows(
        &mut self,
        pointer: Pointer,
        parts: &[Part],
        rows: &[u32],
        alignment: u64,
    ) -> Result<(), Error> {
        let placed = parts.iter().copied().zip(rows.iter().copied()).collect();
        let access = self.access(pointer, placed, alignment);
        self.emit(Step::Store(Box::new(access)))
    }

    pub(super) fn access(&mut self, pointer: Pointer, parts: Vec<(Part, u32)>, alignment: u64) -> Access {
        let place = self.program.accesses;
        self.program.accesses = place.saturating_add(1);
        let Pointer { row, is_read_only } = pointer;
        Access { pointer: row, parts, alignment, is_read_only, place }
    }

    /// A pointer as accesses take it.
    pub(super) fn pointer(&self, id: u32) -> Result<Pointer, Error> {
        let is_read_only = matches!(self.class_of(id), Ok(StorageClass::UniformConstant));
        Ok(Pointer { row: self.scalar(id)?, is_read_only })
    }

    /// Follows indices from a pointer.
    fn chain(
        &mut self,
        inst: &Instruction,
        base: u32,
        indices: &[Operand],
        has_element: bool,
    ) -> Result<(), Error> {
        let Some(id) = inst.result_id else { return Err(self.unsupported(inst)) };
        let mut ty = self.pointee_of(base)?;
        let mut offset = 0u64;
        let mut terms: Vec<(u32, u64)> = Vec::new();
        for (place, index) in indices.iter().enumerate() {
            let Operand::IdRef(index) = index else { return Err(self.unsupported(inst)) };
            let known = self.signed_number(*index)?;
            if let Kind::Struct { .. } = self.source.types.kind(ty)?
                && !(has_element && place == 0)
            {
                let member = known.ok_or(Error::Id { id: *index, expected: "constant" })?;
                offset = offset.wrapping_add(self.source.types.member_offset(ty, member)?);
                ty = self.source.types.inner(ty, member)?;
                continue;
            }
            if !(has_element && place == 0) {
                ty = self.source.types.inner(ty, 0)?;
            }
            let stride = self.source.types.size(ty)?;
            match known {
                Some(known) => offset = offset.wrapping_add(known.wrapping_mul(stride)),
                None => terms.push((*index, stride)),
            }
        }
        if let Some(Value::Input(whole, start)) = self.values.get(&base) {
            if !terms.is_empty() {
                return Err(Error::Unsupported("variable indices into built-in variables"));
            }
            let value = Value::Input(whole.clone(), start.wrapping_add(offset));
            self.values.insert(id, value);
            return Ok(());
        }
        let mut pointer = self.scalar(base)?;
        for (index, stride) in terms {
            let add: Compute<S> = match self.scalar_of(index)? {
                Scalar::I8 => |rows, x| rows.binary(x, |a: u64, i: i8| step(a, i.into(), x.immediate)),
                Scalar::I16 => |rows, x| rows.binary(x, |a: u64, i: i16| step(a, i.into(), x.immediate)),
                Scalar::I32 => |rows, x| rows.binary(x, |a: u64, i: i32| step(a, i.into(), x.immediate)),
                Scalar::I64 if self.source.device.defect() == Some(Defect::Offsets32) => |rows, x| {
                    rows.binary(x, |a: u64, i: i64| step(a, step(0, i, x.immediate) as i32 as i64, 1))
                },
                Scalar::I64 => |rows, x| rows.binary(x, |a: u64, i: i64| step(a, i, x.immediate)),
                _ => return Err(Error::Id { id: index, expected: "integer index" }),
            };
            let index = self.scalar(index)?;
            pointer = self.compute_with(Scalar::I64, add, &[pointer, index], stride)?;
        }
        if offset != 0 {
            pointer = match self.known.get(&pointer) {
                Some(&known) => self.constant(Scalar::I64, known.wrapping_add(offset))?,
                None => {
                    let add: Compute<S> = |rows, x| rows.unary(x, |a: u64| a.wrapping_add(x.immediate));
                    self.compute_with(Scalar::I64, add, &[pointer], offset)?
                }
            };
        }
        self.define(id, [pointer]);
        Ok(())
    }

    /// A constant index, extended by its sign.
    fn signed_number(&self, id: u32) -> Result<Option<u64>, Error> {
        let row = self.scalar(id)?;
        let unused = self.scalar_of(id)?.unused_bits();
        Ok(self.known.get(&row).map(|&bits| (bits.wrapping_shl(unused) as i64).wrapping_shr(unused) as u64))
    }
}

/// The address so many elements on.
#[inline(always)]
fn step(address: u64, index: i64, stride: u64) -> u64 {
    address.wrapping_add((index as u64).wrapping_mul(stride))
}
