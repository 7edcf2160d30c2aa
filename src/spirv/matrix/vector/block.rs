//! Matrices whose columns lie contiguously, by 1D block messages: a message takes one address for the whole subgroup, and
//! the work-items read or write consecutive elements (SPV_INTEL_subgroups; lowering reference 4.2).

use super::{component, component_mut, layout};
use crate::analysis::{Layout, Place};
use crate::device::SpirvFeature;
use crate::ir::{AddressSpace, Transpose};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::{MatrixAccess, PositionDivisors};
use crate::spirv::matrix::backend::MatrixValue;
use crate::spirv::module_builder::Emitted;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

/// Bytes that a message moves at most.
const MAX_MESSAGE: i64 = 256;
/// Elements of each work-item that a message moves at most.
const MAX_COUNT: usize = 8;
/// Bytes that the address of a write must be a multiple of (cl_intel_subgroups).
const WRITE_ALIGNMENT: i64 = 16;

/// Reads a matrix; `None` if it cannot be read so.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<Option<MatrixValue>> {
    let Some(access) = BlockAccess::new(f, from)? else { return Ok(None) };
    let zero = f.module.zero(from.matrix.component)?;
    let mut components = vec![zero; access.layout.length()];
    for message in access.messages() {
        let words = access.read(f, &message)?;
        for (index, word) in message.components.into_iter().zip(words) {
            *component_mut(&mut components, index)? = word;
        }
    }
    Ok(Some(MatrixValue::new(from.matrix, components)))
}

/// Writes a matrix; false if it cannot be written so.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<bool> {
    if !is_aligned(f, to, WRITE_ALIGNMENT) {
        return Ok(false);
    }
    let Some(access) = BlockAccess::new(f, to)? else { return Ok(false) };
    for message in access.messages() {
        access.write(f, &message, value)?;
    }
    Ok(true)
}

/// A matrix in memory whose columns are contiguous.
struct BlockAccess {
    layout: Layout,
    /// Address of the first entry, and its type.
    pointer: Word,
    pointer_type: Word,
    /// Elements between neighbouring columns, and the number if it is known.
    col_stride: Word,
    known_stride: Option<i64>,
    /// Type of an element, of an integer of its size, and bits of it.
    scalar: Word,
    bytes: i64,
    subgroup_size: i64,
}

/// What one message moves: components, whose elements follow each other.
struct Message {
    first: Place,
    components: Vec<usize>,
}

impl BlockAccess {
    /// `None` if entries are checked, lie in local memory, or do not follow each other in the order of work-items.
    fn new(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<Option<BlockAccess>> {
        let matrix = access.matrix;
        let layout = layout(f, matrix)?;
        let [rows, cols] = access.axes();
        let bytes = matrix.component.bytes();
        let is_contiguous = f.module.known(rows.stride) == Some(1)
            && layout.stripe_cols == 1
            && layout.lane_rows() == 1
            && matrix.rows % f.subgroup_size == 0;
        let is_possible = f.module.info.have(SpirvFeature::SubgroupBufferBlockIo)
            && !f.module.info.is_cpu()
            && access.at.ty.space == AddressSpace::Global
            && matches!(bytes, 4 | 8)
            && !matrix.component.is_complex();
        if !is_contiguous || !is_possible || rows.checked || cols.checked {
            return Ok(None);
        }
        let module = &mut *f.module;
        let pointer_type = module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let right = module.mul(cols.start, cols.stride)?;
        let offset = module.add(rows.start, right)?;
        let pointer = module.shifted_pointer(pointer_type, access.at.pointer, offset, true)?;
        let scalar = module.scalar_type(matrix.component)?;
        let known_stride = module.known(cols.stride);
        let col_stride = cols.stride;
        let subgroup_size = f.subgroup_size;
        Ok(Some(BlockAccess {
            layout,
            pointer,
            pointer_type,
            col_stride,
            known_stride,
            scalar,
            bytes,
            subgroup_size,
        }))
    }

    /// The components in the order of their elements, in messages as large as they can be.
    fn messages(&self) -> Vec<Message> {
        let mut places: Vec<Place> = self.layout.places().collect();
        places.sort_by_key(|place| (place.col_block, place.row_block));
        let most = usize::try_from(MAX_MESSAGE / (self.bytes * self.subgroup_size)).unwrap_or(1);
        let most = most.clamp(1, MAX_COUNT);
        let mut messages = Vec::new();
        let mut rest = places.as_slice();
        while let Some(&first) = rest.first() {
            let follow = rest.windows(2).take_while(|pair| match pair {
                [a, b] => self.follows(*a, *b),
                _ => false,
            });
            let run = (1 + follow.count()).min(most);
            let (taken, left) = rest.split_at(1 << run.ilog2());
            let components = taken.iter().map(|&place| self.layout.component_at(place)).collect();
            messages.push(Message { first, components });
            rest = left;
        }
        messages
    }

    /// Returns whether the element of each work-item at `b` is one subgroup behind that at `a`.
    fn follows(&self, a: Place, b: Place) -> bool {
        let down = self.layout.first_row(b) - self.layout.first_row(a);
        let right = b.col_block - a.col_block;
        match self.known_stride {
            Some(stride) => right.saturating_mul(stride).saturating_add(down) == self.subgroup_size,
            None => right == 0 && down == self.subgroup_size,
        }
    }

    /// Address of a message, as a pointer to integers.
    fn address(&self, f: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let module = &mut *f.module;
        let down = module.index_constant(self.layout.first_row(place));
        let col = module.index_constant(place.col_block);
        let right = module.mul(col, self.col_stride)?;
        let offset = module.add(down, right)?;
        let pointer = module.shifted_pointer(self.pointer_type, self.pointer, offset, true)?;
        let integer = integer(f, self.bytes)?;
        let ty = f.module.pointer_type(StorageClass::CrossWorkgroup, integer);
        f.module.value(Op::Bitcast, ty, &[pointer])
    }

    fn read(&self, f: &mut FunctionLowering<'_, '_>, message: &Message) -> Emitted<Vec<Word>> {
        f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
        let pointer = self.address(f, message.first)?;
        let (integer, count) = (integer(f, self.bytes)?, message.components.len());
        let ty = vector_or_scalar(f, integer, count)?;
        let read = f.module.value(Op::SubgroupBlockReadINTEL, ty, &[pointer])?;
        let ty = vector_or_scalar(f, self.scalar, count)?;
        let all = if integer == self.scalar { read } else { f.module.value(Op::Bitcast, ty, &[read])? };
        if count == 1 {
            return Ok(vec![all]);
        }
        (0u32..)
            .take(count)
            .map(|index| {
                let operands = vec![Operand::IdRef(all), Operand::LiteralBit32(index)];
                f.module.value_of(Op::CompositeExtract, self.scalar, operands)
            })
            .collect()
    }

    fn write(&self, f: &mut FunctionLowering<'_, '_>, message: &Message, value: &MatrixValue) -> Emitted<()> {
        f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
        let pointer = self.address(f, message.first)?;
        let words: Emitted<Vec<Word>> = message.components.iter().map(|&index| component(value, index)).collect();
        let words = words?;
        let (integer, count) = (integer(f, self.bytes)?, words.len());
        let ty = vector_or_scalar(f, self.scalar, count)?;
        let all = match words.as_slice() {
            [word] => *word,
            words => f.module.value(Op::CompositeConstruct, ty, words)?,
        };
        let ty = vector_or_scalar(f, integer, count)?;
        let all = if integer == self.scalar { all } else { f.module.value(Op::Bitcast, ty, &[all])? };
        f.module.effect(Op::SubgroupBlockWriteINTEL, vec![Operand::IdRef(pointer), Operand::IdRef(all)])
    }
}

/// Returns whether the addresses of all columns are multiples of so many bytes. Within a column the subgroups' elements
/// are multiples of any alignment apart.
fn is_aligned(f: &FunctionLowering<'_, '_>, access: &MatrixAccess<'_>, alignment: i64) -> bool {
    let PositionDivisors { address, stride, position, .. } = access.at.divisors(f);
    let bytes = access.matrix.component.bytes();
    let is_multiple = |elements: i64| elements.saturating_mul(bytes) % alignment == 0;
    let [_, col_stride] = match access.transpose {
        Transpose::N => stride,
        Transpose::T => [stride[1], stride[0]],
    };
    let [x, y] = [stride[0].saturating_mul(position[0]), stride[1].saturating_mul(position[1])];
    address % alignment == 0 && [x, y, col_stride].into_iter().all(is_multiple)
}

/// The unsigned integer of so many bytes.
fn integer(f: &mut FunctionLowering<'_, '_>, bytes: i64) -> Emitted<Word> {
    let bits = u32::try_from(8 * bytes).map_err(|_| Error::internal(format!("an element of {bytes} bytes")))?;
    Ok(f.module.int_type(bits))
}

fn vector_or_scalar(f: &mut FunctionLowering<'_, '_>, scalar: Word, count: usize) -> Emitted<Word> {
    match u32::try_from(count) {
        Ok(1) => Ok(scalar),
        Ok(count) => Ok(f.module.vector_type(scalar, count)),
        Err(_) => Err(Error::internal(format!("a vector of {count}"))),
    }
}
