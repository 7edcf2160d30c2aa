//! Types of kernel parameters and variables.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::Error;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The type of a kernel parameter or of what it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Integer of so many bits.
    Int(u32),
    /// Floating-point number of so many bits.
    Float(u32),
    /// So many numbers of one type.
    Vector(Box<Type>, u32),
    /// So many elements of one type.
    Array(Box<Type>, u64),
    /// Members of several types, and whether they follow each other without gaps.
    Struct(Vec<Type>, bool),
    /// Address of a value in memory of some kind.
    Pointer(StorageClass, Box<Type>),
}

impl Type {
    /// Size in memory in bytes; `None` if it is beyond all bounds.
    pub fn size(&self) -> Option<u64> {
        match self {
            Type::Int(bits) | Type::Float(bits) => Some(u64::from(bits / 8)),
            // Three numbers take the place of four.
            Type::Vector(element, 3) => element.size()?.checked_mul(4),
            Type::Vector(element, count) => element.size()?.checked_mul(u64::from(*count)),
            Type::Array(element, count) => element.size()?.checked_mul(*count),
            Type::Pointer(..) => Some(8),
            Type::Struct(members, packed) => {
                let mut size = 0u64;
                for member in members {
                    let alignment = if *packed { 1 } else { member.alignment()? };
                    size = size.checked_next_multiple_of(alignment)?.checked_add(member.size()?)?;
                }
                size.checked_next_multiple_of(self.alignment()?)
            }
        }
    }

    /// Alignment in memory in bytes; `None` if it is beyond all bounds.
    fn alignment(&self) -> Option<u64> {
        match self {
            Type::Array(element, _) => element.alignment(),
            Type::Struct(_, true) => Some(1),
            Type::Struct(members, false) => {
                members.iter().try_fold(1, |most: u64, member| Some(most.max(member.alignment()?)))
            }
            _ => self.size()?.max(1).checked_next_power_of_two(),
        }
    }
}

/// Postfix, outermost last: `f32 global* global*`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(bits) => write!(f, "f{bits}"),
            Type::Vector(element, count) => write!(f, "{element}x{count}"),
            Type::Array(element, count) => write!(f, "{element}[{count}]"),
            Type::Struct(members, _) => {
                f.write_str("{")?;
                for (place, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if place > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
            Type::Pointer(class, pointee) => write!(f, "{pointee} {}*", space(*class)),
        }
    }
}

/// A storage class as OpenCL calls it.
fn space(class: StorageClass) -> &'static str {
    match class {
        StorageClass::CrossWorkgroup => "global",
        StorageClass::Workgroup => "local",
        StorageClass::UniformConstant => "constant",
        StorageClass::Generic => "generic",
        StorageClass::Function => "private",
        _ => "other",
    }
}

/// The definitions of a module outside of its functions, by id.
pub(crate) struct Definitions<'a> {
    definitions: HashMap<u32, &'a Instruction>,
    /// Structures without gaps.
    packed: HashSet<u32>,
}

impl<'a> Definitions<'a> {
    pub fn new(module: &'a rspirv::dr::Module) -> Definitions<'a> {
        let instructions = &module.types_global_values;
        let definitions = instructions.iter().filter_map(|inst| Some((inst.result_id?, inst))).collect();
        let packed = module.annotations.iter().filter_map(|inst| match inst.operands.as_slice() {
            [Operand::IdRef(id), Operand::Decoration(Decoration::CPacked), ..] => Some(*id),
            _ => None,
        });
        Definitions { definitions, packed: packed.collect() }
    }

    /// Whether a structure has no gaps.
    pub fn is_packed(&self, id: u32) -> bool {
        self.packed.contains(&id)
    }

    /// The type of an id.
    pub fn resolve(&self, id: u32) -> Result<Type, Error> {
        // Deeper than any parameter of a kernel; also ends pointers that point to themselves.
        const MAX_NESTED: u32 = 16;
        self.nested(id, MAX_NESTED)
    }

    fn nested(&self, id: u32, levels: u32) -> Result<Type, Error> {
        let Some(levels) = levels.checked_sub(1) else { return Err(Error::Nesting(id)) };
        let unknown = Error::Id { id, expected: "type of values in memory" };
        let Some(inst) = self.definitions.get(&id) else { return Err(unknown) };
        let inner = |element| self.nested(element, levels).map(Box::new);
        match (inst.class.opcode, inst.operands.as_slice()) {
            (Op::TypeInt, &[Operand::LiteralBit32(bits @ (8 | 16 | 32 | 64)), _]) => Ok(Type::Int(bits)),
            (Op::TypeFloat, &[Operand::LiteralBit32(bits @ (16 | 32 | 64))]) => Ok(Type::Float(bits)),
            (Op::TypeVector, &[Operand::IdRef(element), Operand::LiteralBit32(count)]) => {
                Ok(Type::Vector(inner(element)?, count))
            }
            (Op::TypeArray, &[Operand::IdRef(element), Operand::IdRef(length)]) => {
                Ok(Type::Array(inner(element)?, self.number(length)?))
            }
            (Op::TypePointer, &[Operand::StorageClass(class), Operand::IdRef(pointee)]) => {
                Ok(Type::Pointer(class, inner(pointee)?))
            }
            (Op::TypeStruct, members) => {
                let members = members.iter().filter_map(Operand::id_ref_any);
                let members = members.map(|member| self.nested(member, levels)).collect::<Result<_, _>>()?;
                Ok(Type::Struct(members, self.is_packed(id)))
            }
            _ => Err(unknown),
        }
    }

    /// An integer constant.
    pub fn number(&self, id: u32) -> Result<u64, Error> {
        let constant = self
            .definitions
            .get(&id)
            .filter(|inst| matches!(inst.class.opcode, Op::Constant | Op::SpecConstant));
        match constant.map(|inst| inst.operands.as_slice()) {
            Some(&[Operand::LiteralBit32(length)]) => Ok(length.into()),
            Some(&[Operand::LiteralBit64(length)]) => Ok(length),
            _ => Err(Error::Id { id, expected: "integer constant" }),
        }
    }

    /// The type of a variable in local memory; `None` for every other id.
    pub fn local_variable(&self, id: u32) -> Result<Option<Type>, Error> {
        let Some(inst) = self.definitions.get(&id) else { return Ok(None) };
        match (inst.class.opcode, inst.operands.as_slice(), inst.result_type) {
            (Op::Variable, [Operand::StorageClass(StorageClass::Workgroup), ..], Some(ty)) => {
                match self.resolve(ty)? {
                    Type::Pointer(_, pointee) => Ok(Some(*pointee)),
                    _ => Err(Error::Id { id: ty, expected: "pointer type" }),
                }
            }
            _ => Ok(None),
        }
    }
}
