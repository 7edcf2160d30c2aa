//! Matrices in memory as surfaces of the 2D block messages (lowering reference 4.4).
//!
//! A memref whose first stride is 1 is a surface of rows that are the memref's columns. What lies outside of it reads
//! as 0 and is not written, so that checks cost nothing.

use crate::device::SpirvFeature;
use crate::ir::{AddressSpace, Scalar};
use crate::schedule;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MemrefPosition;
use crate::spirv::module_builder::Emitted;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// Work-items of a subgroup that the messages are defined for.
pub(super) const LANES: i64 = 16;
/// Rows that a message reads.
pub(super) const MAX_HEIGHT: i64 = 32;
/// Rows that a message writes.
pub(super) const MAX_STORE_HEIGHT: i64 = 8;

/// A surface: its first element, and bytes of a row, rows, and bytes between rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    base: Word,
    width: Word,
    height: Word,
    pitch: Word,
    /// Position of a matrix, in elements.
    x: Word,
    y: Word,
}

/// The part of a surface that a message moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Bytes of an element.
    pub element: i64,
    /// Elements of a row of a block.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// Blocks beside each other.
    pub count: i64,
}

/// The messages that read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// As it lies.
    Plain,
    /// Elements of neighbouring rows side by side in a word.
    Transform,
    /// Columns for rows.
    Transpose,
}

/// Place of a block in the matrix: elements of `width` bytes along a row of the surface, and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offset {
    /// Elements of the matrix in a unit of the coordinate.
    pub scale: i64,
    pub x: i64,
    pub y: i64,
}

impl Surface {
    /// The surface of a memref; `None` if it is not known to be one that the messages take.
    pub fn new(f: &mut FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Emitted<Option<Surface>> {
        if !is_legal(f, at) {
            return Ok(None);
        }
        let bytes = at.ty.element.bytes();
        let width = scaled(f, at.shape[0], bytes)?;
        let height = scaled(f, at.shape[1], 1)?;
        let pitch = scaled(f, at.stride[1], bytes)?;
        Ok(Some(Surface { base: at.pointer, width, height, pitch, x: at.position[0], y: at.position[1] }))
    }

    /// Reads a block into a variable of the function.
    pub fn load(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        kind: Load,
        block: Block,
        offset: Offset,
        to: Word,
    ) -> Emitted<()> {
        let op = match kind {
            Load::Plain => Op::Subgroup2DBlockLoadINTEL,
            Load::Transform => Op::Subgroup2DBlockLoadTransformINTEL,
            Load::Transpose => Op::Subgroup2DBlockLoadTransposeINTEL,
        };
        let mut operands = self.block(f, block)?;
        operands.extend(self.place(f, offset)?);
        operands.push(to);
        f.module.require(SpirvFeature::Block2dIo)?;
        f.module.effect(op, operands.into_iter().map(Operand::IdRef).collect())
    }

    /// Writes a block from a variable of the function.
    pub fn store(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        block: Block,
        offset: Offset,
        from: Word,
    ) -> Emitted<()> {
        let mut operands = self.block(f, block)?;
        operands.push(from);
        operands.extend(self.place(f, offset)?);
        f.module.require(SpirvFeature::Block2dIo)?;
        f.module.effect(Op::Subgroup2DBlockStoreINTEL, operands.into_iter().map(Operand::IdRef).collect())
    }

    /// Fetches a block into the caches.
    pub fn prefetch(&self, f: &mut FunctionLowering<'_, '_>, block: Block, offset: Offset) -> Emitted<()> {
        let mut operands = self.block(f, block)?;
        operands.extend(self.place(f, offset)?);
        f.module.require(SpirvFeature::Block2dIo)?;
        f.module.effect(Op::Subgroup2DBlockPrefetchINTEL, operands.into_iter().map(Operand::IdRef).collect())
    }

    fn block(&self, f: &mut FunctionLowering<'_, '_>, block: Block) -> Emitted<Vec<Word>> {
        let Block { element, width, height, count } = block;
        [element, width, height, count].into_iter().map(|number| narrow_constant(f, number)).collect()
    }

    fn place(&self, f: &mut FunctionLowering<'_, '_>, offset: Offset) -> Emitted<[Word; 5]> {
        let narrow = f.module.i32_type();
        let x = self.coordinate(f, self.x, offset.x, offset.scale)?;
        let y = self.coordinate(f, self.y, offset.y, 1)?;
        let pair = f.module.vector_type(narrow, 2);
        let coordinates = f.module.value(Op::CompositeConstruct, pair, &[x, y])?;
        Ok([self.base, self.width, self.height, self.pitch, coordinates])
    }

    /// (position + offset) / scale, of which the division leaves no rest.
    fn coordinate(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        position: Word,
        offset: i64,
        scale: i64,
    ) -> Emitted<Word> {
        if let Some(known) = f.module.known(position) {
            return narrow_constant(f, known.wrapping_add(offset) / scale);
        }
        let narrow = f.module.i32_type();
        let mut units = f.module.value(Op::UConvert, narrow, &[position])?;
        if scale > 1 {
            let shift = narrow_constant(f, i64::from(scale.ilog2()))?;
            units = f.module.value(Op::ShiftRightArithmetic, narrow, &[units, shift])?;
        }
        if offset == 0 {
            return Ok(units);
        }
        let offset = narrow_constant(f, offset / scale)?;
        f.module.value(Op::IAdd, narrow, &[units, offset])
    }
}

/// Checks the rules for surfaces with what is known when compiling.
fn is_legal(f: &FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> bool {
    let known = |id| f.module.known(id);
    let has_feature = f.module.info.have(SpirvFeature::Block2dIo) && f.subgroup_size == LANES;
    if !has_feature || at.ty.space != AddressSpace::Global || known(at.stride[0]) != Some(1) {
        return false;
    }
    let (Some(width), Some(height), Some(pitch)) =
        (known(at.shape[0]), known(at.shape[1]), known(at.stride[1]))
    else {
        return false;
    };
    let bytes = at.ty.element.bytes();
    let [width, pitch] = [width, pitch].map(|extent| extent.saturating_mul(bytes));
    let divisors = at.divisors(f);
    schedule::Surface { width, height, pitch }.is_legal()
        && divisors.address % schedule::Surface::MIN_BYTES == 0
        && divisors.position[0].saturating_mul(bytes) % schedule::Surface::UNIT_BYTES == 0
}

/// A number of elements as an i32 number of bytes.
fn scaled(f: &mut FunctionLowering<'_, '_>, elements: Word, bytes: i64) -> Emitted<Word> {
    let known = f.module.known(elements).unwrap_or_default();
    narrow_constant(f, known.saturating_mul(bytes))
}

fn narrow_constant(f: &mut FunctionLowering<'_, '_>, number: i64) -> Emitted<Word> {
    f.module.int_constant(Scalar::I32, number)
}
