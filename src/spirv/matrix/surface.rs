//! Matrices in memory as surfaces of the 2D block messages (lowering reference 4.4).
//!
//! A memref whose first stride is 1 is a surface of rows that are the memref's columns. What lies outside of it reads
//! as 0 and is not written, so that checks cost nothing.

use crate::device::SpirvFeature;
use crate::ir::{self, Extent, IoClass, Scalar, Transpose};
use crate::schedule::{self, MatrixInMemory};
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::{MatrixAccess, MemrefPosition};
use crate::spirv::module_builder::Emitted;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// Work-items of a subgroup that the messages are defined for.
pub(super) const LANES: i64 = schedule::Surface::LANES as i64;
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
    /// The surface of a memref; `None` if it is not known to be one that the messages take.
    pub fn new(f: &mut FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Emitted<Option<Surface>> {
        if let Some(surface) = known_at_run_time(f, at)? {
            return Ok(Some(surface));
        }
        let extents = match f.schedule.surface(&matrix_in_memory(f, at), f.module.info) {
            Ok(extents) => extents,
            Err(reason) => {
                f.module.refuse_blocks(reason);
                return Ok(None);
            }
        };
        if at.divisors(f).address % schedule::Surface::MIN_BYTES != 0 {
            return Surface::folded(f, at, extents);
        }
        let [width, height, pitch] = extents.words(f)?;
        let [x, y] = at.position;
        Ok(Some(Surface { base: at.pointer, width, height, pitch, x, y, folded: false }))
    }

    /// The surface that a member of a packed batch shares with its neighbours: one of them is aligned as the messages
    /// demand, and the others begin at a later row (lowering reference 4.4).
    fn folded(
        f: &mut FunctionLowering<'_, '_>,
        at: &MemrefPosition<'_>,
        extents: schedule::Surface,
    ) -> Emitted<Option<Surface>> {
        let Some(member) = BatchMember::of(f, at) else {
            f.module.refuse_blocks("the address is not known to be a multiple of 64 bytes");
            return Ok(None);
        };
        let neighbours = member.neighbours(at.ty.element.bytes());
        let height = (neighbours - 1).saturating_mul(member.rows).saturating_add(extents.height);
        let shared = schedule::Surface { height, ..extents };
        if !shared.is_legal() {
            return Ok(None);
        }
        let [width, height, pitch] = shared.words(f)?;
        let index = f.module.index_type();
        let mask = f.module.index_constant(neighbours - 1);
        let place = f.module.value(Op::BitwiseAnd, index, &[member.number, mask])?;
        let first = f.module.value(Op::ISub, index, &[member.number, place])?;
        let stride = f.module.index_constant(member.stride);
        let distance = f.module.mul(first, stride)?;
        let ty = f.module.element_pointer_type(at.ty.element, at.ty.space)?;
        let base = f.module.offset_pointer(ty, member.batch, distance)?;
        let rows = f.module.index_constant(member.rows);
        let down = f.module.mul(place, rows)?;
        let [x, y] = at.position;
        let y = f.module.add(y, down)?;
        Ok(Some(Surface { base, width, height, pitch, x, y, folded: true }))
    }

    /// The surface of a matrix; `None` also if entries that are not there would have to be told from a neighbour's.
    pub fn of(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<Option<Surface>> {
        let may_exceed = access.checked.cols() || access.transpose == Transpose::T;
        Ok(Surface::new(f, &access.at)?.filter(|surface| !(surface.folded && may_exceed)))
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

/// A matrix as the member of a batch: a view of a memref of three modes at a position of the last one.
struct BatchMember {
    /// Address of the batch, and the member's number.
    batch: Word,
    number: Word,
    /// Elements from member to member, and rows of the surface in them.
    stride: i64,
    rows: i64,
}

impl BatchMember {
    fn of(f: &FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Option<BatchMember> {
        let Some(ir::Op::Subview(view)) = at.defining_op(f) else { return None };
        let (&[Extent::Static(0), Extent::Static(0), Extent::Dynamic], &[number]) =
            (view.static_offsets.as_slice(), view.offsets.as_slice())
        else {
            return None;
        };
        let &[_, _, Extent::Static(0)] = view.static_sizes.as_slice() else { return None };
        let batch = f.values.memref(view.of).ok()?;
        let &[_, pitch, stride] = batch.stride.as_slice() else { return None };
        let (pitch, stride) = (f.module.known(pitch)?, f.module.known(stride)?);
        let tensor = f.divisors().tensor(view.of)?;
        let alignment = tensor.offset.checked_mul(at.ty.element.bytes())?;
        let is_packed = pitch > 0 && stride > 0 && stride % pitch == 0;
        let is_aligned = alignment % schedule::Surface::MIN_BYTES == 0;
        let number = f.values.scalar(number).ok()?;
        (is_packed && is_aligned).then_some(BatchMember {
            batch: batch.pointer,
            number,
            stride,
            rows: stride / pitch,
        })
    }

    /// Members from one that is aligned to the next, a power of two.
    fn neighbours(&self, bytes: i64) -> i64 {
        let size = self.stride.saturating_mul(bytes);
        let aligned = (size & size.wrapping_neg()).clamp(1, schedule::Surface::MIN_BYTES);
        schedule::Surface::MIN_BYTES / aligned
    }
}

impl schedule::Surface {
    /// Width, height and pitch as constants.
    fn words(self, f: &mut FunctionLowering<'_, '_>) -> Emitted<[Word; 3]> {
        let [width, height, pitch] =
            [self.width, self.height, self.pitch].map(|extent| narrow_constant(f, extent));
        Ok([width?, height?, pitch?])
    }
}

/// The surface of a memref that was tested for one; `None` if it was not, or if the position does not fit.
fn known_at_run_time(f: &mut FunctionLowering<'_, '_>, at: &MemrefPosition<'_>) -> Emitted<Option<Surface>> {
    let is_tested = matches!(at.defining_op(f), Some(ir::Op::AsSurface(_)));
    let has_messages = f.schedule.has_io(IoClass::Block2d, f.module.info);
    if !is_tested || !matrix_in_memory(f, at).begins_at_unit() || !has_messages {
        return Ok(None);
    }
    let size = f.module.index_constant(at.ty.element.bytes());
    let narrow = f.module.i32_type();
    let [width, pitch] = [at.shape[0], at.stride[1]].map(|extent| f.module.mul(extent, size));
    let [width, height, pitch] =
        [width?, at.shape[1], pitch?].map(|extent| f.module.value(Op::UConvert, narrow, &[extent]));
    let ([x, y], base) = (at.position, at.pointer);
    Ok(Some(Surface { base, width: width?, height: height?, pitch: pitch?, x, y, folded: false }))
}

fn matrix_in_memory<'a>(f: &FunctionLowering<'_, '_>, at: &MemrefPosition<'a>) -> MatrixInMemory<'a> {
    MatrixInMemory {
        memref: at.ty,
        shape: at.shape.map(|id| f.module.known(id)),
        stride: at.stride.map(|id| f.module.known(id)),
        first_divisor: at.divisors(f).position[0],
    }
}

fn narrow_constant(f: &mut FunctionLowering<'_, '_>, number: i64) -> Emitted<Word> {
    f.module.int_constant(Scalar::I32, number)
}
