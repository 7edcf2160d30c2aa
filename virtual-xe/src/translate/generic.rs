//! Pointers of the generic address space.

use super::Translator;
use crate::Error;
use crate::layout::Scalar;
use crate::program::{LOCAL_BASE, PRIVATE_BASE};
use crate::rows::Compute;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{MemorySemantics, Op, StorageClass};

impl<const S: usize> Translator<'_, S> {
    pub(super) fn generic(&mut self, inst: &Instruction) -> Result<bool, Error> {
        match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::GenericCastToPtrExplicit, [Operand::IdRef(pointer), Operand::StorageClass(class)]) => {
                let is_null: Compute<S> = match class {
                    StorageClass::CrossWorkgroup => |rows, x| {
                        rows.unary(x, |a: u64| if a < LOCAL_BASE { a } else { 0 });
                    },
                    StorageClass::Workgroup => |rows, x| {
                        rows.unary(x, |a: u64| if is_local(a) { a } else { 0 });
                    },
                    StorageClass::Function => |rows, x| {
                        rows.unary(x, |a: u64| if a >= PRIVATE_BASE { a } else { 0 });
                    },
                    _ => return Ok(false),
                };
                let pointer = self.scalar(*pointer)?;
                let row = self.compute(Scalar::I64, is_null, &[pointer])?;
                self.define(inst.result_id.unwrap_or(0), [row]);
                Ok(true)
            }
            (Op::GenericPtrMemSemantics, [Operand::IdRef(pointer)]) => {
                let semantics: Compute<S> = |rows, x| {
                    rows.unary(x, |a: u64| match a {
                        _ if a < LOCAL_BASE => MemorySemantics::CROSS_WORKGROUP_MEMORY.bits(),
                        _ if is_local(a) => MemorySemantics::WORKGROUP_MEMORY.bits(),
                        _ => 0,
                    });
                };
                let pointer = self.scalar(*pointer)?;
                let row = self.compute(Scalar::I32, semantics, &[pointer])?;
                self.define(inst.result_id.unwrap_or(0), [row]);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

fn is_local(address: u64) -> bool {
    (LOCAL_BASE..PRIVATE_BASE).contains(&address)
}
