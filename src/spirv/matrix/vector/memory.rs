//! The addresses of a work-item's entries of a cooperative matrix, and which of them are there.

use super::clamped::{Clamped, distance};
use super::partition::layout;
use crate::analysis::{Layout, Place};
use crate::ir::Scalar;
use crate::spirv::error::Error;
use crate::spirv::function::FunctionLowering;
use crate::spirv::matrix::access::MatrixAccess;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use crate::spirv::numbers::{alignment, from_memory, packed};
use rspirv::spirv::{BuiltIn, Op, Word};

/// Components that are accessed under one condition.
pub(super) struct PredicatedGroup {
    /// `None` if it always holds.
    pub condition: Option<Word>,
    pub components: Components,
}

/// Components by number and place.
type Components = Vec<(usize, Place)>;

/// A matrix access as one work-item sees it.
pub(super) struct LaneAccess {
    pub layout: Layout,
    pub scalar: Scalar,
    pointer_type: Word,
    /// Address of the work-item's entry in the first stripe; that of the memref for numbers that share bytes.
    pointer: Word,
    /// Distance of that entry from the pointer in elements, for numbers that share bytes.
    packed: Option<Word>,
    /// True if all distances of rows are known to be whole bytes, or all of columns.
    whole_rows: bool,
    whole_cols: bool,
    /// True if the address of an entry lies in the memref wherever it is computed.
    in_bounds: bool,
    /// Distance of neighbouring rows and columns of the matrix, in elements.
    row_stride: Word,
    col_stride: Word,
    /// The work-item's column in a stripe.
    lane_col: Word,
    /// The bounds that rows and columns must stay below, if that is checked.
    row_check: Option<Bound>,
    col_check: Option<Bound>,
    /// Distances of rows and columns where others stand for those outside.
    clamped_rows: Option<Clamped>,
    clamped_cols: Option<Clamped>,
}

/// The bound of an axis.
struct Bound {
    /// The matrix's first row or column in memory.
    start: Word,
    /// The work-item's distance from it in the first stripe, and the sum of both.
    lane: Word,
    position: Word,
    end: Word,
    /// The end as it is compared with if no other access may have the same condition.
    own_end: Option<Word>,
}

impl Bound {
    /// True at run time if the work-item's row or column is there in the stripe that begins `offset` behind the first.
    fn contains(&self, f: &mut FunctionLowering<'_, '_>, offset: i64) -> Emitted<Word> {
        let known = (f.module.known(self.start), f.module.known(self.end));
        if let (None, (Some(start @ 0..), Some(end))) = (self.own_end, known) {
            return lane_below(f, self.lane, end.saturating_sub(start).saturating_sub(offset));
        }
        let offset = f.module.index_constant(offset);
        let position = f.module.add(self.position, offset)?;
        let boolean = f.module.bool_type();
        // Unsigned, so that negative positions fail, too.
        f.module.value(Op::ULessThan, boolean, &[position, self.own_end.unwrap_or(self.end)])
    }
}

impl LaneAccess {
    pub fn new(f: &mut FunctionLowering<'_, '_>, access: &MatrixAccess<'_>) -> Emitted<LaneAccess> {
        let layout = layout(f, access.matrix)?;
        let pointer_type = f.module.element_pointer_type(access.at.ty.element, access.at.ty.space)?;
        let [mut rows, mut cols] = access.axes();
        let (lane_row, lane_col) = lanes(f, &layout)?;
        let [mut clamped_rows, mut clamped_cols] = Clamped::of(f, access, &layout, [lane_row, lane_col])?;
        let (mut own_row, mut own_col) = (lane_row, lane_col);
        for (clamped, axis, own) in
            [(&mut clamped_rows, &mut rows, &mut own_row), (&mut clamped_cols, &mut cols, &mut own_col)]
        {
            let Some(found) = &clamped else { continue };
            axis.checked = false;
            *own = found.only().unwrap_or_else(|| f.module.index_constant(0));
            clamped.take_if(|found| found.only().is_some());
        }
        let module = &mut *f.module;
        let distance = |module: &mut ModuleBuilder<'_>, row, col| {
            let down = module.mul(row, rows.stride)?;
            let right = module.mul(col, cols.stride)?;
            module.add(down, right)
        };
        let (row, col, offset);
        if module.info.is_cpu() {
            // The part that all work-items share stays by itself. Intel's driver for processors without AVX-512 (2026.2)
            // may lose it from a product: (i + lane)·6 became lane·6 in a loop over i.
            let shared = distance(module, rows.start, cols.start)?;
            let own = distance(module, own_row, own_col)?;
            offset = module.add(shared, own)?;
            row = if rows.checked { module.add(rows.start, lane_row)? } else { lane_row };
            col = if cols.checked { module.add(cols.start, lane_col)? } else { lane_col };
        } else {
            row = module.add(rows.start, lane_row)?;
            col = module.add(cols.start, lane_col)?;
            let own_row = if own_row == lane_row { row } else { module.add(rows.start, own_row)? };
            let own_col = if own_col == lane_col { col } else { module.add(cols.start, own_col)? };
            offset = distance(module, own_row, own_col)?;
        }
        let own_end = if rows.checked { own_end(module, access.matrix.component, rows.end)? } else { None };
        let unchecked = !rows.checked && !cols.checked && !layout.is_padded();
        // A GPU computes it behind the condition; a CPU in all lanes, of which the condition then hides some.
        let in_bounds = unchecked || !module.info.is_cpu();
        let one = module.index_constant(1);
        let has_unit = [rows.stride, cols.stride].contains(&one);
        let packed = access.matrix.component.is_packed().then_some(offset);
        let pointer = match packed {
            Some(_) => access.at.pointer,
            None => module.shifted_pointer(pointer_type, access.at.pointer, offset, unchecked)?,
        };
        Ok(LaneAccess {
            layout,
            scalar: access.matrix.component,
            pointer_type,
            pointer,
            packed,
            whole_rows: rows.stride != one && has_unit,
            whole_cols: cols.stride != one && has_unit,
            in_bounds,
            row_stride: rows.stride,
            col_stride: cols.stride,
            lane_col,
            row_check: rows.checked.then_some(Bound {
                start: rows.start,
                lane: lane_row,
                position: row,
                end: rows.end,
                own_end,
            }),
            col_check: cols.checked.then_some(Bound {
                start: cols.start,
                lane: lane_col,
                position: col,
                end: cols.end,
                own_end: None,
            }),
            clamped_rows,
            clamped_cols,
        })
    }

    /// The components that may be there, in groups that share a condition.
    pub fn groups(&self, f: &mut FunctionLowering<'_, '_>) -> Emitted<Vec<PredicatedGroup>> {
        type Key = (Option<i64>, Option<i64>, bool);
        let mut groups: Vec<(Key, Place, Components)> = Vec::new();
        for (index, place) in self.layout.places().enumerate() {
            if self.is_outside(f, place) {
                continue;
            }
            let padded = self.layout.has_padding(place);
            let checks_row = !self.has_rows(f, place);
            let key = (
                checks_row.then_some(place.row_block),
                (self.col_check.is_some() || padded).then_some(place.col_block),
                padded,
            );
            match groups.last_mut() {
                Some((last, _, group)) if *last == key => group.push((index, place)),
                _ => groups.push((key, place, vec![(index, place)])),
            }
        }
        let mut predicated = Vec::new();
        for ((_, _, padded), first, components) in groups {
            let condition = self.condition(f, first, padded)?;
            predicated.push(PredicatedGroup { condition, components });
        }
        Ok(predicated)
    }

    /// Returns whether the rows of all work-items at a place are known to be there.
    fn has_rows(&self, f: &FunctionLowering<'_, '_>, place: Place) -> bool {
        let Some(rows) = &self.row_check else { return true };
        let last = self.layout.first_row(place) + self.layout.lane_rows() * (self.layout.stripe_rows - 1);
        match (f.module.known(rows.start), f.module.known(rows.end)) {
            (Some(first), Some(end)) => first >= 0 && first.saturating_add(last) < end,
            _ => false,
        }
    }

    /// Returns whether all that work-items have at a place is known to lie behind the end, so that nobody need ask at run
    /// time.
    fn is_outside(&self, f: &FunctionLowering<'_, '_>, place: Place) -> bool {
        let known = |axis: &Bound| f.module.known(axis.start).zip(f.module.known(axis.end));
        let [rows, cols] = [&self.row_check, &self.col_check].map(|axis| axis.as_ref().and_then(known));
        let right = self.layout.first_col(place);
        [(rows, self.layout.first_row(place)), (cols, right)].into_iter().any(|(known, offset)| {
            known.is_some_and(|(start, end)| start >= 0 && start.saturating_add(offset) >= end)
        })
    }

    /// True at run time if the work-item's entry at a place is there; `None` if it always is.
    pub fn condition(
        &self,
        f: &mut FunctionLowering<'_, '_>,
        place: Place,
        padded: bool,
    ) -> Emitted<Option<Word>> {
        let mut conditions = Vec::new();
        if let Some(rows) = &self.row_check
            && !self.has_rows(f, place)
        {
            conditions.push(rows.contains(f, self.layout.first_row(place))?);
        }
        let right = self.layout.first_col(place);
        if let Some(cols) = &self.col_check {
            conditions.push(cols.contains(f, right)?);
        }
        if padded {
            conditions.push(lane_below(f, self.lane_col, self.layout.cols - right)?);
        }
        let boolean = f.module.bool_type();
        let mut all = None;
        for condition in conditions {
            all = Some(match all {
                None => condition,
                Some(all) => f.module.value(Op::LogicalAnd, boolean, &[all, condition])?,
            });
        }
        Ok(all)
    }

    /// The work-item's entry at a place.
    pub fn read(&self, f: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let Some(from) = self.packed_address() else {
            let pointer = self.address(f, place)?;
            let ty = f.module.scalar_type(self.scalar)?;
            return f.module.load(ty, pointer, alignment(self.scalar)?);
        };
        let distance = self.distance(f, place)?;
        // A stride beside that of 1 is even (language reference 3.1).
        let right = self.layout.first_col(place);
        let is_whole = |elements: i64| elements % self.scalar.per_byte() == 0;
        let whole_bytes = (self.whole_rows || is_whole(self.layout.first_row(place)))
            && (self.whole_cols || is_whole(right));
        packed::load(f.module, self.scalar, from, distance, whole_bytes)
    }

    /// Returns whether some columns may not be there.
    pub fn checks_cols(&self) -> bool {
        self.col_check.is_some()
    }

    /// So many words of the work-item's row, from a place on.
    pub fn read_words(&self, f: &mut FunctionLowering<'_, '_>, start: Place, words: u32) -> Emitted<Word> {
        let from =
            self.packed_address().ok_or_else(|| Error::internal(format!("words of {}", self.scalar)))?;
        let distance = self.distance(f, start)?;
        packed::load_words(f.module, self.scalar, from, distance, words)
    }

    /// The address of the work-item's entry in the first stripe, if numbers share bytes.
    fn packed_address(&self) -> Option<packed::Address> {
        let LaneAccess { pointer_type, pointer, in_bounds, .. } = *self;
        Some(packed::Address { pointer_type, pointer, first: self.packed?, in_bounds })
    }

    /// The address of the work-item's entry at a place.
    pub fn address(&self, f: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let distance = self.distance(f, place)?;
        f.module.shifted_pointer(self.pointer_type, self.pointer, distance, self.in_bounds)
    }

    /// The distance of the entry at a place from the one in the first stripe, in elements.
    fn distance(&self, f: &mut FunctionLowering<'_, '_>, place: Place) -> Emitted<Word> {
        let (down, right) = (self.layout.first_row(place), self.layout.first_col(place));
        let down = distance(f, self.clamped_rows.as_ref(), (down, self.row_stride))?;
        let right = distance(f, self.clamped_cols.as_ref(), (right, self.col_stride))?;
        f.module.add(down, right)
    }
}

/// Puts `filler` where work-items hold padding.
pub(super) fn fill_padding(
    f: &mut FunctionLowering<'_, '_>,
    (scalar, layout): (Scalar, &Layout),
    words: &mut [Word],
    filler: Word,
) -> Emitted<()> {
    if !layout.is_padded() {
        return Ok(());
    }
    let ty = f.module.scalar_type(scalar)?;
    let (_, lane_col) = lanes(f, layout)?;
    for (word, place) in words.iter_mut().zip(layout.places()) {
        if layout.has_padding(place) {
            let inside = lane_below(f, lane_col, layout.cols - layout.first_col(place))?;
            *word = f.module.value(Op::Select, ty, &[inside, *word, filler])?;
        }
    }
    Ok(())
}

/// The work-item's row and column in a stripe.
fn lanes(f: &mut FunctionLowering<'_, '_>, layout: &Layout) -> Emitted<(Word, Word)> {
    let lane = f.module.builtin(BuiltIn::SubgroupLocalInvocationId)?;
    let (index, narrow) = (f.module.index_type(), f.module.i32_type());
    let zero = f.module.index_constant(0);
    let wide = |f: &mut FunctionLowering<'_, '_>, word| f.module.value(Op::UConvert, index, &[word]);
    if layout.stripe_cols == 1 {
        let row = wide(f, lane)?;
        let spread = f.module.index_constant(layout.lane_rows());
        return Ok((f.module.mul(row, spread)?, zero));
    }
    if layout.stripe_rows == 1 {
        return Ok((zero, wide(f, lane)?));
    }
    let rows = u32::try_from(layout.stripe_rows)
        .map_err(|_| Error::internal(format!("a stripe of {} rows", layout.stripe_rows)))?;
    let rows = f.module.i32_constant(rows);
    let row = f.module.value(Op::UMod, narrow, &[lane, rows])?;
    let col = f.module.value(Op::UDiv, narrow, &[lane, rows])?;
    Ok((wide(f, row)?, wide(f, col)?))
}

/// True at run time if a work-item's row or column in a stripe is less than `count`, in 32 bits, of which a compare takes less.
fn lane_below(f: &mut FunctionLowering<'_, '_>, lane: Word, count: i64) -> Emitted<Word> {
    let (narrow, boolean) = (f.module.i32_type(), f.module.bool_type());
    let lane = f.module.value(Op::UConvert, narrow, &[lane])?;
    let count = f.module.i32_constant(u32::try_from(count.max(0)).unwrap_or(u32::MAX));
    f.module.value(Op::ULessThan, boolean, &[lane, count])
}

/// The end of the rows of an access, which no other access has.
///
/// Intel's CPU compiler (runtime 2026.2) makes one mask of equal conditions. Where it loads or stores numbers of less than four bytes one
/// by one under such a mask in several places, it ends the process ("Cannot emit physreg copy instruction").
fn own_end(module: &mut ModuleBuilder<'_>, scalar: Scalar, end: Word) -> Emitted<Option<Word>> {
    let is_at_risk = module.info.is_cpu() && scalar.bytes() < 4;
    is_at_risk.then(|| from_memory(module, Scalar::Index, end)).transpose()
}
