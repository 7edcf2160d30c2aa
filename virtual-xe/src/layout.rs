//! How values of a module's types lie in memory and in rows.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

use crate::Error;
use crate::types::Definitions;
use rspirv::dr::Operand;
use rspirv::spirv::{FPEncoding, Op, StorageClass};
use std::collections::HashMap;

/// What one number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Scalar {
    /// Bytes in memory and in a row.
    pub fn bytes(self) -> u32 {
        self.bits() / 8
    }

    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 => 8,
            Scalar::I16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }

    /// Bits of a word that are not those of a number.
    pub fn unused_bits(self) -> u32 {
        u64::BITS.saturating_sub(self.bits())
    }

    /// All bits of a number.
    pub fn mask(self) -> u64 {
        u64::MAX.checked_shr(self.unused_bits()).unwrap_or(0)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }
}

/// A type of the module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Void,
    Scalar(Scalar),
    Vector(u32, u32),
    Array(u32, u64),
    Struct {
        members: Vec<u32>,
        packed: bool,
    },
    Pointer(StorageClass, u32),
    /// Rows, columns and use of a cooperative matrix.
    Matrix {
        component: u32,
        rows: u32,
        columns: u32,
        usage: u32,
    },
    Function,
    Opaque,
}

/// One number in a value: what it is, and where it lies from the start of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub scalar: Scalar,
    pub offset: u64,
}

/// The types of a module by id.
pub(crate) struct Types {
    kinds: HashMap<u32, Kind>,
    /// Lanes of a subgroup, among which the numbers of a matrix are dealt out.
    lanes: u32,
}

/// Values of more numbers are not held in rows.
pub(crate) const MAX_PARTS: usize = 1 << 14;
pub(crate) const TOO_MANY_PARTS: Error = Error::Unsupported("values of more than 16384 numbers");
const TOO_LARGE: Error = Error::Unsupported("types larger than the address space");
/// No sensible type is nested deeper.
const MAX_NESTED: u32 = 32;

impl Types {
    pub fn new(
        module: &rspirv::dr::Module,
        definitions: &Definitions<'_>,
        lanes: u32,
    ) -> Result<Types, Error> {
        let mut kinds = HashMap::new();
        for inst in &module.types_global_values {
            let Some(id) = inst.result_id else { continue };
            let number = |id: &u32| definitions.number(*id);
            let kind = match (inst.class.opcode, inst.operands.as_slice()) {
                (Op::TypeVoid, _) => Kind::Void,
                (Op::TypeBool, _) => Kind::Scalar(Scalar::Bool),
                (Op::TypeInt, [Operand::LiteralBit32(bits), ..]) => Kind::Scalar(match bits {
                    8 => Scalar::I8,
                    16 => Scalar::I16,
                    32 => Scalar::I32,
                    64 => Scalar::I64,
                    _ => return Err(Error::Unsupported("integers of other than 8, 16, 32 or 64 bits")),
                }),
                (Op::TypeFloat, [Operand::LiteralBit32(bits), encoding @ ..]) => {
                    Kind::Scalar(match (bits, encoding) {
                        (16, []) => Scalar::F16,
                        (32, []) => Scalar::F32,
                        (64, []) => Scalar::F64,
                        (16, [Operand::FPEncoding(FPEncoding::BFloat16KHR)]) => Scalar::Bf16,
                        _ => return Err(Error::Unsupported("floating-point numbers of this kind")),
                    })
                }
                (Op::TypeVector, [Operand::IdRef(element), Operand::LiteralBit32(count)]) => {
                    Kind::Vector(*element, *count)
                }
                (Op::TypeArray, [Operand::IdRef(element), Operand::IdRef(length)]) => {
                    Kind::Array(*element, number(length)?)
                }
                (Op::TypeStruct, members) => Kind::Struct {
                    members: members.iter().filter_map(Operand::id_ref_any).collect(),
                    packed: definitions.is_packed(id),
                },
                (Op::TypePointer, [Operand::StorageClass(class), Operand::IdRef(pointee)]) => {
                    Kind::Pointer(*class, *pointee)
                }
                (Op::TypeFunction, _) => Kind::Function,
                (
                    Op::TypeCooperativeMatrixKHR,
                    [Operand::IdRef(component), _, Operand::IdRef(rows), Operand::IdRef(columns), rest @ ..],
                ) => {
                    let size = |id: &u32| Ok::<u32, Error>(u32::try_from(number(id)?).unwrap_or(u32::MAX));
                    let (component, rows, columns) = (*component, size(rows)?, size(columns)?);
                    let usage = rest.first().and_then(Operand::id_ref_any);
                    let usage = usage.map_or(Ok(u32::MAX), |usage| size(&usage))?;
                    Kind::Matrix { component, rows, columns, usage }
                }
                (opcode, _) if format!("{opcode:?}").starts_with("Type") => Kind::Opaque,
                _ => continue,
            };
            kinds.insert(id, kind);
        }
        Ok(Types { kinds, lanes })
    }

    pub fn kind(&self, id: u32) -> Result<&Kind, Error> {
        self.kinds.get(&id).ok_or(Error::Id { id, expected: "type" })
    }

    /// The numbers that a value of the type is made of.
    pub fn parts(&self, id: u32) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        self.collect(id, 0, MAX_NESTED, &mut parts)?;
        Ok(parts)
    }

    fn collect(&self, id: u32, offset: u64, levels: u32, parts: &mut Vec<Part>) -> Result<(), Error> {
        let Some(levels) = levels.checked_sub(1) else { return Err(Error::Nesting(id)) };
        match self.kind(id)? {
            Kind::Void => {}
            Kind::Scalar(scalar) => parts.push(Part { scalar: *scalar, offset }),
            Kind::Pointer(..) | Kind::Opaque => parts.push(Part { scalar: Scalar::I64, offset }),
            Kind::Vector(element, count) => {
                self.repeat(*element, u64::from(*count), offset, levels, parts)?;
            }
            Kind::Array(element, count) => self.repeat(*element, *count, offset, levels, parts)?,
            Kind::Struct { members, .. } => {
                for (index, &member) in members.iter().enumerate() {
                    let at = offset.checked_add(self.member_offset(id, index as u64)?).ok_or(TOO_LARGE)?;
                    self.collect(member, at, levels, parts)?;
                }
            }
            Kind::Matrix { component, rows, columns, .. } => {
                self.repeat(*component, self.share(*rows, *columns), offset, levels, parts)?;
            }
            Kind::Function => return Err(Error::Id { id, expected: "type of values in memory" }),
        }
        if parts.len() > MAX_PARTS {
            return Err(TOO_MANY_PARTS);
        }
        Ok(())
    }

    /// The numbers of a matrix that each lane holds: in the order of rows, lane after lane.
    pub fn share(&self, rows: u32, columns: u32) -> u64 {
        u64::from(rows).saturating_mul(u64::from(columns)).div_ceil(u64::from(self.lanes))
    }

    fn repeat(
        &self,
        element: u32,
        count: u64,
        offset: u64,
        levels: u32,
        parts: &mut Vec<Part>,
    ) -> Result<(), Error> {
        if count > MAX_PARTS as u64 {
            return Err(TOO_MANY_PARTS);
        }
        let stride = self.size(element)?;
        for index in 0..count {
            let at = index.checked_mul(stride).and_then(|distance| offset.checked_add(distance));
            self.collect(element, at.ok_or(TOO_LARGE)?, levels, parts)?;
        }
        Ok(())
    }

    /// Bytes from one element of an array of the type to the next.
    pub fn size(&self, id: u32) -> Result<u64, Error> {
        Ok(self.extent(id, MAX_NESTED)?.0)
    }

    /// The alignment that OpenCL C gives values of the type.
    pub fn alignment(&self, id: u32) -> Result<u64, Error> {
        Ok(self.extent(id, MAX_NESTED)?.1)
    }

    /// Size and alignment.
    fn extent(&self, id: u32, levels: u32) -> Result<(u64, u64), Error> {
        let Some(levels) = levels.checked_sub(1) else { return Err(Error::Nesting(id)) };
        match self.kind(id)? {
            Kind::Void | Kind::Function => Err(Error::Id { id, expected: "type of values in memory" }),
            Kind::Matrix { component, rows, columns, .. } => {
                let (size, alignment) = self.extent(*component, levels)?;
                let size = size.checked_mul(self.share(*rows, *columns)).ok_or(TOO_LARGE)?;
                Ok((size, alignment))
            }
            Kind::Scalar(scalar) => Ok((scalar.bytes().into(), scalar.bytes().into())),
            Kind::Pointer(..) | Kind::Opaque => Ok((8, 8)),
            Kind::Vector(element, count) => {
                // Three numbers take the place of four.
                let count = u64::from(if *count == 3 { 4 } else { *count });
                let size = self.extent(*element, levels)?.0.checked_mul(count).ok_or(TOO_LARGE)?;
                Ok((size, size.checked_next_power_of_two().ok_or(TOO_LARGE)?))
            }
            Kind::Array(element, count) => {
                let (size, alignment) = self.extent(*element, levels)?;
                Ok((size.checked_mul(*count).filter(|&size| size < 1 << 60).ok_or(TOO_LARGE)?, alignment))
            }
            Kind::Struct { members, packed } => {
                let (mut size, mut alignment) = (0u64, 1);
                for &member in members {
                    let (bytes, own) = self.extent(member, levels)?;
                    let own = if *packed { 1 } else { own };
                    alignment = alignment.max(own);
                    size = member_end(size, own, bytes).ok_or(TOO_LARGE)?.1;
                }
                Ok((size.checked_next_multiple_of(alignment).ok_or(TOO_LARGE)?, alignment))
            }
        }
    }

    /// Where a member of a structure lies.
    pub fn member_offset(&self, id: u32, index: u64) -> Result<u64, Error> {
        let Kind::Struct { members, packed } = self.kind(id)? else {
            return Err(Error::Id { id, expected: "structure" });
        };
        let mut offset = 0u64;
        for (place, &member) in members.iter().enumerate() {
            let (bytes, own) = self.extent(member, MAX_NESTED)?;
            let own = if *packed { 1 } else { own };
            let (start, end) = member_end(offset, own, bytes).ok_or(TOO_LARGE)?;
            if place as u64 == index {
                return Ok(start);
            }
            offset = end;
        }
        Err(Error::Id { id, expected: "structure with that many members" })
    }

    /// The type of a member or an element.
    pub fn inner(&self, id: u32, index: u64) -> Result<u32, Error> {
        match self.kind(id)? {
            Kind::Vector(element, _) | Kind::Array(element, _) => Ok(*element),
            Kind::Matrix { component, .. } => Ok(*component),
            Kind::Struct { members, .. } => {
                let member = usize::try_from(index).ok().and_then(|index| members.get(index));
                member.copied().ok_or(Error::Id { id, expected: "structure with that many members" })
            }
            _ => Err(Error::Id { id, expected: "composite type" }),
        }
    }

    /// The one number that a scalar value or a pointer is, or that a vector is made of.
    pub fn scalar(&self, id: u32) -> Result<Scalar, Error> {
        match self.kind(id)? {
            Kind::Scalar(scalar) => Ok(*scalar),
            Kind::Pointer(..) => Ok(Scalar::I64),
            Kind::Vector(element, _) | Kind::Matrix { component: element, .. } => {
                match self.kind(*element)? {
                    Kind::Scalar(scalar) => Ok(*scalar),
                    Kind::Pointer(..) => Ok(Scalar::I64),
                    _ => Err(Error::Id { id, expected: "vector of numbers" }),
                }
            }
            _ => Err(Error::Id { id, expected: "number or vector" }),
        }
    }
}

/// Where a member of so many bytes starts and ends that follows others in a structure.
fn member_end(offset: u64, alignment: u64, bytes: u64) -> Option<(u64, u64)> {
    let start = offset.checked_next_multiple_of(alignment)?;
    Some((start, start.checked_add(bytes)?))
}
