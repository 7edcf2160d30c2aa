//! Factors B of which every work-item holds all entries, so that a product needs no broadcast.
//!
//! A load of such a matrix is uniform: GPUs fetch it by messages of consecutive words into few registers, which
//! multiply-adds read from any place, and CPUs broadcast it from memory.

use super::block2d::Content;
use super::clamped::{Clamped, distance};
use super::partition::{component, lane_constant, layout, no_component};
use super::{block, messages};
use crate::analysis::{Layout, Place};
use crate::ir::{AccessClass, AccessReason, AddressSpace, Coopmatrix, Scalar};
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::matrix::predicate::predicated;
use crate::spirv::matrix::surface::{Block, Load, Offset, Surface};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use crate::spirv::numbers::{alignment, subgroup};
use crate::spirv::values::MatrixValue;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Op, StorageClass, Word};

/// Returns whether matrices of the type are held so; their ids are the entries, column by column.
pub(super) fn is_replicated(f: &FunctionLowering<'_, '_>, matrix: Coopmatrix) -> bool {
    f.schedule.is_replicated(matrix, f.module.info)
}

/// The number of entries.
pub(super) fn length(matrix: Coopmatrix) -> usize {
    usize::try_from(matrix.rows * matrix.cols).unwrap_or(usize::MAX)
}

/// The entry at a row and a column.
pub(super) fn entry(matrix: &MatrixValue, row: i64, col: i64) -> Emitted<Word> {
    component(matrix, usize::try_from(col * matrix.ty().rows + row).unwrap_or(usize::MAX))
}

/// The matrix in the layout of the language, each work-item with its own components.
pub(super) fn distributed(f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue) -> Emitted<MatrixValue> {
    let ty = matrix.ty();
    if !is_replicated(f, ty) {
        return Ok(matrix.clone());
    }
    let layout = layout(f, ty)?;
    let components: Emitted<_> = layout.places().map(|place| own(f, matrix, layout, place)).collect();
    Ok(MatrixValue::new(ty, components?))
}

/// The component `index` of the work-item.
pub(super) fn extract(f: &mut FunctionLowering<'_, '_>, matrix: &MatrixValue, index: i64) -> Emitted<Word> {
    let layout = layout(f, matrix.ty())?;
    let place = place(f, layout, index)?;
    own(f, matrix, layout, place)
}

/// The matrix with the component `index` of the work-item replaced.
pub(super) fn insert(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    index: i64,
    value: Word,
) -> Emitted<MatrixValue> {
    let ty = matrix.ty();
    let layout = layout(f, ty)?;
    let place = place(f, layout, index)?;
    let mut entries = matrix.ids().to_vec();
    for (lane, at) in owners(f, ty, layout, place) {
        let lane = lane_constant(f, lane)?;
        let value = subgroup::broadcast(f.module, ty.component, value, lane)?;
        if let Some(entry) = entries.get_mut(at) {
            *entry = value;
        }
    }
    Ok(MatrixValue::new(ty, entries))
}

/// The entry that the work-item holds at a place in the layout of the language.
fn own(
    f: &mut FunctionLowering<'_, '_>,
    matrix: &MatrixValue,
    layout: Layout,
    place: Place,
) -> Emitted<Word> {
    let ty = matrix.ty();
    let lane_id = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let (boolean, scalar) = (f.module.bool_type(), f.module.scalar_type(ty.component)?);
    let mut found = None;
    for (lane, at) in owners(f, ty, layout, place) {
        let value = component(matrix, at)?;
        found = Some(match found {
            None => value,
            Some(others) => {
                let lane = lane_constant(f, lane)?;
                let is_own = f.module.value(Op::IEqual, boolean, &[lane_id, lane])?;
                f.module.value(Op::Select, scalar, &[is_own, value, others])?
            }
        });
    }
    found.map_or_else(|| f.module.zero(ty.component), Ok)
}

/// The lanes that hold something at a place, and the numbers of the entries.
fn owners(f: &FunctionLowering<'_, '_>, ty: Coopmatrix, layout: Layout, place: Place) -> Vec<(i64, usize)> {
    let entries = (0..f.subgroup_size).map(|lane| (lane, layout.entry(place, lane)));
    let inside = entries.filter(|&(_, (row, col))| row < ty.rows && col < ty.cols);
    inside.filter_map(|(lane, (row, col))| Some((lane, usize::try_from(col * ty.rows + row).ok()?))).collect()
}

/// The place of the component `index`.
fn place(f: &FunctionLowering<'_, '_>, layout: Layout, index: i64) -> Emitted<Place> {
    let place = usize::try_from(index).ok().and_then(|index| layout.places().nth(index));
    place.ok_or_else(|| no_component(f, index, layout.length()))
}

/// The matrix in the form that this back end keeps, from one in the layout of the language.
pub(super) fn replicated(f: &mut FunctionLowering<'_, '_>, matrix: MatrixValue) -> Emitted<MatrixValue> {
    let ty = matrix.ty();
    if !is_replicated(f, ty) {
        return Ok(matrix);
    }
    let layout = layout(f, ty)?;
    let mut entries = Vec::with_capacity(length(ty));
    for (row, col) in (0..ty.cols).flat_map(|col| (0..ty.rows).map(move |row| (row, col))) {
        let (lane, index) = layout.find(row, col);
        let lane = lane_constant(f, lane)?;
        entries.push(subgroup::broadcast(f.module, ty.component, component(&matrix, index)?, lane)?);
    }
    Ok(MatrixValue::new(ty, entries))
}

/// Reads a matrix; entries that fail a check are 0. All conditions are the same in the whole subgroup.
pub(super) fn load(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    match from.io.class {
        AccessClass::Uniform => load_uniform(f, from),
        AccessClass::Block2d => load_surface(f, from),
        AccessClass::Block1d if from.io.reason == AccessReason::Contiguous => load_contiguous(f, from),
        AccessClass::Block1d | AccessClass::Lanes => {
            let matrix = messages::load(f, from)?;
            replicated(f, matrix)
        }
        AccessClass::Block2dTransform
        | AccessClass::Block2dTranspose
        | AccessClass::Panels
        | AccessClass::Vectors
        | AccessClass::Block2dFolded
        | AccessClass::Block2dEvenOdd
        | AccessClass::Tiles => Err(from.cannot_obey()),
    }
}

/// Reads each entry from an address that all work-items share.
fn load_uniform(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let Coopmatrix { component: scalar, rows, cols, .. } = from.matrix;
    let reader = Reader::new(f, from)?;
    let zero = f.module.zero(scalar)?;
    let mut entries = Vec::with_capacity(length(from.matrix));
    let [row_axis, col_axis] = from.axes();
    if let Some(span) = Span::of(f, from, &reader) {
        return Ok(MatrixValue::new(from.matrix, reader.read_span(f, from, &span)?));
    }
    for col in 0..cols {
        let is_checked = col_axis.checked && reader.clamped_cols.is_none();
        let col_condition =
            if is_checked { Some(below(f, col_axis.start, col, col_axis.end)?) } else { None };
        if !row_axis.checked {
            let read = |f: &mut FunctionLowering<'_, '_>| reader.read_rows(f, rows, col);
            match col_condition {
                None => entries.extend(read(f)?),
                Some(condition) => entries.extend(reader.read_if(f, condition, zero, read)?),
            }
            continue;
        }
        for row in 0..rows {
            let mut condition = below(f, row_axis.start, row, row_axis.end)?;
            if let Some(other) = col_condition {
                let boolean = f.module.bool_type();
                condition = f.module.value(Op::LogicalAnd, boolean, &[condition, other])?;
            }
            entries.extend(reader.read_if(f, condition, zero, |f| Ok(vec![reader.read(f, row, col)?]))?);
        }
    }
    Ok(MatrixValue::new(from.matrix, entries))
}

/// Reads entries that follow each other in memory by block messages of one element a work-item.
fn load_contiguous(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let Coopmatrix { component: scalar, rows, cols, .. } = from.matrix;
    let [row_axis, _] = from.axes();
    let by_columns = f.module.known(row_axis.stride) == Some(1);
    let (lanes, length) = (f.subgroup_size, rows * cols);
    let reader = Reader::new(f, from)?;
    // The last message begins early enough to end with the matrix.
    let starts: Vec<i64> =
        (0..length).step_by(usize::try_from(lanes).unwrap_or(1)).map(|at| at.min(length - lanes)).collect();
    let words = block::read_elements(f, scalar, (reader.pointer_type, reader.pointer), &starts)?;
    let mut entries = Vec::with_capacity(self::length(from.matrix));
    for (row, col) in (0..cols).flat_map(|col| (0..rows).map(move |row| (row, col))) {
        let at = if by_columns { row + col * rows } else { row * cols + col };
        let place = usize::try_from(at / lanes).unwrap_or(usize::MAX);
        let (Some(&word), Some(start)) = (words.get(place), starts.get(place)) else {
            return Err(Error::internal(format!("element {at} of {length}")));
        };
        let lane = lane_constant(f, at - start)?;
        entries.push(subgroup::broadcast(f.module, scalar, word, lane)?);
    }
    Ok(MatrixValue::new(from.matrix, entries))
}

/// Rows that a message reads at most: of longer ones, which reach beyond the matrix more often, Intel's compiler copies
/// what is used.
const BLOCK_HEIGHT: i64 = 8;

/// Reads a matrix of numbers of eight bytes by 2D block messages, which spread two columns over the work-items.
fn load_surface(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<MatrixValue> {
    let Coopmatrix { component: scalar, rows, cols, .. } = from.matrix;
    let surface = Surface::new(f, &from.at, from.io)?;
    let width = surface.io.max_row_bytes / scalar.bytes();
    let messages = blocks(cols, surface.ends_with_memref());
    let mut entries = vec![None; self::length(from.matrix)];
    for row in (0..rows / width).map(|block| block * width) {
        for &(first, height) in &messages {
            let block = Block { element: scalar.bytes(), width, height, count: 1 };
            let offset = Offset { scale: 1, x: row, y: first };
            let content = Content::new(f, &surface, scalar, height / 2)?;
            let words = content.read(f, &surface, (Load::Plain, block, offset))?;
            for (col, down) in
                (first..cols.min(first + height)).flat_map(|col| (0..width).map(move |down| (col, down)))
            {
                let word = usize::try_from((col - first) / 2).ok().and_then(|pair| words.get(pair));
                let &word = word.ok_or_else(|| Error::internal(format!("column {col} of a block")))?;
                let lane = lane_constant(f, down + width * ((col - first) % 2))?;
                let place = usize::try_from(col * rows + row + down).unwrap_or(usize::MAX);
                if let Some(entry) = entries.get_mut(place).filter(|entry| entry.is_none()) {
                    *entry = Some(subgroup::broadcast(f.module, scalar, word, lane)?);
                }
            }
        }
    }
    let entries = entries.into_iter().collect::<Option<Vec<Word>>>();
    let entries = entries.ok_or_else(|| Error::internal("an entry was not read"))?;
    Ok(MatrixValue::new(from.matrix, entries))
}

/// First columns and heights of the messages that read so many columns, two at least each. What lies beyond the last column
/// may not be read unless it is `clipped`.
fn blocks(cols: i64, clipped: bool) -> Vec<(i64, i64)> {
    let mut messages = Vec::new();
    let mut col = 0;
    while col < cols {
        let left = BLOCK_HEIGHT.min(cols - col);
        let height: i64 = 1 << left.ilog2();
        let (first, height) = match (height, clipped) {
            (_, true) => (col, if height < left { 2 * height } else { height }.max(2)),
            (1, false) => (col - 1, 2),
            (_, false) => (col, height),
        };
        messages.push((first, height));
        col = first + height;
    }
    messages
}

/// Zero, of which a driver's compiler only knows that it may differ between subgroups.
///
/// Intel's CPU compiler (runtime 2026.2) makes a loop over the subgroups of a work-group of what stands between two barriers, also if there is
/// one subgroup. Loads from addresses that no subgroup changes it moves in front of that loop: entries of factors, more than there are
/// registers, each of which is then stored and loaded again. `predictor` of `ader_dg` in order 4 took 1.3 times as long.
fn unknown_zero(module: &mut ModuleBuilder<'_>) -> Emitted<Word> {
    /// Bits that hold the number of a subgroup, whatever the size of work-groups.
    const BITS: i64 = 20;
    let (index, bits) = (module.index_type(), module.index_constant(BITS));
    let subgroup = module.builtin(BuiltIn::SubgroupId)?;
    let subgroup = module.value(Op::UConvert, index, &[subgroup])?;
    module.value(Op::ShiftRightLogical, index, &[subgroup, bits])
}

/// A matrix in memory as all work-items see it.
struct Reader {
    scalar: Scalar,
    ty: Word,
    pointer_type: Word,
    /// Address of the first entry.
    pointer: Word,
    in_bounds: bool,
    row_stride: Word,
    col_stride: Word,
    /// Distances of columns where others stand for those outside.
    clamped_cols: Option<Clamped>,
    /// Rows that follow each other in memory and that one load may read.
    most_rows: i64,
}

/// Entries of the longest vector (OpenCL C specification, 6.3.2).
const MAX_VECTOR: i64 = 16;
/// Bytes of the rows that a load reads: what fits a register from pvc on.
const MAX_LOAD: i64 = 64;

impl Reader {
    fn new(f: &mut FunctionLowering<'_, '_>, from: &MatrixAccess<'_>) -> Emitted<Reader> {
        let scalar = from.matrix.component;
        let ty = f.module.scalar_type(scalar)?;
        let pointer_type = f.module.element_pointer_type(from.at.ty.element, from.at.ty.space)?;
        let [rows, cols] = from.axes();
        let module = &mut *f.module;
        let down = module.mul(rows.start, rows.stride)?;
        let right = module.mul(cols.start, cols.stride)?;
        let mut offset = module.add(down, right)?;
        if module.info.is_cpu() && f.has_barriers() {
            let zero = unknown_zero(f.module)?;
            offset = f.module.add(offset, zero)?;
        }
        let module = &mut *f.module;
        let in_bounds = !rows.checked && !cols.checked;
        let pointer = module.shifted_pointer(pointer_type, from.at.pointer, offset, in_bounds)?;
        let (row_stride, col_stride) = (rows.stride, cols.stride);
        // CPUs broadcast entries from memory one by one.
        let is_contiguous = module.known(row_stride) == Some(1)
            && from.at.ty.space == AddressSpace::Global
            && !scalar.is_complex()
            && !module.info.is_cpu();
        let most_rows = if is_contiguous { MAX_LOAD / scalar.bytes() } else { 1 };
        let clamped_cols = Clamped::uniform(f, from)?;
        Ok(Reader {
            scalar,
            ty,
            pointer_type,
            pointer,
            in_bounds,
            row_stride,
            col_stride,
            clamped_cols,
            most_rows,
        })
    }

    /// The rows of a column, from the first one on.
    fn read_rows(&self, f: &mut FunctionLowering<'_, '_>, rows: i64, col: i64) -> Emitted<Vec<Word>> {
        let mut words = Vec::new();
        let mut row = 0;
        while row < rows {
            let count = 1 << self.most_rows.min(rows - row).max(1).ilog2();
            let pointer = self.address(f, row, col)?;
            words.extend(self.read_vector(f, pointer, count)?);
            row += i64::from(count);
        }
        Ok(words)
    }

    /// The entries of a matrix, column by column, from vectors that have those between them, too.
    fn read_span(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        from: &MatrixAccess<'_>,
        &Span { first, last, end, distance }: &Span,
    ) -> Emitted<Vec<Word>> {
        let Coopmatrix { rows, cols, .. } = from.matrix;
        let (mut vectors, mut at) = (Vec::new(), first / MAX_VECTOR * MAX_VECTOR);
        while at < last {
            let count: u32 = 1 << MAX_VECTOR.min(end - at).max(1).ilog2();
            let offset = f.module.index_constant(at);
            let pointer = f.module.shifted_pointer(self.pointer_type, from.at.pointer, offset, true)?;
            vectors.push((at, count, self.vector(f, pointer, count)?));
            at += i64::from(count);
        }
        let places = (0..cols).flat_map(|col| (0..rows).map(move |row| first + row + col * distance));
        let entry = |place: i64| {
            let found = vectors.iter().rfind(|&&(start, ..)| start <= place);
            let &(start, count, vector) = found.ok_or_else(|| Error::internal("an entry was not read"))?;
            self.component(f, vector, (place - start, count))
        };
        places.map(entry).collect()
    }

    /// Entries that follow each other.
    fn read_vector(&self, f: &mut FunctionLowering<'_, '_>, pointer: Word, count: u32) -> Emitted<Vec<Word>> {
        let vector = self.vector(f, pointer, count)?;
        (0..count).map(|index| self.component(f, vector, (index.into(), count))).collect()
    }

    /// Entries that follow each other as a vector, or the only one.
    fn vector(&self, f: &mut FunctionLowering<'_, '_>, pointer: Word, count: u32) -> Emitted<Word> {
        if count == 1 {
            return f.module.load(self.ty, pointer, alignment(self.scalar)?);
        }
        let vector = f.module.vector_type(self.ty, count);
        let pointer_type = f.module.pointer_type(StorageClass::CrossWorkgroup, vector);
        let pointer = f.module.value(Op::Bitcast, pointer_type, &[pointer])?;
        f.module.load(vector, pointer, alignment(self.scalar)?)
    }

    /// A component of what [`Reader::vector`] returned for so many entries.
    fn component(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        vector: Word,
        (index, count): (i64, u32),
    ) -> Emitted<Word> {
        if count == 1 {
            return Ok(vector);
        }
        let index = u32::try_from(index).map_err(|_| Error::internal("a negative component"))?;
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(index)];
        f.module.value_of(Op::CompositeExtract, self.ty, operands)
    }

    fn read(&self, f: &mut FunctionLowering<'_, '_>, row: i64, col: i64) -> Emitted<Word> {
        let pointer = self.address(f, row, col)?;
        self.vector(f, pointer, 1)
    }

    fn address(&self, f: &mut FunctionLowering<'_, '_>, row: i64, col: i64) -> Emitted<Word> {
        let down = distance(f, None, (row, self.row_stride))?;
        let right = distance(f, self.clamped_cols.as_ref(), (col, self.col_stride))?;
        let offset = f.module.add(down, right)?;
        f.module.shifted_pointer(self.pointer_type, self.pointer, offset, self.in_bounds)
    }

    /// Entries that `read` returns, or zeros where the condition does not hold.
    fn read_if(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        condition: Word,
        zero: Word,
        read: impl FnOnce(&mut FunctionLowering<'_, '_>) -> Emitted<Vec<Word>>,
    ) -> Emitted<Vec<Word>> {
        let mut words = Vec::new();
        let (before, end) = predicated(f, condition, |f| {
            words = read(f)?;
            Ok(())
        })?;
        words.into_iter().map(|word| f.module.phi(self.ty, [(word, end), (zero, before)])).collect()
    }
}

/// Positions in a memref of the first entry of a matrix, behind the last one, and behind the last one of the memref; the distance of columns.
struct Span {
    first: i64,
    last: i64,
    end: i64,
    distance: i64,
}

impl Span {
    /// The span of a matrix in packed columns if it takes fewer loads to read what else these have, too. The loads are counted from the first
    /// entry of the memref, so that steps along K have some in common, which Intel's compiler keeps once.
    fn of(f: &FunctionLowering<'_, '_>, from: &MatrixAccess<'_>, reader: &Reader) -> Option<Span> {
        let Coopmatrix { rows, cols, .. } = from.matrix;
        let [down, right] = from.axes();
        let known = |word: Word| f.module.known(word);
        let distance = known(right.stride)?;
        let place = |row: i64, col: i64| col.checked_mul(distance)?.checked_add(row);
        let first = place(known(down.start)?, known(right.start)?)?;
        let last = place(rows, cols - 1)?.checked_add(first)?;
        let (rows_of_memref, cols_of_memref) = (known(down.end)?, known(right.end)?);
        let end = place(rows_of_memref, cols_of_memref - 1)?;
        let loads = |entries: i64, most: i64| entries / most + i64::from((entries % most).count_ones());
        let by_columns = cols.saturating_mul(loads(rows, reader.most_rows));
        let takes_fewer =
            reader.most_rows > 1 && loads(last - first / MAX_VECTOR * MAX_VECTOR, MAX_VECTOR) < by_columns;
        let is_packed = rows_of_memref == distance && !down.checked && !right.checked;
        let is_inside = first >= 0 && rows <= distance && last <= end;
        (is_packed && is_inside && takes_fewer).then_some(Span { first, last, end, distance })
    }
}

/// position + offset < end. Unsigned, so that negative positions fail too.
fn below(f: &mut FunctionLowering<'_, '_>, position: Word, offset: i64, end: Word) -> Emitted<Word> {
    let offset = f.module.index_constant(offset);
    let position = f.module.add(position, offset)?;
    let boolean = f.module.bool_type();
    f.module.value(Op::ULessThan, boolean, &[position, end])
}
