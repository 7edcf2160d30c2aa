//! Matrices whose columns lie contiguously, by 1D block messages: a message takes one address for the whole subgroup, and
//! the work-items read or write consecutive elements (SPV_INTEL_subgroups; lowering reference 4.2).

use super::partition::{component, component_mut, layout};
use crate::analysis::{Layout, Place};
use crate::device::{Block1dIo, SpirvFeature};
use crate::ir::Scalar;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::Emitted;
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, StorageClass, Word};

/// Reads a matrix.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let access = BlockAccess::new(f, from)?;
    let zero = f.module.zero(from.matrix.component)?;
    let mut components = vec![zero; access.layout.length()];
    for message in access.messages() {
        let pointer = access.address(f, message.first)?;
        let words = access.elements.read(f, pointer, message.components.len())?;
        for (index, word) in message.components.into_iter().zip(words) {
            *component_mut(&mut components, index)? = word;
        }
    }
    Ok(MatrixValue::new(from.matrix, components))
}

/// Writes a matrix.
pub(super) fn store(
    f: &mut FunctionLowering<'_, '_>,
    to: &MatrixAccess<'_>,
    value: &MatrixValue,
) -> Emitted<()> {
    let access = BlockAccess::new(f, to)?;
    for message in access.messages() {
        let pointer = access.address(f, message.first)?;
        let words: Emitted<Vec<Word>> =
            message.components.iter().map(|&index| component(value, index)).collect();
        access.elements.write(f, pointer, &words?)?;
    }
    Ok(())
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
    elements: Elements,
    subgroup_size: i64,
}

/// Components that one message moves, whose elements follow each other.
struct Message {
    first: Place,
    components: Vec<usize>,
}

impl BlockAccess {
    fn new(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<BlockAccess> {
        let matrix = access.matrix;
        let layout = layout(f, matrix)?;
        let [rows, cols] = access.axes();
        let module = &mut *f.module;
        let pointer_type = module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let right = module.mul(cols.start, cols.stride)?;
        let offset = module.add(rows.start, right)?;
        let pointer = module.shifted_pointer(pointer_type, access.at.pointer, offset, true)?;
        let elements = Elements::new(f, matrix.component)?;
        let module = &mut *f.module;
        let known_stride = module.known(cols.stride);
        let col_stride = cols.stride;
        let subgroup_size = f.subgroup_size;
        Ok(BlockAccess { layout, pointer, pointer_type, col_stride, known_stride, elements, subgroup_size })
    }

    /// The components in the order of their elements, in messages as large as they can be.
    fn messages(&self) -> Vec<Message> {
        let mut places: Vec<Place> = self.layout.places().collect();
        places.sort_by_key(|place| (place.col_block, place.row_block));
        let most = self.elements.most(self.subgroup_size);
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

    /// Address of a message.
    fn address(&self, f: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let module = &mut *f.module;
        let down = module.index_constant(self.layout.first_row(place));
        let col = module.index_constant(place.col_block);
        let right = module.mul(col, self.col_stride)?;
        let offset = module.add(down, right)?;
        module.shifted_pointer(self.pointer_type, self.pointer, offset, true)
    }
}

/// Numbers that messages move.
struct Elements {
    scalar: Word,
    /// The integer of the same size, which the messages know.
    integer: Word,
    bytes: i64,
}

impl Elements {
    fn new(f: &mut FunctionLowering<'_, '_>, component: Scalar) -> Emitted<Elements> {
        let scalar = f.module.scalar_type(component)?;
        let bytes = component.bytes();
        let bits =
            u32::try_from(8 * bytes).map_err(|_| Error::internal(format!("an element of {bytes} bytes")))?;
        let integer = f.module.int_type(bits);
        Ok(Elements { scalar, integer, bytes })
    }

    /// Elements of each work-item that a message moves at most.
    fn most(&self, subgroup_size: i64) -> usize {
        let Block1dIo { max_bytes, max_count, .. } = Block1dIo::XE;
        usize::try_from((max_bytes / (self.bytes * subgroup_size)).clamp(1, max_count)).unwrap_or(1)
    }

    fn pointer(&self, f: &mut FunctionLowering<'_, '_>, pointer: Word) -> Emitted<Word> {
        let ty = f.module.pointer_type(StorageClass::CrossWorkgroup, self.integer);
        f.module.value(Op::Bitcast, ty, &[pointer])
    }

    /// Reads `count` elements of each work-item, one subgroup apart.
    fn read(&self, f: &mut FunctionLowering<'_, '_>, pointer: Word, count: usize) -> Emitted<Vec<Word>> {
        f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
        let pointer = self.pointer(f, pointer)?;
        let ty = vector_or_scalar(f, self.integer, count)?;
        let read = f.module.value(Op::SubgroupBlockReadINTEL, ty, &[pointer])?;
        let ty = vector_or_scalar(f, self.scalar, count)?;
        let all =
            if self.integer == self.scalar { read } else { f.module.value(Op::Bitcast, ty, &[read])? };
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

    /// Writes the elements of each work-item, one subgroup apart.
    fn write(&self, f: &mut FunctionLowering<'_, '_>, pointer: Word, words: &[Word]) -> Emitted<()> {
        f.module.require(SpirvFeature::SubgroupBufferBlockIo)?;
        let pointer = self.pointer(f, pointer)?;
        let ty = vector_or_scalar(f, self.scalar, words.len())?;
        let all = match words {
            [word] => *word,
            words => f.module.value(Op::CompositeConstruct, ty, words)?,
        };
        let ty = vector_or_scalar(f, self.integer, words.len())?;
        let all = if self.integer == self.scalar { all } else { f.module.value(Op::Bitcast, ty, &[all])? };
        f.module.effect(Op::SubgroupBlockWriteINTEL, vec![Operand::IdRef(pointer), Operand::IdRef(all)])
    }
}

/// Reads the elements from each of the offsets on, one for each work-item, by messages as large as they can be.
pub(super) fn read_elements(
    f: &mut FunctionLowering<'_, '_>,
    component: Scalar,
    (pointer_type, pointer): (Word, Word),
    offsets: &[i64],
) -> Emitted<Vec<Word>> {
    let elements = Elements::new(f, component)?;
    let most = elements.most(f.subgroup_size);
    let mut words = Vec::new();
    let mut rest = offsets;
    while let Some(&first) = rest.first() {
        let follow = rest.windows(2).take_while(|pair| matches!(pair, [a, b] if b - a == f.subgroup_size));
        let run = (1 + follow.count()).min(most);
        let (taken, left) = rest.split_at(1 << run.ilog2());
        let offset = f.module.index_constant(first);
        let address = f.module.shifted_pointer(pointer_type, pointer, offset, true)?;
        words.extend(elements.read(f, address, taken.len())?);
        rest = left;
    }
    Ok(words)
}

/// Writes elements of each work-item that follow each other one subgroup apart, by messages as large as they can be.
pub(super) fn write_elements(
    f: &mut FunctionLowering<'_, '_>,
    component: Scalar,
    (pointer_type, pointer): (Word, Word),
    mut words: &[Word],
) -> Emitted<()> {
    let elements = Elements::new(f, component)?;
    let most = elements.most(f.subgroup_size);
    let mut done = 0;
    while !words.is_empty() {
        let (taken, left) = words.split_at(1 << words.len().min(most).ilog2());
        let offset = f.module.index_constant(done);
        let address = f.module.shifted_pointer(pointer_type, pointer, offset, true)?;
        elements.write(f, address, taken)?;
        done += f.subgroup_size * i64::try_from(taken.len()).unwrap_or(i64::MAX);
        words = left;
    }
    Ok(())
}

fn vector_or_scalar(f: &mut FunctionLowering<'_, '_>, scalar: Word, count: usize) -> Emitted<Word> {
    match u32::try_from(count) {
        Ok(1) => Ok(scalar),
        Ok(count) => Ok(f.module.vector_type(scalar, count)),
        Err(_) => Err(Error::internal(format!("a vector of {count}"))),
    }
}
