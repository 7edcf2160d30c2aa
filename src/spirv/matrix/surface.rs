//! Matrices in memory as surfaces of the 2D block messages (lowering reference 4.4).
//!
//! A memref whose first stride is 1 is a surface of rows that are the memref's columns. What lies outside of it reads
//! as 0 and is not written, so that checks cost nothing.

use crate::analysis::{FoldedSurface, PackedBatch};
use crate::device::{Block2dIo, SpirvFeature};
use crate::ir::{AccessReason, MatrixIo, Scalar};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MemrefPosition;
use crate::spirv::module_builder::Emitted;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// A surface: its first element, and bytes of a row, rows, and bytes between rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// Limits of the messages.
    pub io: &'static Block2dIo,
    base: Word,
    width: Word,
    height: Word,
    pitch: Word,
    /// Position of a matrix, in elements.
    x: Word,
    y: Word,
    /// True if what lies below the memref's last column belongs to a neighbour, or to nobody.
    folded: bool,
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
    /// The surface that a memref is, for this reason.
    pub fn new(f: &mut FunctionLowering<'_, '_>, at: &MemrefPosition<'_>, io: MatrixIo) -> Emitted<Surface> {
        if !io.class.is_block_2d() {
            return Err(Error::internal(format!("a surface of what is accessed by {}", io.class)));
        }
        let limits = f.module.info.block_2d_io().ok_or_else(no_messages)?;
        let bytes = at.ty.element.bytes();
        let width = in_bytes(f, at.shape[0], bytes)?;
        let (height, pitch) = (narrow(f, at.shape[1])?, in_bytes(f, at.stride[1], bytes)?);
        let ([x, y], base) = (at.position, at.pointer);
        let surface = Surface { io: limits, base, width, height, pitch, x, y, folded: false };
        if io.reason == AccessReason::Batch { surface.folded(f, at) } else { Ok(surface) }
    }

    /// The surface that a member of a packed batch shares with its neighbours.
    fn folded(self, f: &mut FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Emitted<Surface> {
        let batch = packed_batch(f, at)?;
        let height = f.module.known(at.shape[1]).ok_or_else(no_batch)?;
        let height = narrow_constant(f, batch.shared_height(height))?;
        let FirstNeighbour { place, base } = first_neighbour(f, at, batch)?;
        let rows = f.module.index_constant(batch.rows);
        let down = f.module.mul(place, rows)?;
        let y = f.module.add(self.y, down)?;
        Ok(Surface { base, height, y, folded: true, ..self })
    }

    /// The surfaces whose rows hold several columns of a memref, one for all columns that have the same number in their rows: it ends
    /// where they do.
    pub fn of_columns(
        f: &mut FunctionLowering<'_, '_>,
        at: &MemrefPosition<'_>,
        io: MatrixIo,
        folded: FoldedSurface,
    ) -> Emitted<Vec<Surface>> {
        let limits = f.module.info.block_2d_io().ok_or_else(no_messages)?;
        let index = f.module.index_type();
        let [x, y] = at.position;
        let (mut base, mut down, mut y) = (
            at.pointer,
            f.module.index_constant(0),
            match f.module.known(y) {
                Some(known) => f.module.index_constant(known / folded.columns),
                None if folded.columns == 1 => y,
                None => {
                    let shift = f.module.index_constant(folded.columns.ilog2().into());
                    f.module.value(Op::ShiftRightArithmetic, index, &[y, shift])?
                }
            },
        );
        if io.reason == AccessReason::Batch {
            let batch = packed_batch(f, at)?;
            let first = first_neighbour(f, at, batch)?;
            let rows = f.module.index_constant(batch.rows / folded.columns);
            down = f.module.mul(first.place, rows)?;
            y = f.module.add(y, down)?;
            base = first.base;
        }
        let of_column = |column: i64| {
            let [width, pitch] = [folded.width(column), folded.row_pitch()]
                .map(|elements| narrow_constant(f, elements.saturating_mul(folded.bytes)));
            let (width, pitch) = (width?, pitch?);
            let start = f.module.index_constant(column * folded.pitch);
            let x = f.module.add(x, start)?;
            let height = f.module.index_constant(folded.height(column));
            let height = f.module.add(height, down)?;
            let height = narrow(f, height)?;
            Ok(Surface { io: limits, base, width, height, pitch, x, y, folded: false })
        };
        (0..folded.columns).map(of_column).collect()
    }

    /// Work-items of a subgroup that the messages are defined for.
    pub fn lanes(&self) -> i64 {
        self.io.lanes.into()
    }

    /// True if messages may move rows below the memref's last column, which are clipped.
    pub fn ends_with_memref(&self) -> bool {
        !self.folded
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

/// The first one of the members of a packed batch that share a surface with a member.
struct FirstNeighbour {
    /// Members between them.
    place: Word,
    /// Address of the first one.
    base: Word,
}

fn packed_batch(f: &FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Emitted<PackedBatch> {
    let batch = at.memref.and_then(|memref| PackedBatch::of(f.ir, f.divisors(), memref));
    batch.ok_or_else(no_batch)
}

fn first_neighbour(
    f: &mut FunctionLowering<'_, '_>,
    at: &MemrefPosition<'_>,
    batch: PackedBatch,
) -> Emitted<FirstNeighbour> {
    let (pointer, number) = (f.values.memref(batch.batch)?.pointer, f.values.scalar(batch.number)?);
    let index = f.module.index_type();
    let mask = f.module.index_constant(batch.neighbours - 1);
    let place = f.module.value(Op::BitwiseAnd, index, &[number, mask])?;
    let first = f.module.value(Op::ISub, index, &[number, place])?;
    let stride = f.module.index_constant(batch.stride);
    let distance = f.module.mul(first, stride)?;
    let ty = f.module.element_pointer_type(at.ty.element, at.ty.space)?;
    let base = f.module.offset_pointer(ty, pointer, distance)?;
    Ok(FirstNeighbour { place, base })
}

fn no_batch() -> Error {
    Error::internal("a member of a batch without the batch")
}

fn no_messages() -> Error {
    Error::internal("a surface on a device without 2D block messages")
}

/// An extent in bytes, as a number of 32 bits.
fn in_bytes(f: &mut FunctionLowering<'_, '_>, elements: Word, bytes: i64) -> Emitted<Word> {
    let bytes = f.module.index_constant(bytes);
    let extent = f.module.mul(elements, bytes)?;
    narrow(f, extent)
}

/// An index as a number of 32 bits.
fn narrow(f: &mut FunctionLowering<'_, '_>, index: Word) -> Emitted<Word> {
    if let Some(known) = f.module.known(index) {
        return narrow_constant(f, known);
    }
    let narrow = f.module.i32_type();
    f.module.value(Op::UConvert, narrow, &[index])
}

fn narrow_constant(f: &mut FunctionLowering<'_, '_>, number: i64) -> Emitted<Word> {
    f.module.int_constant(Scalar::I32, number)
}
