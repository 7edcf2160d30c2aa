//! Messages that the matrices of a function get to and from memory by (lowering reference 4.2 and 4.4).
//!
//! The answer stands on the instruction; back ends obey it.

use super::{MatrixCode, Schedule};
use crate::analysis::{Extents, Interval, SurfaceAnswer, Surfaces, TensorDivisors};
use crate::device::{Avoidance, Block1dIo, Block2dIo, CoreInfo, SpirvFeature};
use crate::ir::{
    AccessClass, AccessReason, AddressSpace, Checked, Coopmatrix, IoClass, Ir, MatrixIo, MatrixUse, Memref,
    Op, Scalar, Surface, Transpose, Use, Value,
};

/// Bytes of an element that a work-item hands to another one in a single step, however far away.
const STEP_BYTES: i64 = 4;

/// A function as far as its accesses to matrices depend on it.
pub struct AccessTarget<'a> {
    /// The program.
    pub ir: &'a Ir,
    /// Answers about its memrefs.
    pub surfaces: &'a Surfaces,
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The code for its cooperative matrices.
    pub code: &'a MatrixCode,
    /// The device.
    pub info: &'a CoreInfo,
}

/// A cooperative matrix in memory.
#[derive(Clone, Copy, Debug)]
pub struct MatrixInMemory {
    /// The matrix.
    pub matrix: Coopmatrix,
    /// The memref that it is in.
    pub memref: Value,
    /// Its position in the memref.
    pub at: [Value; 2],
    /// T if its rows lie along the second mode.
    pub transpose: Transpose,
    /// Bounds that are checked.
    pub checked: Checked,
    /// True if what is loaded is only stored again.
    pub is_copied: bool,
}

/// Rows or columns of a matrix in memory, as far as they are known; elements.
#[derive(Clone, Copy)]
struct Axis {
    start: Option<i64>,
    stride: Option<i64>,
    end: Option<i64>,
    checked: bool,
}

impl Schedule {
    /// Returns why 2D block messages reach a matrix that begins at a position along the first mode of a memref.
    ///
    /// # Errors
    /// Why they do not.
    pub fn surface(
        &self,
        ir: &Ir,
        surfaces: &Surfaces,
        (memref, x): (Value, Value),
        info: &CoreInfo,
    ) -> Result<AccessReason, AccessReason> {
        if !self.overrides.allows(IoClass::Block2d) {
            return Err(AccessReason::Forbidden);
        }
        if self.block_2d_io(info).is_none() {
            return Err(AccessReason::NoMessages);
        }
        let reason = match surfaces.answer(ir, memref) {
            SurfaceAnswer::Known(reason) => reason,
            SurfaceAnswer::Testable(reason) | SurfaceAnswer::Never(reason) => return Err(reason),
        };
        let bytes = ir.ty(memref).memref().map_or(1, |memref| memref.element.bytes());
        let first_row = surfaces.divisors().number(x).saturating_mul(bytes);
        if first_row % Surface::UNIT_BYTES == 0 { Ok(reason) } else { Err(AccessReason::FirstRow) }
    }
}

impl AccessTarget<'_> {
    /// The messages that a matrix is loaded by.
    pub fn load(&self, from: &MatrixInMemory) -> MatrixIo {
        if from.matrix.component.is_packed() {
            let class = if self.has_packed_rows(from) { AccessClass::Vectors } else { AccessClass::Lanes };
            return io(class, AccessReason::Packed);
        }
        if let Some(io) = self.tiles(from).filter(|_| from.matrix.usage != MatrixUse::Acc) {
            return io;
        }
        if let Some(io) = self.panels(from) {
            return io;
        }
        let refused = match self.fragments(from, true) {
            Ok(io) => return io,
            Err(reason) => reason,
        };
        if let Some(reason) = self.folded(from) {
            return io(AccessClass::Block2dFolded, reason);
        }
        let mut reason = refused.unwrap_or(AccessReason::Layout);
        if self.schedule.is_replicated(from.matrix, self.info) {
            if self.is_contiguous(from) {
                return io(AccessClass::Block1d, AccessReason::Contiguous);
            }
            match self.wide_blocks(from) {
                Ok(reason) => return io(AccessClass::Block2d, reason),
                Err(found) => reason = found,
            }
            if !self.schedule.fills_lanes(from.matrix, self.info) {
                return io(AccessClass::Uniform, reason);
            }
        }
        let class = match from.transpose {
            Transpose::T => AccessClass::Block2dTranspose,
            Transpose::N => AccessClass::Block2d,
        };
        match self
            .distributed_blocks(from, true)
            .and_then(|reason| self.unless_avoided(class, true).and(Ok(reason)))
        {
            Ok(reason) => return io(class, reason),
            Err(AccessReason::Layout) => {}
            Err(found) => reason = found,
        }
        if self.has_rows(from) {
            return io(AccessClass::Vectors, reason);
        }
        let has_rows = self.has_contiguous_columns(from) || self.has_short_columns(from, true);
        io(if has_rows { AccessClass::Block1d } else { AccessClass::Lanes }, reason)
    }

    /// The type as which casts take what is loaded as it comes, if all that happens to a factor of bytes is that they widen it for the
    /// engine: rows on the lanes, as accumulators have them. Fragments of bytes put several into a word or hand the lanes others, so that each would be
    /// taken out of a word, or come from another lane.
    pub fn widened(&self, loaded: Value) -> Option<Coopmatrix> {
        let from = self.in_memory(loaded)?;
        let is_widened = |place: &Use| {
            let user = &self.ir[place.user];
            let to = user.results.first().and_then(|&result| self.ir.ty(result).coopmatrix());
            matches!(user.op, Op::Cast(_)) && to.is_some_and(|to| self.has_rows_on_lanes(to))
        };
        let uses = self.ir.uses(loaded);
        let is_factor = from.matrix.usage != MatrixUse::Acc && from.matrix.component.bytes() == 1;
        let rows_on_lanes = Coopmatrix { usage: MatrixUse::Acc, ..from.matrix };
        let is_possible = is_factor
            && from.transpose == Transpose::N
            && !uses.is_empty()
            && uses.iter().all(is_widened)
            && self.load(&MatrixInMemory { matrix: rows_on_lanes, ..from }).class == AccessClass::Block2d;
        is_possible.then_some(rows_on_lanes)
    }

    /// Returns whether fragments of a factor have a row in each lane, in as many components as it has columns.
    fn has_rows_on_lanes(&self, matrix: Coopmatrix) -> bool {
        let depth = self.code.fragments(matrix).and_then(|engine| engine.depth(matrix.component));
        match matrix.usage {
            MatrixUse::A => depth.is_some() && matrix.component.bytes() == 2,
            MatrixUse::B => depth == Some(i64::from(self.schedule.subgroup_size)),
            MatrixUse::Acc => false,
        }
    }

    /// The messages that a matrix is stored by; `value` is what is stored.
    pub fn store(&self, to: &MatrixInMemory, value: Value) -> MatrixIo {
        if let Some(io) = self.tiles(to).filter(|_| self.holds_tiles(to.matrix, value)) {
            return io;
        }
        if let Some(io) = self.panels(to) {
            return io;
        }
        let mut reason = match self.fragments(to, false) {
            Ok(io) => return io,
            Err(reason) => reason.unwrap_or(AccessReason::Layout),
        };
        if to.transpose == Transpose::N {
            let blocks = self.distributed_blocks(to, false);
            match blocks.and_then(|reason| self.unless_avoided(AccessClass::Block2d, false).and(Ok(reason))) {
                Ok(reason) => return io(AccessClass::Block2d, reason),
                Err(AccessReason::Layout) => {}
                Err(found) => reason = found,
            }
        }
        let has_rows = self.has_contiguous_columns(to) && self.is_aligned(to, Block1dIo::XE.store_alignment)
            || to.matrix.usage == MatrixUse::Acc && self.has_short_columns(to, false);
        io(if has_rows { AccessClass::Block1d } else { AccessClass::Lanes }, reason)
    }

    /// The messages that fetch a part of a memref into the caches; `None` if there are none.
    pub fn prefetch(&self, memref: Value, x: Value) -> Option<MatrixIo> {
        let on_engine =
            matches!(self.code, MatrixCode::Dpas(_)) && !self.info.avoids(Avoidance::Block2dPrefetch);
        let reason = self.schedule.surface(self.ir, self.surfaces, (memref, x), self.info).ok()?;
        on_engine.then_some(io(AccessClass::Block2d, reason))
    }

    /// Whole tiles, if the engine takes a matrix as it lies in memory.
    fn tiles(&self, access: &MatrixInMemory) -> Option<MatrixIo> {
        let MatrixCode::Joint(joint) = self.code else { return None };
        joint.tiles(access.matrix).filter(|tiles| tiles.packed_cols.is_none())?;
        let [rows, _] = self.axes(access)?;
        let is_whole = access.transpose == Transpose::N && access.checked == Checked::None;
        let divisors = self.surfaces.divisors();
        let memref = divisors.tensor(access.memref)?;
        let bytes = self.memref(access)?.element.bytes();
        let [x, _] = access.at;
        let distances = [memref.offset, divisors.number(x), memref.stride.get(1).copied().unwrap_or(1)];
        let are_aligned =
            distances.iter().all(|distance| distance.wrapping_mul(bytes) % joint.engine.alignment() == 0);
        let is_possible = is_whole && rows.stride == Some(1) && are_aligned;
        is_possible.then_some(io(AccessClass::Tiles, AccessReason::Contiguous))
    }

    /// Returns whether accumulators are held in tiles: a product on the engine made them, or a loop carries them.
    fn holds_tiles(&self, matrix: Coopmatrix, value: Value) -> bool {
        let MatrixCode::Joint(joint) = self.code else { return false };
        let tiled = |value: Value| self.ir.ty(value).coopmatrix().filter(|&ty| joint.tiles(ty).is_some());
        let is_made = match self.ir.defining_op(value) {
            Some(Op::CoopmatrixMulAdd(op)) => {
                let operands = [op.a, op.b, op.c].map(tiled);
                let [Some(a), Some(b), Some(c)] = operands else { return false };
                c == matrix && joint.takes([a, b, c])
            }
            Some(op) => matches!(op, Op::For(_)),
            None => true,
        };
        is_made && matrix.usage == MatrixUse::Acc
    }

    /// 2D blocks of fragments of the matrix engine; the reason if they were considered.
    fn fragments(&self, access: &MatrixInMemory, is_load: bool) -> Result<MatrixIo, Option<AccessReason>> {
        let Coopmatrix { component, cols, usage, .. } = access.matrix;
        let engine = self.code.fragments(access.matrix).ok_or(None)?;
        let bytes = component.bytes();
        let class = match (usage, access.transpose) {
            (MatrixUse::A | MatrixUse::B, _) if !is_load => return Err(None),
            (MatrixUse::B, Transpose::T) if bytes == 1 => return Err(Some(AccessReason::TransposedBytes)),
            (MatrixUse::Acc, Transpose::T) => return Err(Some(AccessReason::TransposedAccumulator)),
            (MatrixUse::A | MatrixUse::B, Transpose::T) => AccessClass::Block2dTranspose,
            (MatrixUse::A, Transpose::N) if bytes < 4 => AccessClass::Block2dTransform,
            (MatrixUse::A | MatrixUse::B | MatrixUse::Acc, Transpose::N) => AccessClass::Block2d,
        };
        self.unless_avoided(class, is_load).map_err(Some)?;
        let reason = self.surface(access).map_err(Some)?;
        // Columns side by side, where there are fewer rows than work-items.
        let lanes = i64::from(self.schedule.subgroup_size);
        let columns = engine.depth(component).map_or(1, |depth| (lanes / depth).max(1));
        let is_odd = usage == MatrixUse::B && cols % columns != 0;
        if is_load && is_odd && reason == AccessReason::Batch {
            return Err(Some(AccessReason::OddColumns));
        }
        Ok(io(class, reason))
    }

    /// Columns of a panel in local memory, as long as the engine takes them.
    fn panels(&self, access: &MatrixInMemory) -> Option<MatrixIo> {
        let Coopmatrix { component, rows, cols, usage } = access.matrix;
        let depth = self.code.fragments(access.matrix)?.depth(component)?;
        let [down, right] = self.axes(access)?;
        let (along, across, length) = match usage {
            MatrixUse::A => (right, down, cols),
            MatrixUse::B => (down, right, rows),
            MatrixUse::Acc => return None,
        };
        let is_column = along.start == Some(0) && along.stride == Some(1) && length == depth;
        let is_panel = is_column && across.stride == Some(depth) && access.checked == Checked::None;
        let is_aligned = self.surfaces.divisors().tensor(access.memref)?.offset % depth == 0;
        let is_local = self.memref(access)?.space == AddressSpace::Local;
        // Columns of a factor B come by a message for the subgroup.
        let has_message = usage == MatrixUse::A || self.info.have(SpirvFeature::SubgroupBufferBlockIo);
        (is_panel && is_aligned && is_local && has_message)
            .then_some(io(AccessClass::Panels, AccessReason::Contiguous))
    }

    /// Refuses 2D blocks that the device does without.
    pub(super) fn unless_avoided(&self, class: AccessClass, is_load: bool) -> Result<(), AccessReason> {
        let avoidance = match class {
            _ if !is_load => Avoidance::Block2dStore,
            AccessClass::Block2dTranspose => Avoidance::Block2dTranspose,
            AccessClass::Block2dTransform => Avoidance::Block2dTransform,
            AccessClass::Block2d
            | AccessClass::Block2dFolded
            | AccessClass::Block2dEvenOdd
            | AccessClass::Block1d
            | AccessClass::Panels
            | AccessClass::Vectors
            | AccessClass::Tiles
            | AccessClass::Uniform
            | AccessClass::Lanes => return Ok(()),
        };
        if self.info.avoids(avoidance) { Err(AccessReason::Avoided) } else { Ok(()) }
    }

    /// 2D blocks of numbers of eight bytes, which spread two columns of a factor B over the lanes.
    fn wide_blocks(&self, from: &MatrixInMemory) -> Result<AccessReason, AccessReason> {
        let Coopmatrix { component, rows, cols, .. } = from.matrix;
        let leaves_rows = |io: &Block2dIo| rows % (io.max_row_bytes / Scalar::F64.bytes()) != 0;
        let is_wide = component == Scalar::F64 && from.transpose == Transpose::N;
        if !is_wide || self.info.block_2d_io().is_some_and(leaves_rows) {
            return Err(AccessReason::Layout);
        }
        let reason = self.surface(from)?;
        let reads_two = cols > 1 || reason != AccessReason::Batch;
        if reads_two { Ok(reason) } else { Err(AccessReason::OddColumns) }
    }

    /// 2D blocks whose lanes are those of the layout.
    fn distributed_blocks(
        &self,
        access: &MatrixInMemory,
        is_load: bool,
    ) -> Result<AccessReason, AccessReason> {
        let Coopmatrix { component, cols, .. } = access.matrix;
        let io = self.info.block_2d_io();
        let is_suitable =
            self.schedule.layout(access.matrix, self.info).zip(io).is_none_or(|(layout, io)| {
                layout.lane_rows() == 1 && layout.stripe_rows == i64::from(io.lanes)
            });
        // Messages that transpose move words, fragments of narrow numbers are in words. A narrow column takes an address, which costs less
        // than the place of a block.
        let has_words = access.transpose == Transpose::T || self.code.fragments(access.matrix).is_some();
        let may_be_narrow = is_load && !has_words && cols > 1;
        let fills_word = io.is_none_or(|io| match component.bytes() {
            bytes if bytes < io.word_bytes => may_be_narrow,
            bytes => bytes == io.word_bytes,
        });
        if !fills_word || component.is_complex() || cols == 0 || !is_suitable {
            return Err(AccessReason::Layout);
        }
        self.surface(access)
    }

    /// The proof that a matrix lies in a surface, whose edge clips what is checked.
    fn surface(&self, access: &MatrixInMemory) -> Result<AccessReason, AccessReason> {
        let [x, _] = access.at;
        let reason = self.schedule.surface(self.ir, self.surfaces, (access.memref, x), self.info)?;
        let may_exceed = access.checked.cols() || access.transpose == Transpose::T;
        if reason == AccessReason::Batch && may_exceed { Err(AccessReason::Neighbour) } else { Ok(reason) }
    }

    /// Returns whether 1D blocks read all entries of a matrix one behind the other.
    fn is_contiguous(&self, from: &MatrixInMemory) -> bool {
        let Coopmatrix { rows, cols, .. } = from.matrix;
        let Some([down, right]) = self.axes(from) else { return false };
        let follows = matches!((down.stride, right.stride), (Some(1), Some(stride)) if stride == rows)
            || matches!((down.stride, right.stride), (Some(stride), Some(1)) if stride == cols);
        let fills = rows.saturating_mul(cols) >= i64::from(self.schedule.subgroup_size);
        follows && fills && !down.checked && !right.checked && self.has_block_1d(from)
    }

    /// Returns whether 1D blocks move the columns of a matrix, whose rows are the lanes'.
    fn has_contiguous_columns(&self, access: &MatrixInMemory) -> bool {
        let Some(layout) = self.schedule.layout(access.matrix, self.info) else { return false };
        let Some([rows, cols]) = self.axes(access) else { return false };
        rows.stride == Some(1)
            && layout.stripe_cols == 1
            && layout.lane_rows() == 1
            && access.matrix.rows % i64::from(self.schedule.subgroup_size) == 0
            && (self.has_block_1d(access) || self.has_words(access))
            && !rows.checked
            && !cols.checked
    }

    /// Returns whether 1D blocks move components of a factor A that share words in the registers of an engine, two or four
    /// columns in a word. Products that wait for so many at a time spill; a copy has nothing else in registers.
    fn has_words(&self, access: &MatrixInMemory) -> bool {
        access.is_copied
            && self.schedule.has_io(IoClass::Block1d, self.info)
            && access.matrix.usage == MatrixUse::A
            && access.transpose == Transpose::N
            && self.code.fragments(access.matrix).is_some()
            && self.memref(access).is_some_and(|memref| memref.space == AddressSpace::Global)
            && self.is_aligned(access, Block1dIo::XE.load_alignment)
    }

    /// Returns whether vectors move the rows of a factor A that is copied, which are contiguous: as many bytes for each work-item as the engine
    /// takes.
    fn has_rows(&self, access: &MatrixInMemory) -> bool {
        let Coopmatrix { component, rows, cols, usage } = access.matrix;
        let Some([down, right]) = self.axes(access) else { return false };
        let depth = self.code.fragments(access.matrix).and_then(|engine| engine.depth(component));
        let alignment = Block1dIo::XE.load_alignment;
        let is_aligned = self.surfaces.divisors().tensor(access.memref).is_some_and(|memref| {
            let [x, y] = access.at.map(|value| self.surfaces.divisors().number(value));
            let other = memref.stride.get(1).copied().unwrap_or(1);
            let distances = [memref.offset, x, other.saturating_mul(y), other];
            distances.iter().all(|elements| elements.saturating_mul(component.bytes()) % alignment == 0)
        });
        access.is_copied
            && usage == MatrixUse::A
            && depth == Some(cols)
            && rows > 0
            && right.stride == Some(1)
            && access.transpose == Transpose::T
            && !down.checked
            && !right.checked
            && is_aligned
    }

    /// Returns whether each lane has rows of numbers that share bytes to itself, which are contiguous and fill whole words.
    fn has_packed_rows(&self, access: &MatrixInMemory) -> bool {
        let Coopmatrix { component, rows, cols, .. } = access.matrix;
        let Some([_, right]) = self.axes(access) else { return false };
        let in_word = Scalar::I32.bytes() * component.per_byte();
        let fills_words = self.surfaces.divisors().tensor(access.memref).is_some_and(|memref| {
            let [x, y] = access.at.map(|value| self.surfaces.divisors().number(value));
            let other = memref.stride.get(1).copied().unwrap_or(1);
            let end = memref.shape.first().filter(|_| right.checked).copied().unwrap_or(0);
            let places = [memref.offset, x, other.saturating_mul(y), other, end];
            places.iter().all(|elements| elements % in_word == 0)
        });
        access.transpose == Transpose::T
            && right.stride == Some(1)
            && rows % i64::from(self.schedule.subgroup_size) == 0
            && cols % in_word == 0
            && fills_words
    }

    /// Returns whether 1D blocks move several columns at once, which have fewer rows than there are lanes and follow each
    /// other in memory. What is stored may not be another work-item's, and accumulators come as they go, or not so at all.
    fn has_short_columns(&self, access: &MatrixInMemory, is_load: bool) -> bool {
        let Some([down, right]) = self.axes(access) else { return false };
        let (Some(0), Some(rows), Some(1), Some(distance)) =
            (down.start, down.end, down.stride, right.stride)
        else {
            return false;
        };
        let Coopmatrix { component, cols, usage, .. } = access.matrix;
        let lanes = i64::from(self.schedule.subgroup_size);
        let overlaps = is_load && usage != MatrixUse::Acc;
        let (is_short, elements) = ((1..lanes).contains(&rows), cols.saturating_mul(rows));
        // Work-items that overlap read the next column's elements from wherever that begins.
        let fills_lanes = if overlaps && usage == MatrixUse::A {
            is_short && elements >= lanes
        } else {
            is_short && lanes % rows == 0 && elements % lanes == 0
        };
        let moves = component.bytes() <= STEP_BYTES || 2 * rows == lanes && self.info.exchanges_halves();
        fills_lanes
            && distance == rows
            && access.matrix.rows == lanes
            && down.checked
            && !right.checked
            && (overlaps || moves && self.is_aligned(access, Block1dIo::XE.store_alignment))
            && self.has_block_1d(access)
    }

    /// Returns whether 1D blocks reach the memory of a matrix and move its components.
    fn has_block_1d(&self, access: &MatrixInMemory) -> bool {
        let component = access.matrix.component;
        self.schedule.has_io(IoClass::Block1d, self.info)
            && self.memref(access).is_some_and(|memref| memref.space == AddressSpace::Global)
            && matches!(component.bytes(), 4 | 8)
            && !component.is_complex()
    }

    /// Returns whether the addresses of all columns are multiples of so many bytes. Within a column the subgroups' elements
    /// are multiples of any alignment apart.
    fn is_aligned(&self, access: &MatrixInMemory, alignment: i64) -> bool {
        let divisors = self.surfaces.divisors();
        let Some(TensorDivisors { offset, stride, .. }) = divisors.tensor(access.memref) else {
            return false;
        };
        let &[first, second] = stride.as_slice() else { return false };
        let [x, y] = access.at.map(|value| divisors.number(value));
        let bytes = access.matrix.component.bytes();
        let right = if access.transpose == Transpose::N { second } else { first };
        let distances = [*offset, first.saturating_mul(x), second.saturating_mul(y), right];
        distances.into_iter().all(|elements| elements.saturating_mul(bytes) % alignment == 0)
    }

    fn memref(&self, access: &MatrixInMemory) -> Option<&Memref> {
        self.ir.ty(access.memref).memref()
    }

    /// The rows and the columns of a matrix; a transposed one has its rows along the second mode.
    fn axes(&self, access: &MatrixInMemory) -> Option<[Axis; 2]> {
        let Extents { shape, stride } = Extents::of(self.ir, access.memref)?;
        let axis = |mode: usize, checked: bool| {
            let start = Interval::of(self.ir, *access.at.get(mode)?).number();
            Some(Axis { start, stride: *stride.get(mode)?, end: *shape.get(mode)?, checked })
        };
        let [rows, cols] = if access.transpose == Transpose::N { [0, 1] } else { [1, 0] };
        Some([axis(rows, access.checked.rows())?, axis(cols, access.checked.cols())?])
    }
}

pub(super) fn io(class: AccessClass, reason: AccessReason) -> MatrixIo {
    MatrixIo { class, reason }
}
