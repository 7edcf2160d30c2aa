//! Constants and variables of the module.

use super::memory::Pointer;
use super::{Translator, Value};
use crate::Error;
use crate::kernel::used_ids;
use crate::layout::{Kind, MAX_PARTS, Scalar, TOO_MANY_PARTS};
use crate::program::{LOCAL_BASE, PRIVATE_BASE};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::rc::Rc;

impl<const S: usize> Translator<'_, S> {
    /// Defines what the module defines outside of functions.
    pub(super) fn globals(&mut self, entry: u32) -> Result<(), Error> {
        let mut used = used_ids(self.source.module, entry)?;
        // What constants and initial values are made of stands before them.
        for inst in self.source.module.types_global_values.iter().rev() {
            let Some(id) = inst.result_id.filter(|id| used.contains(id)) else { continue };
            used.extend(Self::ids(inst));
            used.extend(self.source.extras.operations.get(&id).into_iter().flat_map(|(_, ids)| ids));
        }
        for inst in &self.source.module.types_global_values {
            let Some(id) = inst.result_id else { continue };
            let is_used = used.contains(&id);
            if inst.class.opcode == Op::Variable {
                if is_used {
                    self.global_variable(id, inst)?;
                }
            } else if inst.result_type.is_some() {
                match self.constant_value(id, inst) {
                    // Another kernel's, made from a variable that this one does not have.
                    Err(Error::Id { .. }) if !is_used => {}
                    done => done?,
                }
            }
        }
        Ok(())
    }

    fn constant_value(&mut self, id: u32, inst: &Instruction) -> Result<(), Error> {
        let ty = inst.result_type.unwrap_or(0);
        if let Some((operation, operands)) = self.source.extras.operations.get(&id) {
            return self.operation(id, ty, *operation, operands);
        }
        let rows: Rc<[u32]> = match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::ConstantTrue | Op::SpecConstantTrue, _) => [self.constant(Scalar::Bool, 1)?].into(),
            (Op::ConstantFalse | Op::SpecConstantFalse, _) => [self.constant(Scalar::Bool, 0)?].into(),
            (Op::Constant | Op::SpecConstant, [Operand::LiteralBit32(bits)]) => {
                [self.constant(self.source.types.scalar(ty)?, u64::from(*bits))?].into()
            }
            (Op::Constant | Op::SpecConstant, [Operand::LiteralBit64(bits)]) => {
                [self.constant(self.source.types.scalar(ty)?, *bits)?].into()
            }
            (Op::ConstantComposite | Op::SpecConstantComposite, members) => {
                let mut rows = Vec::new();
                for member in members.iter().filter_map(Operand::id_ref_any) {
                    rows.extend_from_slice(&self.rows(member)?);
                    if rows.len() > MAX_PARTS {
                        return Err(TOO_MANY_PARTS);
                    }
                }
                self.spread(ty, rows)?
            }
            (Op::ConstantNull | Op::Undef, _) => self.zeros(ty)?,
            _ => return Err(self.unsupported(inst)),
        };
        self.define(id, rows);
        Ok(())
    }

    /// Operations on constants are the instructions of their name.
    fn operation(&mut self, id: u32, ty: u32, operation: u32, operands: &[u32]) -> Result<(), Error> {
        let unknown = || Error::Instruction {
            name: format!("OpSpecConstantOp {operation}"),
            function: "the module".to_owned(),
        };
        let op = Op::from_u32(operation).ok_or_else(unknown)?;
        // The operands that are no ids.
        let literals = match op {
            Op::CompositeExtract => 1,
            Op::CompositeInsert | Op::VectorShuffle => 2,
            _ => operands.len(),
        };
        let operands = operands.iter().enumerate().map(|(place, &word)| {
            if place < literals { Operand::IdRef(word) } else { Operand::LiteralBit32(word) }
        });
        let inst = Instruction::new(op, Some(ty), Some(id), operands.collect());
        self.instruction(&inst)
    }

    /// Zeros of a type.
    pub(super) fn zeros(&mut self, ty: u32) -> Result<Rc<[u32]>, Error> {
        let scalars = self.scalars(ty)?;
        scalars.into_iter().map(|scalar| self.constant(scalar, 0)).collect()
    }

    /// What the numbers of a value of a type are; those of a matrix are what a lane holds of it.
    pub(super) fn scalars(&self, ty: u32) -> Result<Vec<Scalar>, Error> {
        Ok(self.source.types.parts(ty)?.into_iter().map(|part| part.scalar).collect())
    }

    /// Matrices are made from one number, other composites from all of theirs.
    pub(super) fn spread(&mut self, ty: u32, rows: Vec<u32>) -> Result<Rc<[u32]>, Error> {
        let count = self.scalars(ty)?.len();
        match (rows.as_slice(), self.source.types.kind(ty)?) {
            (&[row], Kind::Matrix { .. }) => return Ok(vec![row; count].into()),
            _ if rows.len() == count => return Ok(rows.into()),
            _ => {}
        }
        Err(Error::Id { id: ty, expected: "type with as many members" })
    }

    fn global_variable(&mut self, id: u32, inst: &Instruction) -> Result<(), Error> {
        let (Some(ty), Some(&Operand::StorageClass(class))) = (inst.result_type, inst.operands.first())
        else {
            return Err(self.unsupported(inst));
        };
        let Kind::Pointer(_, pointee) = *self.source.types.kind(ty)? else {
            return Err(Error::Id { id: ty, expected: "pointer type" });
        };
        match class {
            StorageClass::Input => {
                let value = self.input(id, pointee)?;
                self.values.insert(id, value);
            }
            StorageClass::Workgroup => {
                let (offset, end) = self.place(id, pointee, self.program.local_size)?;
                self.program.local_size = end;
                let row = self.constant(Scalar::I64, LOCAL_BASE | offset)?;
                self.define(id, [row]);
            }
            StorageClass::UniformConstant | StorageClass::CrossWorkgroup => {
                let initial = inst.operands.get(1).and_then(Operand::id_ref_any);
                self.module_variable(id, (class, pointee), initial)?;
            }
            _ => return Err(Error::Unsupported("variables of this storage class")),
        }
        Ok(())
    }

    /// Where a variable comes to lie behind what is there already, and where it ends.
    fn place(&self, id: u32, pointee: u32, size: u64) -> Result<(u64, u64), Error> {
        let natural = self.source.types.alignment(pointee)?;
        let wanted = decorated_alignment(self.source.decoration(id, Decoration::Alignment));
        let start = size.checked_next_multiple_of(natural.max(wanted));
        let end =
            start.zip(self.source.types.size(pointee).ok()).and_then(|(start, size)| start.checked_add(size));
        match start.zip(end) {
            Some((start, end)) if end < 1 << 32 => Ok((start, end)),
            _ => Err(Error::LocalMemory(self.program.name.clone())),
        }
    }

    /// Gives a variable its place in the memory of a work-item.
    pub(super) fn private_memory(&mut self, id: u32, pointee: u32) -> Result<u64, Error> {
        /// Bytes of a work-item at most. Every lane of a launch has its own.
        const MOST: u64 = 1 << 20;
        let (offset, end) = self.place(id, pointee, self.program.private_size)?;
        if end > MOST {
            return Err(Error::Unsupported("work-items with more than 1 MiB of private memory"));
        }
        self.program.private_size = end;
        Ok(offset)
    }

    /// A variable of a work-item.
    pub(super) fn private_variable(&mut self, id: u32, inst: &Instruction) -> Result<(), Error> {
        let pointee = self.source.types.kind(inst.result_type.unwrap_or(0))?;
        let Kind::Pointer(StorageClass::Function, pointee) = *pointee else {
            return Err(self.unsupported(inst));
        };
        let offset = self.private_memory(id, pointee)?;
        let row = self.constant(Scalar::I64, PRIVATE_BASE | offset)?;
        self.values.insert(id, Value::Rows([row].into()));
        if let Some(initial) = inst.operands.get(1).and_then(Operand::id_ref_any) {
            let (rows, parts) = (self.rows(initial)?, self.source.types.parts(pointee)?);
            let alignment = self.source.types.alignment(pointee)?;
            let pointer = Pointer { row, is_read_only: false };
            self.store_rows(pointer, &parts, &rows, alignment)?;
        }
        Ok(())
    }
}

/// The alignment that a decoration asks for.
pub(super) fn decorated_alignment(decoration: Option<&[Operand]>) -> u64 {
    match decoration {
        Some([Operand::LiteralBit32(bytes)]) if bytes.is_power_of_two() => u64::from(*bytes),
        _ => 1,
    }
}
